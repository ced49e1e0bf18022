package rules

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// oneClock is how far a container's start and the kubelet's event about it can lie apart: both are of one node, and the
// kubelet reports at once.
const oneClock = 15 * time.Second

// startsAgainstStates finds containers that ran once and whose kubelet reported the start at another time than their
// state gives. The widest of each pod is enough to know that its events and states are of different clocks.
func startsAgainstStates(w *facts.Workload) []apartness {
	var out []apartness
	for _, pod := range w.Pods {
		if pod.Described() {
			continue
		}
		var most apartness
		for _, e := range pod.Events {
			if x, ok := startAgainstState(w, pod, e); ok && x.by > most.by {
				most = x
			}
		}
		if most.by > 0 {
			out = append(out, most)
		}
	}
	return out
}

// apartness is a contradiction between two times.
type apartness struct {
	contradiction
	by time.Duration
}

func startAgainstState(w *facts.Workload, pod *facts.Pod, e *kube.Event) (apartness, bool) {
	if e.Reason != "Started" || e.Times() > 1 || e.Origin.Strength != evidence.Stored || e.Last().IsZero() {
		return apartness{}, false
	}
	_, name, ok := strings.Cut(strings.TrimSuffix(e.About().FieldPath, "}"), "{")
	c := pod.Container(name)
	if !ok || c == nil || c.Status == nil || c.Status.RestartCount > 0 {
		return apartness{}, false
	}
	var at kube.Time
	var where evidence.Evidence
	switch r, t := c.Running(), c.Terminated(); {
	case r != nil && !r.StartedAt.IsZero():
		at, where = r.StartedAt, pod.Ev(c.StatusPath("state.running.startedAt"), r.StartedAt.String())
	case t != nil && !t.StartedAt.IsZero():
		at, where = t.StartedAt, pod.Ev(c.StatusPath("state.terminated.startedAt"), t.StartedAt.String())
	default:
		return apartness{}, false
	}
	apart := e.Last().Sub(at.Time).Abs()
	if apart <= oneClock {
		return apartness{}, false
	}
	return apartness{by: apart, contradiction: contradiction{
		text: say("the kubelet reported the start of container %s of pod %s at %s, and its state says %s, %s apart", name, pod.Meta.Name,
			stamp(e.Last().Time), stamp(at.Time), span(apart)),
		because: []evidence.Evidence{evEvent(e), reportedAt(e), where},
		about:   []evidence.Ref{w.Ref}}}, true
}

// reportedAt is when an event was reported, in the field that has it.
func reportedAt(e *kube.Event) evidence.Evidence {
	at := e.Last()
	field := "eventTime"
	switch {
	case e.LastTimestamp.Equal(at.Time):
		field = "lastTimestamp"
	case e.FirstTimestamp.Equal(at.Time):
		field = "firstTimestamp"
	}
	return e.Ev(field, stamp(at.Time))
}

// twoClocks warns that events and states are not of one clock. Verdicts rest on the states; where the bundle's time is
// the newest time in it, an event may have set it.
func twoClocks(p *analyze.Pass, all []apartness) analyze.Outcome {
	widest := slices.MaxFunc(all, func(a, b apartness) int { return cmp.Compare(a.by, b.by) })
	text := widest.text
	if n := len(all) - 1; n > 0 {
		text = say("%s; the same in other pods: %d", text, n)
	}
	text = say("events and container states are not of one clock: %s. What is said of containers rests on their states", text)
	if p.Cluster.AtFloor {
		text = say("%s; the bundle's time is the newest of all times in it, so how long something lasted may be off by as much", text)
	}
	o := analyze.Fire(text, widest.because...).As(analyze.Info)
	for _, x := range all {
		o = o.About(x.about...)
	}
	return o
}
