package rules

import (
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Predicates about the init containers of a pod.

// ordinaryInits are the one-shot init containers; none for described pods, where they cannot be told apart.
func (v *issueView) ordinaryInits() []*facts.Container {
	if !v.stored() {
		return nil
	}
	return v.pod.Of(facts.IsPlaced(facts.InitContainer))
}

// neverStartedAfter is how long a container may be created and not started.
const neverStartedAfter = 5 * time.Minute

// seesInitNeverStarted wants to see that the container was created: before that it may wait for its image or a volume.
func seesInitNeverStarted(v *issueView) sighting {
	if !v.stored() || v.pod.Status.Phase != "Pending" || v.pod.Spec.NodeName == "" {
		return notSeen()
	}
	c := firstUnfinished(&v.podView)
	if c == nil || c.Waiting() == nil || c.Waiting().Reason != "" && c.Waiting().Reason != "PodInitializing" || restarts(c) > 0 {
		return notSeen()
	}
	for _, e := range v.pod.Events {
		about := strings.Contains(e.About().FieldPath, "{"+c.Name+"}")
		if about && e.Reason == "Started" {
			return notSeen()
		}
		if about && e.Reason == "Created" {
			if age, ok := v.lasted(e.Last()); ok && age > neverStartedAfter {
				return saw(c.EvState(), evEvent(e))
			}
		}
	}
	return notSeen()
}

// seesAppBeforeInit compares first runs only: a sandbox made anew runs init containers again.
func seesAppBeforeInit(v *issueView) sighting {
	for _, i := range v.ordinaryInits() {
		t := i.Terminated()
		if t == nil || t.FinishedAt.IsZero() || restarts(i) > 0 {
			continue
		}
		for _, c := range v.apps {
			if start := startedAt(c); restarts(c) == 0 && !start.IsZero() && start.Before(t.FinishedAt.Add(-time.Second)) {
				return saw(v.pod.Ev(i.StatusPath("state.terminated.finishedAt"), t.FinishedAt.String()), c.EvState())
			}
		}
	}
	return notSeen()
}

func startedAt(c *facts.Container) kube.Time {
	switch {
	case c.Running() != nil:
		return c.Running().StartedAt
	case c.Terminated() != nil:
		return c.Terminated().StartedAt
	}
	return kube.Time{}
}

func seesInitStatusWithoutSpec(v *issueView) sighting {
	if !v.stored() || v.pod.Origin.Truncated || len(v.pod.Spec.Containers) == 0 {
		return notSeen()
	}
	for _, c := range v.ordinaryInits() {
		if c.Spec == nil {
			return saw(c.EvState(), v.pod.EvAbsent("spec.initContainers[name="+c.Name+"]"))
		}
	}
	return notSeen()
}

// seesRunningWhileInitRuns leaves out what may be a native sidecar whose restartPolicy the bundle's copy lost: while a
// regular container runs, no init container can be a one-shot one.
func seesRunningWhileInitRuns(v *issueView) sighting {
	if v.pod == nil || v.pod.Status.Phase != "Running" || anyRunning(v.apps) || anyRunning(v.helpers) {
		return notSeen()
	}
	for _, c := range v.ordinaryInits() {
		if c.Status != nil && c.Terminated() == nil && !isLongHelper(c) {
			return saw(v.pod.Ev("status.phase", "Running"), c.EvState(), c.EvPlacement())
		}
	}
	return notSeen()
}

func seesRunningWhileInitializing(v *issueView) sighting {
	if v.pod == nil || v.pod.Status.Phase != "Running" || anyRunning(v.apps) || anyRunning(v.helpers) || v.ended() {
		return notSeen()
	}
	c := v.someNative(func(c *facts.Container) bool { return c.Status != nil && !started(c) })
	if c == nil {
		return notSeen()
	}
	return saw(v.pod.Ev("status.phase", "Running"), c.EvState())
}

func seesInitSkippedInSandbox(v *issueView) sighting {
	changed := seesSandboxChanged(v)
	if !changed.seen || !v.stored() || len(v.pod.Spec.InitContainers) == 0 {
		return notSeen()
	}
	var at kube.Time
	for _, e := range v.pod.Events {
		if e.Reason == "SandboxChanged" {
			at = e.Last()
		}
	}
	if at.IsZero() {
		return notSeen()
	}
	for _, c := range v.pod.Containers {
		if c.Placement != facts.Ordinary && (c.Status == nil || startedAt(c).IsZero() || startedAt(c).After(at.Time)) {
			return notSeen()
		}
	}
	for _, c := range append(append([]*facts.Container{}, v.apps...), v.helpers...) {
		if startedAt(c).After(at.Time) {
			return saw(append(changed.because, c.EvState())...)
		}
	}
	return notSeen()
}

func seesInitStatusMissing(v *issueView) sighting {
	if !v.stored() || len(running(v.apps)) == 0 {
		return notSeen()
	}
	for _, c := range v.pod.Containers {
		if c.Placement != facts.Ordinary && c.Status == nil {
			return saw(running(v.apps)[0].EvState(), v.pod.EvAbsent(c.StatusPath("")))
		}
	}
	return notSeen()
}

func seesTemplateInitMissing(v *issueView) sighting {
	t, ok := ownerTemplate(v.p.Workload)
	if !ok || !v.stored() || t.obj.Described() || v.pod.Origin.Truncated {
		return notSeen()
	}
	for _, tc := range t.Spec.InitContainers {
		if v.pod.Container(tc.Name) == nil {
			return saw(t.obj.Ev(t.path+".spec.initContainers[name="+tc.Name+"].name", tc.Name), v.pod.EvAbsent("spec.initContainers[name="+tc.Name+"]"))
		}
	}
	return notSeen()
}

// seesOtherPolicyMissing wants a helper that really blocks init, and no template that has it so: some helpers can be
// told to run once.
func seesOtherPolicyMissing(v *issueView) sighting {
	if !v.stored() {
		return notSeen()
	}
	for _, c := range v.natives {
		if c.Helper != nil && c.Helper.Class == initClass {
			return saw(c.EvPlacement(), c.EvState())
		}
	}
	t, hasTemplate := ownerTemplate(v.p.Workload)
	for _, c := range v.ordinaryInits() {
		if c.Spec == nil || c.Name == istioProxy || !isLongHelper(c) || c.Running() == nil || ranBeside(v.pod, c) {
			continue
		}
		if hasTemplate {
			if tc := initNamed(t.Spec, c.Name); tc != nil && tc.RestartPolicy == "" {
				continue
			}
		}
		return saw(c.EvPlacement(), c.EvState())
	}
	return notSeen()
}

func seesPolicyStripped(v *issueView) sighting {
	return v.ofAllPods("policy-stripped", func() sighting {
		if o := runRestartPolicyStripped(v.p); o.Status == analyze.Fired {
			return saw(o.Because...)
		}
		return notSeen()
	})
}
