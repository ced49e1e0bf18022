package rules

import (
	"slices"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// pullReasons are the waiting reasons of an image that cannot be had.
var pullReasons = []string{"ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError",
	"RegistryUnavailable", "SignatureValidationFailed"}

// startReasons are the waiting reasons of a container that cannot be created or started.
var startReasons = []string{"CreateContainerConfigError", "CreateContainerError", "RunContainerError", "PreStartHookError",
	"PostStartHookError", "PreCreateHookError"}

// firstUnfinished gives the first entry of initContainers that keeps the next from starting: a one-shot container that
// has not exited 0, or a native sidecar that has not started. One that let a later container run has done its part,
// whatever its state now.
func firstUnfinished(v *podView) *facts.Container {
	ran := lastRun(v.p.Containers)
	for i, c := range v.p.Containers {
		if i < ran {
			continue // it has let one of the next begin
		}
		switch c.Placement {
		case facts.InitContainer:
			if t := c.Terminated(); t == nil || t.ExitCode != 0 {
				return c
			}
		case facts.Native:
			if !started(c) {
				return c
			}
		}
	}
	return nil
}

// lastRun gives the place of the last init container that ever ran, -1 for none.
func lastRun(list []*facts.Container) int {
	for i, c := range slices.Backward(list) {
		if c.Placement != facts.Ordinary && c.EverRan() {
			return i
		}
	}
	return -1
}

// started says that a native sidecar let the next container begin. describe prints no `started`; Ready implies it.
func started(c *facts.Container) bool {
	if c.Status == nil {
		return false
	}
	if c.Status.Started != nil {
		return *c.Status.Started
	}
	return c.Status.Ready && c.Running() != nil
}

// initialised says that the question of init is settled: a regular container runs or has ended, or the kubelet said so
// and no container waits for init again (after a node's reboot init containers run once more).
func initialised(v *podView) bool {
	for _, c := range v.regular() {
		if c.Running() != nil || c.Terminated() != nil {
			return true
		}
	}
	return trueConditionStatus(v.p, "Initialized") == "True" && !waitingForInit(v)
}

// regular gives the ordinary containers.
func (v *podView) regular() []*facts.Container {
	return append(append([]*facts.Container{}, v.apps...), v.helpers...)
}

func podSidecarNotStarted(v *podView) answer {
	c := firstUnfinished(v)
	if c == nil || c.Placement != facts.Native || initialised(v) {
		return no()
	}
	if c.Status == nil && v.p.StatusDescribed() {
		return no()
	}
	if w := c.Waiting(); w != nil && !c.EverRan() && (w.Reason == "" || w.Reason == "PodInitializing" || w.Reason == "ContainerCreating") {
		if stuck := podSetup(v); stuck.hit {
			if stuck.code == "" {
				stuck.code = ContainerCannotStart
			}
			return stuck
		}
	}
	if v.justStarting(c) {
		a := yes(say("native sidecar %s was starting when the bundle was taken: look again", c.Name), c.EvPlacement(), c.EvState())
		a.code = InsufficientEvidence
		a.missing = []analyze.Missing{v.laterLook()}
		return a
	}
	a := yes(say("native sidecar %s had not started (%s, %s), so the application never began", c.Name, c.State(), restartsOf(restarts(c))),
		append([]evidence.Evidence{c.EvPlacement()}, evWaiting(c)...)...)
	if w := c.Waiting(); w != nil && w.Message != "" && (contains(pullReasons, w.Reason) || contains(startReasons, w.Reason)) {
		a.summary = say("%s: %s", a.summary, w.Message)
		a.evidence = append(a.evidence, c.EvImage())
	}
	if e := lastProbeFailure(v.p, c); e != nil {
		a.summary = say("%s; its last failed probe: %s", a.summary, strings.TrimSpace(e.Text()))
	}
	if c.Status != nil && c.Status.Started != nil {
		a.evidence = append(a.evidence, v.p.Ev(c.StatusPath("started"), "false"))
	}
	a.evidence = append(a.evidence, podEventsAbout(v.p, c.Name, "Unhealthy", "BackOff", "Failed", "Killing")...)
	a.culprits = []string{c.Name}
	return a
}

// lastProbeFailure gives the newest event of a failed startup probe of a container, nil without one.
func lastProbeFailure(p *facts.Pod, c *facts.Container) *kube.Event {
	var last *kube.Event
	for _, e := range p.Events {
		if probeFailed(e, c.Name) && (last == nil || !e.Last().Before(last.Last().Time)) {
			last = e
		}
	}
	return last
}

// startUp is how long a native sidecar may take to start before that is worth an alarm, where no probe has failed yet.
const startUp = time.Minute

// justStarting says that a sidecar runs for the first time, has failed no probe, and has not run for long.
func (v *podView) justStarting(c *facts.Container) bool {
	r := c.Running()
	if r == nil || restarts(c) > 0 || !v.c.At.Known || r.StartedAt.IsZero() {
		return false
	}
	return v.c.At.V.Sub(r.StartedAt.Time) < startUp && len(podEventsAbout(v.p, c.Name, "Unhealthy", "BackOff", "Killing")) == 0
}

// laterLook asks for the pod again.
func (v *podView) laterLook() analyze.Missing {
	return analyze.Missing{What: say("a later look at the pod"),
		Command: command("kubectl get pod %s -n %s -o yaml", v.p.Meta.Name, v.p.Meta.Namespace)}
}

func restarts(c *facts.Container) int64 {
	if c.Status == nil {
		return 0
	}
	return c.Status.RestartCount
}

// podEventsAbout gives the pod's events of some reasons that name a container, by field path or in their text.
func podEventsAbout(p *facts.Pod, container string, reasons ...string) []evidence.Evidence {
	var out []evidence.Evidence
	for _, e := range p.Events {
		if !contains(reasons, e.Reason) {
			continue
		}
		path := e.About().FieldPath
		if path == "" || strings.Contains(path, "{"+container+"}") || strings.Contains(e.Text(), container) {
			out = append(out, evEvent(e))
		}
	}
	return out
}

// podSidecarBlocksInit: a helper made to run for ever stands among the one-shot init containers, and the kubelet waits
// for it to end.
func podSidecarBlocksInit(v *podView) answer {
	c := firstUnfinished(v)
	if c == nil || c.Placement != facts.InitContainer || initialised(v) {
		return no()
	}
	why, long := longRunning(v, c)
	if !long || c.Running() == nil {
		return no()
	}
	a := yes(say("%s stood in initContainers without restartPolicy Always and was running: the kubelet waits for it to end, so the application never begins",
		c.Name), c.EvState(), c.EvPlacement())
	a.evidence = append(a.evidence, why)
	a.culprits = []string{c.Name}
	if c.PlacementDoubt != "" {
		a.summary = say("%s was running in initContainers and no application container had begun: without restartPolicy Always, which the bundle does not show (%s), the kubelet waits for it to end, so the application never begins",
			c.Name, c.PlacementDoubt)
		if v.justStarting(c) {
			a.code = InsufficientEvidence
			a.summary = say("%s had just begun to run in initContainers: as a native sidecar it lets the application begin in a moment, without restartPolicy Always it never does, and which of them it is the bundle does not show (%s)",
				c.Name, c.PlacementDoubt)
		}
		a.missing = append(a.missing, analyze.Missing{What: say("restartPolicy of %s: %s", c.Name, c.PlacementDoubt),
			Command: command("kubectl get pod %s -n %s -o yaml", v.p.Meta.Name, v.p.Meta.Namespace)})
	}
	return a
}

// longRunning says that an init container is one that never ends by itself: a known helper that is no one-shot init
// container, one that the injector recorded as a regular container, or one that the Job's template, or what was applied, has
// as a native sidecar.
func longRunning(v *podView, c *facts.Container) (evidence.Evidence, bool) {
	if c.Helper != nil && !c.Helper.Conflict && c.Helper.Class != initClass {
		return c.EvImage(), true
	}
	if in := v.p.Injection; in != nil && in.Readable && contains(in.Containers, c.Name) {
		return v.p.Ev("metadata.annotations["+facts.StatusAnnotation+"]", v.p.Meta.Annotations.Get(facts.StatusAnnotation)), true
	}
	if t := v.w.Template(); t != nil && v.w.Job != nil {
		for _, tc := range t.Spec.InitContainers {
			if tc.Name == c.Name && tc.RestartPolicy == "Always" {
				return v.w.Job.Ev("spec.template.spec.initContainers[name="+c.Name+"].restartPolicy", "Always"), true
			}
		}
	}
	if c.Spec == nil || c.Spec.RestartPolicy != "" {
		return evidence.Evidence{}, false
	}
	if name, because := appliedNative(v.w.Job, c.Name); name != "" {
		return because[0], true
	}
	_, had, ok := hadPolicy(v.w, v.p, c)
	return had, ok
}

// initClass is the catalogue's class of one-shot init containers.
const initClass = "init"

func podInitNotFinished(v *podView) answer {
	c := firstUnfinished(v)
	if c == nil || initialised(v) {
		return no()
	}
	if c.Status == nil && !anyInitStatus(v) && len(v.p.Status.ContainerStatuses) > 0 && !waitingForInit(v) {
		return no()
	}
	if w := c.Waiting(); w != nil && c.Placement == facts.InitContainer {
		if contains(pullReasons, w.Reason) {
			a := v.pullAnswer(c, say("the image of init container %s could not be pulled (%s)", c.Name, w.Reason))
			a.code = ImagePullFailing
			return a
		}
		if contains(startReasons, w.Reason) {
			a := yes(say("init container %s could not be created or started (%s): %s", c.Name, w.Reason, w.Message), evWaiting(c)...)
			a.code, a.culprits = ContainerCannotStart, []string{c.Name}
			return a
		}
		if !c.EverRan() && w.Reason != "CrashLoopBackOff" {
			if stuck := podSetup(v); stuck.hit {
				if stuck.code == "" {
					stuck.code = ContainerCannotStart
				}
				return stuck
			}
		}
	}
	if c.Uncoded() != nil {
		a := yes(say("init container %s had terminated, and its exit code cannot be read in the bundle; no application container had begun", c.Name), c.EvState())
		a.code = InsufficientEvidence
		a.missing = []analyze.Missing{{What: say("the exit code of container %s", c.Name), Command: podYAML(v.p)}}
		return a
	}
	a := yes(say("init container %s had not finished (%s, %s), so no application container had begun", c.Name, c.State(), restartsOf(restarts(c))), c.EvState())
	if c.Status != nil {
		if t := c.Status.LastState.Terminated; t != nil {
			a.evidence = append(append(a.evidence, v.p.Ev(c.StatusPath("lastState.terminated.exitCode"), count(&t.ExitCode))), evReason(c, "lastState.terminated", t)...)
			if t.Message != "" {
				a.evidence = append(a.evidence, v.p.Ev(c.StatusPath("lastState.terminated.message"), t.Message))
			}
		}
	}
	a.culprits = []string{c.Name}
	return a
}

func anyInitStatus(v *podView) bool { return len(v.p.Status.InitContainerStatuses) > 0 }

// waitingForInit says that a regular container waits with the kubelet's reason for "init is not done".
func waitingForInit(v *podView) bool {
	for _, c := range v.regular() {
		if w := c.Waiting(); w != nil && w.Reason == "PodInitializing" {
			return true
		}
	}
	return false
}

// failedInit gives the init container whose exit code failed a pod: under restartPolicy Never the kubelet starts neither
// it again nor anything that stands behind it.
func failedInit(p *facts.Pod) *facts.Container {
	if _, other := failedOtherwise(p); other || p.Status.Phase != "Failed" {
		return nil
	}
	for _, c := range p.Of(facts.IsPlaced(facts.Ordinary)) {
		if c.EverRan() {
			return nil
		}
	}
	for _, c := range p.Of(facts.IsPlaced(facts.InitContainer)) {
		if t := c.Terminated(); t != nil && t.ExitCode != 0 {
			return c
		}
	}
	return nil
}

// initEnd says how such an init container ended and what that means.
func initEnd(c *facts.Container) analyze.Text {
	t := c.Terminated()
	if r := t.Reason; r != "" && r != "Error" {
		return say("init container %s exited %d (%s) and no application container began", c.Name, t.ExitCode, r)
	}
	return say("init container %s exited %d and no application container began", c.Name, t.ExitCode)
}
