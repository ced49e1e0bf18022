package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// kubeletVersionUnknown: a string that says nothing is unknown and never "old". Istio's automatic mode sees it
// otherwise: what it cannot read counts as too old, and of a virtual kubelet it believes the number, which is that of a
// client library.
func kubeletVersionUnknown() *analyze.Rule {
	return &analyze.Rule{Code: "KubeletVersionUnknown", Title: "A node's kubelet version says nothing",
		Severity: analyze.Info, Scope: analyze.PerCluster, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar}, Run: runKubeletVersionUnknown}
}

func runKubeletVersionUnknown(p *analyze.Pass) analyze.Outcome {
	var odd, blank []*facts.Node
	for _, n := range p.Cluster.Nodes {
		switch {
		case n.Kubelet.Raw == "":
			blank = append(blank, n)
		case !n.Kubelet.Known() || n.Kubelet.IsVirtualKubelet():
			odd = append(odd, n)
		}
	}
	switch {
	case len(p.Cluster.Nodes) == 0:
		return analyze.Skip()
	case len(odd) > 0:
		return oddKubelets(p, odd)
	case len(blank) > 0:
		o := analyze.Undecide(say("node %s has no kubelet version in the bundle", blank[0].Meta.Name), nodesMissing(p))
		o.Because = []evidence.Evidence{blank[0].EvAbsent("status.nodeInfo.kubeletVersion")}
		return o
	}
	return analyze.RuleOut(say("every node's kubelet version can be read"), kubeletEvidence(p)...)
}

func oddKubelets(p *analyze.Pass, odd []*facts.Node) analyze.Outcome {
	against := autoBlockers(p)
	var because []evidence.Evidence
	var text analyze.Text
	blocks := false
	for i, n := range odd {
		blocks = blocks || against[n.Meta.Name]
		if i == 2*enoughEvidence {
			text = say("%s and %d more", text, len(odd)-i)
		}
		if i >= 2*enoughEvidence {
			continue
		}
		because = append(because, n.Ev("status.nodeInfo.kubeletVersion", n.Kubelet.Raw))
		one := say("%s (%q: no version)", n.Meta.Name, n.Kubelet.Raw)
		if n.Kubelet.IsVirtualKubelet() {
			one = say("%s (%q: no kubelet; a number in it is that of a library)", n.Meta.Name, n.Kubelet.Raw)
		}
		if i == 0 {
			text = one
			continue
		}
		text = say("%s, %s", text, one)
	}
	message := say("what these nodes can run does not follow from their version: %s", text)
	if !blocks {
		return analyze.Fire(message, because...)
	}
	return analyze.Fire(say("%s. Istio's automatic mode counts such a node as too old all the same, and one is enough to keep every proxy ordinary", message), because...).
		As(analyze.Warning).About(heldByOrdinary(p)...).
		With(&analyze.Advice{Summary: say("take automatic mode out of the question: ENABLE_NATIVE_SIDECARS=true on istiod, or the pod annotation, once it is known that pods with native sidecars do not land on these nodes"),
			Avoid: []analyze.Text{say("upgrading the other nodes: it changes nothing as long as these are registered")}})
}

// autoBlockers gives the nodes that keep some istiod in automatic mode from native sidecars.
func autoBlockers(p *analyze.Pass) map[string]bool {
	out := map[string]bool{}
	for _, cp := range p.Cluster.Mesh.ControlPlanes {
		d := p.Know.Decide(Inputs(p.Cluster, p.Know, nil, &analyze.NextDecision{Plane: cp}))
		for _, k := range d.Blockers {
			out[k.Node] = true
		}
	}
	return out
}
