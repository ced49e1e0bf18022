package knowledge

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// TestNativeInTheCluster walks what becomes of a native pod by API server, gate and kubelets.
func TestNativeInTheCluster(t *testing.T) {
	seen := func(v string) Setting { return Given(v, "kube-apiserver arguments") }
	nodes := func(raw ...string) []Kubelet {
		var list []Kubelet
		for _, r := range raw {
			list = append(list, Kubelet{Node: "n-" + r, Raw: r})
		}
		return list
	}
	for _, tc := range []struct {
		name      string
		api       string
		gate      Setting
		kubelets  []Kubelet
		gates     map[string]string // by node; "" for the others
		complete  bool
		placement string
		broken    string
		risky     int
	}{
		{"field unknown", "1.27.3", Unset(""), nodes("v1.27.3"), nil, true, Broken, RefusedByAPIServer, 0},
		{"alpha, off", "1.28.5", Unset(""), nodes("v1.28.5"), nil, true, Broken, RefusedByAPIServer, 0},
		{"alpha, gate not seen", "1.28.5", Setting{}, nodes("v1.28.5"), nil, true, Broken, RefusedByAPIServer, 0},
		{"alpha, switched on, kubelets off", "1.28.5", seen("true"), nodes("v1.28.5"), nil, true, Broken, RejectedByKubelet, 1},
		{"alpha, switched on everywhere", "1.28.5", seen("true"), nodes("v1.28.5"), map[string]string{"": "true"}, true, Native, "", 0},
		{"beta", "1.29.2", Unset(""), nodes("v1.29.2"), nil, true, Native, "", 0},
		{"beta, gate not seen", "1.29.2", Setting{}, nodes("v1.29.2"), nil, true, Native, "", 0},
		{"beta, switched off", "1.31.2", seen("false"), nodes("v1.31.2"), nil, true, Broken, RefusedByAPIServer, 0},
		{"beta, one kubelet switched off", "1.31.2", Unset(""), nodes("v1.31.1", "v1.31.2"), map[string]string{"n-v1.31.1": "false"}, true, Native, "", 1},
		{"beta, kubelets 1.28", "1.31.2", Unset(""), nodes("v1.28.9"), nil, true, Broken, RejectedByKubelet, 1},
		{"beta, kubelets 1.27", "1.30.2", Unset(""), nodes("v1.27.9"), nil, true, Broken, StuckInInit, 1},
		{"beta, kubelets 1.26 and 1.28", "1.29.2", Unset(""), nodes("v1.26.9", "v1.28.1", "v1.26.1"), nil, true, Broken, StuckInInit, 3},
		{"beta, some kubelets old", "1.30.2", Unset(""), nodes("v1.27.9", "v1.30.2"), nil, true, Native, "", 1},
		{"beta, list not complete, all seen old", "1.30.2", Unset(""), nodes("v1.27.9"), nil, false, Unknown, "", 1},
		{"ga, gate false cannot be", "1.33.2", seen("false"), nodes("v1.33.2"), nil, true, Native, "", 0},
		{"gate removed", "1.37.0", Unset(""), nodes("v1.37.0", "v1.34.1"), nil, true, Native, "", 0},
		{"virtual node beside real ones", "1.33.2", Unset(""), nodes("v1.33.2", "v1.19.10-vk-azure-aci-1.4.1"), nil, true, Native, "", 0},
		{"only a virtual node", "1.33.2", Unset(""), nodes("v1.19.10-vk-azure-aci-1.4.1"), nil, true, Unknown, "", 0},
		{"no node seen, skew safe", "1.32.1", Unset(""), nil, nil, false, Native, "", 0},
		{"no node seen, skew unsafe", "1.30.1", Unset(""), nil, nil, false, Unknown, "", 0},
		{"server unknown, kubelets new", "", Setting{}, nodes("v1.33.1"), nil, true, Native, "", 0},
		{"server unknown, kubelets old", "", Setting{}, nodes("v1.28.1"), nil, true, Unknown, "", 0},
		{"server unknown, gate seen on", "", seen("true"), nodes("v1.30.1"), nil, true, Native, "", 0},
		{"server unknown, gate seen off", "", seen("false"), nodes("v1.30.1"), nil, true, Broken, RefusedByAPIServer, 0},
		{"nothing known", "", Setting{}, nil, nil, false, Unknown, "", 0},
		{"vendor build", "v1.29.6-eks-db838b0", Unset(""), nodes("v1.29.6-eks-db838b0"), nil, true, Native, "", 0},
		{"minor with plus", "1.30+", Unset(""), nodes("v1.30.1"), nil, true, Native, "", 0},
	} {
		for i, k := range tc.kubelets {
			tc.kubelets[i].Gate = tc.gates[k.Node]
		}
		d := base(t).Decide(Inputs{
			Istio: version.Parse("1.24.1"), Annotation: Given("true", "pod template"), Env: Unset(""),
			APIServer: version.Parse(tc.api), Gate: tc.gate, Kubelets: tc.kubelets, NodesKnown: tc.complete, KubeletGate: tc.gates[""],
		})
		if d.Emitted != Native || d.Reason != ReasonAnnotationTrue {
			t.Errorf("%s: emitted %s (%s)", tc.name, d.Emitted, d.Reason)
		}
		if d.Placement != tc.placement || d.Broken != tc.broken || len(d.Risky) != tc.risky {
			t.Errorf("%s: %s %s with %d risky nodes, want %s %s %d", tc.name, d.Placement, d.Broken, len(d.Risky), tc.placement, tc.broken, tc.risky)
		}
		if (d.Broken == "") != (base(t).BrokenSummary(d.Broken) == "") {
			t.Errorf("%s: %s has no words", tc.name, d.Broken)
		}
		if (d.Placement == Unknown) != (len(d.Undecided) > 0) {
			t.Errorf("%s: %s with undecided %q", tc.name, d.Placement, d.Undecided)
		}
	}
}

// TestOrdinaryNeedsNoCluster: an ordinary proxy is placed whatever the cluster is.
func TestOrdinaryNeedsNoCluster(t *testing.T) {
	d := base(t).Decide(Inputs{Istio: version.Parse("1.24.1"), Annotation: Unset(""), Env: Unset("")})
	if d.Placement != Ordinary || len(d.Undecided) != 0 {
		t.Errorf("%s, undecided %q", d.Placement, d.Undecided)
	}
}
