package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// templateNeverNative: only the sidecar template has a native form. Not each of the others keeps a pod running: one adds no
// proxy, and some are not for pods at all.
func templateNeverNative() *analyze.Rule {
	return &analyze.Rule{Code: "TemplateNeverNative", Title: "The pod asks for a template whose proxy is never native",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar, PodCreationRejected},
		Run: runTemplateNeverNative}
}

func runTemplateNeverNative(p *analyze.Pass) analyze.Outcome {
	if !istioJob(p) {
		return analyze.Skip()
	}
	t, ok := decidingTemplate(p.Workload)
	if !ok {
		return analyze.Skip()
	}
	v, set := t.meta.Annotations.Lookup(facts.TemplatesAnnotation)
	at := t.annotation(facts.TemplatesAnnotation)
	switch {
	case !set:
		return analyze.RuleOut(say("the pod template asked for no injection template"))
	case p.Next.Reason == knowledge.ReasonTemplateNever:
		return analyze.Fire(say("the pod template asked for the injection template %s, whose istio-proxy is an ordinary container in every release: no setting of istiod, no annotation and no upgrade of nodes makes it native", v), at).
			From(p.Next.Basis).As(weight(p)).With(otherTemplate(p, v))
	case p.Next.Reason == knowledge.ReasonTemplateNotForPods:
		failed, _ := cannotRender(p.Workload)
		return analyze.Fire(say("the pod template asked for the injection template %s, which is for istiod's gateway controller and cannot be rendered for a pod: every pod that asks for it is refused", v), at, failed).
			From(p.Next.Basis).As(weight(p)).With(&analyze.Advice{Summary: say("remove the annotation %s from the pod template, and the sidecar template is used", facts.TemplatesAnnotation),
			Verify: []analyze.Text{say("the Job has a pod, and no new event FailedCreate")},
			Avoid:  []analyze.Text{say("settings of native sidecars, on istiod or on the pod: no pod gets as far as that")}})
	case p.Next.Reason == knowledge.ReasonTemplateNoProxy:
		return analyze.RuleOut(say("the injection template %s adds no proxy, and nothing else that keeps a pod running", v), at)
	case p.Next.Reason == knowledge.ReasonUnknownTemplate:
		return analyze.Undecide(say("the pod template asked for the injection template %s; whether a proxy comes of it that can be native is not known", v), injectorMissing(p.Next))
	}
	return analyze.RuleOut(say("the injection template %s can be native", v), at)
}

// otherTemplate says what to do about a template that is never native. An application that speaks gRPC by itself has
// nothing to speak through under the sidecar template: it has to end the agent.
func otherTemplate(p *analyze.Pass, asked string) *analyze.Advice {
	a := &analyze.Advice{Avoid: []analyze.Text{say("setting %s: this template does not read it", facts.NativeAnnotation)}}
	change := say("remove the annotation %s from the pod template: the sidecar template is used then, whose proxy can be native", facts.TemplatesAnnotation)
	templates, _ := p.Know.Templates(asked)
	if slices.ContainsFunc(templates, func(t knowledge.InjectionTemplate) bool { return t.Proxyless }) {
		a.Summary = say("let the application end istio-proxy when its work is done: the template %s is for applications that speak gRPC to the mesh themselves, which the sidecar template does not serve", asked)
		change = say("only if the application does not use proxyless gRPC (no target xds:///, GRPC_XDS_BOOTSTRAP not read): %s", change)
	} else {
		a.Summary = say("use the sidecar template for this Job, or end the proxy from the application when its work is done")
	}
	a.Steps = append(withoutNative(p), change, say("existing pods never change: the next run gets it, and a run made for that runs the program again"))
	return a
}
