package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// ambientPod: in ambient mode the node's ztunnel carries the traffic and the pod has no proxy of its own. Istio's CNI
// plugin writes ambient.istio.io/redirection on the pods it has enrolled, and never enrols one that was injected.
func ambientPod() *analyze.Rule {
	return &analyze.Rule{Code: "AmbientPod", Title: "The pod is in the ambient mesh and has no proxy of its own",
		Severity: analyze.Info, Scope: analyze.PerWorkload,
		Run: func(p *analyze.Pass) analyze.Outcome { return overPods(p, runAmbientPod) }}
}

const (
	dataplaneLabel        = "istio.io/dataplane-mode"
	redirectionAnnotation = "ambient.istio.io/redirection"
)

// ambientMark gives the CNI plugin's word about a pod: enabled, pending, or nothing.
func ambientMark(m kube.Meta) string { return m.Annotations.Get(redirectionAnnotation) }

func runAmbientPod(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	mark := ambientMark(pod.Meta)
	mode, at := pod.Meta.Labels.Get(dataplaneLabel), pod.Ev("metadata.labels["+dataplaneLabel+"]", pod.Meta.Labels.Get(dataplaneLabel))
	if ns := p.Cluster.Namespaces[pod.Meta.Namespace]; mode == "" && ns != nil {
		mode, at = ns.Meta.Labels.Get(dataplaneLabel), ns.Ev("metadata.labels["+dataplaneLabel+"]", ns.Meta.Labels.Get(dataplaneLabel))
	}
	if mark == "" && mode == "" {
		return analyze.Skip()
	}
	redirected := pod.Ev("metadata.annotations["+redirectionAnnotation+"]", mark)
	proxy := proxyOf(pod)
	switch {
	case proxy != nil || pod.Injection != nil:
		if proxy == nil {
			return analyze.Skip()
		}
		return analyze.RuleOut(say("pod %s has a proxy of its own, and injected pods are never enrolled in ambient mode", pod.Meta.Name), proxy.EvPlacement())
	case mark == "enabled":
		return analyze.Fire(say("pod %s is enrolled in the ambient mesh: the node's ztunnel carries its traffic, no proxy of the mesh runs in the pod, and none can hold its Job", pod.Meta.Name), redirected)
	case mode != "ambient" && mark == "":
		return analyze.RuleOut(say("pod %s is kept out of ambient mode", pod.Meta.Name), at)
	case mark == "":
		return analyze.Undecide(say("pod %s is labelled for ambient mode and carries no sign that it was enrolled", pod.Meta.Name),
			analyze.Missing{What: say("the annotation %s of the pod, which the CNI plugin writes", redirectionAnnotation), Command: podYAML(pod)})
	}
	return analyze.Undecide(say("pod %s was being enrolled in ambient mode (%s)", pod.Meta.Name, mark),
		analyze.Missing{What: say("a later look at the pod"), Command: podYAML(pod)})
}
