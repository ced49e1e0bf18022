package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// The findings of this file and of istioenv.go are readings of one decision (knowledge.Decide): each names the reason
// for which the next pod of a workload would get the proxy that it gets. They are about the control plane, so that
// many workloads of one revision give one finding.

// nativeDefaultOff: this release leaves native sidecars off, or has none, and nothing turns them on.
func nativeDefaultOff() *analyze.Rule {
	return &analyze.Rule{Code: "NativeDefaultOff", Title: "Native sidecars are off by default in this Istio",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: eachPlane(runNativeDefaultOff)}
}

func runNativeDefaultOff(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	cp := n.Plane
	if cp == nil {
		return analyze.Skip() // ControlPlaneUnknown speaks of that
	}
	because := append([]ev{}, cp.Version.From...)
	if t := cp.Template; t != nil && t.Readable && !cp.Version.Known {
		because = append(because, templateEvidence(t))
	}
	switch {
	case len(cp.Mixed) > 0 && n.Reason == knowledge.ReasonUnknownIstio:
		return analyze.Undecide(say("the releases of %s decide differently, and which of its pods injects is chance", planeText(n)), planeMissing(n)).On(planeRef(n))
	case !cp.Version.Known && len(because) == 0 && (n.Reason == knowledge.ReasonUnknownIstio || n.Reason == knowledge.ReasonDefaultOff || n.Reason == knowledge.ReasonEraNoSupport):
		return analyze.Undecide(say("whether %s leaves native sidecars off by default depends on its release, which its image does not tell", planeText(n)), releaseMissing(n)).On(planeRef(n))
	case n.Reason == knowledge.ReasonDefaultOff:
		return analyze.Fire(ofNext(p, say("%s leaves native sidecars off unless ENABLE_NATIVE_SIDECARS is set, and it was not set", planeText(n))),
			append(because, cp.Env.From...)...).On(planeRef(n)).From(n.Basis).With(nativeAdvice(p)).As(causeWeight(p))
	case n.Reason == knowledge.ReasonEraNoSupport:
		return analyze.Fire(ofNext(p, say("%s was of a release without native sidecars, which places the proxy as an ordinary container whatever is set", planeText(n))), because...).
			On(planeRef(n)).From(n.Basis).With(nativeAdvice(p)).As(causeWeight(p))
	}
	return analyze.RuleOut(say("the default of %s was not what decided: %s", planeText(n), reasonWords(n.Reason)), because...).On(planeRef(n))
}

// releaseMissing names what tells the release of an istiod that is in the bundle.
func releaseMissing(n *analyze.NextDecision) analyze.Missing {
	return analyze.Missing{What: say("the release of %s: its own answer, or the chart's labels", planeText(n)),
		Command: command("istioctl version -i %s; kubectl get deployment -n %s -l app=istiod --show-labels", n.Plane.Namespace, n.Plane.Namespace)}
}

func undecided(n *analyze.NextDecision) []analyze.Missing {
	var out []analyze.Missing
	for _, u := range n.Undecided {
		out = append(out, analyze.Missing{What: say("%s", u), Command: commandFor(n, u.String())})
	}
	if len(out) == 0 {
		out = append(out, planeMissing(n))
	}
	return out
}

// commandFor gives the command that supplies a datum of the decision.
func commandFor(n *analyze.NextDecision, datum string) string {
	switch {
	case strings.Contains(datum, "remote secrets"):
		return command("kubectl get secret -n %s -l istio/multiCluster=true", planeRef(n).Namespace)
	case strings.Contains(datum, "nodes"), strings.Contains(datum, "kubelet version"):
		return "kubectl get nodes -o yaml"
	case strings.Contains(datum, "annotations"):
		return "kubectl get job,cronjob -A -o yaml"
	case strings.Contains(datum, "API server"):
		return "kubectl version -o yaml"
	case strings.Contains(datum, "template"):
		return injectorMissing(n).Command
	}
	return planeMissing(n).Command
}

// controlPlaneUnknown: managed, external, or simply not collected.
func controlPlaneUnknown() *analyze.Rule {
	return &analyze.Rule{Code: "ControlPlaneUnknown", Title: "The control plane that injects is not in the bundle",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Run: runControlPlaneUnknown}
}

func runControlPlaneUnknown(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if !istioJob(p) {
		return analyze.Skip()
	}
	if n.Plane != nil {
		return analyze.RuleOut(say("%s is in the bundle", planeText(n)), n.Plane.Version.From...).On(planeRef(n))
	}
	if n.Reason == knowledge.ReasonInManifest {
		return analyze.RuleOut(say("the pod template holds the proxy itself: no control plane decides about it"))
	}
	k := knownOfPlane(p)
	o := analyze.Fire(k.message, k.because...).On(planeRef(n)).Lacking(planeMissing(n))
	o.Sources = append(o.Sources, k.sources...)
	if k.notVisible {
		o.Missing = []analyze.Missing{{What: say("what the operator of the control plane can tell: its release, and whether it places the proxy natively")}}
	}
	if pod, _ := ordinaryProxy(p); n.Placement != knowledge.Unknown || pod == nil || p.Verdict.Code == Completed {
		return o.As(analyze.Info) // nothing hangs on it
	}
	return o
}

// planeKnowledge is what a bundle without the control plane still tells of it.
type planeKnowledge struct {
	message    analyze.Text
	because    []ev
	sources    []string
	notVisible bool
}

func knownOfPlane(p *analyze.Pass) planeKnowledge {
	n := p.Next
	k := planeKnowledge{message: say("the control plane that injects these pods (%s) is not in the bundle", planeText(n))}
	if n.Rivals != nil {
		k.message = say("%s injects these pods, and the bundle does not tell which", planeText(n))
	}
	if pod := newest(p.Workload.Pods); pod != nil && proxyOf(pod) != nil {
		k.fromProxy(p, pod, proxyOf(pod))
	}
	if said := p.Cluster.Mesh.Answered; said.Known {
		k.because = append(k.because, said.From...)
		k.message = say("%s. istioctl version had the answer %s from istiod", k.message, said.V.Raw)
	}
	for _, in := range p.Cluster.Mesh.Injectors {
		if in.URL != "" && (in.Revision == orDefault(n.Revision) || in.Tag == orDefault(n.Revision)) {
			k.because = append(k.because, in.Config.Ev("webhooks[0].clientConfig.url", in.URL))
			k.message = say("%s. The injection webhook called a control plane outside the cluster, whose settings its operator alone can tell", k.message)
			k.notVisible = true
			break
		}
	}
	for _, cp := range n.Rivals {
		k.because = append(k.because, cp.Version.From...)
	}
	if n.Rivals == nil && len(p.Cluster.Mesh.ControlPlanes) > 0 {
		k.message = say("%s. The bundle has other istiods (%s), whose settings do not concern these pods", k.message, list(revisions(p.Cluster)))
	}
	return k
}

// fromProxy adds what an injected proxy tells. Messages name no pod, so that many workloads make one finding.
func (k *planeKnowledge) fromProxy(p *analyze.Pass, pod *facts.Pod, proxy *facts.Container) {
	namespace := ""
	if injectedBy(pod) != "" {
		k.because = append(k.because, evInjectedBy(pod))
	}
	if address, ok := servingIstiod(pod, proxy); ok {
		k.because = append(k.because, address)
		namespace = namespaceOf(address.Value)
		k.message = say("%s. The proxies were served by %s", k.message, address.Value)
	}
	product, known := p.Know.ControlPlane(namespace, p.Next.Revision, proxy.Image())
	if im, ok := imprintOfPod(p.Know, pod, proxy); ok {
		k.because = append(k.because, im.from...)
		if im.version.Known() {
			k.message = say("%s. By the tag of the proxies istiod was %s when it injected them", k.message, im.version.Raw)
		}
		left := consistent(p.Know, thenOf(pod, im), placementOf(proxy))
		if upstream := !known || product.SettingVisible; upstream && len(left) > 0 {
			k.because = append(k.because, proxy.EvPlacement())
			form := say("%s, and what made the proxy %s was one of these: %s", k.message, placedAs(placementOf(proxy)), reasonsText(left))
			if len(left) == 1 {
				form = say("%s, and what made the proxy %s was this: %s", k.message, placedAs(placementOf(proxy)), reasonsText(left))
			}
			k.message = form
		}
	}
	if known {
		k.message = say("%s. The names are those of %s (%s)", k.message, product.Product, product.Note)
		k.sources, k.notVisible = product.Sources, !product.SettingVisible
	}
}

func revisions(c *facts.Cluster) []string {
	var out []string
	for _, cp := range c.Mesh.ControlPlanes {
		out = append(out, orDefault(cp.Revision)+" in namespace "+cp.Namespace)
	}
	return out
}

// servingIstiod reads the address of the control plane that serves a proxy.
func servingIstiod(pod *facts.Pod, proxy *facts.Container) (ev, bool) {
	if proxy.Spec == nil {
		return ev{}, false
	}
	s := facts.ReadEnv(&pod.Object, proxy.Spec.Env, proxy.Path(""), "CA_ADDR")
	if !s.Known || !s.Set || s.Value == "" {
		return ev{}, false
	}
	return s.From[0], true
}

// namespaceOf gives the namespace in the address of a Service, "" for another address.
func namespaceOf(address string) string {
	host, _, _ := strings.Cut(address, ":")
	parts := strings.Split(host, ".")
	if len(parts) >= 3 && parts[2] == "svc" {
		return parts[1]
	}
	return ""
}
