package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// deciding is the metadata and spec that the next pod of a workload will have when the injector sees it.
type deciding struct {
	place
	spec *kube.PodSpec
	// standIn says that it is that of an existing pod: its template is not in the bundle, and annotations of a pod can be
	// changed after it was made.
	standIn bool
}

// decidingTemplate finds it: the CronJob's template before the Job's, for the next run is made from it; the newest pod
// where neither is in the bundle.
func decidingTemplate(w *facts.Workload) (deciding, bool) {
	if cj := w.CronJob; cj != nil && len(cj.Spec.JobTemplate.Spec.Template.Spec.Containers) > 0 {
		t := &cj.Spec.JobTemplate.Spec.Template
		return deciding{place: place{&cj.Object, "spec.jobTemplate.spec.template.metadata", &t.Meta, true}, spec: &t.Spec}, true
	}
	if j := w.Job; j != nil && len(j.Spec.Template.Spec.Containers) > 0 {
		t := &j.Spec.Template
		return deciding{place: place{&j.Object, "spec.template.metadata", &t.Meta, true}, spec: &t.Spec}, true
	}
	if p := newest(w.Pods); p != nil {
		return deciding{place: place{&p.Object, "metadata", &p.Meta, true}, spec: &p.Spec, standIn: true}, true
	}
	return deciding{}, false
}

// ownProxy is a proxy that the pod template holds itself: written there by istioctl kube-inject, or by hand.
type ownProxy struct {
	// placement is facts.Ordinary, facts.Native, or facts.InitContainer for one that init would wait for in vain.
	placement facts.Placement
	image     string
	// recorded says that the injector's record stands above the pods, as kube-inject leaves it.
	recorded bool
	where    string
}

// proxyInTemplate finds such a proxy. One whose image is to be filled in is a customisation that the injector completes,
// and not a proxy yet.
func proxyInTemplate(w *facts.Workload) (ownProxy, bool) {
	t, ok := decidingTemplate(w)
	if !ok || t.standIn {
		return ownProxy{}, false
	}
	path := t.path[:len(t.path)-len("metadata")] + "spec."
	for _, c := range t.spec.Containers {
		if c.Name == istioProxy && c.Image != placeholderImage {
			return ownProxy{facts.Ordinary, c.Image, rewritten(w), t.obj.Ev(path+"containers[name="+c.Name+"]", "").Where()}, true
		}
	}
	for _, c := range t.spec.InitContainers {
		if c.Name != istioProxy || c.Image == placeholderImage {
			continue
		}
		placement := facts.Native
		if c.RestartPolicy != "Always" {
			placement = facts.InitContainer
		}
		if t.obj.Described() {
			return ownProxy{}, false // describe prints no restartPolicy
		}
		return ownProxy{placement, c.Image, rewritten(w), t.obj.Ev(path+"initContainers[name="+c.Name+"]", "").Where()}, true
	}
	return ownProxy{}, false
}

// rewritten says that istioctl kube-inject wrote the manifest: its record stands on the pod template, or, for a
// CronJob, at jobTemplate.metadata, from where it comes to be on the Job.
func rewritten(w *facts.Workload) bool {
	if cj := w.CronJob; cj != nil {
		t := cj.Spec.JobTemplate
		return t.Meta.Annotations.Has(facts.StatusAnnotation) || t.Spec.Template.Meta.Annotations.Has(facts.StatusAnnotation)
	}
	if j := w.Job; j != nil {
		return j.Meta.Annotations.Has(facts.StatusAnnotation) || j.Spec.Template.Meta.Annotations.Has(facts.StatusAnnotation)
	}
	return false
}
