package knowledge

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

func TestChanges(t *testing.T) {
	b := base(t)
	old := []Kubelet{{Node: "a", Raw: "v1.32.7"}, {Node: "b", Raw: "v1.33.1"}}
	for _, tc := range []struct {
		name string
		in   Inputs
		want string // id, "+" enough and safe, "!" enough and not safe, "-" not enough
	}{
		{
			"one old node",
			Inputs{Istio: version.Parse("1.28.1"), Env: Unset(""), Annotation: Unset(""), Kubelets: old, NodesKnown: true, APIServer: version.Parse("1.33.1")},
			"annotation-true+ nodes-upgraded+ env-true+ istiod-upgraded-",
		},
		{
			"annotation not read",
			Inputs{Istio: version.Parse("1.22.1"), Env: Unset(""), Annotation: Unset(""), Kubelets: old, NodesKnown: true, APIServer: version.Parse("1.33.1")},
			"annotation-true- env-true+ istiod-upgraded-",
		},
		{
			"kubelet below the API server",
			Inputs{Istio: version.Parse("1.25.1"), Env: Unset(""), Annotation: Unset(""), Kubelets: []Kubelet{{Node: "a", Raw: "v1.28.1"}, {Node: "b", Raw: "v1.30.1"}}, NodesKnown: true, APIServer: version.Parse("1.30.1")},
			"annotation-true! env-true! istiod-upgraded-",
		},
		{
			"switched off by the variable",
			Inputs{Istio: version.Parse("1.29.1"), Env: Given("false", ""), Annotation: Unset(""), Kubelets: []Kubelet{{Node: "a", Raw: "v1.34.1"}}, NodesKnown: true, APIServer: version.Parse("1.34.1")},
			"annotation-true+ env-true+ env-removed+ istiod-upgraded-",
		},
		{
			"old template",
			Inputs{Istio: version.Parse("1.31.0"), TemplateEra: "B", Env: Unset(""), Annotation: Unset(""), Kubelets: []Kubelet{{Node: "a", Raw: "v1.34.1"}}, NodesKnown: true, APIServer: version.Parse("1.34.1")},
			"annotation-true- env-true+ template-shipped+",
		},
		{
			"native already",
			Inputs{Istio: version.Parse("1.31.0"), Env: Unset(""), Annotation: Unset(""), Kubelets: []Kubelet{{Node: "a", Raw: "v1.34.1"}}, NodesKnown: true, APIServer: version.Parse("1.34.1")},
			"",
		},
		{
			"API server too old",
			Inputs{Istio: version.Parse("1.25.1"), Env: Unset(""), Annotation: Unset(""), Kubelets: []Kubelet{{Node: "a", Raw: "v1.27.1"}}, NodesKnown: true, APIServer: version.Parse("1.27.1")},
			"annotation-true- env-true- istiod-upgraded-",
		},
	} {
		var got []string
		for _, c := range b.Changes(tc.in) {
			mark := "-"
			switch {
			case c.Safe:
				mark = "+"
			case c.Enough:
				mark = "!"
			}
			if (c.Why == "") != c.Safe {
				t.Errorf("%s: %s says %q", tc.name, c.ID, c.Why)
			}
			got = append(got, c.ID+mark)
		}
		if s := strings.Join(got, " "); s != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, s, tc.want)
		}
	}
}
