package render

import (
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// drawTimeline is newTimeline with the words that go with the drawing; nil when there is nothing to draw.
func drawTimeline(c catalogue, w analyze.Workload, taken string) *timeline {
	t := newTimeline(w, taken)
	if t == nil {
		return nil
	}
	if t.Held != nil {
		t.HeldFor = strings.TrimSpace(c.say("html.heldFor", t.HeldFor))
	}
	if t.Created {
		t.Begin = c.say("html.begin")
	}
	t.Edge = c.say("html.edge.last")
	if t.Capture {
		t.Edge = c.say("html.edge.capture")
	}
	t.Caption = c.say("html.caption", t.From.Format(time.RFC3339), t.To.Format(time.RFC3339), t.Edge)
	if t.Break != nil {
		t.Caption += " " + c.say("html.caption.break")
	}
	var course []string
	for _, r := range t.Rows {
		switch {
		case r.Pod != "":
			course = append(course, r.Pod)
		case r.Container != nil:
			course = append(course, barText(c, r.Container))
		}
	}
	t.Course = t.Caption + " " + c.reasons(course) + c.say("stop")
	return t
}

// barText tells one container's course.
func barText(c catalogue, k *analyze.Container) string {
	s := k.Name + " (" + kindText(c, *k) + ")"
	switch {
	case k.StartedAt == "":
		return s + c.say("colon") + stateText(c, *k, false)
	case k.FinishedAt == "":
		return s + c.say("colon") + c.say("html.bar.open", k.StartedAt, stateText(c, *k, false))
	default:
		return s + c.say("colon") + c.say("html.bar", k.StartedAt, k.FinishedAt, stateText(c, *k, false))
	}
}

// barClass is the CSS class of a container's bar.
func barClass(k *analyze.Container) string {
	switch k.Role {
	case "app", "sidecar", "init":
		return k.Role
	default:
		return "other"
	}
}

// anchor keeps a label at an edge within the drawing.
func anchor(x float64) string {
	switch {
	case x <= 0:
		return "start"
	case x >= 100:
		return "end"
	default:
		return "middle"
	}
}
