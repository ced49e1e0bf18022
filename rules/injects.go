package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// notInjected says what keeps Istio's proxy away from the next pod of a workload; zero when nothing is seen that does.
// A mark of the pod is not said where a pod at hand contradicts it, which carries the same one and was injected all the
// same. That pod says nothing about what its namespace is labelled now.
func notInjected(c *facts.Cluster, w *facts.Workload) analyze.Text {
	t, ok := decidingTemplate(w)
	if !ok {
		return analyze.Text{}
	}
	why := markedOff(w, t)
	if p := newest(w.Pods); p != nil && injectedByWebhook(w, p) && optedAlike(p, t) {
		why = analyze.Text{}
	}
	if why.IsZero() {
		return leftOut(c, w, t)
	}
	return why
}

// keptAway reads the marks as the injector and its webhooks do.
func keptAway(c *facts.Cluster, w *facts.Workload, t deciding) analyze.Text {
	if why := markedOff(w, t); !why.IsZero() {
		return why
	}
	return leftOut(c, w, t)
}

// markedOff reads what keeps the proxy away from a pod whatever its namespace is labelled. The label of the pod beats its
// annotation.
func markedOff(w *facts.Workload, t deciding) analyze.Text {
	label, labelled := t.meta.Labels.Lookup(facts.InjectAnnotation)
	switch {
	case t.spec.HostNetwork:
		return say("its pods use the host's network, and such pods are never injected")
	case label == "false":
		return say("its pods have the label %s: \"false\"", facts.InjectAnnotation)
	case !labelled && t.meta.Annotations.Get(facts.InjectAnnotation) == "false":
		return say("its pods have the annotation %s: \"false\"", facts.InjectAnnotation)
	case contains(neverInjected, w.Ref.Namespace):
		return say("Istio never injects into namespace %s", w.Ref.Namespace)
	}
	return analyze.Text{}
}

// leftOut reads what the namespace is labelled now, against the webhooks where they are in the bundle.
func leftOut(c *facts.Cluster, w *facts.Workload, t deciding) analyze.Text {
	ns := c.Namespaces[w.Ref.Namespace]
	switch {
	case ns == nil:
		return analyze.Text{}
	case ns.Meta.Labels.Get(namespaceSwitch) == "disabled":
		return say("namespace %s has the label %s: disabled", ns.Meta.Name, namespaceSwitch)
	case asks(c, ns, t):
		return analyze.Text{}
	case ns.Meta.Labels.Get(dataplaneLabel) == "ambient" && t.meta.Labels.Get(dataplaneLabel) != "none", t.meta.Labels.Get(dataplaneLabel) == "ambient":
		return say("its pods are in the ambient mesh, which puts no proxy into them")
	case byAnnotationAlone(*t.meta) && (len(w.Pods) == 0 || webhookListed(c, w)):
		return say("its pod template asks for injection by the annotation %s alone, and namespace %s does not: the webhook selects pods by the label there", facts.InjectAnnotation, ns.Meta.Name)
	case len(w.Pods) == 0:
		return say("neither namespace %s nor its pod template asks for injection", ns.Meta.Name)
	case webhookListed(c, w):
		return say("neither namespace %s nor its pod template asks for injection, and no injection webhook of the bundle selects them", ns.Meta.Name)
	}
	return analyze.Text{}
}

// webhookListed says that the webhook that injected the newest pod is among those of the bundle, which then has them all.
func webhookListed(c *facts.Cluster, w *facts.Workload) bool {
	record := recorded(w)
	return slices.ContainsFunc(c.Mesh.Injectors, func(in *facts.Injector) bool {
		return record.revision == "" || record.revision == in.Revision || record.revision == in.Tag
	})
}

// asks says that the namespace or the pod asks for injection, or that a webhook in the bundle takes what does not ask.
func asks(c *facts.Cluster, ns *kube.Namespace, t deciding) bool {
	if ns.Meta.Labels.Get(namespaceSwitch) == "enabled" || ns.Meta.Labels.Get(facts.RevisionLabel) != "" {
		return true
	}
	if t.meta.Labels.Get(facts.InjectAnnotation) == "true" || t.meta.Labels.Get(facts.RevisionLabel) != "" {
		return true
	}
	return slices.ContainsFunc(c.Mesh.Injectors, func(in *facts.Injector) bool {
		return slices.ContainsFunc(in.Config.Webhooks, func(h kube.Webhook) bool {
			return isInjector(h) && strings.HasPrefix(h.Name, "auto.") ||
				isInjector(h) && selects(h.NamespaceSelector, ns.Meta.Labels) && selects(h.ObjectSelector, t.meta.Labels)
		})
	})
}

// injectedByWebhook says that a pod has a proxy which its template does not hold.
func injectedByWebhook(w *facts.Workload, p *facts.Pod) bool {
	_, own := proxyInTemplate(w)
	return proxyOf(p) != nil && !own
}

// optedAlike says that a pod carries the same marks against injection as the template.
func optedAlike(p *facts.Pod, t deciding) bool {
	key := facts.InjectAnnotation
	return p.Meta.Labels.Get(key) == t.meta.Labels.Get(key) && p.Meta.Annotations.Get(key) == t.meta.Annotations.Get(key) && p.Spec.HostNetwork == t.spec.HostNetwork
}

// notIstio says why no Istio proxy is in question for a workload; zero when one is.
func notIstio(c *facts.Cluster, w *facts.Workload) analyze.Text {
	if _, own := proxyInTemplate(w); own {
		return analyze.Text{}
	}
	why := notInjected(c, w)
	if !why.IsZero() {
		why = say("the next pod gets no Istio proxy: %s", why)
	}
	if len(w.Pods) > 0 {
		had := slices.ContainsFunc(w.Pods, func(p *facts.Pod) bool { return proxyOf(p) != nil || p.Injection != nil })
		if !had && why.IsZero() {
			return say("no pod of it has an Istio proxy, so none is expected in the next one")
		}
		return why
	}
	switch {
	case len(c.Mesh.ControlPlanes) == 0 && len(c.Mesh.Injectors) == 0:
		return say("neither a proxy nor an Istio control plane is in the bundle")
	case w.Job == nil && w.CronJob == nil:
		return say("neither its pods nor its template are in the bundle")
	case !why.IsZero():
		return why
	case !wanted(c, w):
		return say("nothing in the bundle shows that Istio injects its pods")
	}
	return analyze.Text{}
}

// wanted says that something speaks for a proxy in the next pod of a workload without pods: labels, annotations of
// Istio's, or an event in which its proxy or its webhook is named.
func wanted(c *facts.Cluster, w *facts.Workload) bool {
	t, ok := decidingTemplate(w)
	if !ok {
		return false
	}
	if ns := c.Namespaces[w.Ref.Namespace]; ns != nil && asks(c, ns, t) {
		return true
	}
	ofIstio := func(p kube.Pair) bool { return strings.Contains(p.Key, "istio.io/") }
	if slices.ContainsFunc(t.meta.Annotations, ofIstio) || slices.ContainsFunc(t.meta.Labels, ofIstio) {
		return true
	}
	for _, e := range w.Events {
		if text := e.Text(); strings.Contains(text, istioProxy) || strings.Contains(text, "sidecar-injector.istio.io") || strings.Contains(text, "istio-init") {
			return true
		}
	}
	return false
}
