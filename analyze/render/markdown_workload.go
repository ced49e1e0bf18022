package render

import (
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// group writes the story of one workload, or of several that share it.
func (m *markdown) group(v *view, g *group) {
	w := g.lead
	m.line("")
	m.line("### %s %s: %s", md(m.severity(w.Severity)), md(string(w.Verdict)), code(w.Ref().String()))
	m.line("")
	if w.Parent != nil {
		m.line("%s", m.say("markdown.parent", code(w.Parent.Kind+"/"+w.Parent.Name)))
	}
	m.line("%s", md(m.sentence(w.Summary)))
	if s := heldText(m.catalogue, w); s != "" {
		m.line("%s", md(s))
	}
	for _, s := range costTexts(m.catalogue, w, len(g.others) > 0) {
		m.line("%s", md(s))
	}
	if s := jobText(m.catalogue, w); s != "" {
		where := strings.Trim(jobWhere(m.catalogue, w), "[]")
		if where != "" {
			where = " (" + code(where) + ")"
		}
		m.line("%s", md(s)+where)
	}
	if n := len(g.others); n > 0 {
		var names []string
		for _, o := range g.others {
			names = append(names, code(o.Name))
		}
		m.line("%s", m.count("group.same", n, m.names(names)))
	}
	m.todo(v, g)
	if len(w.Evidence) > 0 {
		m.title("because")
		m.proof(w.Evidence, "")
	}
	m.gaps(w.Missing)
	m.remedy(w.Remedy, w.Verdict)
	if len(g.own)+len(g.undecided) > 0 {
		m.title("findings")
		m.findings(g.own, g.undecided)
	}
	if len(g.elsewhere) > 0 {
		m.line("")
		m.line("%s", md(m.say("findings.elsewhere", joinCodes(m.catalogue, g.elsewhere))))
	}
	m.nextPod(v, w)
	m.pods(w)
	m.ruledOut(append(w.RuledOut[:len(w.RuledOut):len(w.RuledOut)], v.ruledOut(w)...))
}

// todo says in a few lines what to do, before the proof.
func (m *markdown) todo(v *view, g *group) {
	list, fix := v.todos(g), fixCommand(v, g.lead)
	if len(list) == 0 && fix == "" && g.lead.Now == nil {
		return
	}
	m.title("todo")
	if r := g.lead.Now; r != nil {
		m.line("**%s** %s", md(nowLabel(m.catalogue, g.lead, len(g.others) > 0)), md(m.sentence(r.Summary)))
		m.list("remedy.steps", true, r.Steps)
		m.list("remedy.verify", false, r.Verify)
		m.list("remedy.avoid", false, r.Avoid)
	}
	for i, x := range list {
		if title := todoTitle(list, i, g.lead.Now != nil); title != "" {
			m.title(title)
		}
		m.line("- %s%s", md(x.text), m.say("todo.code", md(string(x.code))))
	}
	if fix != "" {
		m.line("- %s %s", m.say(fixLabel(list)), code(fix))
	}
}

// title starts a titled part.
func (m *markdown) title(id string) {
	m.line("")
	m.line("%s", "**"+m.say(id)+"**")
	m.line("")
}

func (m *markdown) gaps(gs []evidence.Gap) {
	if len(gs) == 0 {
		return
	}
	m.title("missing")
	for _, g := range gs {
		m.line("- %s", m.gapText(g))
	}
}

// gapText is what is missing with the command that would supply it.
func (m *markdown) gapText(g evidence.Gap) string {
	if g.Command == "" {
		return md(g.What)
	}
	return md(g.What) + m.say("colon") + code(g.Command)
}

func (m *markdown) nextPod(v *view, w analyze.Workload) {
	p := w.NextPod
	if !v.tellNextPod(w) {
		return
	}
	m.line("")
	m.line("**%s** %s", m.say("nextPod"), md(placement(m.catalogue, p.Placement)))
	m.line("")
	for _, r := range p.Because {
		m.line("- %s", md(r))
	}
}

// pods folds the tables of pods and containers away.
func (m *markdown) pods(w analyze.Workload) {
	if len(w.Pods)+len(w.Events) == 0 {
		return
	}
	m.fold(m.say("markdown.pods"), func() {
		m.events(w.Events)
		if len(w.Pods) == 0 {
			return
		}
		m.head("col.pod", "col.ready", "col.status", "col.restarts", "col.node", "col.verdict")
		for _, p := range w.Pods {
			m.row(codeCell(p.Name), md(p.Ready), md(p.Status), strconv.FormatInt(p.Restarts, 10), codeCell(orDash(p.Node)), md(string(p.Verdict)))
		}
		for _, p := range w.Pods {
			if len(p.Containers) > 0 {
				m.containers(p)
			}
		}
	})
}

func (m *markdown) containers(p analyze.Pod) {
	m.line("")
	m.line("%s", m.say("pod.containers", code(p.Name)))
	m.head("col.container", "col.kind", "col.state", "col.started", "col.ended")
	for _, c := range p.Containers {
		m.row(codeCell(c.Name), md(kindText(m.catalogue, c)), md(stateText(m.catalogue, c, false)), orDash(md(c.StartedAt)), orDash(md(c.FinishedAt)))
	}
	m.events(p.Events)
}

func (m *markdown) events(es []analyze.Event) {
	if len(es) == 0 {
		return
	}
	ids, rows := eventTable(es)
	m.head(ids...)
	for _, row := range rows {
		for i := range row {
			row[i] = md(row[i])
		}
		m.row(row...)
	}
}

func (m *markdown) ruledOut(xs []analyze.RuledOut) {
	if len(xs) == 0 {
		return
	}
	m.fold(m.count("markdown.ruledOut", len(xs)), func() {
		for _, x := range xs {
			m.line("- **%s**%s%s", md(string(x.Code)), m.say("colon"), md(x.Because))
			m.proof(x.Evidence, "  ")
		}
	})
}
