package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// kubeletBehind: an API server accepts native sidecars for nodes whose kubelet is up to three minors older and can not
// run them; that skew is supported. It has nothing to do with the kubelet version that Istio's automatic mode waits for.
func kubeletBehind() *analyze.Rule {
	return &analyze.Rule{Code: "KubeletBehind", Title: "A node can not run the native sidecars that the API server accepts",
		Severity: analyze.Warning, Scope: analyze.PerCluster, Explains: []analyze.Code{NodeRejectedSidecar, SidecarBlocksInit}, Run: runKubeletBehind}
}

// behind is a node that can not run native sidecars, and what becomes of a pod there.
type behind struct {
	node    *facts.Node
	outcome string
}

func runKubeletBehind(p *analyze.Pass) analyze.Outcome {
	hit, pods := ignoredNatives(p)
	nodes, doubt := behindNodes(p)
	_, basis := p.Know.Has("kubelet-knows-sidecars", p.Cluster.Server.V)
	switch {
	case len(nodes) > 0:
		return nodesBehind(p, nodes, pods, hit).From(basis)
	case len(pods) > 0:
		return analyze.Fire(say("a kubelet without native sidecars runs %s: it never reported whether the sidecar had started, which newer ones do for every init container", podNames(pods)),
			ignoredEvidence(pods)...).As(analyze.Error).From(basis).About(hit...).
			Lacking(analyze.Missing{What: say("the kubelet version of its node"), Command: "kubectl get nodes -o yaml"})
	case len(p.Cluster.Nodes) == 0:
		stuck := judgedAs(p, SidecarBlocksInit, SidecarNotStarted, InitNotFinished)
		if len(stuck) > 0 && usesNative(p).any() || emitsNative(p) && len(heldByOrdinary(p)) > 0 {
			return analyze.Undecide(say("whether every kubelet can run native sidecars is not known: no node is in the bundle"), nodesMissing(p)).
				As(analyze.Info).About(stuck...)
		}
		return analyze.Skip()
	case doubt:
		return analyze.RuleOut(say("no node in the bundle is known to be unable to run native sidecars; for some the version says nothing"), kubeletEvidence(p)...).From(basis)
	}
	return analyze.RuleOut(say("every kubelet in the bundle runs native sidecars"), kubeletEvidence(p)...).From(basis)
}

// apiAccepts answers whether the API server keeps restartPolicy of init containers: by its version and gate, by a pod
// that has it, or by a kubelet, for which it can not be too old.
func apiAccepts(p *analyze.Pass, use nativeUse) (version.Answer, []evidence.Evidence) {
	c := p.Cluster
	if len(use.stored) > 0 {
		return version.Yes, append(some(use.stored)[:1:1], c.Server.From...)
	}
	if g := setting(c, "kube-apiserver"); g != nil {
		return version.AnswerOf(g.Enabled), []evidence.Evidence{g.Evidence}
	}
	if gate, ok, _ := p.Know.SidecarGate(c.Server.V); ok && c.Server.Known {
		return version.AnswerOf(gate.Default), c.Server.From
	}
	for _, n := range c.Nodes {
		if a, _ := p.Know.Has("kubelet-sidecars-by-default", n.Kubelet); a == version.Yes && !n.Kubelet.IsVirtualKubelet() {
			return version.Yes, []evidence.Evidence{n.Ev("status.nodeInfo.kubeletVersion", n.Kubelet.Raw)}
		}
	}
	return version.Maybe, nil
}

// behindNodes lists the nodes that can not run native sidecars. doubt: for another node its version does not tell.
func behindNodes(p *analyze.Pass) (list []behind, doubt bool) {
	in := Inputs(p.Cluster, p.Know, nil, p.Next)
	proven := ranNative(p)
	for _, k := range in.Kubelets {
		if proven[k.Node] {
			continue
		}
		switch answer, outcome := p.Know.CanRun(k, in.KubeletGates); answer {
		case version.No:
			list = append(list, behind{p.Cluster.Node(k.Node), outcome})
		case version.Maybe:
			doubt = true
		}
	}
	return list, doubt
}

// ranNative gives the nodes on which a native sidecar was up beside a regular container: proof that outranks what a
// version lets expect, such as a gate switched on where no bundle shows it.
func ranNative(p *analyze.Pass) map[string]bool {
	out := map[string]bool{}
	see := func(pod *facts.Pod) {
		for _, c := range pod.Of(facts.IsPlaced(facts.Native)) {
			if c.Status == nil || c.Status.Started == nil || !*c.Status.Started {
				continue
			}
			for _, regular := range pod.Of(facts.IsPlaced(facts.Ordinary)) {
				out[pod.Spec.NodeName] = out[pod.Spec.NodeName] || regular.EverRan()
			}
		}
	}
	for _, j := range p.Judged {
		for _, pod := range j.Workload.Pods {
			see(pod)
		}
	}
	for _, pod := range p.Cluster.Services {
		see(pod)
	}
	return out
}

// ignoredNatives finds pods whose kubelet treats a native sidecar as a one-shot init container.
func ignoredNatives(p *analyze.Pass) (refs []evidence.Ref, pods []*facts.Pod) {
	for _, j := range p.Judged {
		for _, pod := range j.Verdict.Pods {
			if pod.Code == NodeRejectedSidecar {
				if _, refused := rejection(pod.Pod); refused {
					continue // its kubelet knows them and has them switched off: FeatureGateOff
				}
				refs, pods = append(refs, j.Workload.Ref), append(pods, pod.Pod)
			}
		}
	}
	return refs, pods
}

func nodesBehind(p *analyze.Pass, nodes []behind, pods []*facts.Pod, hit []evidence.Ref) analyze.Outcome {
	use := usesNative(p)
	accepts, acceptBecause := apiAccepts(p, use)
	switch {
	case accepts == version.No:
		return analyze.RuleOut(say("the API server accepts no native sidecars either"), acceptBecause...)
	case accepts == version.Maybe && len(pods) == 0 && !use.any():
		return analyze.Skip() // old kubelets under an API server of which nothing is known
	}
	var because []evidence.Evidence
	for _, b := range nodes[:min(len(nodes), 2*enoughEvidence)] {
		because = append(because, b.node.Ev("status.nodeInfo.kubeletVersion", b.node.Kubelet.Raw))
	}
	because = append(because, acceptBecause...)
	message := say("%d of %d nodes can not run native sidecars, although the API server accepts them: %s", len(nodes), len(p.Cluster.Nodes), behindText(nodes))
	advice, assumes := behindAdvice(nodes), behindAssumes(nodes)
	switch {
	case len(pods) > 0:
		return analyze.Fire(say("%s. Pod %s was placed on one of them", message, podNames(pods)), append(ignoredEvidence(pods), because...)...).
			As(analyze.Error).About(hit...).With(advice).From(assumes)
	case use.any() || emitsNative(p):
		return analyze.Fire(message, append(because, some(append(use.stored, use.asked...))...)...).About(use.workloads...).With(advice).From(assumes)
	}
	if held := heldByOrdinary(p); len(held) > 0 {
		return analyze.Fire(say("%s. Nothing in the bundle uses native sidecars; before one is forced, these nodes are in the way", message), because...).
			As(analyze.Info).About(held...).With(advice).From(assumes)
	}
	return analyze.RuleOut(say("%s; and nothing in the bundle asks for native sidecars", message), because...)
}

// behindText names at most five nodes, each with what becomes of a pod there.
func behindText(nodes []behind) analyze.Text {
	const shown = 5
	var out analyze.Text
	for i, b := range nodes[:min(len(nodes), shown)] {
		one := say("%s (%s: does not know them, pods hang in Init)", b.node.Meta.Name, b.node.Kubelet.Raw)
		if b.outcome == knowledge.RejectedByKubelet {
			one = say("%s (%s: has them switched off and fails such pods)", b.node.Meta.Name, b.node.Kubelet.Raw)
		}
		if i == 0 {
			out = one
			continue
		}
		out = say("%s, %s", out, one)
	}
	if rest := len(nodes) - shown; rest > 0 {
		out = say("%s and %d more", out, rest)
	}
	return out
}

func behindAssumes(nodes []behind) knowledge.Basis {
	for _, b := range nodes {
		if b.outcome == knowledge.RejectedByKubelet {
			return knowledge.Basis{Assumes: []string{"no setting of a kubelet that the bundle does not show switches its gate on"}}
		}
	}
	return knowledge.Basis{}
}

func behindAdvice(nodes []behind) *analyze.Advice {
	return &analyze.Advice{
		Summary: say("upgrade the kubelets of these nodes, or keep pods with native sidecars off them"),
		Steps: []analyze.Text{
			say("until they are upgraded: give such Jobs a nodeSelector or an affinity that leaves %s out", nodes[0].node.Meta.Name),
			say("or keep their proxies ordinary (pod-template annotation %s: \"false\" where Istio reads it)", facts.NativeAnnotation),
			say("delete pods that hang on such a node, so that the Job makes new ones")},
		Verify: []analyze.Text{say("kubectl get nodes shows a kubelet that runs native sidecars on every node where such a pod may land")},
		Avoid:  []analyze.Text{say("judging by the API server's version: the kubelet of the node decides")}}
}

func podNames(pods []*facts.Pod) string {
	var out []string
	for _, p := range pods {
		if name := p.Meta.Namespace + "/" + p.Meta.Name; len(out) < enoughEvidence && !contains(out, name) {
			out = append(out, name)
		}
	}
	return list(out)
}

func ignoredEvidence(pods []*facts.Pod) []evidence.Evidence {
	var out []evidence.Evidence
	for _, p := range pods[:min(len(pods), enoughEvidence)] {
		for _, c := range p.Of(facts.IsPlaced(facts.Native)) {
			if c.Running() != nil {
				out = append(out, c.EvPlacement(), c.EvState(), p.EvAbsent(c.StatusPath("started")), p.Ev("spec.nodeName", p.Spec.NodeName))
				break
			}
		}
	}
	return out
}

func kubeletEvidence(p *analyze.Pass) []evidence.Evidence {
	var out []evidence.Evidence
	for _, n := range p.Cluster.Nodes[:min(len(p.Cluster.Nodes), enoughEvidence)] {
		out = append(out, n.Ev("status.nodeInfo.kubeletVersion", n.Kubelet.Raw))
	}
	return out
}

// nodesMissing is what tells about the nodes, and that they were refused where they were.
func nodesMissing(p *analyze.Pass) analyze.Missing {
	m := analyze.Missing{What: say("the nodes with their kubelet versions"), Command: "kubectl get nodes -o yaml"}
	if _, refused := p.Cluster.Refused["nodes"]; refused {
		m.What = say("the nodes with their kubelet versions: the collector was not allowed to read them")
	}
	return m
}
