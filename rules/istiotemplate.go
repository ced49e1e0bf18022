package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// injectorTemplateOlder: the template lives in a ConfigMap of the chart and can be older than istiod, or newer.
func injectorTemplateOlder() *analyze.Rule {
	return &analyze.Rule{Code: "InjectorTemplateOlder", Title: "The injector's template is not of istiod's release, or customised",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar, PodCreationRejected},
		Run: eachPlane(runInjectorTemplateOlder)}
}

func runInjectorTemplateOlder(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if n.Plane == nil {
		return analyze.Skip()
	}
	t := n.Plane.Template
	if failed, ok := cannotRender(p.Workload); ok && n.Reason == knowledge.ReasonTemplateError {
		return renderFails(p, failed)
	}
	if t == nil || !t.Readable {
		return templateUnseen(p)
	}
	point, ok, basis := p.Know.Istio(n.Plane.Version.V)
	era := p.Know.DetectEra(t.Text)
	where := templateEvidence(t)
	switch {
	case era == customEra:
		return analyze.Fire(say("the injector's sidecar template was rewritten: it had none of the forms that Istio ships, and what %s is set to may have no effect in it", planeText(n)), where).
			On(planeRef(n)).As(analyze.Warning).From(n.Basis).
			With(&analyze.Advice{Summary: say("compare the template with the one that the chart of this release ships"),
				Steps: []analyze.Text{say("look for a copy under the Helm value sidecarInjectorWebhook.templates.sidecar: it replaces the shipped template and stays through upgrades")}})
	case !ok:
		return analyze.RuleOut(say("the template had a form that Istio ships; the release of %s, to compare it with, is not known", planeText(n)), where).On(planeRef(n))
	case era == point.Era:
		return analyze.RuleOut(say("the template had the form that %s ships", planeText(n)), where).On(planeRef(n))
	}
	in := Inputs(p.Cluster, p.Know, p.Workload, n)
	in.TemplateEra, in.TemplateWhere = "", ""
	return templateMismatch(p, p.Know.Decide(in)).From(n.Basis, basis)
}

// renderFails: istiod itself says that it cannot render the template, whatever that is.
func renderFails(p *analyze.Pass, failed ev) analyze.Outcome {
	n := p.Next
	return analyze.Fire(say("%s could not render its sidecar template: the ConfigMap istio-sidecar-injector is of another release than istiod, most often a newer one, and every pod that is to be injected is refused", planeText(n)),
		append([]ev{failed}, n.Plane.Version.From...)...).On(planeRef(n)).From(n.Basis).With(&analyze.Advice{
		Summary: say("bring the injector's ConfigMap and istiod to the same release: upgrade istiod, or put its own template back"),
		Steps:   []analyze.Text{say("a copy of the template under the Helm value sidecarInjectorWebhook.templates.sidecar replaces the shipped one and stays through upgrades and rollbacks")},
		Verify:  []analyze.Text{say("the Job has a pod, and no new event FailedCreate")},
		Avoid:   []analyze.Text{say("settings of native sidecars, on istiod or on the pod: no pod gets as far as that")}})
}

// customEra is what DetectEra gives for a template of no known form.
const customEra = "custom"

// templateMismatch compares what comes of the template that is there with what would come of the shipped one.
func templateMismatch(p *analyze.Pass, shipped knowledge.Decision) analyze.Outcome {
	n := p.Next
	because := append([]ev{templateEvidence(n.Plane.Template)}, n.Plane.Version.From...)
	advice := &analyze.Advice{
		Summary: say("bring the injector's ConfigMap and istiod to the same release: upgrade the chart with istiod, or drop the custom copy of the template (Helm value sidecarInjectorWebhook.templates.sidecar)"),
		Verify:  []analyze.Text{say("the sidecar template in the ConfigMap %s is the one of istiod's release", n.Plane.Template.ConfigMap.Meta.Name)},
		Avoid:   []analyze.Text{say("looking for the cause among nodes and settings of istiod: the template does not ask them as this release would")},
	}
	if n.Emitted == knowledge.Refused {
		return analyze.Fire(say("the injector's template was newer than %s, which cannot render it: its webhook fails and the pod is refused", planeText(n)), because...).
			On(planeRef(n)).With(advice)
	}
	if n.Reason == knowledge.ReasonUnknownTemplate {
		return analyze.Fire(say("the injector's template was newer than %s; what comes of it is not known", planeText(n)), because...).
			On(planeRef(n)).As(analyze.Warning).With(advice)
	}
	o := analyze.Fire(say("the injector's template was older than %s, and the rules of the template hold: the next pod gets %s, with the template of this release it would get %s",
		planeText(n), placedAs(n.Emitted), placedAs(shipped.Emitted)), because...).On(planeRef(n)).With(advice)
	if n.Emitted == shipped.Emitted {
		o.Message = say("the injector's template was older than %s, and the rules of the template hold; the placement is the same here", planeText(n))
		return o.As(analyze.Info)
	}
	return o.As(causeWeight(p))
}

// templateUnseen is worth a word only where the decision, which takes the shipped template to be in force, contradicts a
// pod that this istiod made.
func templateUnseen(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	pod, present := madeByPresent(p)
	if pod == nil || !present || n.Emitted != knowledge.Native || n.Reason == knowledge.ReasonInManifest {
		return analyze.Skip()
	}
	if _, own := pod.Meta.Annotations.Lookup(facts.NativeAnnotation); n.Reason == knowledge.ReasonAnnotationTrue && !own {
		return analyze.Skip() // AnnotationTooLate speaks of that
	}
	o := analyze.Undecide(say("with the template that it ships %s would have placed the proxy natively (%s), and pod %s got an ordinary one; the injector's template is not in the bundle",
		planeText(n), reasonWords(n.Reason), pod.Meta.Name), injectorMissing(n)).On(planeRef(n)).From(n.Basis)
	return o
}

func injectorMissing(n *analyze.NextDecision) analyze.Missing {
	ns := "istio-system"
	if n.Plane != nil && n.Plane.Namespace != "" {
		ns = n.Plane.Namespace
	}
	return analyze.Missing{What: say("the ConfigMap istio-sidecar-injector of revision %s", orDefault(n.Revision)),
		Command: command("kubectl get configmap -n %s -l istio.io/rev=%s -o yaml", ns, orDefault(n.Revision))}
}

// templateEvidence shows the line of the template that tells its era.
func templateEvidence(t *facts.InjectorTemplate) ev {
	const longest = 160
	for _, mark := range []string{"nativeSidecar", facts.NativeEnv} {
		for _, line := range strings.Split(t.Text, "\n") {
			if line = strings.TrimSpace(line); strings.Contains(line, mark) {
				return t.ConfigMap.Ev("data[config]", strings.ToValidUTF8(line[:min(len(line), longest)], ""))
			}
		}
	}
	return t.ConfigMap.Ev("data[config]", "neither "+facts.NativeEnv+" nor "+facts.NativeAnnotation)
}
