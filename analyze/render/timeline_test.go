package render

import (
	"math"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

func TestTimelineOfAHeldJob(t *testing.T) {
	r := load(t, "held")
	d := newTimeline(r.Workloads[0], r.Bundle.CollectedAt)
	if d == nil || !d.Capture || d.Created || d.Held == nil || d.Break == nil {
		t.Fatalf("%+v", d)
	}
	var app, proxy row
	for _, r := range d.Rows {
		if r.Container != nil && r.Container.Name == "report" {
			app = r
		}
		if r.Container != nil && r.Container.Name == "istio-proxy" {
			proxy = r
		}
	}
	if app.Open || !near(app.Bar.X+app.Bar.W, d.Held.X) {
		t.Errorf("the app's bar %+v does not end where the hold %+v begins", app.Bar, d.Held)
	}
	if !proxy.Open || !near(proxy.Bar.X+proxy.Bar.W, 100) {
		t.Errorf("the proxy's bar %+v does not go on to the edge", proxy.Bar)
	}
	if proxy.Bar.X >= app.Bar.X {
		t.Error("the proxy started first and is drawn later")
	}
}

func TestTimelineWithoutTimes(t *testing.T) {
	if d := newTimeline(analyze.Workload{Pods: []analyze.Pod{{Name: "a", CreatedAt: "yesterday"}}}, "2026-11-30T08:00:00Z"); d != nil {
		t.Errorf("drawn from nothing: %+v", d)
	}
}

// TestTimelineBeforeItsBundle: a bundle time older than the objects draws no hold and names no capture.
func TestTimelineBeforeItsBundle(t *testing.T) {
	r := load(t, "held")
	d := newTimeline(r.Workloads[0], "2020-01-01T00:00:00Z")
	if d == nil || d.Capture || d.Held != nil {
		t.Errorf("%+v", d)
	}
}

func TestScale(t *testing.T) {
	at := func(min int) time.Time {
		return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC).Add(time.Duration(min) * time.Minute)
	}
	even := newScale(at(0), at(30), at(60))
	if even.broken || !near(even.at(at(15)), 25) {
		t.Errorf("even: %v, %v", even.broken, even.at(at(15)))
	}
	broken := newScale(at(0), at(10), at(600))
	if !broken.broken || !near(broken.at(at(10)), brokenAt) || !near(broken.at(at(600)), 100) || !near(broken.at(at(5)), brokenAt/2) {
		t.Errorf("broken: %+v", broken)
	}
	last := -1.0
	for m := -10; m < 700; m++ {
		x := broken.at(at(m))
		if x < last || x < 0 || x > 100 {
			t.Fatalf("minute %d is drawn at %v behind %v", m, x, last)
		}
		last = x
	}
	if s := broken.span(at(600), at(600), minBar); !near(s.X+s.W, 100) {
		t.Errorf("a bar leaves the drawing: %+v", s)
	}
	if s := newScale(at(0), at(0), at(0)); s.at(at(0)) != 0 {
		t.Error("no time at all divides by zero")
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 0.01 }

// TestTimelineTellsOfRestartsAndEvents: the run before, what happened to the pod and what was reported of the Job.
func TestTimelineTellsOfRestartsAndEvents(t *testing.T) {
	r := load(t, "many")
	d := newTimeline(r.Workloads[3], r.Bundle.CollectedAt)
	if d == nil || !d.Capture || d.Break != nil {
		t.Fatalf("%+v", d)
	}
	app, proxy, pod := d.Rows[0], d.Rows[1], d.Rows[2]
	if app.Earlier == nil || app.Earlier.X+app.Earlier.W >= app.Bar.X || proxy.Earlier == nil || !near(proxy.Earlier.W, minBar) {
		t.Errorf("app %+v %+v, proxy %+v", app.Earlier, app.Bar, proxy.Earlier)
	}
	if len(pod.Marks) != 2 || pod.Marks[1].X != 100 || !d.To.Before(pod.Marks[1].Time) {
		t.Errorf("the end of the grace period lies behind the capture and is drawn at its edge: %+v", pod.Marks)
	}
	r = load(t, "held")
	d = newTimeline(r.Workloads[0], r.Bundle.CollectedAt)
	last := d.Rows[len(d.Rows)-1]
	if last.Label != "html.events.job" || len(last.Events) != 3 {
		t.Fatalf("%+v", last)
	}
	if x := last.Events[2].X; x <= d.Break.X || x >= 100 || !near(d.Break.X, d.Held.X) {
		t.Errorf("an event of the quiet end moves the scale: event %v, break %v, hold %v", x, d.Break.X, d.Held.X)
	}
}
