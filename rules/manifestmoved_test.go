package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestInjectedOrMoved: a proxy that stands where the manifest has it was not moved after the injection, and one that was
// moved does not come from the manifest as it is. No report says both (facts/istio.md 1.6, 3.2).
func TestInjectedOrMoved(t *testing.T) {
	const ordinary, native = `{"initContainers":["istio-init"],"containers":["istio-proxy"]}`, `{"initContainers":["istio-init","istio-proxy"],"containers":null}`
	plain := kube.Container{Name: istioProxy, Image: "docker.io/istio/proxyv2:1.26.2"}
	always := plain
	always.RestartPolicy = "Always"
	begin := kube.Container{Name: "istio-init", Image: plain.Image, Args: []string{"istio-iptables"}}
	annotated := func(record string) kube.Pairs {
		if record == "" {
			return nil
		}
		return kube.Pairs{{Key: facts.StatusAnnotation, Value: record}}
	}
	type where struct {
		init, regular []kube.Container
		record        string
	}
	none := where{}
	for _, tt := range []struct {
		name          string
		template, pod where
		injected      bool
		moved         bool
	}{
		{"kube-inject, ordinary", where{[]kube.Container{begin}, []kube.Container{plain}, ordinary}, where{[]kube.Container{begin}, []kube.Container{plain}, ordinary}, true, false},
		{"kube-inject, native", where{[]kube.Container{begin, always}, nil, native}, where{[]kube.Container{begin, always}, nil, native}, true, false},
		{"kube-inject, then edited in the manifest", where{[]kube.Container{begin, plain}, nil, ordinary}, where{[]kube.Container{begin, plain}, nil, ordinary}, true, false},
		{"the record was taken off the manifest", where{[]kube.Container{begin, always}, nil, ""}, where{[]kube.Container{begin, always}, nil, ""}, true, false},
		{"no record, and no shape of an injector's", where{[]kube.Container{begin, plain}, nil, ""}, where{[]kube.Container{begin, plain}, nil, ""}, false, true},
		{"by hand, without istio-init", where{[]kube.Container{plain}, nil, ""}, where{[]kube.Container{plain}, nil, ""}, false, true},
		{"the webhook injected again, natively", where{[]kube.Container{begin}, []kube.Container{plain}, ordinary}, where{[]kube.Container{begin, always}, nil, native}, true, false},
		{"kube-inject, and another webhook moved it in the pod", where{[]kube.Container{begin, always}, nil, native}, where{[]kube.Container{begin}, []kube.Container{plain}, native}, false, true},
		{"the webhook's, moved in the pod", none, where{[]kube.Container{begin}, []kube.Container{plain}, native}, false, true},
		{"the webhook's, where it was put", none, where{[]kube.Container{begin}, []kube.Container{plain}, ordinary}, false, false},
	} {
		j, pod := jobOf(), podOf("Never", "Running", app().exits(0), proxy())
		pod.Spec.Containers = append(pod.Spec.Containers[:1:1], tt.pod.regular...)
		pod.Spec.InitContainers = tt.pod.init
		pod.Status.ContainerStatuses = slices.DeleteFunc(pod.Status.ContainerStatuses, func(s kube.ContainerStatus) bool { return s.Name == istioProxy && tt.pod.regular == nil })
		pod.Meta.Annotations = annotated(tt.pod.record)
		j.Spec.Template.Spec.Containers = append(j.Spec.Template.Spec.Containers[:1:1], tt.template.regular...)
		j.Spec.Template.Spec.InitContainers = tt.template.init
		j.Spec.Template.Meta.Annotations = annotated(tt.template.record)
		k := base(t)
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{j}, Pods: []*kube.Pod{pod}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), OldKubelet: OldKubeletOf(k), CollectedAt: taken})
		r := Engine().Run(c, k, analyze.Options{})
		fired := func(code analyze.Code) bool {
			return slices.ContainsFunc(r.Findings, func(f analyze.Finding) bool { return f.Code == code && f.Status == analyze.Fired })
		}
		if injected, moved := fired("InjectedIntoTemplate"), fired("ProxyMovedAfterInjection"); injected != tt.injected || moved != tt.moved {
			t.Errorf("%s: injected %v, moved %v; want %v, %v", tt.name, injected, moved, tt.injected, tt.moved)
		}
	}
}

// TestInjectedManifestIsMadeByItsOwner: istioctl kube-inject writes the kinds of Kubernetes and leaves others as they are
// (IntoResourceFile), and a Job that something else makes is not to be deleted and applied.
func TestInjectedManifestIsMadeByItsOwner(t *testing.T) {
	plain := kube.Container{Name: istioProxy, Image: "docker.io/istio/proxyv2:1.26.2"}
	for _, tt := range []struct {
		name     string
		owner    *kube.Owner
		has, not []string
	}{
		{"a Job alone", nil, []string{"istioctl kube-inject -f original.yaml", "manifest of Job report"}, []string{"is made from: "}},
		{"a CronJob's", &kube.Owner{APIVersion: "batch/v1", Kind: "CronJob", Name: "nightly", Controller: yesno(true)}, []string{"istioctl kube-inject -f original.yaml", "manifest of CronJob nightly"}, []string{"is made from: "}},
		{"a JobSet's", &kube.Owner{APIVersion: "jobset.x-k8s.io/v1alpha2", Kind: "JobSet", Name: "train", Controller: yesno(true)},
			[]string{"pod template in JobSet train", "spec.replicatedJobs[].template.spec.template.metadata.annotations", "leaves the manifest of a JobSet as it is"},
			[]string{"kube-inject -f", "kubectl delete", "kubectl apply"}},
		{"of a kind that nobody knows", &kube.Owner{APIVersion: "x.example.com/v1", Kind: "Runner", Name: "r", Controller: yesno(true)},
			[]string{"pod template in Runner r", "metadata.annotations of the pod template"}, []string{"kube-inject -f", "kubectl delete", "kubectl apply"}},
	} {
		j := jobOf()
		if tt.owner != nil {
			j.Meta.Owners = []kube.Owner{*tt.owner}
		}
		j.Spec.Template.Spec.Containers = append(j.Spec.Template.Spec.Containers[:1:1], plain)
		j.Spec.Template.Meta.Annotations = kube.Pairs{{Key: facts.StatusAnnotation, Value: `{"initContainers":["istio-init"],"containers":["istio-proxy"]}`}}
		k := base(t)
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{j}, Pods: []*kube.Pod{podOf("Never", "Running", app().exits(0), proxy())}},
			facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), OldKubelet: OldKubeletOf(k), CollectedAt: taken})
		text := ""
		for _, f := range Engine().Run(c, k, analyze.Options{}).Findings {
			if f.Code == "InjectedIntoTemplate" && f.Remedy != nil {
				text = strings.Join(append([]string{f.Remedy.Summary}, f.Remedy.Steps...), "\n")
			}
		}
		for _, want := range tt.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", tt.name, want, text)
			}
		}
		for _, never := range tt.not {
			if strings.Contains(text, never) {
				t.Errorf("%s: %q is in\n%s", tt.name, never, text)
			}
		}
	}
}
