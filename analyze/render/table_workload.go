package render

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render/columns"
)

// overview is the table of all workloads, worst first; runs of one CronJob with one story share a row.
func (t *table) overview(v *view) {
	rows := make([][]columns.Cell, 0, len(v.groups))
	for _, g := range v.groups {
		w := g.lead
		name := w.Ref().String()
		if n := len(g.others); n > 0 {
			name = t.count("group.more", n, name)
		}
		row := columns.Cells(t.severity(w.Severity), string(w.Verdict), orDash(heldFor(t.catalogue, w)), orDash(heldBy(t.catalogue, w, same)), name)
		row[0].Style = severityStyle(w.Severity)
		rows = append(rows, row)
	}
	t.columns([]string{"col.severity", "col.verdict", "col.heldFor", "col.heldBy",
		"col.workload"}, rows)
}

// group tells the story of one workload, or of several that share it.
func (t *table) group(v *view, g *group) {
	w := g.lead
	head := string(w.Verdict) + "  " + w.Ref().String()
	if w.Parent != nil {
		head += t.say("parent", w.Parent.Kind+"/"+w.Parent.Name)
	}
	t.item(severityStyle(w.Severity), t.severity(w.Severity)+"  ", head)
	t.in(func() {
		t.para(t.sentence(w.Summary))
		if s := heldText(t.catalogue, w); s != "" {
			t.para(s)
		}
		for _, s := range costTexts(t.catalogue, w, len(g.others) > 0) {
			t.para(s)
		}
		if s := jobText(t.catalogue, w); s != "" {
			t.para(strings.TrimSpace(s + "  " + jobWhere(t.catalogue, w)))
		}
		if len(g.others) > 0 {
			t.para(t.count("group.same", len(g.others), t.otherNames(g)))
		}
		t.todo(v, g)
		t.pods(w)
		if t.wide {
			t.events(w.Events)
		}
		t.evidence("because", w.Evidence)
		t.ruledOut(v, w)
		t.gaps("missing", w.Missing)
		if w.Remedy != nil {
			t.blank()
			t.remedy(w.Remedy, w.Verdict)
		}
		if len(g.own)+len(g.undecided) > 0 {
			t.section("findings")
			t.in(func() { t.findings(g.own, g.undecided) })
		}
		if len(g.elsewhere) > 0 {
			t.blank()
			t.para(t.say("findings.elsewhere", joinCodes(t.catalogue, g.elsewhere)))
		}
		t.nextPod(v, w)
	})
}

// todo says in a few lines what to do, before the proof; how stands with the findings.
func (t *table) todo(v *view, g *group) {
	list, fix := v.todos(g), fixCommand(v, g.lead)
	if len(list) == 0 && fix == "" && g.lead.Now == nil {
		return
	}
	t.section("todo")
	t.in(func() {
		t.now(v, g)
		for i, x := range list {
			if title := todoTitle(list, i, g.lead.Now != nil); title != "" {
				t.raw(t.paint(bold, t.say(title)))
			}
			t.item(plainText, "- ", x.text+t.say("todo.code", string(x.code)))
		}
		if fix != "" {
			t.item(plainText, "- ", t.say(fixLabel(list)))
			t.in(func() { t.raw("$ " + fix) })
		}
	})
}

// now says what can be done about the pods at hand; how, where a reader is not in for many of them.
func (t *table) now(v *view, g *group) {
	r := g.lead.Now
	if r == nil {
		return
	}
	label := nowLabel(t.catalogue, g.lead, len(g.others) > 0)
	if !t.wide && len(v.groups) > openAtFirst {
		t.item(bold, t.lead(label), r.Summary+t.say("now.wide"))
		return
	}
	t.item(bold, t.lead(label), t.sentence(r.Summary))
	t.in(func() {
		t.list("remedy.steps", "", r.Steps)
		t.list("remedy.verify", "- ", r.Verify)
		t.list("remedy.avoid", "- ", r.Avoid)
	})
}

func same(s string) string { return s }

func (t *table) otherNames(g *group) string {
	var names []string
	for _, w := range g.others {
		names = append(names, w.Name)
	}
	if t.wide {
		return t.names(names)
	}
	return someNames(t.catalogue, names, 5)
}

// nextPod says where the next pod's proxy would be put, and why.
func (t *table) nextPod(v *view, w analyze.Workload) {
	p := w.NextPod
	if p.Placement == "" || !t.wide && !v.tellNextPod(w) {
		return
	}
	t.blank()
	t.item(bold, t.lead(t.say("nextPod")), placement(t.catalogue, p.Placement))
	t.in(func() { t.reasoning(p) })
}

func (t *table) reasoning(p analyze.NextPod) {
	for _, r := range p.Because {
		t.item(plainText, "- ", r)
	}
}

// tellNextPod says that a workload's own decision adds something to the cluster's line.
func (v *view) tellNextPod(w analyze.Workload) bool {
	p, known := w.NextPod, w.NextPod.Placement != "" && w.NextPod.Placement != "unknown"
	return len(p.Because) > 1 || known && !sameNextPod(p, v.Cluster.NextPod)
}

func sameNextPod(a, b analyze.NextPod) bool {
	return a.Placement == b.Placement && strings.Join(a.Because, "\n") == strings.Join(b.Because, "\n")
}

// ruledOut lists answers that were tried and do not hold; wide adds what the rules found clear, with the proof.
func (t *table) ruledOut(v *view, w analyze.Workload) {
	all := w.RuledOut
	if t.wide {
		all = append(all[:len(all):len(all)], v.ruledOut(w)...)
	}
	more := 0
	if !t.wide {
		more = len(v.ruledOut(w))
	}
	if len(all)+more == 0 {
		return
	}
	t.section("ruledOut")
	t.in(func() {
		for _, x := range all {
			t.oneRuledOut(x)
		}
		if more > 0 {
			t.para(t.count("ruledOut.count", more))
		}
	})
}

func (t *table) oneRuledOut(x analyze.RuledOut) {
	t.item(plainText, "- ", string(x.Code)+t.say("colon")+x.Because)
	if !t.wide {
		return
	}
	t.in(func() { t.proof("", x.Evidence) })
}

// ruledOutRest lists, in wide, what was ruled out about the cluster or about things that are no workload here.
func (t *table) ruledOutRest(v *view) {
	told := map[string]bool{}
	for _, w := range v.Workloads {
		for _, x := range v.ruledOut(w) {
			told[x.Object.String()] = true
		}
	}
	first := true
	for _, x := range v.RuledOut {
		if told[x.Object.String()] {
			continue
		}
		if first {
			t.section("ruledOut.cluster")
			first = false
		}
		t.in(func() { t.oneRuledOut(x) })
	}
}
