package render

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// openAtFirst is how many workloads of a bundle stand open when the page is opened; with more bundles than this, none.
const openAtFirst = 3

// htmlPage is what the templates see.
type htmlPage struct {
	Lang, Title, Policy string
	Style               template.CSS
	Script              template.JS
	Bundles             []htmlBundle
	// Verdicts are the codes to filter by, sorted.
	Verdicts []analyze.Code
	// Items counts what the filter works on.
	Items int
}

// htmlBundle is one bundle's part of the page.
type htmlBundle struct {
	*view
	ID string
	// Alone says that the page shows no other bundle, so that its title names this one.
	Alone     bool
	Tally     tally
	Workloads []htmlWorkload
	Common    []htmlFinding
	Undecided []analyze.Finding
	// Kubelets are the nodes by version, with those marked that a finding about nodes names.
	Kubelets []htmlKubelet
	// RuledOut is what the rules found clear about the cluster.
	RuledOut []analyze.RuledOut
}

// htmlWorkload is one workload, or several that share a story.
type htmlWorkload struct {
	analyze.Workload
	ID       string
	Open     bool
	Others   []analyze.Workload
	Timeline *timeline
	// Todo are remedies' summaries, worst finding first, with a link to the finding.
	Todo []htmlTodo
	// Later are those of findings that do not bear on the verdict.
	Later []htmlTodo
	// RemedySaid is that the summary of the workload's own remedy is one of them.
	RemedySaid bool
	Findings   []htmlFinding
	Undecided  []analyze.Finding
	Elsewhere  []htmlTodo
	RuledOut   []analyze.RuledOut
	// Fix is the command that prints the whole change.
	Fix string
	// Search is what the filter looks into, in lower case.
	Search string
	// ShowNextPod says that the workload's own decision adds to the cluster's.
	ShowNextPod bool
}

type htmlFinding struct {
	analyze.Finding
	ID string
	// Said is that its remedy's summary stands under what to do, in the same workload.
	Said bool
}

// htmlRemedy is a remedy; with Said its summary stands above.
type htmlRemedy struct {
	*analyze.Remedy
	Said bool
}

// Shown says that there is something to show.
func (r htmlRemedy) Shown() bool {
	return !r.Said || len(r.Steps)+len(r.Verify)+len(r.Rollback)+len(r.Avoid) > 0 || r.Patch != ""
}

// htmlTodo is a line with a link into the page.
type htmlTodo struct{ Link, Text string }

func newHTMLPage(c catalogue, reports []*analyze.Report) (*htmlPage, error) {
	style, err := asset("style.css")
	if err != nil {
		return nil, err
	}
	script, err := asset("script.js")
	if err != nil {
		return nil, err
	}
	p := &htmlPage{Lang: c.say("lang"), Style: template.CSS(style), Script: template.JS(script)} //nolint:gosec // our own, embedded
	p.Policy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'",
		hash(style), hash(script))
	p.Title = c.count("bundles", len(reports))
	if len(reports) == 1 {
		p.Title = c.say("markdown.title", sourceText(c, reports[0].Bundle.Source))
	}
	for i, r := range reports {
		b := newHTMLBundle(c, fmt.Sprintf("b%d", i+1), r, len(reports))
		b.Alone = len(reports) == 1
		p.Bundles = append(p.Bundles, b)
		p.Items += len(b.Workloads)
		for _, w := range b.Workloads {
			p.Verdicts = append(p.Verdicts, w.Verdict)
		}
	}
	slices.Sort(p.Verdicts)
	p.Verdicts = slices.Compact(p.Verdicts)
	return p, nil
}

func newHTMLBundle(c catalogue, id string, r *analyze.Report, many int) htmlBundle {
	v := newView(r)
	b := htmlBundle{view: v, ID: id, Tally: count(r), Undecided: v.undecided}
	links := map[analyze.Code]htmlTodo{}
	b.Common = linked(id, v.common, links)
	for i, g := range v.groups {
		wid := fmt.Sprintf("%s-w%d", id, i+1)
		b.Workloads = append(b.Workloads, htmlWorkload{ID: wid, Findings: linked(wid, g.own, links)})
	}
	told := map[string]bool{}
	for i, g := range v.groups {
		w := &b.Workloads[i]
		w.fill(c, v, g, links)
		w.Open = many <= openAtFirst && i < openAtFirst && (severityRank(w.Severity) < 2 || len(v.groups) == 1)
		for _, x := range w.RuledOut {
			told[ruledKey(x)] = true
		}
	}
	for _, x := range v.Report.RuledOut {
		if !told[ruledKey(x)] {
			b.RuledOut = append(b.RuledOut, x)
		}
	}
	b.Kubelets = kubelets(r)
	return b
}

func ruledKey(x analyze.RuledOut) string { return string(x.Code) + " " + x.Object.String() }

// linked gives findings their places in the page and notes where each code stands first.
func linked(id string, fs []analyze.Finding, links map[analyze.Code]htmlTodo) []htmlFinding {
	var out []htmlFinding
	for i, f := range fs {
		hf := htmlFinding{Finding: f, ID: fmt.Sprintf("%s-f%d", id, i+1)}
		out = append(out, hf)
		if _, ok := links[f.Code]; !ok {
			links[f.Code] = htmlTodo{"#" + hf.ID, todoText(f)}
		}
	}
	return out
}

// fill adds a group's story to a workload that has its findings already.
func (w *htmlWorkload) fill(c catalogue, v *view, g *group, links map[analyze.Code]htmlTodo) {
	w.Workload, w.Others, w.Undecided = g.lead, g.others, g.undecided
	if r := g.lead.Remedy; r != nil {
		w.RemedySaid = w.addTodo(htmlTodo{"#" + w.ID + "-remedy", r.Summary}, false)
	}
	w.Timeline = drawTimeline(c, g.lead, v.Bundle.CollectedAt)
	for i := range w.Findings {
		f := &w.Findings[i]
		f.Said = w.addTodo(htmlTodo{"#" + f.ID, todoText(f.Finding)}, slices.Contains(w.Apart, f.Code))
	}
	for _, code := range g.elsewhere {
		w.Elsewhere = append(w.Elsewhere, htmlTodo{links[code].Link, string(code)})
		w.addTodo(links[code], slices.Contains(w.Apart, code))
	}
	w.Fix = fixCommand(v, g.lead)
	w.RuledOut = append(slices.Clone(g.lead.RuledOut), v.ruledOut(g.lead)...)
	w.ShowNextPod = v.tellNextPod(g.lead)
	words := append(g.refs(), string(w.Verdict), strings.Join(w.Culprits, " "), joinCodes(c, g.lead.Findings), sourceText(c, v.Bundle.Source))
	if w.Parent != nil {
		words = append(words, w.Parent.Kind+"/"+w.Parent.Name)
	}
	w.Search = strings.ToLower(strings.Join(words, " "))
}

// addTodo lists a remedy, once for each wording, and says whether its wording is listed then.
func (w *htmlWorkload) addTodo(t htmlTodo, apart bool) bool {
	if t.Text == "" || !needsAttention(w.Workload) {
		return false
	}
	list := &w.Todo
	if apart {
		list = &w.Later
	}
	if !slices.ContainsFunc(*list, func(o htmlTodo) bool { return o.Text == t.Text }) {
		*list = append(*list, t)
	}
	return true
}

// todoText is what a finding asks to be done; what is merely worth knowing asks nothing.
func todoText(f analyze.Finding) string {
	if f.Remedy == nil || severityRank(f.Severity) >= severityRank(analyze.Info) {
		return ""
	}
	return f.Remedy.Summary
}
