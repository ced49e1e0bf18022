package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
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

// likely gives the change of the smallest reach by which the injector would place the proxy natively, where the bundle does
// not tell whether the cluster can run that; nil when there is none.
func likely(p *analyze.Pass, list []Change) *Change {
	for i := range list {
		if list[i].Emitted == knowledge.Native && list[i].Placement == knowledge.Unknown && !(list[i].Kind == changeEnv && notSettable(p)) {
			return &list[i]
		}
	}
	return nil
}

// canItRunStep stands before a change that is only likely to be enough.
func canItRunStep(p *analyze.Pass, change *Change) PlanStep {
	return PlanStep{Title: say("make sure that this cluster can run it"),
		Notes: append([]analyze.Text{say("before %s: make sure that API server and nodes can run native sidecars, which the bundle does not show", change.What),
			say("put what these commands print into the bundle and run this again, and the plan says which change is enough")}, unsafeNotes(p, change)...),
		Commands: []string{"kubectl version -o yaml > version.yaml", "kubectl get nodes -o yaml > nodes.yaml",
			istiodCommand + " > istiod.yaml"}}
}

// noChangeStep ends a plan for which no change is known, and says what such a plan cannot have.
func noChangeStep(advice *analyze.Advice) PlanStep {
	return PlanStep{Title: say("no change of Istio's settings, test Job or way back can be printed from this bundle: none is known to be enough"), Notes: advice.Steps}
}

// withoutChange tries what was done in place of a change, lets a CronJob that was suspended for that go on, and says how to see that
// it was enough.
func withoutChange(p *analyze.Pass) []PlanStep {
	w := p.Workload
	if len(heldPods(p.Verdict)) == 0 {
		return nil
	}
	var out []PlanStep
	if ref, ok := cronRef(w); ok && len(suspendFirst(p)) > 0 {
		out = planSteps(append(tryRun(ref), resume(ref, w.CronJob))...)
	}
	resources := "pod"
	if w.IsJob() {
		resources = "job,pod"
	}
	return append(out, PlanStep{Title: say("verify"), Notes: []analyze.Text{say("a run whose program has exited 0 completes, with no sidecar left in its pod")}, Commands: []string{command("kubectl get %s -n %s", resources, w.Ref.Namespace)}})
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
