package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestWhyNoProxy: the label is preferred, the annotation is read by istiod alone, and whether istiod is asked is up to the
// webhooks' selectors on namespace and labels (injectRequired and mutatingwebhook.yaml, alike from 1.18 to 1.31).
func TestWhyNoProxy(t *testing.T) {
	istiod := &kube.Controller{}
	istiod.Kind, istiod.APIVersion = "Deployment", "apps/v1"
	istiod.Meta = kube.Meta{Name: "istiod", Namespace: "istio-system", Labels: kube.Pairs{{Key: "app", Value: "istiod"}, {Key: facts.RevisionLabel, Value: "default"}}}
	istiod.Spec.Template.Spec.Containers = []kube.Container{{Name: "discovery", Image: "docker.io/istio/pilot:1.27.1"}}
	for _, tt := range []struct {
		name                         string
		namespace, label, annotation string // "-" for a namespace that is not in the bundle
		status                       analyze.Status
		says                         string
		misplaced                    bool
	}{
		{"nobody asks", "", "", "", analyze.Fired, "neither namespace team-app nor its pods ask", false},
		{"the annotation alone", "", "", "true", analyze.Fired, "selects pods by the label of that name alone", true},
		{"the annotation alone, in a namespace that asks", "enabled", "", "true", analyze.Undecided, "asks for injection and pod report-x7 has no proxy", false},
		{"the annotation alone, in a namespace that is shut", "disabled", "", "true", analyze.Fired, `label istio-injection "disabled"`, false},
		{"the annotation alone, namespace unknown", "-", "", "true", analyze.Undecided, "counts only where its namespace asks", false},
		{"the annotation against it", "enabled", "", "false", analyze.Fired, "its annotation sidecar.istio.io/inject is", false},
		{"the label against it, the annotation for it", "enabled", "false", "true", analyze.Fired, "its label sidecar.istio.io/inject is", true},
		{"the label for it, the annotation against it", "", "true", "false", analyze.Undecided, "by the label", false},
		{"the label for it, in a namespace that is shut", "disabled", "true", "", analyze.Fired, `label istio-injection "disabled"`, false},
	} {
		pod, j := podOf("Never", "Running", app()), jobOf()
		for _, m := range []*kube.Meta{&pod.Meta, &j.Spec.Template.Meta} {
			if tt.label != "" {
				m.Labels = kube.Pairs{{Key: facts.InjectAnnotation, Value: tt.label}}
			}
			if tt.annotation != "" {
				m.Annotations = kube.Pairs{{Key: facts.InjectAnnotation, Value: tt.annotation}}
			}
		}
		set := &kube.Set{Jobs: []*kube.Job{j}, Pods: []*kube.Pod{pod}, Controllers: []*kube.Controller{istiod}}
		if tt.namespace != "-" {
			ns := &kube.Namespace{}
			ns.Kind, ns.APIVersion, ns.Meta.Name = "Namespace", "v1", "team-app"
			if tt.namespace != "" {
				ns.Meta.Labels = kube.Pairs{{Key: namespaceSwitch, Value: tt.namespace}}
			}
			set.Namespaces = []*kube.Namespace{ns}
		}
		if tt.misplaced && tt.annotation == "true" && tt.label == "" { // nor is one expected in the first pod of such a Job
			c := facts.Build(&kube.Set{Jobs: set.Jobs, Controllers: set.Controllers, Namespaces: set.Namespaces}, facts.Options{CollectedAt: taken})
			if why := notInjected(c, c.Workloads[0]).String(); !strings.Contains(why, "selects pods by the label") {
				t.Errorf("%s: %q", tt.name, why)
			}
		}
		k := base(t)
		c := facts.Build(set, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), OldKubelet: OldKubeletOf(k), CollectedAt: taken})
		var off *analyze.Finding
		misplaced := false
		r := Engine().Run(c, k, analyze.Options{})
		for i, f := range r.Findings {
			switch f.Code {
			case "InjectionOff":
				off = &r.Findings[i]
			case "AnnotationMisplaced":
				misplaced = f.Status == analyze.Fired
			}
		}
		if off == nil || off.Status != tt.status || !strings.Contains(off.Message, tt.says) || misplaced != tt.misplaced {
			t.Errorf("%s: %+v, misplaced %v; want %s, %q, %v", tt.name, off, misplaced, tt.status, tt.says, tt.misplaced)
		}
	}
}
