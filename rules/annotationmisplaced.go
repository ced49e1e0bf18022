package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// annotationMisplaced: the injector sees pods, so a key on the CronJob, the Job, jobTemplate.metadata or the namespace
// does nothing, and neither does the native-sidecar key as a label.
func annotationMisplaced() *analyze.Rule {
	return &analyze.Rule{Code: "AnnotationMisplaced", Title: "An injection annotation stands where nothing reads it",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runAnnotationMisplaced}
}

func runAnnotationMisplaced(p *analyze.Pass) analyze.Outcome {
	places := placesOf(p.Cluster, p.Workload)
	for _, key := range []string{facts.NativeAnnotation, facts.InjectAnnotation} {
		wrong, right := misplaced(places, key)
		if len(wrong) == 0 {
			continue
		}
		if len(right) > 0 {
			return analyze.RuleOut(say("%s also stands where it is read", key), right...)
		}
		if key == facts.InjectAnnotation && !injectedAnyway(p.Workload) {
			continue
		}
		o := analyze.Fire(say("%s stands on %s, where the injector does not look: it reads the pod, that is the pod template's metadata",
			key, list(objectsOf(wrong))), wrong...)
		if where, ok := p.Know.TemplatePlace(ownerGroup(p.Workload), ownerKind(p.Workload)); ok {
			o = o.With(&analyze.Advice{
				Summary: say("move it to %s of the %s", where.Path, ownerKind(p.Workload)),
				Steps: []analyze.Text{say("set %s at %s", key, where.Path),
					say("start a new run: existing pods and Jobs never change")},
				Avoid: []analyze.Text{say("metadata of the %s itself, or one level above the pod template: neither is read", ownerKind(p.Workload))},
			})
		}
		return o
	}
	return analyze.RuleOut(say("no injection annotation stands in a place that is not read"))
}

// misplaced gives the places of a key that are not read and those that are. The native-sidecar key counts as a label
// nowhere; the inject key is read from both the labels and the annotations of the pod.
func misplaced(places []place, key string) (wrong, right []evidence.Evidence) {
	for _, pl := range places {
		_, annotated := pl.meta.Annotations[key]
		_, labelled := pl.meta.Labels[key]
		switch {
		case annotated && pl.read:
			right = append(right, pl.annotation(key))
		case annotated:
			wrong = append(wrong, pl.annotation(key))
		}
		switch {
		case labelled && pl.read && key == facts.InjectAnnotation:
			right = append(right, pl.label(key))
		case labelled:
			wrong = append(wrong, pl.label(key))
		}
	}
	return wrong, right
}

// injectedAnyway says that a proxy is there although somebody tried to steer injection.
func injectedAnyway(w *facts.Workload) bool {
	for _, p := range w.Pods {
		if proxyOf(p) != nil {
			return true
		}
	}
	return false
}

func objectsOf(ev []evidence.Evidence) []string {
	var out []string
	for _, e := range ev {
		s := e.Object + " " + e.Field
		if !contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// ownerKind is the kind whose pod template makes the pods: the CronJob above a Job, the engine above a bare pod.
func ownerKind(w *facts.Workload) string {
	if w.ParentKind != "" {
		return w.ParentKind
	}
	return w.Ref.Kind
}

func ownerGroup(w *facts.Workload) string {
	if w.ParentKind != "" {
		return w.ParentGroup
	}
	if w.IsJob() {
		return "batch"
	}
	return ""
}
