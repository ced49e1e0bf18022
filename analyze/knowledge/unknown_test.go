package knowledge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// TestUnknownData: a missing datum that cannot change the result is no reason to say unknown; one that can is named.
func TestUnknownData(t *testing.T) {
	newNodes := []Kubelet{{Node: "a", Raw: "v1.34.1"}}
	oldNodes := []Kubelet{{Node: "a", Raw: "v1.31.1"}}
	api := version.Parse("1.34.0")
	unset := Unset("")
	for _, tc := range []struct {
		name      string
		in        Inputs
		emitted   string
		reason    string
		undecided []string // a word of each, in order
	}{
		{"annotation true, new release, no nodes", Inputs{Istio: version.Parse("1.29.1"), Annotation: Given("true", "")}, Native, ReasonAnnotationTrue, nil},
		{"annotation true, release unknown", Inputs{Annotation: Given("true", ""), Env: unset}, Unknown, ReasonUnknownIstio, []string{"istiod"}},
		{"annotation true, release unknown, env true", Inputs{Annotation: Given("true", ""), Env: Given("true", "")}, Unknown, ReasonUnknownIstio, []string{"istiod"}},
		{"annotation false, env unset, release unknown, old nodes", Inputs{Annotation: Given("false", ""), Env: unset, Kubelets: oldNodes, NodesKnown: true}, Ordinary, ReasonSameInAllCases, nil},
		{"nothing set, release unknown, old nodes", Inputs{Annotation: unset, Env: unset, Kubelets: oldNodes, NodesKnown: true}, Ordinary, ReasonSameInAllCases, nil},
		{"nothing set, release unknown, new nodes", Inputs{Annotation: unset, Env: unset, Kubelets: newNodes, NodesKnown: true}, Unknown, ReasonUnknownIstio, []string{"istiod"}},
		{"nothing set, release unknown, nodes unknown", Inputs{Annotation: unset, Env: unset}, Unknown, ReasonUnknownIstio, []string{"istiod", "kubelet"}},
		{"old release, everything unknown", Inputs{Istio: version.Parse("1.18.2")}, Ordinary, ReasonEraNoSupport, nil},
		{"1.22, env unknown", Inputs{Istio: version.Parse("1.22.0"), Annotation: Given("true", "")}, Unknown, ReasonUnknownEnv, []string{"ENABLE_NATIVE_SIDECARS"}},
		{"1.25, annotation unknown", Inputs{Istio: version.Parse("1.25.0"), Env: unset}, Unknown, ReasonUnknownAnnotation, []string{"annotations"}},
		{"1.27, env unknown, annotation false", Inputs{Istio: version.Parse("1.27.0"), Annotation: Given("false", "")}, Ordinary, ReasonAnnotationFalse, nil},
		{"1.27, env unknown, old nodes", Inputs{Istio: version.Parse("1.27.0"), Annotation: unset, Kubelets: oldNodes, NodesKnown: true}, Unknown, ReasonUnknownEnv, []string{"ENABLE_NATIVE_SIDECARS"}},
		{"1.27, auto, nodes not all known, one old", Inputs{Istio: version.Parse("1.27.0"), Annotation: unset, Env: unset, Kubelets: oldNodes}, Ordinary, ReasonAutoOldNode, nil},
		{"1.27, auto, nodes not all known, all new", Inputs{Istio: version.Parse("1.27.0"), Annotation: unset, Env: unset, Kubelets: newNodes}, Unknown, ReasonUnknownNodes, []string{"kubelet"}},
		{"1.27, auto, version not read", Inputs{Istio: version.Parse("1.27.0"), Annotation: unset, Env: unset, Kubelets: []Kubelet{{Node: "a", Unread: true}}, NodesKnown: true}, Unknown, ReasonUnknownNodes, []string{"kubelet"}},
		{"1.27, env true, nodes unknown", Inputs{Istio: version.Parse("1.27.0"), Annotation: unset, Env: Given("true", "")}, Native, ReasonEnvTrue, nil},
		{"minor only", Inputs{Istio: version.Parse("1.27-distroless"), Annotation: Given("true", ""), Env: unset}, Native, ReasonAnnotationTrue, nil},
		{"nightly of 1.27, annotation no", Inputs{Istio: version.Parse("1.27-alpha.0af"), Annotation: Given("no", ""), Env: unset}, Unknown, ReasonUnknownIstio, []string{"istiod"}},
		{"nightly of 1.27, annotation true", Inputs{Istio: version.Parse("1.27-alpha.0af"), Annotation: Given("true", ""), Env: unset}, Native, ReasonAnnotationTrue, nil},
		{"template C, release unknown", Inputs{TemplateEra: "C", Annotation: Given("true", ""), Env: unset}, Native, ReasonAnnotationTrue, nil},
		{"template D, release unknown", Inputs{TemplateEra: "D", Annotation: Given("yes", ""), Env: unset}, Native, ReasonAnnotationTaken, nil},
		{"rewritten template", Inputs{Istio: version.Parse("1.27.0"), TemplateEra: "custom", Annotation: Given("true", ""), Env: unset}, Unknown, ReasonUnknownTemplate, []string{"template"}},
		{"grpc-agent", Inputs{Template: "grpc-agent"}, Ordinary, ReasonTemplateNever, nil},
		{"gateway", Inputs{Template: "gateway"}, Ordinary, ReasonTemplateNever, nil},
		{"grpc-simple", Inputs{Template: "grpc-simple"}, None, ReasonTemplateNoProxy, nil},
		{"grpc-simple and grpc-agent", Inputs{Template: "grpc-simple, grpc-agent"}, Ordinary, ReasonTemplateNever, nil},
		{"grpc-simple and an own one", Inputs{Template: "grpc-simple,custom"}, Unknown, ReasonUnknownTemplate, []string{"custom"}},
		{"waypoint, nothing refused", Inputs{Template: "waypoint"}, Unknown, ReasonUnknownTemplate, []string{"refuses"}},
		{"waypoint, refused", Inputs{Template: "waypoint", RenderFails: "events.yaml:1"}, Refused, ReasonTemplateNotForPods, nil},
		{"sidecar and waypoint, refused", Inputs{Template: "sidecar,waypoint", RenderFails: "events.yaml:1"}, Refused, ReasonTemplateNotForPods, nil},
		{"grpc-agent, refused", Inputs{Template: "grpc-agent", RenderFails: "events.yaml:1"}, Refused, ReasonTemplateError, nil},
		{"sidecar and more", Inputs{Istio: version.Parse("1.27.0"), Template: "sidecar,custom", Annotation: Given("true", "")}, Native, ReasonAnnotationTrue, nil},
		{"own template", Inputs{Istio: version.Parse("1.27.0"), Template: "custom", Annotation: Given("true", "")}, Unknown, ReasonUnknownTemplate, []string{"template"}},
		{"no injection", Inputs{NotInjected: "hostNetwork"}, None, ReasonNotInjected, nil},
		{"baked in, ordinary", Inputs{Istio: version.Parse("1.27.0"), InManifest: Ordinary, Annotation: Given("true", "")}, Ordinary, ReasonInManifest, nil},
		{"baked in, native", Inputs{InManifest: Native, Env: Given("false", "")}, Native, ReasonInManifest, nil},
		{"date as tag", Inputs{Istio: version.Parse("2024.10.31"), Annotation: Given("true", ""), Env: unset}, Unknown, ReasonUnknownIstio, []string{"istiod"}},
	} {
		if !tc.in.APIServer.Known() {
			tc.in.APIServer = api
		}
		d := base(t).Decide(tc.in)
		if d.Emitted != tc.emitted || d.Reason != tc.reason {
			t.Errorf("%s: %s (%s), want %s (%s)", tc.name, d.Emitted, d.Reason, tc.emitted, tc.reason)
		}
		ok := len(d.Undecided) == len(tc.undecided)
		for i := range min(len(d.Undecided), len(tc.undecided)) {
			ok = ok && strings.Contains(d.Undecided[i].String(), tc.undecided[i])
		}
		if !ok {
			t.Errorf("%s: undecided %q, want %q", tc.name, d.Undecided, tc.undecided)
		}
		if !slices.Contains(Reasons(), d.Reason) {
			t.Errorf("%s: reason %s is not listed", tc.name, d.Reason)
		}
	}
}

// TestNewerReleaseIsAnAssumption: nothing is claimed about a release that nobody read.
func TestNewerReleaseIsAnAssumption(t *testing.T) {
	b := base(t)
	d := b.Decide(Inputs{Istio: version.Parse("1.40.0"), Annotation: Given("true", ""), APIServer: version.Parse("1.50.0"), Kubelets: []Kubelet{{Node: "a", Raw: "v1.50.0"}}, NodesKnown: true})
	if d.Placement != Native {
		t.Errorf("placement %s", d.Placement)
	}
	text := fmt.Sprint(d.Basis.Assumes)
	for _, want := range []string{"Istio 1.40 is newer", "Kubernetes 1.50 is newer"} {
		if !strings.Contains(text, want) {
			t.Errorf("assumptions lack %q:\n%s", want, text)
		}
	}
	if _, ok, basis := b.Istio(version.Parse("1.32.0")); !ok || len(basis.Assumes) != 1 || !strings.Contains(basis.Assumes[0].String(), "development branch") {
		t.Errorf("1.32: %v %q", ok, basis.Assumes)
	}
}
