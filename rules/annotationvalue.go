package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// nativeOptOut: the pod template itself asks for an ordinary proxy, and this Istio reads it.
func nativeOptOut() *analyze.Rule {
	return &analyze.Rule{Code: "NativeOptOut", Title: "The pod template opts out of native sidecars",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runNativeOptOut}
}

func runNativeOptOut(p *analyze.Pass) analyze.Outcome {
	if !istioJob(p) {
		return analyze.Skip()
	}
	v, at, ok := nativeAnnotation(p.Cluster, p.Workload)
	if !ok {
		return analyze.RuleOut(say("the pod template does not set %s", facts.NativeAnnotation))
	}
	if v != "false" {
		return analyze.RuleOut(say("%s is %q and not \"false\"", facts.NativeAnnotation, v), at)
	}
	if read, _ := readsAnnotation(p); read == version.No {
		return analyze.RuleOut(say("%s does not read the annotation", planeText(p.Next)), at)
	}
	return analyze.Fire(say("the pod template sets %s to \"false\", which makes the proxy an ordinary container whatever istiod is set to", facts.NativeAnnotation), at).
		With(&analyze.Advice{Summary: say("remove the annotation, or set it to \"true\" where every node can run native sidecars"),
			Steps: []analyze.Text{say("ask why it was set: somebody opted out on purpose"), say("start a new run: existing pods never change")}})
}

// readsAnnotation says whether the deciding istiod reads the annotation, by its version.
func readsAnnotation(p *analyze.Pass) (version.Answer, analyze.Text) {
	cp := p.Next.Plane
	if cp == nil || !cp.Version.Known {
		return version.Maybe, say("the version of %s is not in the bundle", planeText(p.Next))
	}
	a, _ := p.Know.Has("istio-reads-annotation", cp.Version.V)
	return a, planeText(p.Next)
}

// annotationTooEarly: an istiod that does not know the annotation yet ignores it silently.
func annotationTooEarly() *analyze.Rule {
	return &analyze.Rule{Code: "AnnotationTooEarly", Title: "This Istio does not read the annotation yet",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runAnnotationTooEarly}
}

func runAnnotationTooEarly(p *analyze.Pass) analyze.Outcome {
	if !istioJob(p) {
		return analyze.Skip()
	}
	v, at, ok := nativeAnnotation(p.Cluster, p.Workload)
	if !ok {
		return analyze.Skip()
	}
	cp := p.Next.Plane
	if cp == nil || !cp.Version.Known {
		return analyze.Undecide(say("%s is set to %q; whether it is read depends on the version of %s", facts.NativeAnnotation, v, planeText(p.Next)),
			planeMissing(p.Next))
	}
	reads, basis := p.Know.Has("istio-reads-annotation", cp.Version.V)
	if reads != version.No {
		return analyze.RuleOut(say("%s reads it", planeText(p.Next)), append(cp.Version.From, at)...).From(basis)
	}
	return analyze.Fire(say("%s is set to %q, and %s does not read it: the annotation came with a later release", facts.NativeAnnotation, v, planeText(p.Next)),
		append([]ev{at}, cp.Version.From...)...).From(basis).With(nativeAdvice(p))
}

// annotationValueUnexpected: nothing validates the value, and what a release makes of a strange one differs by era.
func annotationValueUnexpected() *analyze.Rule {
	return &analyze.Rule{Code: "AnnotationValueUnexpected", Title: "The annotation has a value other than true or false",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runAnnotationValueUnexpected}
}

func runAnnotationValueUnexpected(p *analyze.Pass) analyze.Outcome {
	if !istioJob(p) {
		return analyze.Skip()
	}
	v, at, ok := nativeAnnotation(p.Cluster, p.Workload)
	if !ok {
		return analyze.Skip()
	}
	if v == "true" || v == "false" {
		return analyze.RuleOut(say("%s is exactly %q", facts.NativeAnnotation, v), at)
	}
	in := Inputs(p.Cluster, p.Know, p.Workload, p.Next)
	r, known := p.Know.ReadAnnotation(in)
	if !known {
		return analyze.Undecide(say("%s is %q, which releases read differently; the version of %s decides", facts.NativeAnnotation, v, planeText(p.Next)),
			planeMissing(p.Next))
	}
	if r.Outcome == "not-read" {
		return analyze.RuleOut(say("%s does not read the annotation at all", planeText(p.Next)), at)
	}
	o := analyze.Fire(say("%s is %q, which is neither \"true\" nor \"false\": %s takes it as %s", facts.NativeAnnotation, v, planeText(p.Next), r.Outcome), at)
	if !r.AsMeant {
		o = o.As(analyze.Error)
	}
	return o.With(&analyze.Advice{Summary: say("write exactly \"true\" or \"false\", in quotes and lower case")})
}
