package facts

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

func TestRevisionByTag(t *testing.T) {
	plane := &ControlPlane{Revision: "1-27", Namespace: "istio-system"}
	m := &Mesh{ControlPlanes: []*ControlPlane{plane}, Injectors: []*Injector{
		{Tag: "prod", Revision: "1-27"}, {Tag: "chain", Revision: "prod"},
		{Tag: "a", Revision: "b"}, {Tag: "b", Revision: "a"}, {Tag: "self", Revision: "self"}}}
	for _, tc := range []struct {
		name   string
		found  bool
		viaTag bool
	}{
		{"1-27", true, false}, {"prod", true, true}, {"", false, false}, {"other", false, false},
		{"chain", false, false},                  // the revision of a tag is an istiod's own name
		{"a", false, false}, {"b", false, false}, // two tags that lead to each other
		{"self", false, false},
	} {
		planes, viaTag := m.Revision(tc.name)
		if (len(planes) == 1 && planes[0] == plane) != tc.found || viaTag != tc.viaTag {
			t.Errorf("%q: %d control planes, via a tag: %v", tc.name, len(planes), viaTag)
		}
	}
}

// What istioctl version said counts where no image tells, and only for an istiod that alone can have said it.
func TestAskedIstiod(t *testing.T) {
	istiod := func(revision, image string) *kube.Controller {
		d := &kube.Controller{Object: kube.Object{Kind: "Deployment", Meta: kube.Meta{Name: "istiod-" + revision, Namespace: "istio-system",
			UID: revision, Labels: kube.Pairs{{Key: "app", Value: "istiod"}, {Key: "istio.io/rev", Value: revision}}}}}
		d.Spec.Template.Spec.Containers = []kube.Container{{Name: "discovery", Image: image}}
		return d
	}
	said := func(versions ...string) (list []kube.IstiodVersion) {
		for _, v := range versions {
			list = append(list, kube.IstiodVersion{Version: v, Evidence: evidence.Evidence{Value: v}})
		}
		return list
	}
	const digest = "istio/pilot@sha256:4b1e9c2a"
	for _, c := range []struct {
		name    string
		planes  []*kube.Controller
		said    []kube.IstiodVersion
		answer  string
		release string // of the first istiod
	}{
		{"a digest", []*kube.Controller{istiod("a", digest)}, said("1.24.1"), "1.24.1", "1.24.1"},
		{"a tag", []*kube.Controller{istiod("a", "istio/pilot:1.23.0")}, said("1.24.1"), "1.24.1", "1.23.0"},
		{"said twice", []*kube.Controller{istiod("a", digest)}, said("1.24.1", "1.24.1"), "1.24.1", "1.24.1"},
		{"two answers", []*kube.Controller{istiod("a", digest)}, said("1.24.1", "1.25.0"), "", ""},
		{"two istiods", []*kube.Controller{istiod("a", digest), istiod("b", digest)}, said("1.24.1"), "1.24.1", ""},
		{"none", nil, said("1.24.1"), "1.24.1", ""},
		{"unreadable", nil, said("unknown"), "", ""},
	} {
		mesh := Build(&kube.Set{Controllers: c.planes, Istiods: c.said}, Options{}).Mesh
		release := ""
		if len(mesh.ControlPlanes) > 0 {
			release = mesh.ControlPlanes[0].Version.V.Raw
		}
		if mesh.Answered.V.Raw != c.answer || mesh.Answered.Known != (c.answer != "") || release != c.release {
			t.Errorf("%s: answer %q, release %q; want %q, %q", c.name, mesh.Answered.V.Raw, release, c.answer, c.release)
		}
	}
}

// TestServingIstiods: the pods that answer the webhook tell what injects, and not those that are over, go, or never came up
// (istio.md §1.2).
func TestServingIstiods(t *testing.T) {
	labels := kube.Pairs{{Key: "app", Value: "istiod"}}
	pod := func(name, tag, phase, ready string, env ...kube.EnvVar) *kube.Pod {
		p := &kube.Pod{Object: kube.Object{Kind: "Pod", APIVersion: "v1", Meta: kube.Meta{Name: name, Namespace: "istio-system", UID: name, Labels: labels,
			Owners: []kube.Owner{{Kind: "ReplicaSet", Name: "istiod-x", APIVersion: "apps/v1"}}}}}
		p.Spec.Containers = []kube.Container{{Name: discoveryContainer, Image: "istio/pilot:" + tag, Env: env}}
		p.Status.Phase = phase
		if ready != "" {
			p.Status.Conditions = []kube.Condition{{Type: "Ready", Status: ready}}
		}
		return p
	}
	controller := func(kind, name, tag string, replicas int64, created string) *kube.Controller {
		d := &kube.Controller{Object: kube.Object{Kind: kind, Meta: kube.Meta{Name: name, Namespace: "istio-system", UID: name, Labels: labels, Created: kube.ParseTime(created)}}}
		d.Spec.Replicas = &replicas
		d.Spec.Template.Spec.Containers = []kube.Container{{Name: discoveryContainer, Image: "istio/pilot:" + tag}}
		return d
	}
	gone := pod("gone", "1.24.3", "Running", "True")
	gone.Meta.Deleted = kube.ParseTime("2026-01-01T00:00:00Z")
	on := kube.EnvVar{Name: NativeEnv, Value: "true"}
	deployed := controller("Deployment", "istiod", "1.28.1", 1, "2026-01-01T00:00:00Z")
	for name, tt := range map[string]struct {
		pods        []*kube.Pod
		controllers []*kube.Controller
		release     string
		env         bool
	}{
		"an evicted one is left over":   {[]*kube.Pod{pod("a", "1.24.3", "Failed", ""), pod("b", "1.28.1", "Running", "True")}, []*kube.Controller{deployed}, "1.28.1", true},
		"a finished one is left over":   {[]*kube.Pod{pod("a", "1.24.3", "Succeeded", "False"), pod("b", "1.28.1", "Running", "True")}, nil, "1.28.1", true},
		"one goes":                      {[]*kube.Pod{gone, pod("b", "1.28.1", "Running", "True")}, nil, "1.28.1", true},
		"the new one never came up":     {[]*kube.Pod{pod("a", "1.28.1", "Running", "False"), pod("b", "1.26.3", "Running", "True")}, []*kube.Controller{deployed}, "1.26.3", true},
		"the new one has no image":      {[]*kube.Pod{pod("a", "1.28.1", "Pending", "False"), pod("b", "1.26.3", "Running", "True")}, nil, "1.26.3", true},
		"both serve":                    {[]*kube.Pod{pod("a", "1.26.3", "Running", "True"), pod("b", "1.27.3", "Running", "True")}, []*kube.Controller{deployed}, "", true},
		"readiness is not told":         {[]*kube.Pod{pod("a", "1.26.3", "Running", "")}, nil, "1.26.3", true},
		"a dead one had the variable":   {[]*kube.Pod{pod("a", "1.26.3", "Failed", "", on), pod("b", "1.26.3", "Running", "True")}, nil, "1.26.3", true},
		"two that serve differ in it":   {[]*kube.Pod{pod("a", "1.26.3", "Running", "True", on), pod("b", "1.26.3", "Running", "True")}, nil, "1.26.3", false},
		"none serves, the Deployment":   {[]*kube.Pod{pod("a", "1.24.3", "Failed", "")}, []*kube.Controller{deployed}, "1.28.1", true},
		"none serves, nothing else":     {[]*kube.Pod{pod("a", "1.24.3", "Failed", "")}, nil, "", false},
		"one may come up":               {[]*kube.Pod{pod("a", "1.24.3", "Failed", ""), pod("b", "1.26.3", "Running", "False")}, nil, "1.26.3", true},
		"a ReplicaSet that was left":    {nil, []*kube.Controller{controller("ReplicaSet", "new", "1.27.3", 0, "2026-02-01T00:00:00Z"), controller("ReplicaSet", "old", "1.26.3", 1, "2026-01-01T00:00:00Z")}, "1.26.3", true},
		"ReplicaSets without any count": {nil, []*kube.Controller{controller("ReplicaSet", "new", "1.27.3", 0, "2026-02-01T00:00:00Z"), controller("ReplicaSet", "old", "1.26.3", 0, "2026-01-01T00:00:00Z")}, "1.27.3", true},
	} {
		planes := Build(&kube.Set{Pods: tt.pods, Controllers: tt.controllers}, Options{}).Mesh.ControlPlanes
		if len(planes) != 1 || planes[0].Version.V.Raw != tt.release || planes[0].Version.Known != (tt.release != "") || planes[0].Env.Known != tt.env {
			t.Errorf("%s: %d planes, release %q, variable known %v", name, len(planes), planes[0].Version.V.Raw, planes[0].Env.Known)
		}
	}
}
