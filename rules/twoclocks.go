package rules

import (
	"cmp"
	"slices"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// startsAgainstStates finds containers that ran once and whose kubelet reported the start at another time than their
// state gives. The widest of each pod is enough to know that its events and states do not go together.
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

// apartness is a contradiction between two times; late is one whose event gives the later.
type apartness struct {
	contradiction
	by   time.Duration
	late bool
}

func startAgainstState(w *facts.Workload, pod *facts.Pod, e *kube.Event) (apartness, bool) {
	name := facts.StartedOf(e)
	c := pod.Container(name)
	if name == "" || c == nil || c.Status == nil {
		return apartness{}, false
	}
	at := facts.FirstStart(c.Status)
	if at.IsZero() {
		return apartness{}, false
	}
	late := e.Last().After(at.Time)
	apart := e.Last().Sub(at.Time).Abs()
	if apart <= facts.OneClock {
		return apartness{}, false
	}
	state := "state.running.startedAt"
	if c.Running() == nil {
		state = "state.terminated.startedAt"
	}
	where := pod.Ev(c.StatusPath(state), at.String())
	return apartness{by: apart, late: late, contradiction: contradiction{
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

// twoClocks warns that events and states give other times, and says no more than that: clocks may differ, or events be
// written late. Verdicts rest on the states; facts take the bundle's time from no event of a kubelet then.
func twoClocks(p *analyze.Pass, all []apartness) analyze.Outcome {
	widest := slices.MaxFunc(all, func(a, b apartness) int { return cmp.Compare(a.by, b.by) })
	text := widest.text
	if n := len(all) - 1; n > 0 {
		text = say("%s; the same in other pods: %d", text, n)
	}
	late := func(a apartness) bool { return a.late }
	switch onlyLate := !slices.ContainsFunc(all, func(a apartness) bool { return !a.late }); {
	case onlyLate && p.Cluster.AtFloor:
		text = say("events say that containers started up to %s later than their states do: %s. What is said of containers rests on their states; times taken from events of a kubelet may be late by as much, and the bundle's time is taken from none", span(widest.by), text)
	case onlyLate:
		text = say("events say that containers started up to %s later than their states do: %s. What is said of containers rests on their states; times taken from events of a kubelet may be late by as much", span(widest.by), text)
	case slices.ContainsFunc(all, late):
		text = say("events and states give other times for the start of containers, up to %s apart: %s. What is said of containers rests on their states; times taken from events may be off by as much", span(widest.by), text)
	default:
		text = say("events say that containers started up to %s earlier than their states do: %s. What is said of containers rests on their states; times taken from events may be early by as much", span(widest.by), text)
	}
	o := analyze.Fire(text, widest.because...).As(analyze.Info)
	for _, x := range all {
		o = o.About(x.about...)
	}
	return o
}
