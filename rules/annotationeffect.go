package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

type ev = evidence.Evidence

// annotationBeyondNodes: the annotation overrides Istio's look at the nodes, so it can ask for what they can not run.
func annotationBeyondNodes() *analyze.Rule {
	return &analyze.Rule{Code: "AnnotationBeyondNodes", Title: "The annotation asks for what the cluster can not run",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{NodeRejectedSidecar, PodCreationRejected, SidecarBlocksInit},
		Run: runAnnotationBeyondNodes}
}

func runAnnotationBeyondNodes(p *analyze.Pass) analyze.Outcome {
	if !istioJob(p) {
		return analyze.Skip()
	}
	v, at, ok := nativeAnnotation(p.Cluster, p.Workload)
	if !ok || v != "true" {
		return analyze.Skip()
	}
	n := p.Next
	if n.Emitted != knowledge.Native {
		return analyze.RuleOut(say("the injector does not place the proxy natively here (%s)", n.Emitted), at)
	}
	because := []ev{at}
	for _, k := range n.Risky {
		if node := p.Cluster.Node(k.Node); node != nil {
			because = append(because, node.Ev("status.nodeInfo.kubeletVersion", k.Raw))
		}
	}
	switch {
	case n.Placement == knowledge.Broken:
		return analyze.Fire(say("the annotation forces a native sidecar that this cluster can not run (%s)", n.Broken),
			append(because, p.Cluster.Server.From...)...).From(n.Basis)
	case len(n.Risky) > 0:
		return analyze.Fire(say("the annotation forces a native sidecar, and %s can not run one: a pod that lands there is stuck or refused",
			list(nodeNames(n.Risky))), because...).As(analyze.Warning).From(n.Basis)
	case len(p.Cluster.Nodes) == 0 || !p.Cluster.Server.Known && n.Placement == knowledge.Unknown:
		return analyze.Undecide(say("the annotation forces a native sidecar; whether API server and nodes can run it is not in the bundle"),
			analyze.Missing{What: say("the nodes and the server version"), Command: "kubectl get nodes -o yaml; kubectl version -o yaml"})
	}
	return analyze.RuleOut(say("API server and every node in the bundle can run native sidecars"), because...)
}

func nodeNames(list []knowledge.Kubelet) []string {
	var out []string
	for _, k := range list {
		out = append(out, k.Node+" ("+k.Raw+")")
	}
	return out
}

// annotationTooLate: injection happens once, when the pod is made; an annotation that came later changes nothing.
func annotationTooLate() *analyze.Rule {
	return &analyze.Rule{Code: "AnnotationTooLate", Title: "The annotation came after the pod was injected",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runAnnotationTooLate}
}

func runAnnotationTooLate(p *analyze.Pass) analyze.Outcome {
	pod, proxy := ordinaryProxy(p)
	if pod == nil || pod.Described() {
		return analyze.Skip()
	}
	v, at, ok := nativeAnnotation(p.Cluster, p.Workload)
	if !ok || v != "true" {
		return analyze.Skip()
	}
	if reads, _ := readsAnnotation(p); reads == version.No {
		return analyze.RuleOut(say("%s does not read the annotation anyway", planeText(p.Next)), at)
	}
	if reads := imageReads(p.Know, proxy); reads != version.Yes {
		return analyze.Undecide(say("the pod's proxy is ordinary although the template asks for a native one; which istiod injected the pod is not known for certain"),
			planeMissing(p.Next))
	}
	if p.Next.Emitted != knowledge.Native {
		return analyze.RuleOut(say("a pod made now would not get a native proxy either"), at)
	}
	_, own := pod.Meta.Annotations[facts.NativeAnnotation]
	message := say("the template sets %s to \"true\" and pod %s does not carry it: the pod was made before", facts.NativeAnnotation, pod.Meta.Name)
	because := []ev{at, pod.EvAbsent("metadata.annotations[" + facts.NativeAnnotation + "]"), proxy.EvPlacement()}
	if own {
		message = say("pod %s carries %s and its proxy is ordinary: the annotation was added after injection, or by a webhook that runs after Istio's",
			pod.Meta.Name, facts.NativeAnnotation)
		because = []ev{pod.Ev("metadata.annotations["+facts.NativeAnnotation+"]", "true"), proxy.EvPlacement()}
	}
	return analyze.Fire(message, because...).With(&analyze.Advice{
		Summary: say("nothing to change but the pod: let the next run make a new one"),
		Steps:   []analyze.Text{say("save the manifests of this pod, then delete it or its Job; the next pod gets a native proxy")},
		Avoid:   []analyze.Text{say("annotating the running pod: existing pods never change")},
	})
}

// imageReads says whether the Istio release that the proxy's image names reads the annotation: the tag normally is
// that of the istiod which injected the pod.
func imageReads(k *knowledge.Base, proxy *facts.Container) version.Answer {
	a, _ := k.Has("istio-reads-annotation", version.Parse(facts.ImageTag(proxy.Image())))
	return a
}
