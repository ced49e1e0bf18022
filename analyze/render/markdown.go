package render

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// markdown writes reports for pasting into a ticket: what a reader must see stands open, the rest is folded.
type markdown struct {
	catalogue
	buf *bytes.Buffer
	// remedies are those already written, by their text, with the code they stood under.
	remedies map[string]analyze.Code
}

func writeMarkdown(buf *bytes.Buffer, reports []*analyze.Report, opt Options) error {
	c, err := newCatalogue(opt.Language)
	if err != nil {
		return err
	}
	m := &markdown{catalogue: c, buf: buf}
	if len(reports) != 1 {
		m.bundles(reports)
	}
	for i, r := range reports {
		if i > 0 || len(reports) != 1 {
			m.line("")
		}
		m.remedies = map[string]analyze.Code{}
		m.report(newView(r))
	}
	return nil
}

// line writes one line; empty lines never follow one another.
func (m *markdown) line(format string, args ...any) {
	if format == "" && bytes.HasSuffix(m.buf.Bytes(), []byte("\n\n")) {
		return
	}
	if len(args) == 0 {
		m.buf.WriteString(format + "\n")
		return
	}
	fmt.Fprintf(m.buf, format+"\n", args...)
}

// row writes one row of a table; its cells are escaped already.
func (m *markdown) row(cells ...string) { m.line("%s", "| "+strings.Join(cells, " | ")+" |") }

// head writes the head of a table with columns named by the catalogue.
func (m *markdown) head(ids ...string) {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = m.say(id)
	}
	m.line("")
	m.row(names...)
	m.line("%s", "|"+strings.Repeat("---|", len(ids)))
}

// fold writes a part that a reader opens; its title is the renderer's own and holds no bundle text.
func (m *markdown) fold(title string, body func()) {
	m.line("")
	m.line("%s", "<details><summary>"+title+"</summary>")
	m.line("")
	body()
	m.line("")
	m.line("</details>")
}

func (m *markdown) bundles(reports []*analyze.Report) {
	m.line("%s", "## "+m.count("bundles", len(reports)))
	m.head(overviewColumns()...)
	for _, r := range reports {
		row := []string{codeCell(sourceText(m.catalogue, r.Bundle.Source)), orDash(md(r.Bundle.CollectedAt))}
		m.row(append(row, count(r).Cells(len(r.Bundle.Problems))...)...)
	}
}

func (m *markdown) report(v *view) {
	m.line("%s", "## "+m.say("markdown.title", code(sourceText(m.catalogue, v.Bundle.Source))))
	m.line("")
	m.line("- **%s**%s%s", m.say("label.bundle"), m.say("colon"), md(bundleFacts(m.catalogue, v.Bundle)))
	m.line("- **%s**%s%s", m.say("label.kubernetes"), m.say("colon"), md(kubernetesText(m.catalogue, v.Cluster, false)))
	for _, s := range istioTexts(m.catalogue, v.Cluster) {
		m.line("- **%s**%s%s", m.say("label.istio"), m.say("colon"), md(s))
	}
	if p := v.Cluster.NextPod; p.Placement != "" {
		m.line("- **%s**%s%s", m.say("label.nextPod"), m.say("colon"), md(nextPodText(m.catalogue, v.Report)))
	}
	m.overview(v)
	for _, g := range v.groups {
		if len(v.groups) == 1 || severityRank(g.lead.Severity) < severityRank(analyze.Info) || len(g.own) > 0 {
			m.group(v, g)
		}
	}
	if len(v.common)+len(v.undecided) > 0 {
		m.line("")
		m.line("%s", "### "+m.say("findings.common"))
		m.findings(v.common, v.undecided)
	}
	m.problems(v.Bundle.Problems)
	m.line("")
	m.line("%s", md(closingText(m.catalogue, count(v.Report))))
	for _, s := range hiddenTexts(m.catalogue, v.Report) {
		m.line("%s", md(s))
	}
}

func (m *markdown) overview(v *view) {
	if len(v.groups) == 0 {
		m.line("")
		m.line("%s", md(noneText(m.catalogue, v.Report)))
		return
	}
	m.head("col.severity", "col.verdict", "col.workload", "col.since", "col.heldFor", "col.heldBy")
	for _, g := range v.groups {
		w := g.lead
		name := codeCell(w.Ref().String())
		if n := len(g.others); n > 0 {
			name = m.count("group.more", n, name)
		}
		m.row(md(m.severity(w.Severity)), md(string(w.Verdict)), name, orDash(md(w.Since)), orDash(md(heldFor(m.catalogue, w))),
			orDash(heldBy(m.catalogue, w, codeCell)))
	}
}

func (m *markdown) problems(ps []analyze.Problem) {
	if len(ps) == 0 {
		return
	}
	m.fold(m.count("markdown.problems", len(ps)), func() {
		for _, p := range ps {
			m.line("- %s", md(problemText(p)))
		}
	})
}

// proof writes observations as a numbered list, field and value as code.
func (m *markdown) proof(es []evidence.Evidence, indent string) {
	for i, e := range es {
		m.line("%s%d. %s", indent, i+1, m.observation(e))
	}
}

func (m *markdown) observation(e evidence.Evidence) string {
	var parts []string
	if e.Object != "" {
		parts = append(parts, m.objectCode(e.Object))
	}
	switch {
	case e.Absent:
		parts = append(parts, absentText(m.catalogue, e, code(e.Field)))
	case e.Field == "":
		parts = append(parts, code(e.Value))
	default:
		parts = append(parts, code(e.Field)+" = "+orElse(code(e.Value), "`\"\"`"))
	}
	where := whereText(m.catalogue, e)
	if where != "" {
		parts = append(parts, "("+code(strings.Trim(where, "[]"))+")")
	}
	return strings.Join(parts, " ")
}
