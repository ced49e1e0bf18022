package rules

import (
	"slices"
	"sort"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// autoBlockedByNode: in automatic mode one old kubelet anywhere keeps every pod's proxy ordinary.
func autoBlockedByNode() *analyze.Rule {
	return &analyze.Rule{Code: "AutoBlockedByNode", Title: "One node keeps Istio's automatic mode from native sidecars",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: eachPlane(runAutoBlockedByNode)}
}

func runAutoBlockedByNode(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if n.Plane == nil {
		return analyze.Skip()
	}
	switch n.Reason {
	case knowledge.ReasonAutoOldNode, knowledge.ReasonAutoUnparsableNode:
	case knowledge.ReasonUnknownNodes:
		return analyze.Undecide(say("%s was in automatic mode, which asks every node of the cluster that the pod names; not all their kubelet versions are in the bundle", planeText(n)),
			undecided(n)...).On(planeRef(n)).From(n.Basis)
	case knowledge.ReasonAutoNodesNew, knowledge.ReasonAutoNoNodes:
		return analyze.RuleOut(say("%s was in automatic mode, and no node stood against it", planeText(n)), kubeletEvidence(p)...).On(planeRef(n))
	default:
		return analyze.RuleOut(say("the nodes were not what decided: %s", reasonWords(n.Reason))).On(planeRef(n))
	}
	because := append(append([]ev{}, n.Plane.Version.From...), n.Plane.Env.From...)
	for _, k := range n.Blockers[:min(len(n.Blockers), 2*enoughEvidence)] {
		because = append(because, evKubelet(p.Cluster, k)...)
	}
	total := max(len(facts.Once(p.Cluster, "cluster-inputs", clusterInputs).Kubelets), len(n.Blockers))
	o := analyze.Fire(ofNext(p, say("%s was in automatic mode: it places the proxy natively only when %s, and a single other node keeps every proxy ordinary. Against it stood %s (%s)",
		planeText(n), newEnough(p), list(groupsOf(p.Cluster, n.Blockers)), nodesOf(len(n.Blockers), total))), because...).
		On(planeRef(n)).From(n.Basis).With(nativeAdvice(p)).As(causeWeight(p))
	if pod, _ := ordinaryProxy(p); pod != nil {
		if younger(p.Cluster, n.Blockers, pod) {
			o.Message = say("%s. These nodes are younger than pod %s: they do not explain why its proxy is ordinary", o.Message, pod.Meta.Name)
			return o.As(analyze.Warning)
		}
		o.Assumes = append(o.Assumes, say("the nodes were the same when the pods at hand were made"))
	}
	return o
}

// newEnough says what automatic mode asks of the nodes.
func newEnough(p *analyze.Pass) analyze.Text {
	if point, ok, _ := p.Know.Istio(Inputs(p.Cluster, p.Know, p.Workload, p.Next).Istio); ok && point.AutoKubeletMinor > 0 {
		return say("the kubelet of every node has minor version %d or newer", point.AutoKubeletMinor)
	}
	return say("the kubelet of every node is new enough")
}

// younger says that a pod was made before any of the nodes.
func younger(c *facts.Cluster, nodes []knowledge.Kubelet, pod *facts.Pod) bool {
	for _, k := range nodes {
		node := c.Node(k.Node)
		if node == nil || node.Meta.Created.IsZero() || pod.Meta.Created.IsZero() || !node.Meta.Created.After(pod.Meta.Created.Time) {
			return false
		}
	}
	return len(nodes) > 0
}

// poolLabels name the pool of a node, by vendor.
func poolLabels() []string {
	return []string{"cloud.google.com/gke-nodepool", "eks.amazonaws.com/nodegroup", "karpenter.sh/nodepool", "kubernetes.azure.com/agentpool",
		"agentpool", "doks.digitalocean.com/node-pool", "ibm-cloud.kubernetes.io/worker-pool-name", "alibabacloud.com/nodepool-id"}
}

func poolOf(n *facts.Node) string {
	if n == nil {
		return ""
	}
	for _, l := range poolLabels() {
		if v := n.Meta.Labels.Get(l); v != "" {
			return v
		}
	}
	return ""
}

// groupsOf is groupBlockers, once for the nodes that many workloads have in common.
func groupsOf(c *facts.Cluster, nodes []knowledge.Kubelet) []analyze.Text {
	if len(nodes) == 0 {
		return nil
	}
	return facts.OnceFor(c, "blockers", &nodes[0], func() []analyze.Text { return groupBlockers(c, nodes) })
}

// groupBlockers names the nodes with their versions; many of one pool and version are named by these.
func groupBlockers(c *facts.Cluster, nodes []knowledge.Kubelet) []analyze.Text {
	const named = 5
	type key struct{ pool, raw string }
	groups := map[key][]string{}
	for _, k := range nodes {
		g := key{poolOf(c.Node(k.Node)), k.Raw}
		groups[g] = append(groups[g], k.Node)
	}
	var out []analyze.Text
	for g, names := range groups {
		text := rawVersion(g.raw)
		if g.pool != "" {
			text = say("pool %s, %s", g.pool, text)
		}
		sort.Strings(names)
		if rest := len(names) - named; rest > 0 {
			out = append(out, say("%s and %d more (%s)", strings.Join(names[:named], ", "), rest, text))
			continue
		}
		out = append(out, say("%s (%s)", list(names), text))
	}
	slices.SortFunc(out, func(a, b analyze.Text) int { return strings.Compare(a.String(), b.String()) })
	if rest := len(out) - 2*named; rest > 0 {
		out = append(out[:2*named:2*named], moreGroups(rest))
	}
	return out
}

// rawVersion says what stands behind a version string that is not a kubelet's.
func rawVersion(raw string) analyze.Text {
	_, readable := version.IstioAutoMinor(raw)
	switch {
	case raw == "":
		return say("no version, which counts as too old")
	case !readable:
		return say("%s, which Istio cannot read and counts as too old", raw)
	case version.Parse(raw).IsVirtualKubelet():
		return say("%s, a virtual node whose number Istio believes", raw)
	}
	return say("%s", raw)
}

// blockerNames lists a few nodes with their kubelets and counts the rest.
func blockerNames(list []knowledge.Kubelet) []analyze.Text { return fewOf(nodeNames(list)) }
