package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestHeldHasRemedy: without a control plane no finding says why the proxy is ordinary, and the workload has a remedy.
func TestHeldHasRemedy(t *testing.T) {
	k := base(t)
	c := facts.Build(&kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{heldPod()}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
	r := Engine().Run(c, k, analyze.Options{})
	if len(r.Workloads) != 1 || r.Workloads[0].Remedy == nil {
		t.Fatalf("%+v", r.Workloads)
	}
	if a := r.Workloads[0].Remedy; !strings.Contains(a.Summary, "natively") || len(a.Steps) == 0 {
		t.Errorf("%+v", a)
	}
}

// TestFixOfNativeTrouble: where a native sidecar could not come to be, a plan that says "nothing to change" would be wrong.
func TestFixOfNativeTrouble(t *testing.T) {
	k := base(t)
	for _, code := range nativeTroubles() {
		p := Plan{Verdict: analyze.Judgement{Code: code}, Workload: &facts.Workload{}}
		if _, ok := p.ofCauses(&analyze.Pass{Cluster: facts.Build(&kube.Set{}, facts.Options{}), Know: k, Workload: p.Workload, Verdict: &p.Verdict,
			Next: &analyze.NextDecision{}}); !ok {
			t.Errorf("%s has the plan of an ordinary proxy", code)
		}
	}
}
