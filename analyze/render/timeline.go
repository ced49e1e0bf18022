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
	// Unproven says that it is not known whether what still ran holds the workload.
	Unproven bool
	// Ended is the moment from which on it was held: its program had ended. EndedText names it.
	Ended     *instant
	EndedText string
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
	// Steps is the course in words, in order.
	Steps []step
	// Clock is the layout of times on the axis: with the day where the drawing spans more than one.
	Clock string
}

// row is one line of the drawing: a pod's name, a container's bars, or events.
type row struct {
	Y         int
	Pod       string
	Container *analyze.Container
	Bar       *span
	// Earlier is the run before the present one, of a container that was restarted.
	Earlier *span
	// Open says that the bar goes on to the edge.
	Open   bool
	Events []instant
	// Marks are what happened to the pod itself; they stand among its events.
	Marks []instant
	// Label is the catalogue's id of what the events are about.
	Label string
}

// span is a stretch of time in percents of the width.
type span struct{ X, W float64 }

// instant is a point in time.
type instant struct {
	X     float64
	Time  time.Time
	Event *analyze.Event
	// What is the catalogue's id of what happened, where no event tells it.
	What string
}

const (
	rowHeight  = 34
	podHeight  = 24
	axisHeight = 40
	heldHeight = 44
	// minBar keeps a short run visible.
	minBar = 0.8
	// brokenAt is where the second scale begins when the end is drawn shorter than it was.
	brokenAt = 45.0
)

// newTimeline draws a workload; nil when the report holds no time to draw.
func newTimeline(w analyze.Workload, taken string) *timeline {
	pods := drawable(w.Pods)
	t := &timeline{Left: max(len(pods)-timelinePods, 0)}
	pods = pods[:min(len(pods), timelinePods)]
	changes, times := timesOf(w, pods)
	if len(pods) == 0 {
		return nil
	}
	t.From, t.To = times[0], times[len(times)-1]
	if made, ok := parse(pods[0].CreatedAt); ok {
		t.Created = made.Equal(t.From)
	}
	if c, ok := parse(taken); ok && !c.Before(t.To) {
		t.To, t.Capture = c, true
	}
	s := newScale(t.From, changes[len(changes)-1], t.To)
	y := 0
	if since, ok := parse(w.Since); ok && t.Capture && len(w.Culprits) > 0 && w.HeldFor != "" && !since.Before(t.From) && since.Before(t.To) {
		t.Held, t.HeldFor, t.Unproven = s.span(since, t.To, minBar), w.HeldFor, unproven(w)
		t.Ended = &instant{X: s.at(since), Time: since}
		y = heldHeight
	}
	for _, p := range pods {
		y = t.pod(s, p, y, len(pods) > 1)
	}
	y = t.events(s, "html.events.job", w.Events, nil, y)
	t.Height, t.Clock = y+axisHeight, "15:04:05"
	if t.From.Format(time.DateOnly) != t.To.Format(time.DateOnly) {
		t.Clock = "01-02 15:04:05"
	}
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
		r := row{Y: y, Container: &p.Containers[i], Earlier: earlier(s, p.Containers[i])}
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
	for _, m := range []struct{ at, what string }{{p.ScheduledAt, scheduled}, {p.DeletedAt, "html.deleted"}} {
		if at, ok := parse(m.at); ok && !(m.what == scheduled && reported(p, "Scheduled")) {
			marks = append(marks, instant{X: s.at(at), Time: at, What: m.what})
		}
	}
	return t.events(s, "html.events.pod", p.Events, marks, y)
}

const scheduled = "html.scheduled"

// reported says that an event of the reason is among the pod's.
func reported(p analyze.Pod, reason string) bool {
	return slices.ContainsFunc(p.Events, func(e analyze.Event) bool { return e.Reason == reason && e.Time != "" })
}

// earlier is the last run before the present one; a run whose start is not known is drawn as its end.
func earlier(s scale, k analyze.Container) *span {
	end, ok := parse(k.LastFinishedAt)
	if !ok {
		return nil
	}
	start, ok := parse(k.LastStartedAt)
	if !ok || start.After(end) {
		start = end
	}
	return s.span(start, end, minBar)
}

// events adds a row of events, unless there are none.
func (t *timeline) events(s scale, label string, events []analyze.Event, marks []instant, y int) int {
	r := row{Y: y, Label: label, Marks: marks}
	for i := range events {
		if at, ok := parse(events[i].Time); ok {
			r.Events = append(r.Events, instant{X: s.at(at), Time: at, Event: &events[i]})
		}
	}
	if len(r.Events)+len(r.Marks) == 0 {
		return y
	}
	t.Rows = append(t.Rows, r)
	return y + rowHeight
}
