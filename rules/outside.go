package rules

import (
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// disruptionTarget is the condition that the scheduler, the pod garbage collector, the taint manager, the eviction API and
// the kubelet set on a pod before they end it.
const disruptionTarget = "DisruptionTarget"

// outsideEnd tells of a failed pod that something else than its containers ended; exit codes from then on are of that end.
type outsideEnd struct {
	pod             *facts.Pod
	reason, message string
	from            time.Time // it began no earlier, zero where the bundle has no time of it
	because         []evidence.Evidence
	deletion        bool // nothing but the pod's deletion tells of it
}

// outsideEndOf reads a pod-level reason (Evicted, Terminated, Preempting, OutOfcpu, ...), and the condition DisruptionTarget,
// which stands there without one where a controller and not the kubelet ended the pod. A pod's own deadline is no such end.
func outsideEndOf(p *facts.Pod) *outsideEnd {
	if p.Status.Phase != "Failed" || p.Status.Reason == deadlineExceeded {
		return nil
	}
	cond := trueCondition(p.Status.Conditions, disruptionTarget)
	e := &outsideEnd{pod: p, reason: p.Status.Reason, message: p.Status.Message}
	if e.reason != "" {
		e.because = append(e.because, p.Ev("status.reason", e.reason))
		if e.message != "" {
			e.because = append(e.because, p.Ev("status.message", e.message))
		}
	}
	if cond != nil {
		e.from = beganToEnd(p, cond)
		e.because = append(e.because, evDisruption(p, cond)...)
	}
	switch {
	case e.reason != "":
		return e
	case cond == nil:
		return deletedAtWork(p)
	}
	if e.reason, e.message = cond.Reason, cond.Message; e.reason == "" {
		e.fromEvents()
	}
	return e
}

// deletedAtWork is for a pod that somebody deleted without such a condition: an application container failed, and not before
// the deletion was asked for, which is the grace period before deletionTimestamp.
func deletedAtWork(p *facts.Pod) *outsideEnd {
	grace := p.Meta.DeletionGracePeriodSeconds
	if p.Meta.Deleted.IsZero() || grace == nil {
		return nil
	}
	e := &outsideEnd{pod: p, deletion: true, reason: sentence.Fixed("its deletion"), message: "deletionTimestamp " + p.Meta.Deleted.String(),
		from: p.Meta.Deleted.Add(-time.Duration(*grace) * time.Second), because: []evidence.Evidence{p.Ev("metadata.deletionTimestamp", p.Meta.Deleted.String())}}
	work, _ := splitRegular(p)
	for _, c := range work {
		if t := c.Terminated(); t != nil && t.ExitCode != 0 && !t.FinishedAt.IsZero() && !t.FinishedAt.Before(e.from) {
			return e
		}
	}
	return nil
}

// beganToEnd is the moment before which nothing of that sort ended the pod. Controllers set the condition and then delete
// the pod; the kubelet's is sent with the phase, when the containers have ended.
func beganToEnd(p *facts.Pod, cond *kube.Condition) time.Time {
	at := cond.LastTransitionTime.Time
	if at.IsZero() || cond.Reason != "TerminationByKubelet" {
		return at
	}
	grace, known := p.GracePeriod()
	if !known {
		grace = longestGrace
	}
	return at.Add(-grace - killMargin)
}

func evDisruption(p *facts.Pod, cond *kube.Condition) []evidence.Evidence {
	const path = "status.conditions[type=" + disruptionTarget + "]."
	if cond.Reason == "" {
		return []evidence.Evidence{p.Ev(path+"status", cond.Status)}
	}
	out := []evidence.Evidence{p.Ev(path+"reason", cond.Reason)}
	if cond.Message != "" {
		out = append(out, p.Ev(path+"message", cond.Message))
	}
	return out
}

// disruptions are the events of the scheduler, the taint manager and the kubelet about a pod that they end.
var disruptions = []string{"Preempted", "Preempting", "TaintManagerEviction", "Evicted"}

// fromEvents takes the reason from the pod's events: describe prints conditions without theirs.
func (e *outsideEnd) fromEvents() {
	for _, ev := range e.pod.Events {
		if contains(disruptions, ev.Reason) {
			e.reason, e.message = ev.Reason, ev.Text()
			e.because = append(e.because, evEvent(ev))
		}
	}
	if e.reason == "" {
		e.reason = disruptionTarget
	}
}

// refused says that the kubelet did not take the pod at all.
func (e *outsideEnd) refused() bool {
	return contains(admissionReasons, e.reason) && !anyEverRan(e.pod) || strings.HasPrefix(e.message, "Pod was rejected")
}

func anyEverRan(p *facts.Pod) bool {
	for _, c := range p.Containers {
		if c.EverRan() {
			return true
		}
	}
	return false
}

// ownFailure gives an application container that had failed before anything ended the pod. Where the bundle has no time of
// that, the exit codes tell nothing.
func (e *outsideEnd) ownFailure() *facts.Container {
	work, _ := splitRegular(e.pod)
	for _, c := range work {
		t := c.Terminated()
		if t != nil && t.ExitCode != 0 && t.Reason != lostState && !e.from.IsZero() && !t.FinishedAt.IsZero() && t.FinishedAt.Before(e.from) {
			return c
		}
	}
	return nil
}

// workDone says that the application had exited 0 before anything ended the pod.
func (e *outsideEnd) workDone() bool {
	work, _ := splitRegular(e.pod)
	last, zero := allExitedZero(work)
	return zero && (e.from.IsZero() || !last.After(e.from))
}

// text says what ended the pod.
func (e *outsideEnd) text() analyze.Text {
	if e.refused() {
		return say("the kubelet of node %s refused the pod: %s (%s)", orNone(e.pod.Spec.NodeName), e.reason, orNone(e.message))
	}
	return say("the pod was ended from outside: %s (%s)", e.reason, orNone(e.message))
}

// judge gives the verdict on such a pod: it failed in the open, whoever ended it, unless its work was done by then.
func (e *outsideEnd) judge(v *podView, because []evidence.Evidence) answer {
	a := yes(e.text(), because...)
	if c := e.ownFailure(); c != nil {
		a.summary = say("the pod failed: container %s exited %d at %s, before the pod was ended from outside: %s (%s)", c.Name, c.Terminated().ExitCode,
			atTime(c.Terminated().FinishedAt), e.reason, orNone(e.message))
		return a
	}
	if v.failedExit() != nil {
		return a
	}
	a.code = Failed
	if last, _ := allExitedZero(v.apps); e.workDone() && len(v.helpers) > 0 && !endless(v.w, v.p) {
		a.summary = say("the pod was ended from outside: %s (%s), after the application had exited 0 at %s and only %s held it open",
			e.reason, orNone(e.message), stamp(last), list(names(v.helpers)))
	}
	return a
}

// heldWhenEnded gives the end of a pod whose work was done by then, so that only its sidecars were cut off; nil for any other
// pod.
func heldWhenEnded(p *facts.Pod) *outsideEnd {
	if p == nil {
		return nil
	}
	if _, helpers := splitRegular(p); len(helpers) == 0 {
		return nil
	}
	if e := outsideEndOf(p); e != nil && !e.deletion && e.workDone() {
		return e
	}
	return nil
}

// cutOff gives the end of a pod whose application had neither failed nor done its work by then, nil for any other pod.
func cutOff(p *facts.Pod) *outsideEnd {
	e := outsideEndOf(p)
	if e == nil || e.ownFailure() != nil || e.workDone() {
		return nil
	}
	return e
}
