package knowledge

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// nodesAnswer is what Istio's automatic mode makes of the nodes.
type nodesAnswer struct {
	answer   version.Answer // Yes: all new enough
	reason   string
	blockers []Kubelet
	consult  []Kubelet     // the nodes that were looked at
	missing  sentence.Text // what would settle a Maybe
}

// autoNodes answers as DetectNativeSidecar does: without a client no; with spec.nodeName that node alone; otherwise
// every node, whatever pods may run there. One too old or unreadable version is enough for no.
func autoNodes(in Inputs, minMinor int) nodesAnswer {
	if in.Offline || in.NoNodeClient != "" {
		return nodesAnswer{answer: version.No, reason: ReasonAutoNoNodeClient}
	}
	list, complete := in.Kubelets, in.NodesKnown
	if in.NodeName != "" {
		if one := named(in.Kubelets, in.NodeName); one != nil {
			list, complete = one, true
		} else if !complete {
			return nodesAnswer{answer: version.Maybe, consult: list, missing: say("the kubelet version of node %s", in.NodeName)}
		}
	}
	type key struct {
		list     listID
		complete bool
		minor    int
	}
	a := recall(in.Memory, key{idOf(list), complete, minMinor}, func() nodesAnswer { return autoAnswer(list, complete, minMinor) })
	if a.answer == version.Maybe && in.OtherCluster != "" {
		a.missing = say("whether istiod has a client for the cluster with ID %s (its remote secrets), and the kubelet versions of the nodes there", in.OtherCluster)
	}
	return a
}

func autoAnswer(list []Kubelet, complete bool, minMinor int) nodesAnswer {
	a := nodesAnswer{consult: list}
	var old, unread bool
	minors := autoMinors{known: map[string]minorOf{}}
	for _, k := range list {
		if k.Unread {
			unread = true
			continue
		}
		minor, ok := minors.of(k.Raw)
		if !ok || minor < minMinor {
			a.blockers = append(a.blockers, k)
			old = old || ok
		}
	}
	switch {
	case old:
		a.answer, a.reason = version.No, ReasonAutoOldNode
	case len(a.blockers) > 0:
		a.answer, a.reason = version.No, ReasonAutoUnparsableNode
	case unread || !complete:
		a.answer, a.missing = version.Maybe, say("the kubelet versions of all nodes (kubectl get nodes -o yaml)")
	case len(list) == 0:
		a.answer, a.reason = version.Yes, ReasonAutoNoNodes
	default:
		a.answer, a.reason = version.Yes, ReasonAutoNodesNew
	}
	return a
}

// autoMinors remembers what version.IstioAutoMinor says: a cluster's nodes have few different versions, and mostly the
// same as the node before.
type autoMinors struct {
	known map[string]minorOf
	raw   string
	last  minorOf
}

type minorOf struct {
	minor int
	ok    bool
}

func (m *autoMinors) of(kubelet string) (minor int, ok bool) {
	if kubelet != m.raw || len(m.known) == 0 {
		a, known := m.known[kubelet]
		if !known {
			a.minor, a.ok = version.IstioAutoMinor(kubelet)
			m.known[kubelet] = a
		}
		m.raw, m.last = kubelet, a
	}
	return m.last.minor, m.last.ok
}

// named gives the part of a list that is the node of a name, nil for none.
func named(list []Kubelet, name string) []Kubelet {
	i := slices.IndexFunc(list, func(k Kubelet) bool { return k.Node == name })
	if i < 0 {
		return nil
	}
	return list[i : i+1 : i+1]
}

// Upgraded gives the inputs with a kubelet of a minor release on every node that automatic mode finds older.
func (in Inputs) Upgraded(minor int) Inputs {
	type key struct {
		list  listID
		minor int
	}
	in.Kubelets = recall(in.Memory, key{idOf(in.Kubelets), minor}, func() []Kubelet { return upgraded(in.Kubelets, minor) })
	return in
}

func upgraded(list []Kubelet, minor int) []Kubelet {
	enough := fmt.Sprintf("v1.%d.0", minor)
	minors := autoMinors{known: map[string]minorOf{}}
	out := slices.Clone(list)
	for i := range out {
		if has, ok := minors.of(out[i].Raw); !ok || has < minor {
			out[i].Raw, out[i].Unread = enough, false
		}
	}
	return out
}

// ability is what becomes of a native sidecar on one node.
type ability struct {
	answer  version.Answer
	outcome string // StuckInInit or RejectedByKubelet when the answer is No
}

// canRun answers whether a node's kubelet runs native sidecars; gate is Inputs.KubeletGate. The number that a virtual kubelet prints says nothing.
func (b *Base) canRun(k Kubelet, gate string) ability {
	v := version.Parse(k.Raw)
	if k.Unread || v.IsVirtualKubelet() {
		return ability{answer: version.Maybe}
	}
	g, ok, _ := b.SidecarGate(v)
	if !ok {
		return ability{answer: version.Maybe}
	}
	if g.Stage == "none" {
		return ability{version.No, StuckInInit}
	}
	if g.gateOn(cmp.Or(k.Gate, gate)) {
		return ability{answer: version.Yes}
	}
	return ability{version.No, RejectedByKubelet}
}

// gateOn applies an explicit setting, "" for none, to the gate of a release.
func (g Gate) gateOn(setting string) bool {
	if on, err := strconv.ParseBool(strings.TrimSpace(setting)); err == nil && !g.Locked {
		return on
	}
	return g.Default
}

// CanRun answers for one node whether it can run a native sidecar, and what becomes of the pod if not (StuckInInit or
// RejectedByKubelet). gate is Inputs.KubeletGate.
func (b *Base) CanRun(k Kubelet, gate string) (version.Answer, string) {
	a := b.canRun(k, gate)
	return a.answer, a.outcome
}
