package render

import (
	"slices"
	"strconv"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// drawTimeline is newTimeline with the words that go with the drawing; nil when there is nothing to draw.
func drawTimeline(c catalogue, w analyze.Workload, taken string) *timeline {
	t := newTimeline(w, taken)
	if t == nil {
		return nil
	}
	switch {
	case t.Held != nil && t.Unproven:
		t.HeldFor = c.say("html.after", heldFor(c, w))
	case t.Held != nil:
		t.HeldFor = c.say("html.heldFor", heldFor(c, w))
	}
	if t.Ended != nil {
		t.EndedText = endedText(c, w, t.Ended.Time)
	}
	switch {
	case t.Created:
		t.Begin = c.say("html.begin")
	case len(w.Events) > 0:
		t.Begin = c.say("html.begin.event")
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
		default:
			course = append(course, c.say(r.Label)+c.say("colon")+c.names(happenings(c, r)))
		}
	}
	t.Steps = steps(c, w)
	t.Course = t.Caption + " " + c.reasons(course) + c.say("stop")
	return t
}

// endedText names the moment from which on a workload was held, by the containers that ended then.
func endedText(c catalogue, w analyze.Workload, at time.Time) string {
	clock := at.Format(time.TimeOnly)
	for _, p := range w.Pods {
		for _, k := range p.Containers {
			if end, ok := parse(k.FinishedAt); ok && end.Equal(at) && k.Placement != "init" {
				return c.say("html.ended", k.Name, stateText(c, k, false), clock)
			}
		}
	}
	return clock
}

// happenings names what a row of events shows, each once.
func happenings(c catalogue, r row) []string {
	var out []string
	for _, m := range r.Marks {
		out = append(out, c.say(m.What))
	}
	for _, e := range r.Events {
		if !slices.Contains(out, e.Event.Reason) {
			out = append(out, e.Event.Reason)
		}
	}
	return out
}

// barText tells one container's course.
func barText(c catalogue, k *analyze.Container) string {
	s := k.Name + " (" + kindText(c, *k) + ")" + c.say("colon")
	switch state := stateText(c, *k, false); {
	case k.StartedAt == "":
		s += state
	case k.FinishedAt == "":
		s += c.say("html.bar.open", k.StartedAt, state)
	default:
		s += c.say("html.bar", k.StartedAt, k.FinishedAt, state)
	}
	if earlier := earlierText(c, k); earlier != "" {
		s += c.say("join.parts") + earlier
	}
	return s
}

// earlierText tells of a container's restarts and of its run before the present one.
func earlierText(c catalogue, k *analyze.Container) string {
	s := ""
	if k.RestartCount > 0 {
		s = c.count("html.restarts", int(k.RestartCount))
	}
	if k.LastFinishedAt == "" || k.LastExitCode == nil {
		return s
	}
	if s != "" {
		s += c.say("join.parts")
	}
	return s + c.say("html.earlier", k.LastFinishedAt, strconv.FormatInt(*k.LastExitCode, 10))
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

// beside keeps the label of a line within the drawing: behind the line where that is near the beginning, before it near
// the end, else over it.
func beside(x float64) string {
	switch {
	case x < 30:
		return "start"
	case x > 70:
		return "end"
	default:
		return "middle"
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
