package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// shapeKnown says that a pod of the workload, or the template of the next, is in the bundle.
func shapeKnown(w *facts.Workload) bool {
	_, ok := ownerTemplate(w)
	return ok || len(w.Pods) > 0
}

// needsMore is the summary of a plan that cannot be made from this bundle.
func needsMore(j analyze.Judgement) analyze.Text {
	if len(j.Missing) == 0 {
		return say("what to change cannot be said yet: the bundle does not hold enough to judge")
	}
	return say("what to change cannot be said yet: the plan needs what the bundle lacks: %s", list(lackingWords(j)))
}

func lackingWords(j analyze.Judgement) []analyze.Text {
	var out []analyze.Text
	for _, m := range j.Missing {
		out = append(out, m.What)
	}
	return out
}

// lackingStep gets what a verdict needs that the bundle lacks: until then no change is known to be the right one.
func lackingStep(j analyze.Judgement) PlanStep {
	s := PlanStep{Title: say("get what the bundle lacks, put it into a bundle and run this again: the verdict needs it, and so does a plan"), Notes: lackingWords(j)}
	for _, m := range j.Missing {
		if m.Command != "" && !contains(s.Commands, m.Command) {
			s.Commands = append(s.Commands, m.Command)
		}
	}
	return s
}
