package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// injectionOff says why a pod has no Istio proxy: a label or annotation against it, a host-network pod, a namespace
// that Istio never injects, or one that is not enabled (injectRequired; the webhooks' selectors).
func injectionOff() *analyze.Rule {
	return &analyze.Rule{Code: "InjectionOff", Title: "The pod has no Istio proxy, and why",
		Severity: analyze.Info, Scope: analyze.PerWorkload,
		Run: func(p *analyze.Pass) analyze.Outcome { return overPods(p, runInjectionOff) }}
}

// neverInjected are the namespaces that Istio's injector leaves alone whatever they are labelled.
var neverInjected = []string{"kube-system", "kube-public", "kube-node-lease", "local-path-storage"}

func runInjectionOff(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	if proxyOf(pod) == nil && pod.Injection != nil && p.Next != nil && p.Next.Reason == knowledge.ReasonTemplateNoProxy {
		asked := pod.Meta.Annotations.Get(facts.TemplatesAnnotation)
		if templates, unnamed := p.Know.Templates(asked); len(templates) > 0 && !unnamed {
			return analyze.Fire(say("pod %s has no Istio proxy: it asks for the injection template %s, which adds none", pod.Meta.Name, asked), pod.Ev("metadata.annotations["+facts.TemplatesAnnotation+"]", asked))
		}
	}
	if proxyOf(pod) != nil || pod.Injection != nil || len(pod.Of(isMeshProxy)) > 0 || ambientMark(pod.Meta) != "" {
		return analyze.Skip()
	}
	if why, ev := optedOut(pod); !why.IsZero() {
		return analyze.Fire(say("pod %s has no Istio proxy: %s", pod.Meta.Name, why), ev)
	}
	m := p.Cluster.Mesh
	if p.Verdict.Code == Completed || len(m.ControlPlanes)+len(m.Injectors) == 0 {
		return analyze.Skip()
	}
	if pod.Spec.HostNetwork { // which no label outweighs
		return analyze.Fire(say("pod %s has no Istio proxy: it uses the host's network, and such pods are never injected", pod.Meta.Name), pod.Ev("spec.hostNetwork", "true"))
	}
	ns := p.Cluster.Namespaces[pod.Meta.Namespace]
	if pod.Meta.Labels.Get(facts.InjectAnnotation) == "true" && !shut(ns) {
		return analyze.Undecide(say("pod %s asks for a proxy by the label %s and has none", pod.Meta.Name, facts.InjectAnnotation),
			analyze.Missing{What: say("the injection webhooks with their selectors"), Command: "kubectl get mutatingwebhookconfigurations -o yaml"})
	}
	if ns == nil {
		missing := analyze.Missing{What: say("the labels of namespace %s", pod.Meta.Namespace), Command: command("kubectl get namespace %s -o yaml", pod.Meta.Namespace)}
		if byAnnotationAlone(pod.Meta) {
			return analyze.Undecide(say("pod %s asks for a proxy by the annotation %s, without the label, and has none: that counts only where its namespace asks for injection, which is not in the bundle", pod.Meta.Name, facts.InjectAnnotation), missing)
		}
		return analyze.Undecide(say("pod %s has no Istio proxy and says nothing about injection; its namespace is not in the bundle", pod.Meta.Name), missing)
	}
	return byNamespace(p.Cluster, pod, ns)
}

// byAnnotationAlone says that the inject key asks for a proxy as an annotation, without the label of the same name. istiod
// reads that once it is asked; the webhook for namespaces that do not ask selects pods by the label (injectRequired; the
// chart's mutatingwebhook.yaml).
func byAnnotationAlone(m kube.Meta) bool {
	return m.Annotations.Get(facts.InjectAnnotation) == "true" && !m.Labels.Has(facts.InjectAnnotation)
}

// shut says that no webhook of Istio's takes a pod of a namespace, whatever the pod asks for.
func shut(ns *kube.Namespace) bool {
	return ns != nil && (contains(neverInjected, ns.Meta.Name) || ns.Meta.Labels.Get(namespaceSwitch) == "disabled")
}

// optedOut gives what on the pod itself keeps the proxy away. The label beats the annotation.
func optedOut(pod *facts.Pod) (analyze.Text, evidence.Evidence) {
	label, labelled := pod.Meta.Labels.Lookup(facts.InjectAnnotation)
	switch {
	case labelled && label == "false":
		return say("its label %s is \"false\"", facts.InjectAnnotation), pod.Ev("metadata.labels["+facts.InjectAnnotation+"]", label)
	case !labelled && pod.Meta.Annotations.Get(facts.InjectAnnotation) == "false":
		return say("its annotation %s is \"false\"", facts.InjectAnnotation), pod.Ev("metadata.annotations["+facts.InjectAnnotation+"]", "false")
	}
	return analyze.Text{}, evidence.Evidence{}
}

func byNamespace(c *facts.Cluster, pod *facts.Pod, ns *kube.Namespace) analyze.Outcome {
	labels := ns.Meta.Labels
	enabled := asks(c, ns, deciding{place: place{&pod.Object, "metadata", &pod.Meta, true}, spec: &pod.Spec})
	switch {
	case contains(neverInjected, ns.Meta.Name):
		return analyze.Fire(say("Istio never injects into namespace %s, so its pods have no Istio proxy", ns.Meta.Name), ns.Ev("metadata.name", ns.Meta.Name)).On(ns.Ref())
	case labels.Get(namespaceSwitch) == "disabled":
		return analyze.Fire(say("namespace %s has the label istio-injection \"disabled\", so its pods have no Istio proxy", ns.Meta.Name), ns.Ev("metadata.labels[istio-injection]", "disabled")).On(ns.Ref())
	case labels.Get("istio.io/dataplane-mode") == "ambient":
		return analyze.Skip() // AmbientPod speaks of it
	case !enabled && byAnnotationAlone(pod.Meta):
		return analyze.Fire(say("pod %s has no Istio proxy: it asks for one by the annotation %s, and in a namespace that does not ask for injection the webhook selects pods by the label of that name alone, so that istiod did not see it", pod.Meta.Name, facts.InjectAnnotation),
			pod.Ev("metadata.annotations["+facts.InjectAnnotation+"]", "true"), pod.EvAbsent("metadata.labels["+facts.InjectAnnotation+"]"), ns.EvAbsent("metadata.labels["+namespaceSwitch+"]"))
	case !enabled:
		return analyze.Fire(say("neither namespace %s nor its pods ask for an Istio proxy, so they have none", ns.Meta.Name),
			ns.EvAbsent("metadata.labels[istio-injection]"), ns.EvAbsent("metadata.labels["+facts.RevisionLabel+"]")).On(ns.Ref())
	}
	return analyze.Undecide(say("namespace %s asks for injection and pod %s has no proxy", ns.Meta.Name, pod.Meta.Name),
		analyze.Missing{What: say("the injection webhooks with their selectors, and whether the label was set before the pod was created"),
			Command: "kubectl get mutatingwebhookconfigurations -o yaml"})
}
