package rules

import (
	"testing"
	"time"

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
