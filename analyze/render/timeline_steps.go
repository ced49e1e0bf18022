package render

import (
	"slices"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// step is one thing of a workload's course in words, for readers who cannot point at the drawing.
type step struct {
	Time time.Time
	What string
	// Told says that an event tells it, and no state of the pod.
	Told bool
}

// steps gives the course of a workload in words, oldest first: what the states of its pods say, and what was reported.
func steps(c catalogue, w analyze.Workload) []step {
	var out []step
	add := func(at, what string, told bool) {
		if t, ok := parse(at); ok {
			out = append(out, step{t, what, told})
		}
	}
	for _, e := range w.Events {
		kind, _, _ := strings.Cut(e.Object, "/")
		add(e.Time, orElse(kind, w.Kind)+c.say("join.parts")+e.Reason+c.say("colon")+countedMessage(e), true)
	}
	for _, p := range drawable(w.Pods) {
		of := ""
		if len(w.Pods) > 1 {
			of = p.Name + c.say("join.parts")
		}
		add(p.CreatedAt, of+c.say("html.begin"), false)
		if !reported(p, "Scheduled") {
			add(p.ScheduledAt, of+c.say(scheduled), false)
		}
		add(p.DeletedAt, of+c.say("html.deleted"), false)
		for _, k := range p.Containers {
			add(k.LastStartedAt, of+c.say("html.step.started", k.Name), false)
			add(k.LastFinishedAt, of+c.say("html.step.ended", k.Name), false)
			add(k.StartedAt, of+c.say("html.step.started", k.Name), false)
			if k.FinishedAt != "" {
				add(k.FinishedAt, of+c.say("html.step.exit", k.Name, stateText(c, k, false)), false)
			}
		}
		for _, e := range p.Events {
			add(e.Time, of+e.Reason+c.say("colon")+countedMessage(e), true)
		}
	}
	slices.SortStableFunc(out, func(a, b step) int { return a.Time.Compare(b.Time) })
	return out
}
