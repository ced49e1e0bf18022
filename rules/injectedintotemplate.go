package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// injectedIntoTemplate: istioctl kube-inject writes the proxy into the manifest, so that the owner's template holds what
// a webhook would have put into the pod only. Its record is on the pod template, for a CronJob at jobTemplate.metadata.
func injectedIntoTemplate() *analyze.Rule {
	return &analyze.Rule{Code: "InjectedIntoTemplate", Title: "kube-inject baked the proxy into the template",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runInjectedIntoTemplate}
}

func runInjectedIntoTemplate(p *analyze.Pass) analyze.Outcome {
	t, ok := ownerTemplate(p.Workload)
	if !ok || p.Verdict.Code == Completed && p.Workload.CronJob == nil {
		return analyze.Skip()
	}
	c, path := t.find(istioProxy)
	if c == nil {
		return absentProxy(p, t)
	}
	if m, known := p.Know.Sidecar(c.Name, c.Image); known && m.Conflict {
		return analyze.RuleOut(say("%s in the template has an image that is not Istio's", c.Name), t.obj.Ev(path+".image", c.Image))
	}
	if c.Image == placeholderImage {
		return analyze.RuleOut(say("%s in the template is a placeholder that the webhook fills in", c.Name), t.obj.Ev(path+".image", c.Image))
	}
	native := c.RestartPolicy == "Always"
	because := []evidence.Evidence{t.obj.Ev(path+".image", c.Image)}
	if native {
		because = append(because, t.obj.Ev(path+".restartPolicy", "Always"))
	}
	record, recorded := injectionRecord(p.Workload)
	initial, hasInit := meshInit(p, t)
	switch {
	case recorded:
		because = append(because, record)
	case hasInit:
		because = append(because, initial)
	default:
		return analyze.Undecide(say("the template of %s holds %s itself; whether istioctl kube-inject or a person put it there is not in the bundle", t.obj.Ref().String(), c.Name),
			analyze.Missing{What: say("the annotations of the %s and of its template", t.obj.Kind),
				Command: command("kubectl get %s %s -n %s -o yaml", lowerKind(t.obj.Kind), t.obj.Meta.Name, t.obj.Meta.Namespace)})
	}
	return bakedIn(p, t, c, native, because)
}

// placeholderImage is what a manifest puts where the injector is to fill in the image.
const placeholderImage = "auto"

// absentProxy is the answer where the template has no proxy: worth a line only if a pod has one.
func absentProxy(p *analyze.Pass, t template) analyze.Outcome {
	for _, pod := range p.Workload.Pods {
		if proxyOf(pod) != nil {
			return analyze.RuleOut(say("the template of %s has no %s", t.obj.Ref().String(), istioProxy), t.absent("containers", istioProxy))
		}
	}
	return analyze.Skip()
}

// injectionRecord finds the injector's record above the pods: on the pod template, and one level up, where kube-inject
// puts it for a CronJob.
func injectionRecord(w *facts.Workload) (evidence.Evidence, bool) {
	for _, pl := range placesOf(&facts.Cluster{}, w) {
		if _, ok := pl.meta.Annotations.Lookup(facts.StatusAnnotation); ok && pl.obj.Kind != "Pod" {
			return pl.annotation(facts.StatusAnnotation), true
		}
	}
	return evidence.Evidence{}, false
}

// meshInit finds istio-init or istio-validation in a template: no person writes these without the injector.
func meshInit(p *analyze.Pass, t template) (evidence.Evidence, bool) {
	for _, c := range t.Spec.InitContainers {
		if h, ok := p.Know.KnownInit(c.Name, c.Image); ok && h.Mesh {
			return t.obj.Ev(t.path+".spec.initContainers[name="+c.Name+"].image", c.Image), true
		}
	}
	return evidence.Evidence{}, false
}

func bakedIn(p *analyze.Pass, t template, c *kube.Container, native bool, because []evidence.Evidence) analyze.Outcome {
	where := say("an ordinary container")
	if native {
		where = say("a native sidecar")
	}
	message := say("the template of %s holds %s itself (%s, %s): it was injected into the manifest. Unless the webhook injects the pod again, what istiod decides today does not reach it",
		t.obj.Ref().String(), c.Name, where, c.Image)
	o := analyze.Fire(message, because...)
	if native {
		return o.As(analyze.Info)
	}
	return o.With(injectAgain(p, c.Name))
}

func lowerKind(kind string) string {
	if kind == "CronJob" {
		return "cronjob"
	}
	return "job"
}
