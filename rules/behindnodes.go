package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// behind is a node that cannot run native sidecars, and what becomes of a pod there. A table of nodes names it as well as
// an object does.
type behind struct {
	knowledge.Kubelet
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
	all := facts.Once(p.Cluster, "behind-nodes", func(c *facts.Cluster) allBehind { return findBehind(c, p.Know) })
	return slices.Clip(all.list), all.doubt
}

type allBehind struct {
	list  []behind
	doubt bool
}

func findBehind(c *facts.Cluster, k *knowledge.Base) (all allBehind) {
	in := facts.Once(c, "cluster-inputs", clusterInputs)
	proven := facts.Once(c, "proven-nodes", provenNodes)
	for _, n := range in.Kubelets {
		if proven[n.Node] {
			continue
		}
		switch answer, outcome := k.CanRun(n, in.KubeletGate); answer {
		case version.No:
			all.list = append(all.list, behind{n, outcome})
		case version.Maybe:
			all.doubt = true
		}
	}
	return all
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
