package knowledge

import (
	"os"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// injected is one run of Istio's own injection code.
type injected struct {
	Version        string            `json:"version"`
	Case           string            `json:"case"`
	Kind           string            `json:"kind"`
	Annotation     map[string]string `json:"annotation"` // by place: metadata, jobTemplate, podTemplate
	Env            string            `json:"env"`
	Kubelets       []string          `json:"kubelets"`
	InitContainers []injectedPart    `json:"initContainers"`
	Containers     []injectedPart    `json:"containers"`
}

type injectedPart struct {
	Name          string `json:"name"`
	RestartPolicy string `json:"restartPolicy"`
}

func (c injected) placement() string {
	for _, p := range c.InitContainers {
		if p.Name == "istio-proxy" && p.RestartPolicy == "Always" {
			return Native
		}
	}
	for _, p := range c.Containers {
		if p.Name == "istio-proxy" {
			return Ordinary
		}
	}
	return None
}

func (c injected) inputs() Inputs {
	at := func(place string) Setting {
		if v, ok := c.Annotation[place]; ok {
			return Given(v, place)
		}
		return Unset(place)
	}
	in := Inputs{
		Istio: version.Parse(c.Version), Env: Unset(""), Annotation: at("podTemplate"), JobTemplateAnnotation: at("jobTemplate"),
		KubeInject: true, OwnerKind: c.Kind, Offline: c.Kubelets == nil, NodesKnown: c.Kubelets != nil, APIServer: version.Parse("1.34.0"),
	}
	if c.Env != "" {
		in.Env = Given(c.Env, "")
	}
	for _, k := range c.Kubelets {
		in.Kubelets = append(in.Kubelets, Kubelet{Node: k, Raw: k})
	}
	return in
}

// TestRealInjection: for every recorded run the decision is what the injection code produced.
func TestRealInjection(t *testing.T) {
	raw, err := os.ReadFile("testdata/injected.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var cases []injected
	if err := yaml.UnmarshalStrict(raw, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 30 {
		t.Fatalf("only %d cases", len(cases))
	}
	b := base(t)
	for _, c := range cases {
		if d := b.Decide(c.inputs()); d.Emitted != c.placement() {
			t.Errorf("%s %s: decided %s (%s), the injection code made it %s", c.Version, c.Case, d.Emitted, d.Reason, c.placement())
		}
	}
}

// TestWebhookReadsPodTemplate: without kube-inject a CronJob's pods get the pod template's annotation.
func TestWebhookReadsPodTemplate(t *testing.T) {
	in := Inputs{
		Istio: version.Parse("1.30.3"), Env: Given("false", ""), Annotation: Given("true", ""), JobTemplateAnnotation: Unset(""),
		OwnerKind: "CronJob", APIServer: version.Parse("1.34.0"), Kubelets: []Kubelet{{Node: "a", Raw: "v1.34.0"}}, NodesKnown: true,
	}
	if d := base(t).Decide(in); d.Placement != Native {
		t.Errorf("webhook: %s (%s)", d.Placement, d.Reason)
	}
	in.KubeInject = true
	if d := base(t).Decide(in); d.Placement != Ordinary || d.Reason != ReasonEnvFalse {
		t.Errorf("kube-inject: %s (%s)", d.Placement, d.Reason)
	}
}
