package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// annotationMisspelled: Istio validates no annotation name, and its own release notes printed a wrong one.
func annotationMisspelled() *analyze.Rule {
	return &analyze.Rule{Code: "AnnotationMisspelled", Title: "An annotation has a name that Istio does not read",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runAnnotationMisspelled}
}

func runAnnotationMisspelled(p *analyze.Pass) analyze.Outcome {
	if !concernsIstio(p) {
		return analyze.Skip()
	}
	places := placesAround(p)
	v, at, right := nativeAnnotation(p.Cluster, p.Workload)
	for _, pl := range places {
		for _, a := range pl.meta.Annotations {
			meant := misspelling(p, a.Key)
			if meant == "" {
				continue
			}
			if right {
				return analyze.RuleOut(say("%s was there too, with the right name and the value %q", facts.NativeAnnotation, v), at)
			}
			return renameOutcome(p, pl, a, meant)
		}
	}
	if right {
		return analyze.RuleOut(say("%s had the right name", facts.NativeAnnotation), at)
	}
	for _, pl := range places {
		if o, ok := foreignKey(p, pl); ok {
			return o
		}
	}
	return analyze.RuleOut(say("no annotation name came close to %s without being it", facts.NativeAnnotation))
}

// misspelling gives the name that was meant, empty for a name that is right as it is. Pods have the same few names.
func misspelling(p *analyze.Pass, key string) (meant string) {
	return facts.OnceFor(p.Cluster, "misspelling", key, func() string {
		meant, _ := p.Know.AnnotationMisspelling(key)
		return meant
	})
}

// renameOutcome says what the right name would do with the same value: it is an error only where that would have made
// the difference.
func renameOutcome(p *analyze.Pass, pl place, a kube.Pair, meant string) analyze.Outcome {
	key, value := a.Key, a.Value
	o := analyze.Fire(say("the annotation %s on %s is not one that Istio reads; the name that it reads is %s", key, pl.obj.Ref().String(), meant), pl.annotation(key))
	o.Sources = append(o.Sources, p.Know.MisspellingSources()...)
	in := Inputs(p.Cluster, p.Know, p.Workload, p.Next)
	in.Annotation, in.JobTemplateAnnotation = knowledge.Given(value, "what if"), knowledge.Given(value, "what if")
	in.InManifest = ""
	renamed := p.Know.Decide(in)
	path, owner := annotationPath(p)
	advice := &analyze.Advice{
		Summary: say("rename it to %s at %s of %s: the next pod then gets %s", meant, path, owner, placedAs(renamed.Emitted)),
		Steps:   []analyze.Text{say("rename the key; the value stays %q", value), say("existing pods never change: the next run gets it, and a run made for that runs the program again")},
		Avoid:   []analyze.Text{say("the name native-side, which release notes of Istio print: no release reads it")},
	}
	switch {
	case !istioJob(p) || renamed.Emitted == knowledge.Unknown:
		advice.Summary = say("rename it to %s at %s of %s; what it does there depends on the release of istiod", meant, path, owner)
	case renamed.Emitted == p.Next.Emitted:
		advice.Aside = true
		advice.Summary = say("rename it, though by itself that would change nothing here: %s", reasonWords(renamed.Reason))
		return o.With(advice).As(idle(p)).From(renamed.Basis)
	case renamed.Placement == knowledge.Broken:
		advice.Avoid = append(advice.Avoid, say("renaming it before the cluster can run it: %s", brokenWords(p.Know, renamed.Broken)))
		return o.With(advice).As(analyze.Warning).From(renamed.Basis)
	}
	return o.With(advice).As(weight(p)).From(renamed.Basis)
}

// idle is the severity of a setting that is not read and would make no difference if it were.
func idle(p *analyze.Pass) analyze.Severity {
	if p.Next.Emitted == knowledge.Native {
		return analyze.Info
	}
	return analyze.Warning
}

// foreignKey finds another mesh's annotation of the same purpose. Where that mesh's own proxy is in the pod it is right.
func foreignKey(p *analyze.Pass, pl place) (analyze.Outcome, bool) {
	if pl.obj.Kind == "Namespace" {
		return analyze.Outcome{}, false // a namespace may serve several meshes
	}
	for _, a := range pl.meta.Annotations {
		key := a.Key
		product, ok := p.Know.ForeignAnnotation(key)
		if !ok || hasProxyOf(p.Workload, product) {
			continue
		}
		path, owner := annotationPath(p)
		return analyze.Fire(say("the annotation %s on %s is one of %s; the proxy of this pod was Istio's, which does not read it", key, pl.obj.Ref().String(), product), pl.annotation(key)).
			As(analyze.Warning).With(&analyze.Advice{
			Summary: say("for Istio's proxy the annotation is %s at %s of %s", facts.NativeAnnotation, path, owner),
			Steps:   []analyze.Text{say("existing pods never change: the next run gets it, and a run made for that runs the program again")},
		}), true
	}
	return analyze.Outcome{}, false
}

// hasProxyOf says that a pod of the workload has a helper of a product.
func hasProxyOf(w *facts.Workload, product string) bool {
	for _, pod := range w.Pods {
		for _, c := range pod.Containers {
			if c.Helper != nil && !c.Helper.Conflict && strings.HasPrefix(c.Helper.Product, product) {
				return true
			}
		}
	}
	return false
}
