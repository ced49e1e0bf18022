package rules

import (
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// killMargin is added to the grace period before a native sidecar is called stuck: every container gets at least 2 s
// to die, the runtime and the status update take some more, and a clock may be off.
const killMargin = time.Minute

// longestGrace stands for a grace period that is not known, as in describe text: longer than what pods are given.
const longestGrace = 6 * time.Hour

// stopBudget is how long native sidecars may run on after the application.
func (v *podView) stopBudget() time.Duration {
	d, known := v.p.GracePeriod()
	if !known {
		d = longestGrace
	}
	return d + killMargin
}

// failedExit names an application container that exited non-zero, if any.
func (v *podView) failedExit() *facts.Container {
	for _, c := range v.apps {
		if t := c.Terminated(); t != nil && t.ExitCode != 0 {
			return c
		}
	}
	return nil
}

// podNativeStopping: the application has ended and the sidecar is within its grace period. That is said only where a
// time from elsewhere shows that it is so: in a bundle whose newest time is the application's own end, nothing does.
func podNativeStopping(v *podView) answer {
	still := running(v.natives)
	if !v.ended() || len(still) == 0 {
		return no()
	}
	since, held := v.ranOn()
	grace, known := v.p.GracePeriod()
	if held > v.stopBudget() {
		return notSo(say("%s had run on for %s, more than the grace period of %s", list(names(still)), span(held), span(grace)))
	}
	a := v.nativeAnswer(still, say("the application had ended at %s; native sidecar %s was within the grace period of %s: normal, look again",
		stamp(since), list(names(still)), span(grace)))
	if known && held > grace {
		a.summary = say("the application had ended at %s; native sidecar %s ran on for %s, which is the grace period of %s and the moment that its end may take besides: normal, look again",
			stamp(since), list(names(still)), span(held), span(grace))
	}
	weak, witness := v.weakAge(since)
	switch {
	case v.failedExit() != nil:
		c := v.failedExit()
		a.code, a.culprits = AppFailed, []string{c.Name}
		a.summary = say("container %s exited %d; the native sidecar %s was stopping after it", c.Name, c.Terminated().ExitCode, list(names(still)))
		return a
	case since.IsZero():
		a.summary = say("the application had ended, at a time that the bundle does not have, and native sidecar %s was running: whether it was within the grace period of %s cannot be said",
			list(names(still)), span(grace))
	case weak > v.stopBudget():
		a.summary = say("the application had ended at %s and native sidecar %s was running; a witness that may be of another moment puts that %s later, past the grace period of %s",
			stamp(since), list(names(still)), span(weak), span(grace))
		a.evidence = append(a.evidence, witness)
	case v.c.AtFloor && held == 0:
		a.summary = say("the application had ended at %s and native sidecar %s was running; no time in the bundle is later, so for how long it ran on cannot be said",
			stamp(since), list(names(still)))
	case !known && held > grace:
		a.summary = say("the application had ended at %s and native sidecar %s ran on for %s; describe text does not print the pod's grace period, so whether that is within it cannot be said",
			stamp(since), list(names(still)), span(held))
	default:
		return a
	}
	a.code = InsufficientEvidence
	a.missing = []analyze.Missing{v.laterLook()}
	return a
}

func podNativeStuck(v *podView) answer {
	still := running(v.natives)
	if !v.ended() || len(still) == 0 {
		return no()
	}
	since, held := v.ranOn()
	grace, known := v.p.GracePeriod()
	bound := say("far past the grace period of %s", span(grace))
	from, graceAt := v.p.GraceFrom()
	switch {
	case !known:
		bound = say("longer than any grace period in use (describe text does not print the pod's)")
	case from == "Job":
		bound = say("far past the grace period of %s that the template of the Job has (the pod's own, which may have been set at admission, is not in the bundle)", span(grace))
	case from != "":
		bound = say("far past the grace period of %s that the template of the %s has (the pod's own, which may be another, is not in the bundle)", span(grace), from)
	}
	a := v.nativeAnswer(still, say("the application had ended at %s and native sidecar %s ran on for %s, %s: the kubelet did not stop it",
		stamp(since), list(names(still)), span(held), bound))
	a.held = held
	if from != "" {
		a.evidence = append(a.evidence, graceAt)
	}
	for _, c := range still {
		if v.startedAfter(c, since) {
			a.summary = say("the application had ended at %s and native sidecar %s was started at %s, after that, and still ran %s after the application's end, %s: the kubelet started it again in a pod that was to end",
				stamp(since), c.Name, atTime(c.Running().StartedAt), span(held), bound)
			a.evidence = append(a.evidence, v.runBefore(c)...)
			break
		}
	}
	if c := v.failedExit(); c != nil {
		a.summary = say("%s. Container %s had exited %d, and the pod does not become Failed before %s has ended", a.summary, c.Name, c.Terminated().ExitCode, list(names(still)))
	}
	if n := v.p.Node; n != nil {
		a.evidence = append(a.evidence, n.Ev("status.nodeInfo.kubeletVersion", n.Kubelet.Raw))
	}
	return a
}

// startedAfter says that a container's present run began after a moment.
func (v *podView) startedAfter(c *facts.Container, t time.Time) bool {
	r := c.Running()
	return r != nil && !t.IsZero() && r.StartedAt.After(t)
}

// runBefore is the evidence of how the run before the present one ended.
func (v *podView) runBefore(c *facts.Container) []evidence.Evidence {
	out := []evidence.Evidence{v.p.Ev(c.StatusPath("restartCount"), countOf(restarts(c)))}
	if t := c.Status.LastState.Terminated; t != nil {
		out = append(out, v.p.Ev(c.StatusPath("lastState.terminated.exitCode"), count(&t.ExitCode)), v.p.Ev(c.StatusPath("lastState.terminated.finishedAt"), t.FinishedAt.String()))
	}
	return out
}

// ranOn is how long a sidecar ran on after the application. Events of the same describe text are of the same moment as
// its states, so the age of a Killing event is a lower bound of it.
func (v *podView) ranOn() (since time.Time, held time.Duration) {
	since, held = v.sinceLastApp()
	if !v.p.StatusDescribed() || !v.c.AtFloor {
		return since, held
	}
	for _, e := range v.p.Events {
		if age, ok := kube.ParseAge(e.Age); ok && e.Reason == "Killing" && e.Origin.Strength == evidence.Described && e.Origin.File == v.p.StatusFrom().File {
			held = max(held, age)
		}
	}
	return since, held
}

// weakAge is the same by a table: a row of kubectl get pods with its AGE, or of kubectl get events. Tables may be of
// another moment than the pod, so they raise a doubt and prove nothing.
func (v *podView) weakAge(since time.Time) (time.Duration, evidence.Evidence) {
	var best time.Duration
	var witness evidence.Evidence
	for _, r := range v.w.Rows {
		age, ok := kube.ParseAge(r.Cells["AGE"])
		if !ok || r.Cells["NAME"] != v.p.Meta.Name || v.p.Meta.Created.IsZero() {
			continue
		}
		if d := v.p.Meta.Created.Add(age).Sub(since); d > best {
			best, witness = d, evidence.Evidence{Object: v.p.Ref().String(), Field: "row", Value: rowText(r), File: r.File, Line: r.Line, Strength: evidence.Table}
		}
	}
	for _, e := range v.p.Events {
		if age, ok := kube.ParseAge(e.Age); ok && e.Reason == "Killing" && age > best {
			best, witness = age, evEvent(e)
		}
	}
	return best, witness
}

func (v *podView) nativeAnswer(still []*facts.Container, summary analyze.Text) answer {
	a := yes(summary)
	for _, c := range v.apps {
		a.evidence = append(a.evidence, c.EvState())
	}
	for _, c := range still {
		a.evidence = append(a.evidence, c.EvState(), c.EvPlacement())
	}
	a.evidence = append(a.evidence, podEventsAbout(v.p, still[0].Name, "Killing")...)
	a.evidence = append(a.evidence, v.c.At.From...) // the moment that "still running" is measured at
	a.culprits = names(still)
	a.since, a.held = v.sinceLastApp()
	return a
}
