package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// sidecarFailedThePod: the kubelet makes a pod Failed when any regular container ended with another code than 0
// (getPhase), and the Job controller looks at the phase alone. Exit codes of native sidecars do not enter.
func sidecarFailedThePod() *analyze.Rule {
	return &analyze.Rule{Code: "SidecarFailedThePod", Title: "An ordinary sidecar's exit code failed a pod whose application had succeeded",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{Failed, AppFailed, PodFinishedJobNot},
		Run: func(p *analyze.Pass) analyze.Outcome { return overPods(p, runSidecarFailedThePod) }}
}

func runSidecarFailedThePod(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	work, helpers := splitRegular(pod)
	if pod.Status.Phase != "Failed" || len(helpers) == 0 {
		return analyze.Skip()
	}
	if o, other := failedOtherwise(pod); other {
		return o
	}
	if c := failedInit(pod); c != nil {
		return analyze.RuleOut(say("in pod %s %s", pod.Meta.Name, initEnd(c)), c.EvState())
	}
	for _, c := range work {
		if t := c.Terminated(); t != nil && t.ExitCode != 0 && t.Reason != lostState {
			return analyze.RuleOut(say("container %s of pod %s exited %d itself", c.Name, pod.Meta.Name, t.ExitCode), c.EvState())
		}
	}
	for _, c := range append(append([]*facts.Container{}, work...), helpers...) {
		if t := c.Terminated(); t == nil || t.Reason == lostState {
			return analyze.Undecide(say("pod %s is Failed, and how its container %s ended is not known (%s)", pod.Meta.Name, c.Name, c.State()),
				analyze.Missing{What: say("how container %s ended", c.Name), Command: podYAML(pod)})
		}
	}
	return blameHelpers(p, pod, work, helpers)
}

// lostState is the reason that the kubelet gives a container whose end it did not see; the code 137 beside it is made up.
const lostState = "ContainerStatusUnknown"

// lostEnd adds to what is said of an exit code that it is made up, where it is.
func lostEnd(text analyze.Text, t *kube.Terminated) analyze.Text {
	if t.Reason != lostState {
		return text
	}
	return say("%s. The code is the kubelet's stand-in (%s): it no longer found the container, and how its program ended is not known", text, t.Reason)
}

// failedOtherwise finds a failure that is none of any container: the pod was evicted, rejected, deleted or past a
// deadline, and its containers ended because of that.
func failedOtherwise(pod *facts.Pod) (analyze.Outcome, bool) {
	if r := pod.Status.Reason; r != "" {
		return analyze.RuleOut(say("pod %s failed as a whole (%s): its containers were ended by that", pod.Meta.Name, r), pod.Ev("status.reason", r)), true
	}
	if pod.Meta.Deleted.Raw != "" {
		return analyze.RuleOut(say("pod %s was being deleted: its containers were ended by that", pod.Meta.Name),
			pod.Ev("metadata.deletionTimestamp", pod.Meta.Deleted.String())), true
	}
	if c := trueCondition(pod.Status.Conditions, disruptionTarget); c != nil {
		return analyze.RuleOut(say("pod %s was ended from outside (%s)", pod.Meta.Name, c.Reason), evDisruption(pod, c)...), true
	}
	return analyze.Outcome{}, false
}

func blameHelpers(p *analyze.Pass, pod *facts.Pod, work, helpers []*facts.Container) analyze.Outcome {
	var bad []*facts.Container
	because := []evidence.Evidence{pod.Ev("status.phase", "Failed")}
	for _, c := range work {
		because = append(because, c.EvState())
	}
	for _, c := range helpers {
		t := c.Terminated()
		if t.ExitCode == 0 {
			continue
		}
		bad = append(bad, c)
		because = append(because, c.EvState(), c.EvPlacement())
		if t.Reason != "" {
			because = append(because, pod.Ev(c.StatusPath("state.terminated.reason"), t.Reason))
		}
	}
	if len(bad) == 0 || len(work) == 0 {
		return analyze.RuleOut(say("every regular container of pod %s exited 0", pod.Meta.Name), because...)
	}
	t := bad[0].Terminated()
	message := say("pod %s failed although %s exited 0: the ordinary sidecar %s exited %d (reason %s) at %s", pod.Meta.Name,
		list(names(work)), bad[0].Name, t.ExitCode, orNone(t.Reason), atTime(t.FinishedAt))
	for _, c := range bad[1:] {
		message = say("%s, and %s exited %d (reason %s)", message, c.Name, c.Terminated().ExitCode, orNone(c.Terminated().Reason))
	}
	if j := p.Workload.Job; j != nil {
		if cond := trueCondition(j.Status.Conditions, "Failed"); cond != nil {
			message = say("%s; the Job then failed with %s", message, cond.Reason)
			because = append(because, j.Ev("status.conditions[type=Failed].reason", cond.Reason), j.Ev("status.conditions[type=Failed].message", cond.Message))
		}
	}
	return analyze.Fire(message, because...).With(sidecarExitAdvice(p, bad[0]))
}

// oomKilled is the only reason that says so: 137 alone is any SIGKILL, that of the grace period's end included.
const oomKilled = "OOMKilled"

func sidecarExitAdvice(p *analyze.Pass, c *facts.Container) *analyze.Advice {
	a := &analyze.Advice{
		Summary: say("run %s as a native sidecar: its exit code then does not count. Until then make it exit 0 when it is stopped", c.Name),
		Steps: []analyze.Text{
			say("check what the run has written before it is repeated: the application did finish")},
		Verify: []analyze.Text{say("the next pod is Succeeded, and %s is in spec.initContainers with restartPolicy Always or ended with exit code 0", c.Name)},
		Avoid: []analyze.Text{say("raising backoffLimit: every try ends the same way and repeats the work"),
			say("looking for a fault of the application: it exited 0")},
	}
	addNative(p, c, a)
	if c.Terminated().Reason == oomKilled {
		a.Steps = append(a.Steps, say("give %s more memory: it was ended by the OOM killer", c.Name))
	}
	if j := p.Workload.Job; j != nil && j.Spec.PodFailurePolicy != nil {
		a.Steps = append(a.Steps, say("name the application in podFailurePolicy (onExitCodes.containerName): a rule without it takes the exit code of any container"))
	}
	return a
}

// addNative adds to a remedy how the sidecar is made native here, with the patch and the way back.
func addNative(p *analyze.Pass, c *facts.Container, a *analyze.Advice) *analyze.Advice {
	a.Steps = append(a.Steps, nativeStep(p, c))
	if c.Name == istioProxy && istioJob(p) {
		native := nativeAdvice(p)
		a.Patch, a.Rollback = native.Patch, append(a.Rollback, native.Rollback...)
	}
	return a
}

// nativeStep says how a sidecar is made native here, as far as the bundle tells.
func nativeStep(p *analyze.Pass, c *facts.Container) analyze.Text {
	if c.Name == istioProxy && istioJob(p) {
		return say("for %s: %s", c.Name, nativeAdvice(p).Summary)
	}
	if c.Helper != nil {
		if h, ok := p.Know.Helper(c.Helper.ID); ok && h.Native != "" {
			return say("for %s: %s", c.Name, h.Native)
		}
	}
	return say("for %s: move it to initContainers with restartPolicy Always in the template, where API server and every kubelet can run it", c.Name)
}
