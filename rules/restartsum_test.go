package rules

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestRestartsAreSummedAsTheControllerDoes follows pastBackoffLimitOnFailure: pods that are pending or running count, a
// Job fails when the sum is the limit, and under a limit of 0 when there is a restart at all.
func TestRestartsAreSummedAsTheControllerDoes(t *testing.T) {
	for _, tc := range []struct {
		name        string
		limit       int64
		app, proxy  int64
		phase       string
		deleted     bool
		byTheProxy  bool
		proxyCounts int64
	}{
		{name: "limit 0, one restart of the proxy", limit: 0, proxy: 1, phase: "Running", byTheProxy: true, proxyCounts: 1},
		{name: "limit 0, one of each", limit: 0, app: 1, proxy: 1, phase: "Running", proxyCounts: 1},
		{name: "limit 0, none", limit: 0, phase: "Running"},
		{name: "limit 1, one of the proxy", limit: 1, proxy: 1, phase: "Running", byTheProxy: true, proxyCounts: 1},
		{name: "limit 3, two of the proxy", limit: 3, proxy: 2, phase: "Running", proxyCounts: 2},
		{name: "limit 3, together", limit: 3, app: 1, proxy: 2, phase: "Pending", byTheProxy: true, proxyCounts: 2},
		{name: "limit 3, the application alone", limit: 3, app: 3, proxy: 9, phase: "Running", proxyCounts: 9},
		{name: "a pod that had ended", limit: 1, proxy: 5, phase: "Failed"},
		{name: "a pod that ended with the Job", limit: 1, proxy: 5, phase: "Failed", deleted: true, byTheProxy: true, proxyCounts: 5},
	} {
		a, p := app(), proxy()
		a.status.RestartCount, p.status.RestartCount = tc.app, tc.proxy
		pod := podOf("OnFailure", tc.phase, a, p)
		if tc.deleted {
			pod.Meta.Deleted = stampOf(ended)
		}
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{pod}}, facts.Options{Helper: HelperOf(base(t)), CollectedAt: taken})
		sum := sumRestarts(c.Workloads[0], isHelping)
		if got := sum.reachesOnlyTogether(tc.limit); got != tc.byTheProxy || sum.helping != tc.proxyCounts {
			t.Errorf("%s: %v with %+v", tc.name, got, sum)
		}
	}
}
