package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// nativeOptOut: the pod template itself asks for an ordinary proxy, and this Istio reads it.
func nativeOptOut() *analyze.Rule {
	return &analyze.Rule{Code: "NativeOptOut", Title: "The pod template opts out of native sidecars",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runNativeOptOut}
}

func runNativeOptOut(p *analyze.Pass) analyze.Outcome {
	if !istioJob(p) {
		return analyze.Skip()
	}
	v, at, ok := nativeAnnotation(p.Cluster, p.Workload)
	switch {
	case !ok:
		return analyze.RuleOut(say("the pod template did not set %s", facts.NativeAnnotation))
	case facts.Redacted(v):
		return annotationRedacted(p, at)
	case v != "false":
		return analyze.RuleOut(say("%s was %q and not \"false\"", facts.NativeAnnotation, v), at)
	}
	in := inputsOfInjection(p)
	reading, known := p.Know.ReadAnnotation(in)
	switch reason := p.Know.Decide(in).Reason; {
	case !known:
		return analyze.Undecide(say("the pod template set %s to \"false\"; whether %s reads it depends on its release", facts.NativeAnnotation, planeText(p.Next)), planeMissing(p.Next))
	case reading.Outcome == "not-read":
		return analyze.RuleOut(say("%s does not read the annotation", planeText(p.Next)), at)
	case reason != knowledge.ReasonAnnotationFalse:
		return analyze.RuleOut(say("the annotation was not what decided: %s", reasonWords(reason)), at)
	}
	a := optOutAdvice(p, in)
	return analyze.Fire(say("the pod template set %s to \"false\", which makes the proxy an ordinary container whatever istiod is set to", facts.NativeAnnotation), at).
		From(p.Next.Basis).As(weight(p)).With(a)
}

func optOutAdvice(p *analyze.Pass, in knowledge.Inputs) *analyze.Advice {
	in.Annotation, in.JobTemplateAnnotation = knowledge.Unset("what if"), knowledge.Unset("what if")
	path, owner := annotationPath(p)
	a := &analyze.Advice{
		Summary: say("remove it from %s of %s, or set it to \"true\" where every node can run native sidecars", path, owner),
		Steps:   []analyze.Text{say("ask why it was set: somebody opted out on purpose")},
		Avoid:   []analyze.Text{say("changing istiod or the nodes for the sake of this Job: the annotation decides before both are asked")},
	}
	if d := p.Know.Decide(in); d.Emitted != knowledge.Unknown {
		a.Steps = append(a.Steps, say("without the annotation the next pod gets %s: %s", placedAs(d.Emitted), reasonWords(d.Reason)))
	}
	if p.Next.Reason == knowledge.ReasonInManifest {
		a.Steps = append(a.Steps, say("change the manifest as it was before istioctl kube-inject, and inject that: the stored one holds the proxy already"))
	}
	a.Steps = append(a.Steps, say("existing pods never change: the next run gets it, and a run made for that runs the program again"))
	return a
}

// inputsOfInjection gives the inputs of the next injection, or, for a manifest that holds the proxy already, those of the
// injection that wrote it, by the release of the proxy's image.
func inputsOfInjection(p *analyze.Pass) knowledge.Inputs {
	in := Inputs(p.Cluster, p.Know, p.Workload, p.Next)
	if own, ok := proxyInTemplate(p.Workload); ok && in.InManifest != "" && own.recorded {
		in.Istio, in.TemplateEra, in.InManifest = version.FromImage(own.image), "", ""
	}
	return in
}

// annotationTooEarly: an istiod that does not know the annotation yet ignores it silently, and so does a newer one that
// still has the template of such a release.
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
	if facts.Redacted(v) {
		return annotationRedacted(p, at)
	}
	in := Inputs(p.Cluster, p.Know, p.Workload, p.Next)
	reading, known := p.Know.ReadAnnotation(in)
	if !known {
		return analyze.Undecide(say("%s was set to %q; whether it is read depends on the release of %s", facts.NativeAnnotation, v, planeText(p.Next)),
			planeMissing(p.Next))
	}
	who, from := readerOf(p)
	if reading.Outcome != "not-read" {
		return analyze.RuleOut(say("%s reads the annotation", who), append(from, at)...)
	}
	_, basis := p.Know.Has("istio-reads-annotation", in.Istio)
	o := analyze.Fire(say("%s was set to %q, and %s does not read it: the annotation came with a later release", facts.NativeAnnotation, v, who),
		append([]ev{at}, from...)...).From(p.Next.Basis, basis).With(nativeAdvice(p))
	if reading.Meant == "false" && p.Next.Emitted == knowledge.Ordinary {
		return o.As(analyze.Info) // unread, and the proxy is what was asked for
	}
	return o.As(weight(p))
}

// readerOf names what decides whether the annotation is read: the injector's template where the bundle has it, else the
// release of istiod, else the release that the proxy at hand tells of.
func readerOf(p *analyze.Pass) (analyze.Text, []ev) {
	if cp := p.Next.Plane; cp != nil {
		if t := cp.Template; t != nil && t.Readable {
			return say("the sidecar template of %s", planeText(p.Next)), append([]ev{templateEvidence(t)}, cp.Version.From...)
		}
		if cp.Version.Known {
			return planeText(p.Next), append([]ev{}, cp.Version.From...)
		}
	}
	if im, ok := imprintOf(p.Know, p.Workload); ok {
		return say("the istiod that injects here (%s)", im.text()), append([]ev{}, im.from...)
	}
	return planeText(p.Next), nil
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
	if facts.Redacted(v) {
		return annotationRedacted(p, at)
	}
	if v == "true" || v == "false" {
		return analyze.RuleOut(say("%s was exactly %q", facts.NativeAnnotation, v), at)
	}
	in := Inputs(p.Cluster, p.Know, p.Workload, p.Next)
	r, known := p.Know.ReadAnnotation(in)
	if !known {
		return analyze.Undecide(say("%s was %q, which releases of Istio read differently; that of %s decides", facts.NativeAnnotation, v, planeText(p.Next)),
			planeMissing(p.Next))
	}
	who, from := readerOf(p)
	if r.Outcome == "not-read" {
		return analyze.RuleOut(say("%s does not read the annotation at all", who), append(from, at)...)
	}
	path, owner := annotationPath(p)
	a := &analyze.Advice{
		Summary: say("write exactly \"true\" or \"false\", in quotes and lower case, at %s of %s", path, owner),
		Steps:   []analyze.Text{say("existing pods never change: the next run gets it, and a run made for that runs the program again")},
	}
	if r.Outcome == "ignored" {
		return analyze.Fire(say("%s was empty, and %s ignores it: the placement is decided as without it (%s)", facts.NativeAnnotation, who, reasonWords(p.Next.Reason)), append([]ev{at}, from...)...).
			As(analyze.Info).From(p.Next.Basis).With(a)
	}
	o := analyze.Fire(say("%s was %q, which is neither \"true\" nor \"false\": %s takes it as the wish for %s", facts.NativeAnnotation, v, who, placedAs(r.Outcome)),
		append([]ev{at}, from...)...).From(p.Next.Basis).With(a)
	return o.As(valueWeight(p, in, r))
}

// valueWeight: an error where the value keeps a proxy ordinary that would be native with the right spelling or without
// the annotation, a warning where it does the opposite of what was meant, otherwise worth knowing.
func valueWeight(p *analyze.Pass, in knowledge.Inputs, r knowledge.Reading) analyze.Severity {
	without := in
	without.Annotation, without.JobTemplateAnnotation = knowledge.Unset("what if"), knowledge.Unset("what if")
	switch {
	case p.Next.Placement == knowledge.Broken:
		return weight(p)
	case r.Outcome == knowledge.Ordinary && (r.Meant == "true" || p.Know.Decide(without).Emitted == knowledge.Native && r.Meant != "false"):
		return weight(p)
	case r.Outcome == knowledge.Native && r.Meant == "false":
		return analyze.Warning
	}
	return analyze.Info
}
