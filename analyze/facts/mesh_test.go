package facts

import "testing"

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
