package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// templateIsNotEvidence: injection webhooks change pods and not the objects that make them, so the template of a Job
// shows no sidecar while its pods have one.
func templateIsNotEvidence() *analyze.Rule {
	return &analyze.Rule{Code: "TemplateIsNotEvidence", Title: "The template shows no sidecar, the pod has one",
		Severity: analyze.Info, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar, DeadlineHitWhileHeld},
		Run: runTemplateIsNotEvidence}
}

func runTemplateIsNotEvidence(p *analyze.Pass) analyze.Outcome {
	t, ok := ownerTemplate(p.Workload)
	if !ok || p.Verdict.Code == Completed {
		return analyze.Skip()
	}
	return overPods(p, func(_ *analyze.Pass, pod *facts.Pod) analyze.Outcome { return addedToPod(t, pod) })
}

func addedToPod(t template, pod *facts.Pod) analyze.Outcome {
	var added, own []*facts.Container
	for _, c := range pod.Of(isLongHelper) {
		if in, _ := t.find(c.Name); in != nil {
			own = append(own, c)
		} else {
			added = append(added, c)
		}
	}
	if len(added) == 0 {
		if len(own) == 0 {
			return analyze.Skip()
		}
		_, path := t.find(own[0].Name)
		return analyze.RuleOut(say("%s of pod %s stands in the template of %s too", own[0].Name, pod.Meta.Name, t.obj.Ref().String()),
			t.obj.Ev(path+".name", own[0].Name))
	}
	var because []evidence.Evidence
	for _, c := range added {
		list := "containers"
		if c.Placement != facts.Ordinary {
			list = "initContainers"
		}
		because = append(because, t.absent(list, c.Name), c.EvPlacement())
	}
	return analyze.Fire(say("pod %s has %s and the template of %s has not: it was added when the pod was created. Only the pod shows what runs; the template proves neither that there is a sidecar nor that there is none",
		pod.Meta.Name, list(names(added)), t.obj.Ref().String()), because...)
}
