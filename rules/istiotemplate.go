package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// injectorTemplateOlder: the template lives in a ConfigMap of the chart and can be older than istiod.
func injectorTemplateOlder() *analyze.Rule {
	return &analyze.Rule{Code: "InjectorTemplateOlder", Title: "The injector's template is older than istiod, or customised",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar, PodCreationRejected},
		Run: runInjectorTemplateOlder}
}

func runInjectorTemplateOlder(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if !istioJob(p) || n.Plane == nil {
		return analyze.Skip()
	}
	t := n.Plane.Template
	point, ok, basis := p.Know.Istio(n.Plane.Version.V)
	if t == nil || !t.Readable || !ok {
		if n.Reason == knowledge.ReasonDefaultOff || n.Reason == knowledge.ReasonEnvFalse {
			return analyze.Skip() // no template could turn on what istiod is set to leave off
		}
		return analyze.Undecide(say("the injector's template is not in the bundle; it is taken to be the one that %s ships", planeText(n)),
			analyze.Missing{What: say("the ConfigMap istio-sidecar-injector of the revision"),
				Command: "kubectl get configmap -n " + n.Plane.Namespace + " -l istio.io/rev=" + n.Plane.Revision + " -o yaml"}).On(planeRef(n))
	}
	where := t.ConfigMap.Ev("data[config]", "template")
	switch era := p.Know.DetectEra(t.Text); era {
	case point.Era:
		return analyze.RuleOut(say("the template is of the era that %s ships", planeText(n)), where).On(planeRef(n))
	case "custom":
		return analyze.Fire(say("the injector's template was rewritten: what %s decides may have no effect in it", planeText(n)), where).
			On(planeRef(n)).As(analyze.Warning).From(basis)
	default:
		return analyze.Fire(say("the injector's template is of another era than %s: the template's rules are in force, not those of the newer istiod", planeText(n)),
			append([]ev{where}, n.Plane.Version.From...)...).On(planeRef(n)).From(basis).
			With(&analyze.Advice{Summary: say("upgrade the chart together with istiod, or drop the custom copy of the template (sidecarInjectorWebhook.templates.sidecar)")})
	}
}

// templateNeverNative: only the sidecar template has a native form.
func templateNeverNative() *analyze.Rule {
	return &analyze.Rule{Code: "TemplateNeverNative", Title: "The pod asks for a template whose proxy is never native",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runTemplateNeverNative}
}

func runTemplateNeverNative(p *analyze.Pass) analyze.Outcome {
	if !istioJob(p) {
		return analyze.Skip()
	}
	for _, pl := range placesOf(p.Cluster, p.Workload) {
		v, ok := pl.meta.Annotations[facts.TemplatesAnnotation]
		if !ok || !pl.read {
			continue
		}
		if p.Next.Reason == knowledge.ReasonTemplateNever {
			return analyze.Fire(say("the pod asks for the injection template %s, whose istio-proxy is an ordinary container in every release", v),
				pl.annotation(facts.TemplatesAnnotation)).From(p.Next.Basis).As(weight(p)).
				With(&analyze.Advice{Summary: say("use the sidecar template for this Job, or end the proxy from the application: no setting makes this template native")})
		}
		return analyze.RuleOut(say("the template %s can be native", v), pl.annotation(facts.TemplatesAnnotation))
	}
	return analyze.RuleOut(say("the pod asks for no template of its own"))
}
