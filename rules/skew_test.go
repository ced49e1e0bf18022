package rules

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestKubeletsOutsideTheSkew: the policy lets a kubelet be up to three minor releases older than its API server, and never
// newer. The number of a virtual kubelet is not held against it.
func TestKubeletsOutsideTheSkew(t *testing.T) {
	k := base(t)
	for _, tc := range []struct {
		server, kubelet string
		newer, tooOld   bool
	}{
		{"v1.32.13", "v1.33.1", true, false},
		{"v1.32.13", "v1.32.20", false, false},
		{"v1.32.13", "v1.29.0", false, false},
		{"v1.32.13", "v1.28.15", false, true},
		{"v1.32.13", "v1.27.16-gke.1008000", false, true},
		{"v1.32.13", "v1.19.1-vk-azure-aci-1.6.2", false, false},
		{"", "v1.20.0", false, false},
	} {
		node := &kube.Node{Object: kube.Object{Kind: "Node", Meta: kube.Meta{Name: "worker-1"}}}
		node.Status.NodeInfo.KubeletVersion = tc.kubelet
		set := &kube.Set{Nodes: []*kube.Node{node}, Servers: []kube.ServerVersion{{GitVersion: tc.server}}}
		groups := Engine().Run(facts.Build(set, facts.Options{}), k, analyze.Options{}).Cluster.Kubelets
		if len(groups) != 1 || groups[0].Unsupported != tc.newer || groups[0].TooOld != tc.tooOld {
			t.Errorf("%s under %s: %+v", tc.kubelet, tc.server, groups)
		}
	}
}
