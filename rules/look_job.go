package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// rejected: the controller repeats the try, so what refused it has to change and nothing else. The words are those of the
// API server and its admission plugins.
func (l *looker) rejected() *analyze.Advice {
	if len(l.w.Refusals) > 0 {
		return l.manifestRefused(l.w.Refusals[0].Text)
	}
	way := l.wayOf(l.p.Verdict.Summary.String())
	acts := append([]act{l.describeJob(say("read the API server's words in the newest FailedCreate event"))}, way.acts...)
	acts = append(acts, do(say("the Job controller goes on trying, at longer and longer intervals: once nothing refuses the pod any more it is made, without a new Job")))
	if way.template {
		acts = append(acts, l.mend()...)
	}
	if way.summary.IsZero() {
		way.summary = say("deal with what refuses the pod")
	}
	a := l.advice(way.summary, acts...)
	a.Avoid = way.avoid
	return a
}

func (l *looker) finished() *analyze.Advice {
	w := l.w
	if v := (&view{c: l.p.Cluster, w: w, pods: l.p.Verdict.Pods}); v.nextTryDue(l.p.Verdict.Holder) {
		return l.advice(say("wait for the next try: the Job has counted the failure, and its controller waits up to 10 minutes before it makes another pod"),
			l.describeJob(say("see in its events whether it has made one since")))
	}
	acts := []act{do(say("see its conditions and counts as they are now"), command("kubectl get job %s -n %s -o yaml", w.Ref.Name, w.Ref.Namespace))}
	tracked := slices.ContainsFunc(w.Pods, func(p *facts.Pod) bool { return contains(p.Meta.Finalizers, trackingFinalizer) })
	if tracked {
		acts = append(acts, do(say("where they stand still: see which webhooks are asked about updates of pods, finished ones included: one that refuses them keeps the Job controller from taking its finalizer off"),
			"kubectl get mutatingwebhookconfiguration,validatingwebhookconfiguration -o yaml"))
	}
	acts = append(acts, do(say("where they stand still: the Job controller is part of kube-controller-manager, whose log tells")))
	a := l.advice(say("see whether the Job has counted its pods since"), acts...)
	if tracked {
		a.Avoid = []analyze.Text{say("taking the finalizer %s off by hand: a pod that the Job has not counted may be made again", trackingFinalizer)}
	}
	return a
}

// managed: what manages the Job tells what it waits for, in its conditions and events.
func (l *looker) managed() *analyze.Advice {
	return l.advice(say("see what the controller that manages the Job says"), l.describeJob(say("read in its conditions and events what it waits for")))
}

func (l *looker) describeJob(what analyze.Text) act {
	return do(what, command("kubectl describe job %s -n %s", l.w.Ref.Name, l.w.Ref.Namespace))
}
