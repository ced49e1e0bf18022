package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// TestStartsAgainstStates: what a node's clock cannot explain, of containers that ran once.
func TestStartsAgainstStates(t *testing.T) {
	c := fixtureCluster(t, "rules", "CaptureInconsistent", "fires-two-clocks")
	w := c.Workloads[0]
	if got := startsAgainstStates(w); len(got) != 1 || got[0].by != time.Minute || len(got[0].because) != 3 {
		t.Fatalf("%+v", got)
	}
	for name, change := range map[string]func(*facts.Pod){
		"restarted":  func(p *facts.Pod) { p.Container("report").Status.RestartCount = 1 },
		"told often": func(p *facts.Pod) { p.Events[1].Count = 3 },
		"within a beat": func(p *facts.Pod) {
			p.Events[1].LastTimestamp, p.Events[1].FirstTimestamp = p.Events[0].LastTimestamp, p.Events[0].LastTimestamp
		},
		"of no container": func(p *facts.Pod) { p.Events[1].Involved.FieldPath = "" },
	} {
		c := fixtureCluster(t, "rules", "CaptureInconsistent", "fires-two-clocks")
		change(c.Workloads[0].Pods[0])
		if got := startsAgainstStates(c.Workloads[0]); len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestLateEventsDoNotSetTheTime: what is said to have lasted "at least" is measured up to a time that is not one of the
// late events; the events of the controllers are of another clock and stay.
func TestLateEventsDoNotSetTheTime(t *testing.T) {
	for bundle, want := range map[string]string{"mixed-kubelets": "2026-11-30T12:48:15Z", "cronjob-holding": "2026-11-30T12:40:00Z"} {
		c := fixtureCluster(t, "bundles", bundle)
		if got := stamp(c.At.V); got != want || !c.AtFloor || c.Workloads[0].Pods[0].Events == nil {
			t.Errorf("%s: taken %s (%s), want %s", bundle, got, c.AtFrom, want)
		}
	}
	c := fixtureCluster(t, "rules", "CaptureInconsistent", "fires-two-clocks")
	all := startsAgainstStates(c.Workloads[0])
	for _, late := range []bool{true, false} {
		all[0].late = late
		if text := twoClocks(&analyze.Pass{Cluster: c}, all).Message.String(); strings.Contains(text, "earlier") == late || strings.Contains(text, "clock") {
			t.Errorf("late %t: %s", late, text)
		}
	}
}
