package collect

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// report is what redaction must not change: every verdict and every finding. Files, lines and messages may differ.
type report struct {
	Workloads []struct {
		Kind, Namespace, Name, Verdict, Since string
		Culprits, Findings                    []string
		NextPod                               struct{ Placement string }
		Pods                                  []struct {
			Name, Verdict, Ready, Status string
			Containers                   []struct{ Name, Role, Placement, State string }
		}
	}
	Findings []struct {
		Code, Severity, Status string
		Object                 struct{ Kind, Namespace, Name string }
	}
}

// recorded is a cluster that answers with what a real API server said in one of the fixtures.
func recorded(t testing.TB, scenario string) cluster {
	t.Helper()
	dir := filepath.Join("..", "fixtures", "bundles", scenario)
	var answers []answer
	for words, name := range map[string]string{"get pods": "pods.yaml", "get jobs.batch": "jobs.yaml", "get cronjobs.batch": "cronjobs.yaml", "get events": "events.yaml",
		"get nodes": "nodes.yaml", "describe pods": "describe-pods.txt", "describe jobs.batch": "describe-jobs.txt"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, answer{words: words, out: string(text)})
	}
	return healthy(t).with(answers...)
}

// The verdict is the same with and without redaction: what is taken out is not what the analysis lives on.
func TestSameVerdict(t *testing.T) {
	t.Parallel()
	analyze := filepath.Join(t.TempDir(), "analyze")
	if out, err := exec.Command("go", "build", "-o", analyze, "../cmd/analyze").CombinedOutput(); err != nil {
		t.Fatalf("building the analyzer: %v\n%s", err, out)
	}
	secrets, _ := referenceRun(t)
	for name, c := range map[string]cluster{
		"HeldBySidecar":       recorded(t, "ordinary-sidecar-holding-job"),
		"PodCreationRejected": recorded(t, "gate-off-after-downgrade"),
		"ImagePullFailing":    recorded(t, "image-pull-backoff"),
		"":                    secrets,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redacted, open := judge(t, analyze, run{}.on(t, c)), judge(t, analyze, run{args: []string{"--no-redact"}}.on(t, c))
			if !reflect.DeepEqual(redacted, open) {
				t.Errorf("redaction changes the report:\nwith    %+v\nwithout %+v", redacted, open)
			}
			text, _ := json.Marshal(redacted)
			if len(redacted.Workloads) == 0 || !strings.Contains(string(text), name) {
				t.Errorf("the case is not what it should be: %s", text)
			}
		})
	}
}

// What the filter left out is a problem of the bundle, and the verdict that misses a pod says that one was left out. A pod
// of another namespace is no reason to say so.
func TestLossesAreReported(t *testing.T) {
	t.Parallel()
	analyze := filepath.Join(t.TempDir(), "analyze")
	if out, err := exec.Command("go", "build", "-o", analyze, "../cmd/analyze").CombinedOutput(); err != nil {
		t.Fatalf("building the analyzer: %v\n%s", err, out)
	}
	job := list(t, object{"apiVersion": "batch/v1", "kind": "Job", "metadata": object{"name": "a", "namespace": "batch", "uid": "1", "creationTimestamp": "2026-11-30T12:00:00Z"},
		"status": object{"active": 1}})
	lost := "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: x\u2028y\n    namespace: batch\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"
	fake := healthy(t).with(answer{words: "get jobs.batch -n batch", out: job}, answer{words: "get jobs.batch", out: emptyList},
		answer{words: "get cronjobs.batch", out: emptyList}, answer{words: "get events", out: emptyList},
		answer{words: "describe "}, answer{words: "get namespaces istio-system", out: "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: istio-system\n"})
	for where, said := range map[string]bool{"batch": true, "istio-system": false} {
		c := fake.with(answer{words: "get pods -n " + where, out: lost}, answer{words: "get pods", out: emptyList})
		res := run{args: []string{"-n", "batch,istio-system"}}.on(t, c)
		out, err := exec.Command(analyze, "--all", "-o", "json", res.tarballs[0]).Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		text := string(out)
		if strings.Contains(text, "a pod of it may have been among those") != said || !strings.Contains(text, `"verdict": "NoPods"`) {
			t.Errorf("lost in %s:\n%s", where, text)
		}
		var r struct {
			Bundle struct {
				Problems []struct{ File, Message string }
			}
		}
		if err := json.Unmarshal(out, &r); err != nil {
			t.Fatal(err)
		}
		if p := r.Bundle.Problems; len(p) != 1 || !strings.HasSuffix(p[0].File, "/collection.json") || !strings.Contains(p[0].Message, "get pods -n "+where) ||
			!strings.Contains(p[0].Message, "1 objects left out, the first: a line break of Unicode") {
			t.Errorf("lost in %s: problems %+v", where, p)
		}
	}
}

func judge(t testing.TB, analyze string, res result) report {
	t.Helper()
	out, err := exec.Command(analyze, "--all", "-o", "json", res.tarballs[0]).Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return r
}
