package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// rejected: the controller repeats the try, so what refused it has to change and nothing else. The words are those of the
// API server and its admission plugins.
func (l *looker) rejected() *analyze.Advice {
	if len(l.w.Refusals) > 0 {
		return l.advice(say("mend the manifest as the message asks, and apply it again"), do(say("a trial, which stores nothing"), "kubectl apply --dry-run=server -f FILE"))
	}
	acts := []act{l.describeJob(say("read the API server's words in the newest FailedCreate event"))}
	ns := l.w.Ref.Namespace
	switch text := l.p.Verdict.Summary.String(); {
	case strings.Contains(text, "exceeded quota") || strings.Contains(text, "failed quota"):
		acts = append(acts, do(say("see what the quotas of the namespace leave"), command("kubectl describe resourcequota -n %s", ns)))
	case strings.Contains(text, "webhook"):
		acts = append(acts, do(say("see which webhooks are asked when a pod is made"), "kubectl get mutatingwebhookconfiguration,validatingwebhookconfiguration"))
	case strings.Contains(text, "PodSecurity"):
		acts = append(acts, do(say("see which Pod Security standard the namespace enforces"), command("kubectl get namespace %s --show-labels", ns)))
	}
	acts = append(acts, do(say("the Job controller goes on trying, at longer and longer intervals: once nothing refuses the pod any more it is made, without a new Job")))
	return l.advice(say("deal with what refuses the pod"), append(acts, l.mend()...)...)
}

func (l *looker) finished() *analyze.Advice {
	w := l.w
	a := l.advice(say("see whether the Job has counted its pods since"),
		do(say("see its conditions and counts as they are now"), command("kubectl get job %s -n %s -o yaml", w.Ref.Name, w.Ref.Namespace)),
		do(say("where they stand still: the Job controller is part of kube-controller-manager, whose log tells")))
	if slices.ContainsFunc(w.Pods, func(p *facts.Pod) bool { return contains(p.Meta.Finalizers, trackingFinalizer) }) {
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
