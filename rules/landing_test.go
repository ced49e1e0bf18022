package rules

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestAdmits: a nodeSelector and a required node affinity leave nodes as the scheduler has it (kubernetes/website
// concepts/scheduling-eviction/assign-pod-node; component-helpers scheduling/corev1/nodeaffinity).
func TestAdmits(t *testing.T) {
	node := &facts.Node{Node: &kube.Node{}}
	node.Meta.Name = "worker-1"
	node.Meta.Labels = kube.Pairs{{Key: "cores", Value: "8"}, {Key: "pool", Value: "new"}}
	label := func(key, operator string, values ...kube.Scalar) kube.NodeTerm {
		return kube.NodeTerm{MatchExpressions: []kube.NodeRequirement{{Key: key, Operator: operator, Values: values}}}
	}
	field := func(key, operator string, values ...kube.Scalar) kube.NodeTerm {
		return kube.NodeTerm{MatchFields: []kube.NodeRequirement{{Key: key, Operator: operator, Values: values}}}
	}
	for name, tt := range map[string]struct {
		selector    kube.Pairs
		terms       []kube.NodeTerm
		fits, known bool
	}{
		"nothing asked":           {nil, nil, true, true},
		"the label":               {kube.Pairs{{Key: "pool", Value: "new"}}, nil, true, true},
		"another value":           {kube.Pairs{{Key: "pool", Value: "old"}}, nil, false, true},
		"a label that it lacks":   {kube.Pairs{{Key: "zone", Value: ""}}, nil, false, true},
		"one of two":              {kube.Pairs{{Key: "pool", Value: "new"}, {Key: "zone", Value: "a"}}, nil, false, true},
		"in":                      {nil, []kube.NodeTerm{label("pool", "In", "old", "new")}, true, true},
		"not in":                  {nil, []kube.NodeTerm{label("pool", "NotIn", "new")}, false, true},
		"not in, without label":   {nil, []kube.NodeTerm{label("zone", "NotIn", "a")}, true, true},
		"exists":                  {nil, []kube.NodeTerm{label("zone", "Exists")}, false, true},
		"does not exist":          {nil, []kube.NodeTerm{label("zone", "DoesNotExist")}, true, true},
		"more than":               {nil, []kube.NodeTerm{label("cores", "Gt", "4")}, true, true},
		"less than":               {nil, []kube.NodeTerm{label("cores", "Lt", "8")}, false, true},
		"more, without label":     {nil, []kube.NodeTerm{label("slots", "Gt", "4")}, false, true},
		"more than no number":     {nil, []kube.NodeTerm{label("pool", "Gt", "4")}, false, true},
		"one term of two":         {nil, []kube.NodeTerm{label("zone", "Exists"), label("pool", "Exists")}, true, true},
		"its name":                {nil, []kube.NodeTerm{field("metadata.name", "In", "worker-1")}, true, true},
		"a field that is none":    {nil, []kube.NodeTerm{field("spec.podCIDR", "In", "worker-1")}, false, false},
		"an operator that is not": {nil, []kube.NodeTerm{label("pool", "Like", "n*")}, false, false},
		"a term that asks none":   {nil, []kube.NodeTerm{{}}, false, true},
		"selector and terms":      {kube.Pairs{{Key: "pool", Value: "new"}}, []kube.NodeTerm{label("zone", "Exists")}, false, true},
	} {
		if fits, known := admits(node, tt.selector, tt.terms); fits != tt.fits || known != tt.known {
			t.Errorf("%s: %v %v", name, fits, known)
		}
	}
}
