package rules

import (
	"regexp"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// What refuses a pod says why, and what helps follows from that. The words are those of the API server, of its admission
// plugins, and of Istio's webhook.

// unrendered is what Istio's webhook says of a sidecar template that its istiod cannot render.
var unrendered = regexp.MustCompile(`failed to run injection template|template: \w+:\d+:\d+: executing|template: \w+:\d+: function "[^"]*" not defined`)

// templateAbsent is what it says of a template that a pod asks for and the injector does not have.
var templateAbsent = regexp.MustCompile(`requested template "[^"]*" not found`)

const istioInjector = "sidecar-injector.istio.io"

// rendersNot says that the words are those of an istiod that cannot render its own sidecar template.
func rendersNot(text string) bool {
	return strings.Contains(text, istioInjector) && unrendered.MatchString(text) && !templateAbsent.MatchString(text)
}

// webhookService is the address of the Service that a webhook is called at.
var webhookService = regexp.MustCompile(`https://([a-z0-9.-]+?)\.([a-z0-9-]+)\.svc[:/]`)

// manifestRefused: the API server read the manifest itself, and stored nothing.
func (l *looker) manifestRefused(text string) *analyze.Advice {
	trial := do(say("a trial, which stores nothing"), "kubectl apply --dry-run=server -f FILE")
	switch {
	case strings.Contains(text, "unknown field") && strings.Contains(text, ".restartPolicy") && strings.Contains(text, "initContainers["):
		a := l.advice(say("keep restartPolicy in the manifest: this API server does not know the field, so it takes a newer one, with nodes to match, or a sidecar that ends by itself"),
			do(say("Kubernetes %s and newer know it, API server and kubelets alike (%s with the gate SidecarContainers switched on)", featureSince(l.p.Know, "apiserver-sidecars-by-default"), featureSince(l.p.Know, knowsField))),
			do(say("until then keep the sidecar under containers, and let the application end it as its last step")), trial)
		a.Avoid = []analyze.Text{say("taking restartPolicy out and nothing else: the container is then an ordinary init container that never ends, and the Job hangs in Init")}
		return a
	case strings.Contains(text, refusedInInit):
		a := l.advice(say("find out where restartPolicy Always of the init container was lost, or write it there: without it the API server allows no probes and no hooks"), trial)
		a.Avoid = []analyze.Text{say("taking the probes or hooks out and nothing else: a container that goes on running is then waited for in Init, and the Job hangs")}
		return a
	case strings.Contains(text, "may not be set for non-init containers"), strings.Contains(text, "unknown field") && strings.Contains(text, ".containers[") && strings.Contains(text, ".restartPolicy"):
		a := l.advice(say("move the container that is to be a sidecar to initContainers, with its restartPolicy Always, and apply the manifest again"), trial)
		a.Avoid = []analyze.Text{say("taking restartPolicy out and nothing else: the container is then an ordinary one, and holds the Job open as long as it runs")}
		return a
	}
	return l.advice(say("mend the manifest as the message asks, and apply it again"), trial)
}

// refusedWay is what helps against one kind of refusal.
type refusedWay struct {
	summary analyze.Text // zero for the general one
	acts    []act
	avoid   []analyze.Text
	// template says that the pod template may be what has to change.
	template bool
}

// wayOf reads a refusal. What it does not know it leaves to the words themselves.
func (l *looker) wayOf(text string) refusedWay {
	ns := l.w.Ref.Namespace
	switch {
	case strings.Contains(text, istioInjector) && templateAbsent.MatchString(text):
		return refusedWay{summary: say("ask for an injection template that istiod has: the one asked for, by the annotation %s of the pod template or by defaultTemplates of the injector, is not in its ConfigMap istio-sidecar-injector", facts.TemplatesAnnotation), template: true}
	case rendersNot(text) && l.p.Next != nil && l.p.Next.Reason == knowledge.ReasonTemplateNotForPods:
		return refusedWay{summary: say("remove the annotation %s from the pod template, and the sidecar template is used", facts.TemplatesAnnotation), template: true}
	case rendersNot(text):
		return refusedWay{summary: say("bring istiod and its sidecar template to one release: istiod cannot render the template that it was given, and refuses every pod that it is to inject"),
			acts:  []act{l.templateSource(), do(say("upgrade istiod to the release of the template, or put the template of istiod's own release back"))},
			avoid: []analyze.Text{say("settings of native sidecars, on istiod or on the pod: no pod gets as far as that")}}
	case strings.Contains(text, "failed quota") && strings.Contains(text, "must specify"):
		return l.wantsLimits(text)
	case strings.Contains(text, "exceeded quota") || strings.Contains(text, "failed quota"):
		return refusedWay{acts: []act{do(say("see what the quotas of the namespace leave"), command("kubectl describe resourcequota -n %s", ns))}, template: true}
	case strings.Contains(text, "failed calling webhook"):
		return l.unreached(text)
	case strings.Contains(text, "NET_ADMIN") && l.meshAsks(text), strings.Contains(text, "istio-init"):
		return l.privileged()
	case strings.Contains(text, "webhook"):
		return refusedWay{acts: []act{do(say("see which webhooks are asked when a pod is made"), "kubectl get mutatingwebhookconfiguration,validatingwebhookconfiguration")}, template: true}
	case strings.Contains(text, "PodSecurity"):
		return refusedWay{acts: []act{do(say("see which Pod Security standard the namespace enforces"), command("kubectl get namespace %s --show-labels", ns))}, template: true}
	case strings.Contains(text, "per Container is"), strings.Contains(text, "per Pod is"):
		return refusedWay{acts: []act{do(say("see what the LimitRange of the namespace allows, injected containers included"), command("kubectl describe limitrange -n %s", ns))}, template: true}
	}
	return refusedWay{template: true}
}

// meshAsks says that the capability is asked for by what Istio adds to the pod.
func (l *looker) meshAsks(text string) bool {
	return strings.Contains(text, "istio-init") || l.p.Next != nil && l.p.Next.Applies
}

func (l *looker) privileged() refusedWay {
	path, owner := annotationPath(l.p)
	return refusedWay{template: true, summary: say("let the mesh do without a privileged init container, or the namespace allow it: istio-init sets up the redirection of traffic, and asks for NET_ADMIN and NET_RAW"),
		acts: []act{
			do(say("best with the Istio CNI plugin, which does that on the node: pods then need no such init container")),
			do(say("or a standard of the namespace that allows it; see which it enforces"), command("kubectl get namespace %s --show-labels", l.w.Ref.Namespace)),
			do(inTemplate(l.p, say("or, where %s needs neither mTLS nor mesh policy, keep the proxy out of its pods: %s: \"false\" at %s of %s", runWords(l.w), facts.InjectAnnotation, path, owner)))}}
}

// wantsLimits: a quota on limits or requests refuses each container without them, and the injected ones have what the mesh
// gives them.
func (l *looker) wantsLimits(text string) refusedWay {
	ns := l.w.Ref.Namespace
	limitRange := do(say("or a LimitRange with defaults in the namespace, which fills them in for every container; see what is there"), command("kubectl describe limitrange,resourcequota -n %s", ns))
	if !strings.Contains(text, "istio-") {
		return refusedWay{summary: say("give the containers that the message names the limits or requests that it names: the quota counts none without them, and is not used up"),
			acts: []act{do(say("in the pod template, or where the container is injected from")), limitRange}, template: true}
	}
	var keys []string
	for _, k := range []struct{ word, key string }{{"limits.cpu", "proxyCPULimit"}, {"limits.memory", "proxyMemoryLimit"}, {"requests.cpu", "proxyCPU"}, {"requests.memory", "proxyMemory"}} {
		if strings.Contains(text, k.word) {
			keys = append(keys, "sidecar.istio.io/"+k.key)
		}
	}
	path, owner := annotationPath(l.p)
	return refusedWay{summary: say("give the injected containers the limits or requests that the message names: the quota counts none without them, and is not used up"),
		template: true,
		acts: []act{do(say("set %s at %s of %s: as soon as one of Istio's four annotations for the proxy's resources is set there, its template takes these alone and none of the mesh's defaults, so set all that the quota asks for", list(keys), path, owner)),
			do(say("or set them for the whole mesh, in the defaults of the proxy (global.proxy.resources of Istio's installation)")), limitRange}}
}

// unreached: the API server could not speak to a webhook that has to answer.
func (l *looker) unreached(text string) refusedWay {
	service, ns := "", ""
	if m := webhookService.FindStringSubmatch(text); m != nil {
		service, ns = m[1], m[2]
	}
	way := refusedWay{summary: say("have the webhook answer: the API server asked it and got no answer, so no pod is made"),
		avoid: []analyze.Text{say("switching the webhook off, or its failurePolicy to Ignore: pods are then made without what it adds or checks")}}
	which := do(say("see which webhooks are asked when a pod is made"), "kubectl get mutatingwebhookconfiguration,validatingwebhookconfiguration")
	switch {
	case strings.Contains(text, istioInjector):
		if ns == "" {
			ns = "istio-system"
		}
		way.summary = say("have istiod answer: the API server asked its webhook and got no answer, so no pod is made")
		way.acts = []act{do(say("see whether istiod is ready, and its Service has it behind it"), command("kubectl get deployment,pod,endpoints -n %s", ns)),
			do(say("see whether the API server reaches it: port 443 of the Service leads to port 15017 of istiod, which a firewall between control plane and nodes, a proxy setting of the API server or a network policy can shut"),
				command("kubectl get service,networkpolicy -n %s", ns)),
			which}
	case service != "":
		way.acts = []act{do(say("see whether Service %s has ready pods behind it, and whether the API server reaches them through firewalls and network policies", service), command("kubectl get service,endpoints,pod,networkpolicy -n %s", ns)), which}
	default:
		way.acts = []act{which, do(say("see whether what it names runs, and whether the API server reaches it"))}
	}
	return way
}

// templateSource shows the template and the release of istiod.
func (l *looker) templateSource() act {
	ns := "istio-system"
	if l.p.Next != nil && l.p.Next.Plane != nil && l.p.Next.Plane.Namespace != "" {
		ns = l.p.Next.Plane.Namespace
	}
	return do(say("compare the release of istiod with that of the chart which wrote its ConfigMap istio-sidecar-injector, and look for a copy of the template in the values (sidecarInjectorWebhook.templates.sidecar)"),
		command("kubectl get deployment -n %s -l app=istiod -o wide", ns), command("kubectl get configmap -n %s -l app=sidecar-injector -o yaml", ns), command("kubectl get configmap istio-sidecar-injector -n %s -o yaml", ns))
}

// cannotRender gives the last word on a workload's pods where that is istiod's about its template.
func cannotRender(w *facts.Workload) (evidence.Evidence, bool) {
	var last *kube.Event
	for _, e := range w.Events {
		switch {
		case e.Reason == "FailedCreate":
			last = e
		case e.Reason == "SuccessfulCreate" && last != nil && !last.Last().After(e.Last().Time):
			last = nil
		}
	}
	if last == nil || !rendersNot(last.Text()) || len(w.Pods) > 0 && !last.Last().After(newest(w.Pods).Meta.Created.Time) {
		return evidence.Evidence{}, false
	}
	return evEvent(last), true
}
