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
