package rules

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestNothingIsSaidOfASpecThatIsMissing: a pod may be in the bundle with its status alone. What its container's
// restartPolicy is, or that it has none, is then not known.
func TestNothingIsSaidOfASpecThatIsMissing(t *testing.T) {
	for _, ready := range []bool{true, false} {
		sidecar := proxy().native()
		sidecar.status.Ready = ready
		pod := podOf("Never", "Pending", sidecar, app().waits("PodInitializing"))
		pod.Spec.InitContainers, pod.Spec.Containers = nil, nil
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{pod}}, facts.Options{Helper: HelperOf(base(t)), CollectedAt: taken})
		p := &analyze.Pass{Cluster: c, Know: base(t), Workload: c.Workloads[0]}
		seen := c.Workloads[0].Pods[0]
		if o := runRestartPolicyOnWrongInit(p, seen); o.Status != analyze.Skip().Status {
			t.Errorf("ready %v: %s", ready, o.Message)
		}
		if o := strippedFromPod(p, seen); o.Status != analyze.Skip().Status {
			t.Errorf("ready %v: %s", ready, o.Message)
		}
		if s := seesOtherPolicyMissing(issueViews(p)[0]); s.seen {
			t.Errorf("ready %v: %+v", ready, s.because)
		}
		want := NotProvable
		if ready {
			want = Passed
		}
		if m := proxyIsNative(seen); m.result != want {
			t.Errorf("ready %v: %v, %s", ready, m.result, m.because)
		}
	}
}
