package render

import (
	"bytes"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render/columns"
)

// detailed bounds how many groups the table tells in full; the rest get their sentence. It is far above what one ticket
// holds, and keeps a cluster-wide outage readable. wide has no bound.
const detailed = 25

// table writes reports for people, from top to bottom as a support engineer reads: what was read, what the cluster is,
// each workload's verdict with its proof, the cluster's findings, what could not be read, and the count.
type table struct {
	page
	wide bool
	// remedies are those already printed, by their text, with the code they stood under.
	remedies map[string]analyze.Code
}

func writeTable(buf *bytes.Buffer, reports []*analyze.Report, opt Options) error {
	return tables(buf, reports, opt, false)
}

func writeWide(buf *bytes.Buffer, reports []*analyze.Report, opt Options) error {
	return tables(buf, reports, opt, true)
}

func tables(buf *bytes.Buffer, reports []*analyze.Report, opt Options, wide bool) error {
	c, err := newCatalogue(opt.Language)
	if err != nil {
		return err
	}
	t := &table{page: page{catalogue: c, buf: buf, width: opt.Width, color: opt.Color}, wide: wide}
	if len(reports) != 1 && !opt.Quiet {
		t.bundles(reports)
	}
	var sum tally
	for i, r := range reports {
		t.remedies = map[string]analyze.Code{}
		sum = sum.plus(count(r))
		if opt.Quiet {
			t.brief(newView(r))
			continue
		}
		if i > 0 || len(reports) != 1 {
			t.blank()
		}
		t.report(newView(r))
	}
	if opt.Quiet || len(reports) != 1 {
		t.blank()
		t.closing(sum, nil)
	}
	return nil
}

// bundles is the overview of a run over several bundles.
func (t *table) bundles(reports []*analyze.Report) {
	rows := make([][]columns.Cell, 0, len(reports))
	for _, r := range reports {
		row := append([]string{sourceText(t.catalogue, r.Bundle.Source), orDash(r.Bundle.CollectedAt)}, count(r).Cells(len(r.Bundle.Problems))...)
		rows = append(rows, columns.Cells(row...))
	}
	t.columns(overviewColumns(), rows)
}

// brief is one line per workload.
func (t *table) brief(v *view) {
	for _, w := range sorted(v.Workloads) {
		label := t.paint(severityStyle(w.Severity), columns.Pad(t.severity(w.Severity), 7))
		t.raw(label + " " + string(w.Verdict) + " " + w.Ref().String() + t.say("colon") + t.sentence(w.Summary))
	}
}

func (t *table) report(v *view) {
	t.header(v)
	if len(v.Workloads) > 1 {
		t.blank()
		t.overview(v)
	}
	t.workloads(v)
	t.otherPods(v)
	t.common(v)
	if t.wide {
		t.ruledOutRest(v)
	}
	t.problems(v)
	t.blank()
	t.closing(count(v.Report), hiddenTexts(t.catalogue, v.Report))
}

// workloads tells each group, worst first. What is merely worth knowing has its row in the overview, unless it is all
// there is to tell.
func (t *table) workloads(v *view) {
	if len(v.Workloads) == 0 {
		t.blank()
		t.para(noneText(t.catalogue, v.Report))
		return
	}
	for i, g := range v.groups {
		switch {
		case t.wide || len(v.groups) == 1:
		case severityRank(g.lead.Severity) >= severityRank(analyze.Info) && len(g.own) == 0:
			continue
		case i == detailed:
			t.blank()
			t.para(t.say("workloads.more", len(v.groups)-i))
			return
		}
		t.blank()
		t.group(v, g)
	}
}

// closing is the last line: how much of what.
func (t *table) closing(n tally, hidden []string) {
	t.para(closingText(t.catalogue, n))
	for _, s := range hidden {
		t.para(s)
	}
}

// problems lists what could not be read, each with its file.
func (t *table) problems(v *view) {
	if len(v.Bundle.Problems) == 0 {
		return
	}
	t.blank()
	t.raw(t.paint(bold, t.say("problems")))
	t.in(func() {
		for _, p := range v.Bundle.Problems {
			t.item(plainText, "- ", problemText(p))
		}
	})
}

// common prints findings about the cluster or about several workloads.
func (t *table) common(v *view) {
	if len(v.common)+len(v.undecided) == 0 {
		return
	}
	t.blank()
	t.raw(t.paint(bold, t.say("findings.common")))
	t.in(func() { t.findings(v.common, v.undecided) })
}
