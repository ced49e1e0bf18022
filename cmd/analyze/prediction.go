package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
)

// prediction is rules.Prediction as programs read it.
type prediction struct {
	Workloads []string           `json:"workloads"`
	Revision  string             `json:"revision,omitempty"`
	Placement string             `json:"placement"`
	Reason    string             `json:"reason,omitempty"`
	Broken    string             `json:"broken,omitempty"`
	WhyNot    string             `json:"whyNot,omitempty"`
	Steps     []predictionStep   `json:"steps"`
	Blockers  []string           `json:"blockers,omitempty"`
	Risky     []string           `json:"risky,omitempty"`
	Undecided []string           `json:"undecided,omitempty"`
	Changes   []predictionChange `json:"changes"`
	Assumes   []string           `json:"assumes,omitempty"`
}

// predictionStep is one question of the decision.
type predictionStep struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
	Value    string `json:"value,omitempty"`
	Where    string `json:"where,omitempty"`
	Source   string `json:"source,omitempty"`
}

// predictionChange is one change with what the next pod would get then.
type predictionChange struct {
	Kind      string   `json:"kind"`
	What      string   `json:"what"`
	Placement string   `json:"placement"`
	Enough    bool     `json:"enough"`
	Risky     []string `json:"risky,omitempty"`
}

func predictionOf(t words, p rules.Prediction) prediction {
	d := p.Decision
	out := prediction{Workloads: []string{}, Revision: p.Revision, Placement: d.Placement, Reason: d.Reason, Broken: d.Broken,
		WhyNot: t.text(p.WhyNot), Steps: []predictionStep{}, Blockers: nodesOf(d.Blockers), Risky: nodesOf(d.Risky),
		Undecided: t.some(d.Undecided), Changes: []predictionChange{}, Assumes: t.some(d.Basis.Assumes)}
	if out.Placement == "" {
		out.Placement = knowledge.None
	}
	for _, w := range p.Workloads {
		out.Workloads = append(out.Workloads, w.String())
	}
	for _, st := range d.Steps {
		out.Steps = append(out.Steps, predictionStep{Question: t.text(st.Question), Answer: t.text(st.Answer),
			Value: t.phrase(st.Value), Where: t.phrase(st.Where), Source: st.Source})
	}
	for _, c := range p.Changes {
		out.Changes = append(out.Changes, predictionChange{Kind: c.Kind, What: t.text(c.What), Placement: c.Placement,
			Enough: c.Enough(), Risky: nodesOf(c.Risky)})
	}
	return out
}

// nodesOf names nodes with their versions.
func nodesOf(list []knowledge.Kubelet) []string {
	var out []string
	for _, k := range list {
		out = append(out, strings.TrimSpace(k.Node+" "+k.Raw))
	}
	return out
}

// footnotes numbers sources in the order in which they are used, for predictions that share most of theirs.
type footnotes struct{ list []string }

// mark gives the number of a source as it stands behind a sentence.
func (f *footnotes) mark(source string) string {
	if source == "" {
		return ""
	}
	i := slices.Index(f.list, source)
	if i < 0 {
		i = len(f.list)
		f.list = append(f.list, source)
	}
	return fmt.Sprintf(" [%d]", i+1)
}

func (f *footnotes) write(w sheet, t words) {
	if len(f.list) > 0 {
		fmt.Fprintf(w, "\n%s\n", t.say("Sources"))
	}
	for i, s := range f.list {
		fmt.Fprintf(w, "  [%d] %s\n", i+1, s)
	}
}

func (p prediction) write(w sheet, t words, notes *footnotes) {
	subject := t.say("the next pod")
	if len(p.Workloads) > 0 {
		subject = t.say("the next pod of %s", strings.Join(p.Workloads, ", "))
	}
	if p.WhyNot != "" {
		fmt.Fprintln(w, capital(t.say("nothing to predict for %s: %s", subject, p.WhyNot), nil))
		return
	}
	fmt.Fprint(w, t.say("The proxy of %s: %s", subject, strings.ToUpper(p.Placement)))
	if p.Revision != "" {
		fmt.Fprint(w, t.say(" (revision %s)", p.Revision))
	}
	fmt.Fprintf(w, "\n\n")
	for i, s := range p.Steps {
		fmt.Fprintf(w, "  %2d. %s\n      %s%s\n", i+1, s.Question, t.paragraph(s.Answer, nil), notes.mark(s.Source))
		if from := strings.TrimSpace(s.Value + "  (" + s.Where + ")"); s.Where != "" {
			fmt.Fprintf(w, "      %s\n", from)
		}
	}
	p.writeNodes(w, t)
	p.writeChanges(w, t)
}

func (p prediction) writeNodes(w sheet, t words) {
	for _, part := range []struct {
		title string
		list  []string
	}{
		{t.say("Nodes that keep it ordinary"), p.Blockers},
		{t.say("Nodes on which such a pod would not work"), p.Risky},
	} {
		if len(part.list) > 0 {
			fmt.Fprintf(w, "\n  %s\n", t.say("%s: %s", part.title, strings.Join(part.list, ", ")))
		}
	}
	writeList(w, t.say("Would decide it"), p.Undecided)
	writeList(w, t.say("Assumed"), p.Assumes)
}

// writeList gives each sentence its own line: joined by commas, those with commas of their own could not be told apart.
func writeList(w sheet, title string, list []string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n  %s\n", title)
	for _, s := range list {
		fmt.Fprintf(w, "    - %s\n", s)
	}
}

func (p prediction) writeChanges(w sheet, t words) {
	if len(p.Changes) == 0 || p.Placement == knowledge.Native {
		return
	}
	fmt.Fprintf(w, "\n  %s\n", t.say("Single changes, smallest reach first"))
	var rows [][]string
	for _, c := range p.Changes {
		proxy := c.Placement
		if len(c.Risky) > 0 {
			proxy = t.say("%s, not on %s", proxy, strings.Join(c.Risky, ", "))
		}
		rows = append(rows, []string{yesNo(t, c.Enough), proxy, c.What})
	}
	w.table("    ", []string{t.say("ENOUGH"), t.say("PROXY"), t.say("CHANGE")}, rows)
}
