package facts

import (
	"slices"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestManifestYields: of any kind, what the API server had stands before what somebody wrote.
func TestManifestYields(t *testing.T) {
	const written, live = "written", "live"
	object := func(kind, namespace, name, what string) kube.Object {
		o := kube.Object{Kind: kind}
		o.Meta.Name, o.Meta.Namespace = name, namespace
		o.Meta.Labels = kube.PairsOf(map[string]string{"what": what, "app": "istiod"})
		if what == live {
			o.Meta.UID = "u"
		} else if kind != "Namespace" {
			o.Meta.Namespace = ""
		}
		return o
	}
	for _, order := range [][]string{{written, live}, {live, written}} {
		set := &kube.Set{}
		for _, what := range order {
			set.Pods = append(set.Pods, &kube.Pod{Object: object("Pod", "a", "pod", what), Spec: kube.PodSpec{RestartPolicy: "Never"}})
			set.Jobs = append(set.Jobs, &kube.Job{Object: object("Job", "a", "job", what)})
			set.CronJobs = append(set.CronJobs, &kube.CronJob{Object: object("CronJob", "a", "cron", what)})
			set.Namespaces = append(set.Namespaces, &kube.Namespace{Object: object("Namespace", "", "a", what)})
			set.Controllers = append(set.Controllers, &kube.Controller{Object: object("Deployment", "istio-system", "istiod", what)})
			set.ConfigMaps = append(set.ConfigMaps, &kube.ConfigMap{Object: object("ConfigMap", "istio-system", "istio", what)})
			set.Webhooks = append(set.Webhooks, &kube.WebhookConfiguration{Object: object("MutatingWebhookConfiguration", "", "istio", what)})
		}
		c := Build(set, Options{})
		objects := []*kube.Object{&c.CronJobs[0].Object, &c.Namespaces["a"].Object, &c.Mesh.ControlPlanes[0].Deployment.Object,
			&c.Configs()[0].Object, &c.Webhooks[0].Object}
		if len(c.Workloads) != 2 || len(c.Mesh.ControlPlanes) != 1 || len(c.Configs()) != 1 || len(c.CronJobs) != 1 {
			t.Fatalf("%v: %d workloads, %d control planes, %d ConfigMaps, %d CronJobs", order, len(c.Workloads), len(c.Mesh.ControlPlanes), len(c.Configs()), len(c.CronJobs))
		}
		for _, w := range c.Workloads {
			if w.IsJob() {
				objects = append(objects, &w.Job.Object)
			} else {
				objects = append(objects, &w.Pods[0].Object)
			}
		}
		for _, o := range objects {
			if o.Meta.Labels.Get("what") != live || o.Manifest() {
				t.Errorf("%v: %s is the one that was written", order, o.Ref())
			}
		}
	}
}

// TestManifestHome: a manifest without a namespace gets the one in which the bundle knows such an object.
func TestManifestHome(t *testing.T) {
	stored := func(kind, namespace, name string, owners ...kube.Owner) kube.Object {
		o := kube.Object{Kind: kind}
		o.Meta.Name, o.Meta.Namespace, o.Meta.UID, o.Meta.Owners = name, namespace, "u", owners
		return o
	}
	of := kube.Owner{APIVersion: "batch/v1", Kind: "Job", Name: "job"}
	for name, c := range map[string]struct {
		set  kube.Set
		want string
	}{
		"nobody knows it":       {kube.Set{}, ""},
		"it is there":           {kube.Set{Jobs: []*kube.Job{{Object: stored("Job", "a", "job")}}}, "a"},
		"a pod has it as owner": {kube.Set{Pods: []*kube.Pod{{Object: stored("Pod", "a", "job-x", of)}}}, "a"},
		"an event is about it":  {kube.Set{Events: []*kube.Event{{Involved: kube.ObjectRef{Kind: "Job", Namespace: "a", Name: "job"}}}}, "a"},
		"a table lists it":      {kube.Set{Rows: []kube.Row{{Kind: "Job", Cells: map[string]string{"NAMESPACE": "a", "NAME": "job"}}}}, "a"},
		"another kind":          {kube.Set{CronJobs: []*kube.CronJob{{Object: stored("CronJob", "a", "job")}}}, ""},
		"twice in one":          {kube.Set{Jobs: []*kube.Job{{Object: stored("Job", "a", "job")}}, Pods: []*kube.Pod{{Object: stored("Pod", "a", "job-x", of)}}}, "a"},
		"in two":                {kube.Set{Jobs: []*kube.Job{{Object: stored("Job", "a", "job")}, {Object: stored("Job", "b", "job")}}}, ""},
	} {
		written := &kube.Job{Object: kube.Object{Kind: "Job", Meta: kube.Meta{Name: "job"}}}
		c.set.Jobs = slices.Insert(c.set.Jobs, 0, written)
		markManifests(&c.set)
		if written.Meta.Namespace != c.want || !written.Manifest() {
			t.Errorf("%s: namespace %q, want %q", name, written.Meta.Namespace, c.want)
		}
	}
}

// TestManifestOfIstiod: what istiod's pods run with is not in question because somebody wrote another Deployment.
func TestManifestOfIstiod(t *testing.T) {
	spec := func(value kube.Scalar) kube.PodSpec {
		return kube.PodSpec{RestartPolicy: "Always", Containers: []kube.Container{{Name: "discovery", Image: "istio/pilot:1.27.0",
			Env: []kube.EnvVar{{Name: NativeEnv, Value: value}}}}}
	}
	pod, written := &kube.Pod{Spec: spec("false")}, &kube.Controller{}
	pod.Kind, pod.Meta.Name, pod.Meta.Namespace, pod.Meta.UID = "Pod", "istiod-x", "istio-system", "u"
	written.Kind, written.Meta.Name, written.Meta.Namespace, written.Spec.Template.Spec = "Deployment", "istiod", "istio-system", spec("true")
	c := Build(&kube.Set{Pods: []*kube.Pod{pod}, Controllers: []*kube.Controller{written}}, Options{})
	if env := c.Mesh.ControlPlanes[0].Env; !env.Known || env.Value != "false" {
		t.Errorf("got %+v", env)
	}
	written.Meta.UID, written.Origin.Strength = "u", ""
	c = Build(&kube.Set{Pods: []*kube.Pod{pod}, Controllers: []*kube.Controller{written}}, Options{})
	if env := c.Mesh.ControlPlanes[0].Env; env.Known {
		t.Errorf("the stored Deployment contradicts: got %+v", env)
	}
}
