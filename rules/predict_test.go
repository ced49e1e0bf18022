package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

func text(s string) *string { return &s }

// mixed is a bundle whose next pod is ordinary: automatic mode, one node too old.
func mixed(t *testing.T) map[string]string {
	t.Helper()
	return map[string]string{"job.yaml": fixtureText(t, "inject", "input", "job.yaml"), "istiod.yaml": istiodText("1.27.3", "default", ""),
		"nodes.yaml": nodesText("v1.33.4", "v1.32.9"), "namespace.yaml": namespaceText("batch", "istio-injection: enabled")}
}

func TestPredictWhatIf(t *testing.T) {
	tests := []struct {
		name              string
		what              WhatIf
		placement, reason string
	}{
		{"as it is", WhatIf{}, knowledge.Ordinary, knowledge.ReasonAutoOldNode},
		{"one node upgraded", WhatIf{Upgrade: map[string]string{"worker-2": "v1.33.5"}}, knowledge.Native, knowledge.ReasonAutoNodesNew},
		{"another node upgraded", WhatIf{Upgrade: map[string]string{"worker-1": "v1.34.0"}}, knowledge.Ordinary, knowledge.ReasonAutoOldNode},
		{"all nodes replaced", WhatIf{Kubelets: []string{"v1.34.1"}}, knowledge.Native, knowledge.ReasonAutoNodesNew},
		{"an older Istio", WhatIf{Istio: "1.26.8"}, knowledge.Ordinary, knowledge.ReasonDefaultOff},
		{"an older Istio with the variable", WhatIf{Istio: "1.26.8", Env: text("true")}, knowledge.Native, knowledge.ReasonEnvTrue},
		{"the variable in capitals", WhatIf{Env: text("TRUE")}, knowledge.Ordinary, knowledge.ReasonEnvNotUnderstood},
		{"the annotation", WhatIf{Annotation: text("true")}, knowledge.Native, knowledge.ReasonAnnotationTrue},
		{"the annotation on an Istio that does not read it", WhatIf{Istio: "1.23.0", Annotation: text("true")}, knowledge.Ordinary, knowledge.ReasonDefaultOff},
		{"no as annotation", WhatIf{Annotation: text("no")}, knowledge.Native, knowledge.ReasonAnnotationTaken},
		{"both, the annotation decides", WhatIf{Env: text("true"), Annotation: text("false")}, knowledge.Ordinary, knowledge.ReasonAnnotationFalse},
		{"unset takes away", WhatIf{Env: text(Unset), Annotation: text(Unset)}, knowledge.Ordinary, knowledge.ReasonAutoOldNode},
		{"the annotation on an API server without the field", WhatIf{Kubernetes: "1.27.3", Annotation: text("true")}, knowledge.Broken, knowledge.ReasonAnnotationTrue},
		{"the annotation on old kubelets", WhatIf{Kubernetes: "1.29.3", Kubelets: []string{"1.27.16"}, Annotation: text("true")}, knowledge.Broken, knowledge.ReasonAnnotationTrue},
	}
	c := clusterOf(t, mixed(t))
	for _, tc := range tests {
		got := Predict(c, base(t), tc.what, nil)
		if len(got) != 1 || got[0].Decision.Placement != tc.placement || got[0].Decision.Reason != tc.reason {
			t.Errorf("%s: %+v, want %s (%s)", tc.name, got, tc.placement, tc.reason)
		}
	}
}

func TestPredictFromFlags(t *testing.T) {
	got := Predict(nil, base(t), WhatIf{Kubernetes: "1.33.5", Istio: "1.27.3", Kubelets: []string{"1.33.5", "1.32.9"}}, nil)
	if len(got) != 1 || got[0].Decision.Placement != knowledge.Ordinary || len(got[0].Decision.Blockers) != 1 || len(got[0].Workloads) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestPredictShares: workloads with the same inputs share one prediction, others have their own, and one without a proxy
// says why.
func TestPredictShares(t *testing.T) {
	files := mixed(t)
	files["twin.yaml"] = manifestText("twin", "", "")
	files["annotated.yaml"] = manifestText("annotated", `{sidecar.istio.io/nativeSidecar: "true"}`, "")
	files["out.yaml"] = manifestText("out", "", `{sidecar.istio.io/inject: "false"}`)
	got := Predict(clusterOf(t, files), base(t), WhatIf{}, nil)
	if len(got) != 3 {
		t.Fatalf("%d predictions: %+v", len(got), got)
	}
	var shared, own, none bool
	for _, p := range got {
		shared = shared || len(p.Workloads) == 2 && p.Decision.Placement == knowledge.Ordinary
		own = own || len(p.Workloads) == 1 && p.Decision.Placement == knowledge.Native
		none = none || !p.WhyNot.IsZero() && p.Workloads[0].Name == "out"
	}
	if !shared || !own || !none {
		t.Errorf("%+v", got)
	}
}

// manifestText is a Job as somebody would write it, with annotations and labels of its pod template.
func manifestText(name, annotations, labels string) string {
	if annotations == "" {
		annotations = "{}"
	}
	if labels == "" {
		labels = "{app: reports}"
	}
	return `apiVersion: batch/v1
kind: Job
metadata: {name: ` + name + `, namespace: batch}
spec:
  template:
    metadata:
      annotations: ` + annotations + `
      labels: ` + labels + `
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: "registry.example.com/reports:1"}
`
}

// TestChanges: which single change is enough, by what the releases do.
func TestChanges(t *testing.T) {
	const annotation, env, nodes = changeAnnotation, changeEnv, changeNodes
	tests := []struct {
		name string
		what WhatIf
		want []string
	}{
		{"1.18 has none", WhatIf{Istio: "1.18.7", Kubernetes: "1.33.0", Kubelets: []string{"1.33.0"}}, nil},
		{"1.23 has the variable", WhatIf{Istio: "1.23.2", Kubernetes: "1.30.0", Kubelets: []string{"1.30.0"}}, []string{env}},
		{"1.24 has both", WhatIf{Istio: "1.24.1", Kubernetes: "1.30.0", Kubelets: []string{"1.30.0"}}, []string{annotation, env}},
		{"1.27 has all three", WhatIf{Istio: "1.27.3", Kubernetes: "1.32.0", Kubelets: []string{"1.32.0"}}, []string{annotation, env, nodes}},
		{"1.27 switched off keeps to it whatever the nodes", WhatIf{Istio: "1.27.3", Kubernetes: "1.32.0", Kubelets: []string{"1.32.0"}, Env: text("false")}, []string{annotation, env}},
		{"opted out: only the annotation itself", WhatIf{Istio: "1.27.3", Kubernetes: "1.33.0", Kubelets: []string{"1.33.0"}, Annotation: text("false")}, []string{annotation}},
		{"opted out before it was read", WhatIf{Istio: "1.22.0", Kubernetes: "1.30.0", Kubelets: []string{"1.30.0"}, Annotation: text("false")}, []string{env}},
		{"an unreadable node is against the nodes' way until it is gone", WhatIf{Istio: "1.28.0", Kubernetes: "1.33.0", Kubelets: []string{"1.33.0", "fake"}}, []string{annotation, env, nodes}},
		{"kubelets that cannot run it", WhatIf{Istio: "1.24.1", Kubernetes: "1.29.0", Kubelets: []string{"1.27.3"}}, nil},
		{"an API server that drops the field", WhatIf{Istio: "1.27.3", Kubernetes: "1.28.9", Kubelets: []string{"1.28.9"}}, nil},
	}
	for _, tc := range tests {
		var got []string
		for _, c := range Predict(nil, base(t), tc.what, nil)[0].Changes {
			if c.Enough() {
				got = append(got, c.Kind)
			}
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: enough %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestChangesOfAManifest: where the manifest holds the proxy, only injecting it anew helps, and for a CronJob the
// annotation counts where kube-inject reads it.
func TestChangesOfAManifest(t *testing.T) {
	for file, want := range map[string][]string{
		"1.26.8/job-default.yaml":     {changeAnnotation},
		"1.26.8/cronjob-default.yaml": {changeAnnotation},
		"1.26.8/job-env-true.yaml":    {changeAnnotation},
	} {
		c := clusterOf(t, map[string]string{"manifest.yaml": fixtureText(t, "inject", file), "istiod.yaml": istiodText("1.26.8", "default", "")})
		var got []string
		for _, ch := range Predict(c, base(t), WhatIf{Kubernetes: "1.34.0"}, nil)[0].Changes {
			if ch.Enough() {
				got = append(got, ch.Kind)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: enough %q, want %q", file, got, want)
		}
	}
}

// TestPredictSaysWhichIstiodsMayInject: two of one revision in the bundle are not "not in the bundle", and the report and
// the prediction say the same of them.
func TestPredictSaysWhichIstiodsMayInject(t *testing.T) {
	files := map[string]string{"job.yaml": fixtureText(t, "inject", "input", "job.yaml"),
		"istiod.yaml":    istiodText("1.27.3", "default", ""),
		"other.yaml":     strings.ReplaceAll(istiodText("1.25.1", "default", ""), "istio-system", "istio-old"),
		"namespace.yaml": namespaceText("batch", "istio-injection: enabled")}
	c := clusterOf(t, files)
	got := Predict(c, base(t), WhatIf{}, nil)
	if len(got) != 1 || len(got[0].Decision.Steps) == 0 {
		t.Fatalf("%+v", got)
	}
	next := Next(c, base(t), Runs(c)[0])
	want := next.Steps[0].Answer.String()
	if len(next.Rivals) != 2 || got[0].Decision.Steps[0].Answer.String() != want || !strings.Contains(want, "nothing in the bundle tells which") {
		t.Errorf("the prediction says %q, the report %q", got[0].Decision.Steps[0].Answer, want)
	}
}
