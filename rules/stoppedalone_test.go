package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// TestStoppedAlone: what the deadline had to stop tells of a pod that is gone, if nothing else explains it.
func TestStoppedAlone(t *testing.T) {
	likely := func(c *facts.Cluster) string {
		w := c.Workloads[0]
		j := Judge(c, w)
		if j.Code != Failed {
			t.Fatalf("verdict %s", j.Code)
		}
		now := adviceText(Now(&analyze.Pass{Cluster: c, Know: base(t), Workload: w, Verdict: &j, Next: Next(c, base(t), w)}))
		if said, told := strings.Contains(j.Summary.String(), "Likely"), strings.Contains(now, "likely istio-proxy alone"); said != told {
			t.Errorf("the verdict says it: %v, the advice: %v", said, told)
		} else if said {
			return "likely"
		}
		return ""
	}
	pod := evidence.Ref{Kind: "Pod", Namespace: "gateway-system", Name: "resource-migration-8m2xq"}
	for _, tc := range []struct {
		name, reason, from, to, want string
	}{
		{"as it is", "", "", "", "likely"},
		{"the program was stopped too", "Killing", "istio-proxy", "upgrade-resources", ""},
		{"the program never started", "Started", "upgrade-resources", "other", ""},
	} {
		c := fixtureCluster(t, "cases", "07-helm-hook-deadline-pod-gone")
		for _, e := range c.EventsOf(pod) {
			if e.Reason == tc.reason && strings.Contains(e.Message, tc.from) {
				e.Message = strings.ReplaceAll(e.Message, tc.from, tc.to)
				e.Involved.FieldPath = strings.ReplaceAll(e.Involved.FieldPath, tc.from, tc.to)
			}
		}
		if got := likely(c); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	for _, reason := range []string{"BackOff", "Failed", "Evicted"} {
		c := fixtureCluster(t, "cases", "07-helm-hook-deadline-pod-gone")
		for _, e := range c.EventsOf(pod) {
			if e.Reason == "Scheduled" {
				e.Reason = reason
			}
		}
		if got := likely(c); got != "" {
			t.Errorf("an event %s: %q", reason, got)
		}
	}
}
