package render

import (
	"slices"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// timelinePods bounds how many pods of one workload are drawn.
const timelinePods = 6

// timeline is a workload's course as a drawing, made from the report alone: a band for each pod with a bar for each
// container, from its start to its end or, if it still ran, to the edge of the capture. Horizontal places are percents
// of the width, so that the drawing fits any page without its text shrinking; vertical ones are pixels.
type timeline struct {
	Rows []row
	Axis []instant
	// Held is the span in which the workload was held open, HeldFor its length.
	Held    *span
	HeldFor string
	// Break is where the scale changes, nil for an even one.
	Break  *instant
	Height int
	// Left counts pods that are not drawn.
	Left int
	// From and To are the first and last time shown; Created says that From is a pod's creation, Capture that To is
	// when the bundle was taken.
	From, To         time.Time
	Created, Capture bool
	// Course tells the drawing in words, Caption says what to look at, Begin and Edge name its edges.
	Course, Caption, Begin, Edge string
}

// row is one line of the drawing: a pod's name, a container's bar, or events.
type row struct {
	Y         int
	Pod       string
	Container *analyze.Container
	Bar       *span
	// Open says that the bar goes on to the edge.
	Open   bool
	Events []instant
}

// span is a stretch of time in percents of the width.
type span struct{ X, W float64 }

// instant is a point in time.
type instant struct {
	X     float64
	Time  time.Time
	Event *analyze.Event
}

const (
	rowHeight  = 34
	podHeight  = 24
	axisHeight = 40
	heldHeight = 28
	// minBar keeps a short run visible.
	minBar = 0.8
	// brokenAt is where the second scale begins when the end is drawn shorter than it was.
	brokenAt = 58.0
)

// newTimeline draws a workload; nil when the report holds no time to draw.
func newTimeline(w analyze.Workload, taken string) *timeline {
	pods := drawable(w.Pods)
	t := &timeline{Left: max(len(pods)-timelinePods, 0)}
	pods = pods[:min(len(pods), timelinePods)]
	times := podTimes(pods)
	if len(times) == 0 {
		return nil
	}
	t.From, t.To = times[0], times[len(times)-1]
	if made, ok := parse(pods[0].CreatedAt); ok {
		t.Created = made.Equal(t.From)
	}
	if c, ok := parse(taken); ok && !c.Before(t.To) {
		t.To, t.Capture = c, true
	}
	s := newScale(t.From, times[len(times)-1], t.To)
	y := 0
	if since, ok := parse(w.Since); ok && t.Capture && len(w.Culprits) > 0 && !since.Before(t.From) && since.Before(t.To) {
		t.Held, t.HeldFor = s.span(since, t.To, minBar), w.HeldFor
		y = heldHeight
	}
	for _, p := range pods {
		y = t.pod(s, p, y, len(pods) > 1)
	}
	t.Height = y + axisHeight
	t.Axis = append(t.Axis, instant{X: 0, Time: t.From})
	if s.broken {
		t.Break = &instant{X: brokenAt, Time: s.knee}
		t.Axis = append(t.Axis, *t.Break)
	}
	t.Axis = append(t.Axis, instant{X: 100, Time: t.To})
	return t
}

// pod adds a pod's rows below y and returns where the next ones go.
func (t *timeline) pod(s scale, p analyze.Pod, y int, named bool) int {
	if named {
		t.Rows = append(t.Rows, row{Y: y, Pod: p.Name})
		y += podHeight
	}
	for i := range p.Containers {
		r := row{Y: y, Container: &p.Containers[i]}
		start, ok := parse(p.Containers[i].StartedAt)
		end, ended := parse(p.Containers[i].FinishedAt)
		switch {
		case ok && strings.HasPrefix(p.Containers[i].State, "running"):
			r.Bar, r.Open = s.span(start, t.To, minBar), true
		case ok && ended && !end.Before(start):
			r.Bar = s.span(start, end, minBar)
		}
		t.Rows = append(t.Rows, r)
		y += rowHeight
	}
	var marks []instant
	for i := range p.Events {
		if at, ok := parse(p.Events[i].Time); ok {
			marks = append(marks, instant{X: s.at(at), Time: at, Event: &p.Events[i]})
		}
	}
	if len(marks) > 0 {
		t.Rows = append(t.Rows, row{Y: y, Events: marks})
		y += rowHeight
	}
	return y
}

// drawable keeps the pods of which any time is known.
func drawable(pods []analyze.Pod) []analyze.Pod {
	var out []analyze.Pod
	for _, p := range pods {
		if len(podTimes([]analyze.Pod{p})) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// podTimes returns every known time of the pods, sorted.
func podTimes(pods []analyze.Pod) []time.Time {
	var out []time.Time
	add := func(s string) {
		if at, ok := parse(s); ok {
			out = append(out, at)
		}
	}
	for _, p := range pods {
		add(p.CreatedAt)
		for _, c := range p.Containers {
			add(c.StartedAt)
			add(c.FinishedAt)
		}
		for _, e := range p.Events {
			add(e.Time)
		}
	}
	slices.SortFunc(out, time.Time.Compare)
	return out
}

// parse reads a time of the report; what is no time is not drawn.
func parse(s string) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339, s)
	return at.UTC(), err == nil
}
