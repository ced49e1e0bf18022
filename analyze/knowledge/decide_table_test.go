package knowledge

import (
	"fmt"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// The expectations here are written from the published behaviour, in code of its own, and never from rules/data: they
// walk every combination of release, template era, annotation, variable and set of nodes.

func annotationValues() []Setting {
	list := []Setting{Unset("")}
	for _, v := range []string{"", "true", "false", "True", "TRUE", "False", "no", "0", "1", "yes", "auto", " true"} {
		list = append(list, Given(v, ""))
	}
	return list
}

func envValues() []Setting {
	list := []Setting{Unset("")}
	for _, v := range []string{"", "true", "false", "auto", "True", "TRUE", "T", "t", "1", "False", "0", "f", "Auto", "yes", "on", "enabled"} {
		list = append(list, Given(v, ""))
	}
	return list
}

type nodeSet struct {
	name    string
	list    []Kubelet
	allNew  bool
	reason  string
	offline bool
}

func nodeSets() []nodeSet {
	kubelets := func(raw ...string) []Kubelet {
		var list []Kubelet
		for i, r := range raw {
			list = append(list, Kubelet{Node: fmt.Sprintf("n%d", i), Raw: r})
		}
		return list
	}
	return []nodeSet{
		{"none", nil, true, ReasonAutoNoNodes, false},
		{"new", kubelets("v1.33.0", "v1.34.2+k3s1"), true, ReasonAutoNodesNew, false},
		{"one old", kubelets("v1.33.0", "v1.32.9-eks-113cf36"), false, ReasonAutoOldNode, false},
		{"all old", kubelets("v1.31.0"), false, ReasonAutoOldNode, false},
		{"unreadable", kubelets("v1.33.0", "fake"), false, ReasonAutoUnparsableNode, false},
		{"empty version", kubelets(""), false, ReasonAutoUnparsableNode, false},
		{"virtual", kubelets("v1.33.0", "v1.19.10-vk-azure-aci-1.4.1"), false, ReasonAutoOldNode, false},
		{"no client", kubelets("v1.33.0"), false, ReasonAutoNoNodeClient, true},
	}
}

// emitted is the decision table of the injector, from the era of its template.
func emitted(era string, annotation, env Setting, n nodeSet) (string, string) {
	switch era {
	case "A":
		return Ordinary, ReasonEraNoSupport
	case "B":
		return exactEnv(env)
	case "C":
		switch {
		case annotation.Set && annotation.Value == "true":
			return Native, ReasonAnnotationTrue
		case annotation.Set && annotation.Value == "false":
			return Ordinary, ReasonAnnotationFalse
		case annotation.Set:
			return Ordinary, ReasonAnnotationNotTrue
		}
		return exactEnv(env)
	default:
		switch {
		case annotation.Set && annotation.Value == "true":
			return Native, ReasonAnnotationTrue
		case annotation.Set && annotation.Value == "false":
			return Ordinary, ReasonAnnotationFalse
		case annotation.Set && annotation.Value != "":
			return Native, ReasonAnnotationTaken
		}
		return threeWayEnv(env, n)
	}
}

func exactEnv(env Setting) (string, string) {
	switch {
	case env.Set && env.Value == "true":
		return Native, ReasonEnvTrue
	case env.Set && env.Value == "false":
		return Ordinary, ReasonEnvFalse
	case env.Set && env.Value != "":
		return Ordinary, ReasonEnvNotUnderstood
	}
	return Ordinary, ReasonDefaultOff
}

func threeWayEnv(env Setting, n nodeSet) (string, string) {
	switch {
	case env.Set && env.Value == "true":
		return Native, ReasonEnvTrue
	case env.Set && env.Value == "false":
		return Ordinary, ReasonEnvFalse
	case env.Set && env.Value != "auto":
		return Ordinary, ReasonEnvNotUnderstood
	case n.allNew:
		return Native, n.reason
	}
	return Ordinary, n.reason
}

// eraOf is the era of the template that a release ships.
func eraOf(minor int) string {
	switch {
	case minor <= 18:
		return "A"
	case minor <= 23:
		return "B"
	case minor <= 26:
		return "C"
	}
	return "D"
}

func TestDecideEveryCombination(t *testing.T) {
	b := base(t)
	n := 0
	for minor := 18; minor <= 32; minor++ {
		for _, template := range []string{"", "A", "B", "C", "D"} {
			for _, ann := range annotationValues() {
				for _, env := range envValues() {
					for _, nodes := range nodeSets() {
						checkCombination(t, b, minor, template, ann, env, nodes)
						n++
					}
				}
			}
		}
	}
	t.Logf("%d combinations", n)
}

func checkCombination(t *testing.T, b *Base, minor int, template string, ann, env Setting, nodes nodeSet) {
	t.Helper()
	in := Inputs{
		Istio: version.Parse(fmt.Sprintf("1.%d.1", minor)), TemplateEra: template, Annotation: ann, Env: env,
		Kubelets: nodes.list, NodesKnown: true, Offline: nodes.offline, APIServer: version.Parse("1.34.0"),
	}
	era := template
	if era == "" {
		era = eraOf(minor)
	}
	want, reason := emitted(era, ann, env, nodes)
	switch {
	case template == "D" && minor <= 26:
		want, reason = Refused, ReasonTemplateError
	case (template == "B" || template == "C") && minor <= 18:
		want, reason = Unknown, ReasonUnknownTemplate
	case template != "" && template < eraOf(minor) && (reason == ReasonDefaultOff || reason == ReasonEraNoSupport):
		reason = ReasonTemplateOlder
	}
	got := b.Decide(in)
	if got.Emitted != want || got.Reason != reason {
		t.Errorf("Istio 1.%d template %q annotation %+v env %+v nodes %s: %s (%s), want %s (%s)",
			minor, template, ann, env, nodes.name, got.Emitted, got.Reason, want, reason)
	}
	if (got.Placement == Unknown) != (len(got.Undecided) > 0) {
		t.Errorf("Istio 1.%d template %q: %s with undecided %q", minor, template, got.Placement, got.Undecided)
	}
	if len(got.Steps) == 0 || len(got.Basis.Sources) == 0 {
		t.Errorf("Istio 1.%d: a decision without steps or sources: %+v", minor, got)
	}
}

// TestAutoByKubelet walks the measured kubelet strings through automatic mode.
func TestAutoByKubelet(t *testing.T) {
	b := base(t)
	for raw, want := range map[string]string{
		"v1.33.0": Native, "1.33": Native, "v1.33.4-eks-3025e55": Native, "v1.33.5-gke.1080000": Native,
		"v1.33.6+vmware.1-fips": Native, "v1.33.4-0+e5f6abc": Native, "v1.33.1-r0-33.0.2.1": Native,
		"v1.33.0-rc.1": Native, "v1.33.0-alpha.1": Native, "v1.33.5-kwok-v0.7.0": Native, "v1.33.4-vk-azure-aci-1.6.2": Native,
		"v1.32.9-eks-113cf36": Ordinary, "v1.30.2-vk-azure-aci-1.6.1": Ordinary, "v1": Ordinary, "v2.0": Ordinary,
		"": Ordinary, "fargate": Ordinary, "fake": Ordinary, "kwok-v0.7.0": Ordinary, "v1.33.x": Ordinary, "1.33+": Ordinary,
		"V1.33.0": Ordinary, "v0.0.0-master+$Format:%H$": Ordinary, "v1.33.4_1": Ordinary,
	} {
		d := b.Decide(Inputs{
			Istio: version.Parse("1.27.3"), Env: Unset(""), Annotation: Unset(""), NodesKnown: true,
			Kubelets: []Kubelet{{Node: "good", Raw: "v1.34.0"}, {Node: "odd", Raw: raw}}, APIServer: version.Parse("1.34.0"),
		})
		if d.Emitted != want {
			t.Errorf("kubelet %q: %s (%s), want %s", raw, d.Emitted, d.Reason, want)
		}
		if want == Ordinary && (len(d.Blockers) != 1 || d.Blockers[0].Node != "odd") {
			t.Errorf("kubelet %q: blockers %+v", raw, d.Blockers)
		}
	}
}

// TestPinnedNode: with spec.nodeName that node alone counts, if it is found.
func TestPinnedNode(t *testing.T) {
	nodes := []Kubelet{{Node: "new", Raw: "v1.34.0"}, {Node: "old", Raw: "v1.31.0"}}
	for _, tc := range []struct {
		pinned, want string
		complete     bool
	}{
		{"new", Native, true}, {"old", Ordinary, true}, {"gone", Ordinary, true}, {"", Ordinary, true},
		{"new", Native, false}, {"unseen", Unknown, false},
	} {
		d := base(t).Decide(Inputs{
			Istio: version.Parse("1.28.0"), Env: Unset(""), Annotation: Unset(""), NodeName: tc.pinned,
			Kubelets: nodes, NodesKnown: tc.complete, APIServer: version.Parse("1.34.0"),
		})
		if d.Emitted != tc.want {
			t.Errorf("nodeName %q: %s, want %s", tc.pinned, d.Emitted, tc.want)
		}
	}
}
