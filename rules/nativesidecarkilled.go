package rules

import (
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// nativeSidecarKilled: after the application the kubelet stops native sidecars with SIGTERM and, after the grace period,
// SIGKILL. The exit code of either does not enter the pod's phase (getPhase ignores ended restartable init containers).
func nativeSidecarKilled() *analyze.Rule {
	return &analyze.Rule{Code: "NativeSidecarKilled", Title: "A native sidecar was ended by a signal after the application: without effect on the Job",
		Severity: analyze.Info, Scope: analyze.PerWorkload, Explains: []analyze.Code{Completed, Failed},
		Run: func(p *analyze.Pass) analyze.Outcome { return overPods(p, runNativeSidecarKilled) }}
}

// Exit codes of a container that a signal ended: 128 and the signal's number.
const (
	exitKilled     = 137
	exitTerminated = 143
)

func runNativeSidecarKilled(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	work, _ := splitRegular(pod)
	var natives, signalled []*facts.Container
	for _, c := range pod.Containers {
		if c.Placement != facts.Native && !mustBeNative(pod, c) {
			continue
		}
		natives = append(natives, c)
		if t := c.Terminated(); t != nil && (t.ExitCode == exitKilled || t.ExitCode == exitTerminated) {
			signalled = append(signalled, c)
		}
	}
	if len(natives) == 0 || len(work) == 0 {
		return analyze.Skip()
	}
	if len(signalled) == 0 {
		return analyze.RuleOut(say("no native sidecar of pod %s had been ended by a signal", pod.Meta.Name), natives[0].EvState())
	}
	c := signalled[0]
	last, ended := lastEnd(work)
	switch {
	case !ended:
		return analyze.RuleOut(say("the application of pod %s had not ended: the end of %s has another reason", pod.Meta.Name, c.Name), c.EvState())
	case last.IsZero() || c.Terminated().FinishedAt.IsZero():
		return analyze.Undecide(say("native sidecar %s of pod %s exited %d; whether before or after the application is not in the bundle",
			c.Name, pod.Meta.Name, c.Terminated().ExitCode), storedPod(pod, say("the times at which its containers ended")))
	case c.Terminated().FinishedAt.Before(last):
		return analyze.RuleOut(say("native sidecar %s of pod %s ended before %s", c.Name, pod.Meta.Name, lastToEnd(work)), c.EvState())
	}
	return signalledAfterApp(p, pod, work, signalled, last)
}

// mustBeNative recognises a native sidecar of a described pod by its end: regular containers begin only after every
// one-shot init container has exited 0.
func mustBeNative(pod *facts.Pod, c *facts.Container) bool {
	t := c.Terminated()
	if c.Placement != facts.InitContainer || c.PlacementDoubt == "" || t == nil || t.ExitCode == 0 {
		return false
	}
	for _, r := range pod.Of(facts.IsPlaced(facts.Ordinary)) {
		if r.EverRan() {
			return true
		}
	}
	return false
}

// lastEnd says that every container has ended, and when the last one did; zero when a time is missing.
func lastEnd(cs []*facts.Container) (last time.Time, ended bool) {
	for _, c := range cs {
		t := c.Terminated()
		switch {
		case t == nil:
			return time.Time{}, false
		case t.FinishedAt.IsZero():
			return time.Time{}, true
		case t.FinishedAt.After(last):
			last = t.FinishedAt.Time
		}
	}
	return last, true
}

// lastToEnd says which of ended containers was the last: the kubelet stops native sidecars after that one, be it the
// application or a helper that ends by itself.
func lastToEnd(work []*facts.Container) analyze.Text {
	last := work[0]
	for _, c := range work[1:] {
		if c.Terminated().FinishedAt.After(last.Terminated().FinishedAt.Time) {
			last = c
		}
	}
	if last.Role == facts.App {
		return say("the application")
	}
	return say("the last regular container (%s)", last.Name)
}

func signalledAfterApp(p *analyze.Pass, pod *facts.Pod, work, signalled []*facts.Container, last time.Time) analyze.Outcome {
	var because []evidence.Evidence
	for _, c := range work {
		because = append(because, c.EvState())
	}
	for _, c := range signalled {
		t := c.Terminated()
		because = append(because, c.EvPlacement(), c.EvState(), pod.Ev(c.StatusPath("state.terminated.finishedAt"), t.FinishedAt.String()))
		if t.Reason != "" {
			because = append(because, pod.Ev(c.StatusPath("state.terminated.reason"), t.Reason))
		}
	}
	because = append(because, pod.Ev("status.phase", pod.Status.Phase))
	t := signalled[0].Terminated()
	how := say("it was stopped by the kubelet")
	if t.ExitCode == exitKilled {
		how = say("SIGKILL ended it")
		if grace, known := pod.GracePeriod(); known && t.FinishedAt.Sub(last) >= grace {
			how = say("it had not ended within the grace period of %s and was killed", span(grace))
		}
	}
	if t.Reason == oomKilled {
		how = say("the OOM killer ended it")
	}
	message := say("native sidecar %s of pod %s exited %d (reason %s) %s after %s had ended at %s: %s. The exit code of a native sidecar does not count for the phase of the pod",
		signalled[0].Name, pod.Meta.Name, t.ExitCode, orNone(t.Reason), span(t.FinishedAt.Sub(last)), lastToEnd(work), stamp(last), how)
	if i, rule := ruleOnSidecar(p.Workload.Job, pod, signalled); rule != nil {
		message = say("%s; but rule %d of the Job's podFailurePolicy (%s), which names no container, looked at it in this failed pod", message, i, rule.Action)
		because = append(because, p.Workload.Job.Ev("spec.podFailurePolicy", rule.Action+" on exit codes of any container"))
	} else {
		message = say("%s; a tool that reads it as a failure is wrong", message)
	}
	if len(signalled) > 1 {
		message = say("%s. Likewise: %s", message, list(names(signalled[1:])))
	}
	return analyze.Fire(message, because...)
}

// ruleOnSidecar finds the rule of a podFailurePolicy that the exit code of a sidecar matches. The Job controller asks the
// rules about failed pods only.
func ruleOnSidecar(j *kube.Job, pod *facts.Pod, ended []*facts.Container) (int, *kube.PodFailureRule) {
	if j == nil || j.Spec.PodFailurePolicy == nil || pod.Status.Phase != "Failed" {
		return 0, nil
	}
	for i := range j.Spec.PodFailurePolicy.Rules {
		r := &j.Spec.PodFailurePolicy.Rules[i]
		if r.OnExitCodes == nil || r.OnExitCodes.ContainerName != "" {
			continue
		}
		for _, c := range ended {
			if matchesRule(*r, c) {
				return i, r
			}
		}
	}
	return 0, nil
}
