package rules

import (
	"fmt"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// consistent lists the reasons that can have put a proxy where it stands, by the rules of the release that injected it
// and the annotation that it read then. What istiod's variable and the nodes were at that time is tried in every way: a
// single reason left is a proof, several are what remains possible.
func consistent(k *knowledge.Base, then knowledge.Inputs, placement string) []string {
	point, ok, _ := k.Istio(then.Istio)
	if !ok {
		return nil
	}
	var out []string
	for _, env := range envsThen() {
		for _, nodes := range nodesThen(point.AutoKubeletMinor) {
			in := then
			in.Env, in.Kubelets, in.NodesKnown, in.Offline = env, nodes.kubelets, true, nodes.offline
			if emitted, reason := k.Placed(in); emitted == placement && !contains(out, reason) {
				out = append(out, reason)
			}
		}
	}
	return out
}

// envsThen are the states of istiod's variable that releases tell apart.
func envsThen() []knowledge.Setting {
	return []knowledge.Setting{knowledge.Unset(""), knowledge.Given("true", ""), knowledge.Given("false", ""), knowledge.Given("auto", ""),
		knowledge.Given("any other value", "")}
}

// nodeSet is one state of the cluster's nodes; offline is an injector without a cluster.
type nodeSet struct {
	kubelets []knowledge.Kubelet
	offline  bool
}

// nodesThen are the states of the nodes that automatic mode tells apart; one is enough for a release without it.
func nodesThen(minor int) []nodeSet {
	if minor == 0 {
		return []nodeSet{{}}
	}
	at := func(raw string) nodeSet { return nodeSet{kubelets: []knowledge.Kubelet{{Node: "any", Raw: raw}}} }
	return []nodeSet{at(fmt.Sprintf("v1.%d.0", minor)), at(fmt.Sprintf("v1.%d.0", minor-1)), {offline: true}}
}

// reasonsText joins reasons of which one holds.
func reasonsText(reasons []string) analyze.Text {
	if len(reasons) == 0 {
		return say("no setting that is known explains it")
	}
	out := reasonThen(reasons[0])
	for _, r := range reasons[1:] {
		if r == knowledge.ReasonEnvNotUnderstood && contains(reasons, knowledge.ReasonEnvFalse) {
			continue // said with it
		}
		out = say("%s; or %s", out, reasonThen(r))
	}
	return out
}

// reasonThen says a reason of the time of injection, when nodes and settings need not have been what they are in the
// bundle.
func reasonThen(reason string) analyze.Text {
	switch reason {
	case knowledge.ReasonAutoOldNode:
		return say("automatic mode, and at least one kubelet was older at that time than that mode asks for, which is more than running native sidecars takes")
	case knowledge.ReasonAutoNodesNew:
		return say("automatic mode, and every kubelet was new enough for it at that time")
	case knowledge.ReasonEnvTrue:
		return say("%s of istiod, or of an istioctl without a cluster, was true at that time", facts.NativeEnv)
	case knowledge.ReasonAutoNoNodeClient:
		return say("automatic mode without a view of the nodes")
	case knowledge.ReasonEnvFalse:
		return say("%s of istiod, or of an istioctl without a cluster, was false or had a value that counts as off", facts.NativeEnv)
	}
	return reasonWords(reason)
}
