package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// rejected: the controller repeats the try, so what refused it has to change and nothing else. The words are those of the
// API server and its admission plugins.
func (l *looker) rejected() *analyze.Advice {
	if len(l.w.Refusals) > 0 {
		return l.manifestRefused(l.w.Refusals[0].Text)
	}
	way := l.wayOf(l.p.Verdict.Summary.String())
	acts := append([]act{l.describeJob(say("read the API server's words in the newest FailedCreate event"))}, way.acts...)
	acts = append(acts, do(say("the Job controller goes on trying, at longer and longer intervals: once nothing refuses the pod of this template any more it is made, without a new Job")))
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

// suspended: whoever suspended a Job knows when it may go on. A queue takes back what is resumed without it, and a program that had
// ended runs again in the pod that a resumed Job makes.
func (l *looker) suspended() *analyze.Advice {
	job := l.w.Live()
	if job == nil {
		return nil
	}
	acts := []act{l.describeJob(say("read in its conditions and events who suspended it, and when"))}
	a := l.advice(say("see who suspended the Job and why before it is resumed"))
	if q := job.Meta.Labels.Get(queueLabel); q != "" {
		acts = append(acts, do(say("see what queue %s waits for, and its quota", q), command("kubectl get localqueue,workload -n %s", l.w.Ref.Namespace)))
		a.Avoid = append(a.Avoid, say("setting spec.suspend to false by hand: Kueue suspends a Job that it has not admitted again, which cuts off what has begun"))
	}
	acts = append(acts, l.annotateFirst()...)
	var done []string
	for _, p := range l.w.Pods {
		work, _ := splitRegular(p)
		if _, zero := allExitedZero(work); zero && len(work) > 0 && p.Status.Phase != "Succeeded" {
			done = append(done, p.Meta.Name)
		}
	}
	if len(done) > 0 {
		a.Avoid = append(a.Avoid, say("resuming it without a thought: the program had ended with exit code 0 in %s, which the Job has not counted as succeeded, so that a new pod runs it again", list(fewOf(done))))
	}
	a.Steps = stepsOf(acts)
	return a
}

// annotateFirst has the next pod's proxy placed natively while no pod was made yet, where that takes no new Job.
func (l *looker) annotateFirst() []act {
	if !istioJob(l.p) || !beforeStart(l.p) || l.p.Next.Emitted != knowledge.Ordinary {
		return nil
	}
	list := Changes(l.p.Know, Inputs(l.p.Cluster, l.p.Know, l.w, l.p.Next))
	if i := slices.IndexFunc(list, func(c Change) bool { return c.Kind == changeAnnotation }); i < 0 || !list[i].Enough() {
		return nil
	}
	ref := l.w.Ref
	return []act{do(say("before it goes on: its pods would get an ordinary proxy (%s), which holds the Job once its program has ended. As it has never started (no status.startTime) the annotation can be set in its pod template in place, without a new Job", reasonWords(l.p.Next.Reason)),
		command("kubectl patch job %s -n %s --type merge -p '{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"sidecar.istio.io/nativeSidecar\":\"true\"}}}}}'", ref.Name, ref.Namespace))}
}

// managed: what manages the Job tells what it waits for, in its conditions and events.
func (l *looker) managed() *analyze.Advice {
	return l.advice(say("see what the controller that manages the Job says"), l.describeJob(say("read in its conditions and events what it waits for")))
}

func (l *looker) describeJob(what analyze.Text) act {
	return do(what, command("kubectl describe job %s -n %s", l.w.Ref.Name, l.w.Ref.Namespace))
}
