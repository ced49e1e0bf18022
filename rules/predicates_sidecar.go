package rules

import (
	"slices"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Predicates about the native sidecars of a pod. Only what is stored counts: describe prints neither restartPolicy nor
// started.

// longestBackOff is more than the kubelet ever waits before it starts a container again (5 minutes); a state that lasts
// longer is none that passes by itself.
const longestBackOff = 10 * time.Minute

func (v *issueView) stored() bool { return v.pod != nil && !v.pod.Described() }

// lasted says how long before the reference time something happened; false when either is not known.
func (v *issueView) lasted(t kube.Time) (time.Duration, bool) {
	at := v.p.Cluster.At
	if !at.Known || t.IsZero() {
		return 0, false
	}
	return at.V.Sub(t.Time), true
}

// someNative gives the first native sidecar that passes a test.
func (v *issueView) someNative(test func(*facts.Container) bool) *facts.Container {
	if !v.stored() {
		return nil
	}
	for _, c := range v.natives {
		if test(c) {
			return c
		}
	}
	return nil
}

func seesNativeSidecar(v *issueView) sighting {
	if c := v.someNative(func(*facts.Container) bool { return true }); c != nil {
		if slices.Contains(v.lost, c) {
			return saw(c.EvState()) // that it runs beside the regular containers is what tells
		}
		return saw(c.EvPlacement())
	}
	return notSeen()
}

// seesSidecarTerminatedWhileAppRuns needs a state that lasts: the kubelet starts a native sidecar again by itself.
func seesSidecarTerminatedWhileAppRuns(v *issueView) sighting {
	c := v.someNative(func(c *facts.Container) bool { return c.Terminated() != nil })
	if c == nil || len(running(v.apps)) == 0 {
		return notSeen()
	}
	if age, ok := v.lasted(c.Terminated().FinishedAt); !ok || age < longestBackOff {
		return notSeen()
	}
	return saw(c.EvState(), running(v.apps)[0].EvState())
}

func seesLastInitProbed(v *issueView) sighting {
	if !v.stored() || len(v.pod.Spec.InitContainers) == 0 {
		return notSeen()
	}
	last := v.pod.Spec.InitContainers[len(v.pod.Spec.InitContainers)-1]
	if last.RestartPolicy != "Always" || last.StartupProbe == nil {
		return notSeen()
	}
	path := "spec.initContainers[name=" + last.Name + "]"
	return saw(v.pod.Ev(path+".restartPolicy", "Always"), v.pod.Ev(path+".startupProbe", "set"))
}

func seesSidecarPastGrace(v *issueView) sighting {
	c := v.someNative(func(c *facts.Container) bool { return c.Running() != nil && started(c) })
	work := append(append([]*facts.Container{}, v.apps...), v.helpers...)
	last, ended := lastEnd(work)
	at := v.p.Cluster.At
	if slices.ContainsFunc(work, func(c *facts.Container) bool {
		t := c.Terminated()
		return t != nil && t.ExitCode != 0 && c.RestartsAfter(t.ExitCode) != version.No
	}) {
		return notSeen() // a container that failed is to be started again, so nothing stops the sidecar yet
	}
	if c == nil || !ended || last.IsZero() || !at.Known || at.V.Sub(last) <= v.stopBudget() {
		return notSeen()
	}
	out := saw(c.EvState())
	for _, w := range work {
		out.because = append(out.because, w.EvState())
	}
	return out
}

// eventsLast is how long API servers keep events by default: what happened before may have left none.
const eventsLast = time.Hour

// seesNoKilling takes the absence of an event only where it would still be there.
func seesNoKilling(v *issueView) sighting {
	if v.pod == nil {
		return notSeen()
	}
	last, ended := lastEnd(v.apps)
	if !ended || last.IsZero() {
		return notSeen()
	}
	for _, e := range v.pod.Events {
		if e.Reason == "Killing" && v.someNative(func(c *facts.Container) bool { return strings.Contains(e.Text(), c.Name) }) != nil {
			return notSeen()
		}
	}
	if at := v.p.Cluster.At; len(v.pod.Events) == 0 || !at.Known || at.V.Sub(last) > eventsLast {
		return cannotSee(say("events of pod %s from the time at which its application ended", v.pod.Meta.Name),
			command("kubectl get events -n %s -o yaml", v.pod.Meta.Namespace))
	}
	return saw(v.pod.EvAbsent("event[reason=Killing]"))
}

func seesSidecarRestarted(v *issueView) sighting {
	c := v.someNative(func(c *facts.Container) bool { return restarts(c) > 0 })
	if c == nil {
		return notSeen()
	}
	return saw(v.pod.Ev(c.StatusPath("restartCount"), count(&c.Status.RestartCount)))
}

func seesSidecarProbed(v *issueView) sighting {
	c := v.someNative(func(c *facts.Container) bool { return c.Spec != nil && c.Spec.StartupProbe != nil })
	if c == nil {
		return notSeen()
	}
	return saw(v.pod.Ev(c.Path("startupProbe"), "set"))
}

// seesSidecarNeverStarted tells a probe that nobody runs any more from one that has not passed yet: a failing startup
// probe gets the container killed when its budget is used up, so one that runs on beyond it is not probed.
func seesSidecarNeverStarted(v *issueView) sighting {
	c := v.neverStarted()
	if c == nil {
		return notSeen()
	}
	return saw(v.pod.Ev(c.StatusPath("started"), "false"), c.EvState())
}

// neverStarted gives the native sidecar that runs beyond the budget of its startup probe and does not count as started.
func (v *issueView) neverStarted() *facts.Container {
	return v.someNative(func(c *facts.Container) bool {
		if c.Running() == nil || c.Status.Started == nil || *c.Status.Started || c.Spec == nil || c.Spec.StartupProbe == nil {
			return false
		}
		age, ok := v.lasted(c.Running().StartedAt)
		return ok && age > probeBudget(c.Spec.StartupProbe)+killMargin
	})
}

// seesProbeSilent looks for signs that somebody still runs the startup probe of a sidecar that never started: the event
// of a failure in its present run, or more than one restart, for without the probe nothing restarts it again. Silence
// counts only where events would be in the bundle.
func seesProbeSilent(v *issueView) sighting {
	c := v.neverStarted()
	if c == nil || restarts(c) > 1 {
		return notSeen()
	}
	undated := false
	for _, e := range v.pod.Events {
		if !probeFailed(e, c.Name) {
			continue
		}
		if undated = undated || e.Last().IsZero(); !e.Last().IsZero() && !e.Last().Before(c.Running().StartedAt.Time) {
			return notSeen()
		}
	}
	if undated || !v.p.Cluster.HasEvents(v.pod.Meta.Namespace) {
		return cannotSee(say("events of pod %s: whether the startup probe of %s is still being run", v.pod.Meta.Name, c.Name),
			command("kubectl get events -n %s -o yaml", v.pod.Meta.Namespace))
	}
	return saw(v.pod.EvAbsent("event[reason=" + unhealthy + "]"))
}

// unhealthy is the reason of the kubelet's event about a probe that failed.
const unhealthy = "Unhealthy"

// probeFailed says that an event tells of a failed startup probe of a container.
func probeFailed(e *kube.Event, container string) bool {
	path := e.About().FieldPath
	return e.Reason == unhealthy && strings.Contains(e.Text(), "Startup probe") &&
		(path == "" || strings.Contains(path, "{"+container+"}"))
}

// probeBudget is how long a startup probe may fail before the container is killed; the API server fills in 10 s and 3
// failures where nothing is set.
func probeBudget(p *kube.Probe) time.Duration {
	period, failures := p.PeriodSeconds, p.FailureThreshold
	if period == 0 {
		period = 10
	}
	if failures == 0 {
		failures = 3
	}
	return time.Duration(p.InitialDelaySeconds+period*failures) * time.Second
}

// seesSidecarOOMKilled leaves out a sidecar with a memory limit of its own: there the limit is the likelier reason.
func seesSidecarOOMKilled(v *issueView) sighting {
	killed := func(c *facts.Container) (evidence.Evidence, bool) {
		if t := c.Terminated(); t != nil && t.Reason == oomKilled {
			return v.pod.Ev(c.StatusPath("state.terminated.reason"), oomKilled), true
		}
		if c.Status != nil && c.Status.LastState.Terminated != nil && c.Status.LastState.Terminated.Reason == oomKilled {
			return v.pod.Ev(c.StatusPath("lastState.terminated.reason"), oomKilled), true
		}
		return evidence.Evidence{}, false
	}
	for _, c := range append(append([]*facts.Container{}, v.apps...), v.helpers...) {
		if _, ok := killed(c); ok {
			return notSeen()
		}
	}
	for _, c := range v.natives {
		if ev, ok := killed(c); ok && v.stored() && c.Spec != nil && c.Spec.Resources.Limits["memory"] == "" {
			return saw(ev, v.pod.EvAbsent(c.Path("resources.limits.memory")))
		}
	}
	return notSeen()
}
