package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// behind is a node that cannot run native sidecars, and what becomes of a pod there.
type behind struct {
	node    *facts.Node
	outcome string
}

// apiAccepts answers whether the API server keeps restartPolicy of init containers: by its version and gate, by a pod
// that has it, or by a kubelet, for which it cannot be too old.
func apiAccepts(p *analyze.Pass, use *nativeUse) (version.Answer, []evidence.Evidence) {
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

// behindNodes lists the nodes that cannot run native sidecars. doubt: for another node its version does not tell.
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
