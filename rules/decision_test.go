package rules

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
)

// clusterOf builds the facts of a bundle of files, texts by name.
func clusterOf(t *testing.T, files map[string]string) *facts.Cluster {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return clusterIn(t, dir)
}

// fixtureCluster builds the facts of a folder of fixtures.
func fixtureCluster(t *testing.T, path ...string) *facts.Cluster {
	t.Helper()
	return clusterIn(t, filepath.Join(append([]string{fixtures.Root(t)}, path...)...))
}

func clusterIn(t *testing.T, dir string) *facts.Cluster {
	t.Helper()
	read, err := bundle.Read(context.Background(), dir, strings.NewReader(""), bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := base(t)
	return facts.Build(read.Set, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k)})
}

func fixtureText(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(append([]string{fixtures.Root(t)}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// injectedManifest is what must be told of one manifest that Istio's own injection code returned.
type injectedManifest struct {
	File      string   `json:"file"`
	Placement string   `json:"placement"`
	Really    string   `json:"really"`
	Left      []string `json:"left"`
}

// TestInjectedManifests: of each manifest that the injection code wrote, from nothing but the manifest, the tool names
// the placement, and what put it there: the very reason where the manifest tells it, else the few that remain, the true
// one among them.
func TestInjectedManifests(t *testing.T) {
	var want []injectedManifest
	if err := yaml.UnmarshalStrict([]byte(fixtureText(t, "inject", "expect.yaml")), &want); err != nil {
		t.Fatal(err)
	}
	k := base(t)
	for _, m := range want {
		got := Predict(clusterOf(t, map[string]string{"manifest.yaml": fixtureText(t, "inject", m.File)}), k, WhatIf{Kubernetes: "1.34.0"}, nil)
		if len(got) != 1 || len(got[0].Workloads) != 1 {
			t.Errorf("%s: %+v", m.File, got)
			continue
		}
		d := got[0].Decision
		if d.Placement != m.Placement || d.Reason != knowledge.ReasonInManifest {
			t.Errorf("%s: %s (%s), want %s", m.File, d.Placement, d.Reason, m.Placement)
		}
		why := stepAnswer(d, "What placed it there")
		if why != reasonsText(m.Left).String() {
			t.Errorf("%s: %q, want %q", m.File, why, reasonsText(m.Left))
		}
		if !strings.Contains(why, reasonThen(m.Really).String()) {
			t.Errorf("%s: %q leaves out what really was: %s", m.File, why, m.Really)
		}
	}
}

func stepAnswer(d knowledge.Decision, question string) string {
	for _, s := range d.Steps {
		if strings.HasPrefix(s.Question.String(), question) {
			return s.Answer.String()
		}
	}
	return ""
}

// TestPlainManifests: the same manifests before injection, with an istiod and nodes beside them, are decided as the
// injection code decided them; a CronJob as the webhook does, which reads the pod template.
func TestPlainManifests(t *testing.T) {
	const no, yes, off = knowledge.Ordinary, knowledge.Native, "false"
	tests := []struct {
		file, istio, env string
		kubelets         []string
		want, reason     string
	}{
		{"job.yaml", "1.26.8", "", []string{"v1.34.2"}, no, knowledge.ReasonDefaultOff},
		{"job.yaml", "1.26.8", "true", []string{"v1.34.2"}, yes, knowledge.ReasonEnvTrue},
		{"job.yaml", "1.26.8", off, []string{"v1.34.2"}, no, knowledge.ReasonEnvFalse},
		{"job-annot-true.yaml", "1.26.8", off, []string{"v1.34.2"}, yes, knowledge.ReasonAnnotationTrue},
		{"job-annot-false.yaml", "1.26.8", "true", []string{"v1.34.2"}, no, knowledge.ReasonAnnotationFalse},
		{"job-annot-on-job-true.yaml", "1.26.8", "", []string{"v1.34.2"}, no, knowledge.ReasonDefaultOff},
		{"job.yaml", "1.30.3", "", []string{"v1.33.1", "v1.34.2"}, yes, knowledge.ReasonAutoNodesNew},
		{"job.yaml", "1.30.3", "", []string{"v1.33.1-eks-1234567", "v1.33.0-gke.100"}, yes, knowledge.ReasonAutoNodesNew},
		{"job.yaml", "1.30.3", "", []string{"v1.33.1", "v1.32.4"}, no, knowledge.ReasonAutoOldNode},
		{"job.yaml", "1.30.3", "", []string{"v1.32.9"}, no, knowledge.ReasonAutoOldNode},
		{"job-annot-true.yaml", "1.30.3", "", []string{"v1.33.1", "v1.32.4"}, yes, knowledge.ReasonAnnotationTrue},
		{"job.yaml", "1.30.3", "true", []string{"v1.32.9"}, yes, knowledge.ReasonEnvTrue},
		{"job.yaml", "1.30.3", off, []string{"v1.34.2"}, no, knowledge.ReasonEnvFalse},
		{"job-annot-false.yaml", "1.30.3", "true", []string{"v1.34.2"}, no, knowledge.ReasonAnnotationFalse},
		{"job-annot-on-job-true.yaml", "1.30.3", "", []string{"v1.32.9"}, no, knowledge.ReasonAutoOldNode},
		{"cronjob-annot-true.yaml", "1.30.3", off, []string{"v1.34.2"}, yes, knowledge.ReasonAnnotationTrue},
		{"cronjob-annot-on-jobtemplate-true.yaml", "1.30.3", off, []string{"v1.34.2"}, no, knowledge.ReasonEnvFalse},
		{"cronjob-annot-on-cronjob-true.yaml", "1.26.8", "", []string{"v1.34.2"}, no, knowledge.ReasonDefaultOff},
	}
	for _, tc := range tests {
		c := clusterOf(t, map[string]string{"manifest.yaml": fixtureText(t, "inject", "input", tc.file), "istiod.yaml": istiodText(tc.istio, "default", tc.env),
			"nodes.yaml": nodesText(tc.kubelets...), "namespace.yaml": namespaceText("batch", "istio-injection: enabled")})
		got := Predict(c, base(t), WhatIf{Kubernetes: "1.34.0"}, nil)
		if len(got) != 1 || got[0].Decision.Placement != tc.want || got[0].Decision.Reason != tc.reason {
			t.Errorf("%s under %s env %q kubelets %v: %+v, want %s (%s)", tc.file, tc.istio, tc.env, tc.kubelets, got, tc.want, tc.reason)
		}
	}
}

// TestManifestAndWebhook: where the webhook takes the pods of an injected manifest too, it decides anew.
func TestManifestAndWebhook(t *testing.T) {
	files := map[string]string{"manifest.yaml": fixtureText(t, "inject", "1.26.8", "job-default.yaml"), "istiod.yaml": istiodText("1.27.3", "default", "true"),
		"nodes.yaml": nodesText("v1.34.2"), "namespace.yaml": namespaceText("batch", "istio-injection: enabled")}
	if n := next(t, files); n.Placement != knowledge.Native || n.Reason != knowledge.ReasonEnvTrue {
		t.Errorf("webhook: %s (%s)", n.Placement, n.Reason)
	}
	files["namespace.yaml"] = namespaceText("batch", "team: reports")
	if n := next(t, files); n.Placement != knowledge.Ordinary || n.Reason != knowledge.ReasonInManifest {
		t.Errorf("no webhook: %s (%s)", n.Placement, n.Reason)
	}
}

// next decides for the only workload of a bundle.
func next(t *testing.T, files map[string]string) *analyze.NextDecision {
	t.Helper()
	c := clusterOf(t, files)
	if len(c.Workloads) != 1 {
		t.Fatalf("%d workloads, want 1", len(c.Workloads))
	}
	return Next(c, base(t), c.Workloads[0])
}

func istiodText(version, revision, env string) string {
	variable := ""
	if env != "" {
		variable = "\n        - {name: ENABLE_NATIVE_SIDECARS, value: \"" + env + "\"}"
	}
	return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: istiod-` + revision + `
  namespace: istio-system
  creationTimestamp: "2026-10-01T08:00:00Z"
  labels: {app: istiod, istio.io/rev: "` + revision + `"}
spec:
  template:
    spec:
      containers:
      - name: discovery
        image: docker.io/istio/pilot:` + version + `
        env:
        - {name: REVISION, value: "` + revision + `"}` + variable + "\n"
}

func nodesText(kubelets ...string) string {
	var out strings.Builder
	for i, k := range kubelets {
		out.WriteString("---\napiVersion: v1\nkind: Node\nmetadata: {name: worker-" + string(rune('1'+i)) + "}\nstatus:\n  nodeInfo:\n    kubeletVersion: \"" + k + "\"\n")
	}
	return out.String()
}

func namespaceText(name, label string) string {
	return "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: " + name + "\n  labels:\n    " + label + "\n"
}
