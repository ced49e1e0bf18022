package knowledge

import (
	"reflect"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// TestMemory: a decision is the same whether the nodes were asked about before or not, whatever else is asked of them.
func TestMemory(t *testing.T) {
	b := base(t)
	memory := &Memory{}
	sets := append(nodeSets(), nodeSet{name: "very old", list: []Kubelet{{Node: "n0", Raw: "v1.27.4"}, {Node: "n1", Raw: "v1.28.9", Gate: "true"}, {Node: "n2", Unread: true}}})
	for round := 0; round < 2; round++ {
		for _, nodes := range sets {
			for _, istio := range []string{"1.18.2", "1.24.1", "1.28.0", ""} {
				for _, server := range []string{"1.34.0", "1.29.3", "1.27.1", ""} {
					for _, gate := range []string{"", "true", "false"} {
						for _, pinned := range []string{"", "n0", "n1", "gone"} {
							in := Inputs{Istio: version.Parse(istio), Env: Unset(""), Annotation: Given("true", ""), Kubelets: nodes.list,
								NodesKnown: round == 0, NodeName: pinned, Offline: nodes.offline, APIServer: version.Parse(server), KubeletGate: gate}
							compareMemory(t, b, in, memory, nodes.name)
							in.Annotation = Unset("")
							compareMemory(t, b, in, memory, nodes.name)
							compareMemory(t, b, in.Upgraded(33), memory, nodes.name)
						}
					}
				}
			}
		}
	}
}

func compareMemory(t *testing.T, b *Base, in Inputs, memory *Memory, name string) {
	t.Helper()
	want := b.Decide(in)
	in.Memory = memory
	if got := b.Decide(in); !reflect.DeepEqual(got, want) {
		t.Errorf("nodes %s, %+v:\n%+v\nwant\n%+v", name, in, got, want)
	}
}
