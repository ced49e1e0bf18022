package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// culprit is what dropped restartPolicy, as far as the bundle tells.
type culprit struct {
	text    analyze.Text
	because []evidence.Evidence
	missing []analyze.Missing
	sources []string
	remedy  *analyze.Advice
	// gate says that it is the API server itself, mayBeGate that it may be.
	gate, mayBeGate bool
}

func (c culprit) outcome(what analyze.Text, because ...evidence.Evidence) analyze.Outcome {
	if c.mayBeGate {
		a := *c.remedy
		a.Summary = say("find out what takes restartPolicy away, the API server's gate or a webhook, and change that one")
		a.Steps = append([]analyze.Text{say("look at the API server's gate SidecarContainers first: where it is off, switch it on in API server, scheduler and kubelets alike, or upgrade to a version in which it is locked on; no webhook is to blame then\n%s", gateCommand)},
			a.Steps...)
		c.remedy = &a
	}
	o := analyze.Fire(say("%s. %s", what, c.text), append(because, c.because...)...).With(c.remedy).Lacking(c.missing...)
	o.Sources = c.sources
	return o
}

// from fits the remedy to the sidecar that lost the field: Istio's settings are for Istio's proxy alone. Where the refusal
// does not name it, it is Istio's if Istio injects these pods.
func (c culprit) from(p *analyze.Pass, name string) culprit {
	if name == istioProxy || name == "" && istioJob(p) {
		return c
	}
	until := say("until then have the sidecar stand in containers, where the application has to end it when its work is done")
	steps := []analyze.Text{until}
	if name != "" {
		_, owner := specPath(p)
		steps = []analyze.Text{say("until then move %s from initContainers to containers in the pod template of %s, where the application has to end it when its work is done", name, owner),
			stopStep(name, helperNamed(p, name))}
	}
	old := c.remedy
	a := *old
	if c.gate {
		a.Summary = say("native sidecars cannot work on this API server until it is upgraded or its gate is on: have the sidecar in containers until then")
		a.Steps = slices.Concat(steps, old.Steps[1:])
	} else {
		a.Steps = slices.Concat(old.Steps[:2], steps, old.Steps[3:])
	}
	c.remedy = &a
	return c
}

// helperNamed gives the catalogue's entry for a container of the workload's template or pods.
func helperNamed(p *analyze.Pass, name string) knowledge.Helper {
	image := ""
	if t, ok := ownerTemplate(p.Workload); ok {
		if c, _ := t.find(name); c != nil {
			image = c.Image
		}
	}
	for _, pod := range p.Workload.Pods {
		if c := pod.Container(name); c != nil && image == "" {
			image = c.Image()
		}
	}
	if m, ok := p.Know.Sidecar(name, image); ok && !m.Conflict {
		return m.Helper
	}
	return knowledge.Helper{}
}

// wording is how the API server's refusal reads: a release that knows the field names it.
type wording int

const (
	noRefusal wording = iota
	fieldNamed
	fieldNotNamed
)

func wordingOf(match string) wording {
	if match == "" {
		return fieldNotNamed
	}
	return fieldNamed
}

// whoStripped tells the API server from the webhooks. A server on which the gate is on keeps the field: then something
// that changed the pod before it was stored took it.
func whoStripped(p *analyze.Pass, words wording) culprit {
	server := p.Cluster.Server
	locked, lockedBasis := p.Know.Has("sidecars-locked-on", server.V)
	for _, g := range p.Cluster.Gates {
		if g.Component == "kube-apiserver" && !g.Enabled && locked != version.Yes {
			return gateOff(say("The API server's gate SidecarContainers is off: it drops the field"), g.Evidence)
		}
	}
	if !server.Known && words == fieldNotNamed {
		return gateOff(say("The refusal reads as that of an API server that does not know the field"))
	}
	if !server.Known {
		c := webhooksOrGate(p, say("Either the API server drops the field (its version and gate are not in the bundle) or a webhook removed it"))
		c.missing = append(c.missing, analyze.Missing{What: say("the API server's version"), Command: "kubectl version -o yaml"})
		c.mayBeGate = true
		return c
	}
	knows, _ := p.Know.Has("apiserver-knows-field", server.V)
	byDefault, basis := p.Know.Has("apiserver-sidecars-by-default", server.V)
	on := gateSeenOn(p)
	switch {
	case knows == version.No && words != fieldNamed:
		c := gateOff(say("The API server (%s) does not know the field and drops it", server.V.Raw), server.From...)
		c.sources = basis.Sources
		return c
	case byDefault == version.No && !on:
		c := gateOff(say("On this API server (%s) the gate SidecarContainers is off unless switched on, and it drops the field", server.V.Raw), server.From...)
		c.sources = basis.Sources
		return c
	case locked == version.Yes || on:
		c := webhooksOrGate(p, say("This API server (%s) keeps the field, so something that changed the pod before it was stored removed it", server.V.Raw))
		c.because, c.sources = append(c.because, server.From...), append(c.sources, lockedBasis.Sources...)
		return c
	}
	c := webhooksOrGate(p, say("This API server (%s) keeps the field unless its gate was switched off, so a webhook removed it or the gate is off", server.V.Raw))
	c.because, c.sources = append(c.because, server.From...), append(c.sources, basis.Sources...)
	c.missing = append(c.missing, analyze.Missing{What: say("the API server's gate SidecarContainers"), Command: gateCommand})
	c.mayBeGate = true
	return c
}

// gateCommand asks the API server for its gate: 1 is on.
const gateCommand = "kubectl get --raw /metrics | grep 'kubernetes_feature_enabled{name=\"SidecarContainers\"'"

func gateSeenOn(p *analyze.Pass) bool {
	for _, g := range p.Cluster.Gates {
		if g.Component == "kube-apiserver" && g.Enabled {
			return true
		}
	}
	return false
}

func gateOff(text analyze.Text, ev ...evidence.Evidence) culprit {
	return culprit{text: text, because: ev, gate: true, remedy: &analyze.Advice{
		Summary: say("native sidecars cannot work on this API server: place the proxy as an ordinary container until it is upgraded or its gate is on"),
		Steps: []analyze.Text{
			say("switch native placement off where it is asked for (%s: \"false\" on the pod template, or %s=false on istiod), so that pods are created again", facts.NativeAnnotation, facts.NativeEnv),
			say("upgrade the API server, or switch its gate on where the release has it"),
			say("then make the Job again: what was dropped does not come back")},
		Verify: []analyze.Text{say("a new pod shows restartPolicy Always on the init container: kubectl get pod -o yaml")},
		Avoid:  []analyze.Text{say("removing the probes so that the pod is accepted: init then waits for the proxy for ever")},
	}}
}

// webhooksOrGate lists the webhooks in the bundle that may change pods; of those reported to remove the field it says so.
func webhooksOrGate(p *analyze.Pass, text analyze.Text) culprit {
	c := culprit{text: text}
	var known, others []string
	const most = 8
	for _, w := range p.Cluster.Webhooks {
		i, ok := changesPods(w)
		if !ok || isIstioInjector(w) {
			continue
		}
		ev := w.Ev(fmt.Sprintf("webhooks[name=%s].rules", w.Webhooks[i].Name), "CREATE pods")
		if s, ok := p.Know.StrippingWebhook(webhookNames(w)...); ok {
			note := w.Meta.Name + " (" + s.Product
			if s.Fixed != "" {
				note += "; cured when " + s.Fixed
			}
			known = append(known, note+")")
			c.because = append([]evidence.Evidence{ev}, c.because...)
			c.sources = append(c.sources, s.Sources...)
			continue
		}
		if len(others) == most {
			continue
		}
		others = append(others, w.Meta.Name)
		c.because = append(c.because, ev)
	}
	switch {
	case len(known) > 0:
		c.text = say("%s. In the bundle, reported to do so in old builds: %s", c.text, list(known))
	case len(others) > 0:
		c.text = say("%s. Webhooks in the bundle that may change pods: %s", c.text, list(others))
	}
	if len(p.Cluster.Webhooks) == 0 {
		c.missing = append(c.missing, analyze.Missing{What: say("the webhooks that change pods"), Command: "kubectl get mutatingwebhookconfigurations -o yaml"})
	}
	c.remedy = &analyze.Advice{
		Summary: say("update the webhook that removes restartPolicy, or keep it off these pods"),
		Steps: []analyze.Text{
			say("find it: create a test pod with a native sidecar with kubectl apply --dry-run=server -o yaml, and exclude one webhook after the other by a label"),
			say("update it to a build on Kubernetes libraries that have the field, or exclude these pods by its namespaceSelector or objectSelector"),
			say("until then place the sidecar as an ordinary container for this workload"),
			say("make the Job again")},
		Verify: []analyze.Text{say("the dry run, and the next pod, show restartPolicy Always on the init container")},
		Avoid:  []analyze.Text{say("removing the probes so that the pod is accepted: init then waits for the proxy for ever")},
	}
	return c
}

// changesPods finds the webhook of a configuration that is asked when pods are created.
func changesPods(w *kube.WebhookConfiguration) (int, bool) { return webhookOn(w, "CREATE") }

// webhookOn finds the webhook of a configuration that is asked about an operation on pods.
func webhookOn(w *kube.WebhookConfiguration, operation string) (int, bool) {
	for i, h := range w.Webhooks {
		for _, r := range h.Rules {
			asked := contains(r.Operations, operation) || contains(r.Operations, "*")
			if asked && (contains(r.Resources, "pods") || contains(r.Resources, "*") || contains(r.Resources, "*/*")) {
				return i, true
			}
		}
	}
	return 0, false
}

func isIstioInjector(w *kube.WebhookConfiguration) bool {
	for _, h := range w.Webhooks {
		if strings.HasSuffix(h.Name, "sidecar-injector.istio.io") {
			return true
		}
	}
	return false
}

func webhookNames(w *kube.WebhookConfiguration) []string {
	out := []string{w.Meta.Name}
	for _, h := range w.Webhooks {
		out = append(out, h.Name)
		if s := h.ClientConfig.Service; s != nil {
			out = append(out, s.Name)
		}
	}
	return out
}
