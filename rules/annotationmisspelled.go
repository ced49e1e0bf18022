package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// annotationMisspelled: Istio validates no annotation name, and its own release notes printed a wrong one.
func annotationMisspelled() *analyze.Rule {
	return &analyze.Rule{Code: "AnnotationMisspelled", Title: "An annotation has a name that Istio does not read",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runAnnotationMisspelled}
}

func runAnnotationMisspelled(p *analyze.Pass) analyze.Outcome {
	if !istioJob(p) {
		return analyze.Skip()
	}
	for _, pl := range placesOf(p.Cluster, p.Workload) {
		for _, key := range keysOf(pl.meta.Annotations) {
			meant, ok := p.Know.AnnotationMisspelling(key)
			if !ok || key == facts.NativeAnnotation {
				continue
			}
			if v, at, has := nativeAnnotation(p.Cluster, p.Workload); has {
				return analyze.RuleOut(say("%s is there too, with the right name and value %q", facts.NativeAnnotation, v), at)
			}
			path := "metadata.annotations"
			if where, ok := p.Know.TemplatePlace(ownerGroup(p.Workload), ownerKind(p.Workload)); ok {
				path = where.Path
			}
			return analyze.Fire(say("the annotation %s is not one that Istio reads; the name it reads is %s", key, meant), pl.annotation(key)).
				With(&analyze.Advice{
					Summary: say("rename it to %s at %s of the %s", meant, path, ownerKind(p.Workload)),
					Steps:   []analyze.Text{say("rename the key; the value stays %q", pl.meta.Annotations[key]), say("start a new run: existing pods never change")},
				})
		}
	}
	return analyze.RuleOut(say("no annotation name comes close to %s without being it", facts.NativeAnnotation))
}
