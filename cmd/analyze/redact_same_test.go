package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
)

// mayDiffer are the folders from whose copies something else follows, with what and why. It is as short as it can be.
var mayDiffer = map[string]string{}

// TestSameFromTheCopy: the verdicts, the culprits and the fired findings of each stored input are the same from a
// redacted copy of it.
func TestSameFromTheCopy(t *testing.T) {
	for _, in := range storedInputs(t) {
		t.Run(in.name, func(t *testing.T) {
			t.Parallel()
			sameFromCopy(t, in.name, inputOf(t, in.dir))
		})
	}
}

// TestSameFromEachFile is the same for each file alone: what text says must not be covered by the YAML beside it.
func TestSameFromEachFile(t *testing.T) {
	root := fixtures.Root(t)
	for _, kind := range []string{"cases/*/*.txt", "bundles/*/*"} {
		files, err := filepath.Glob(filepath.Join(root, kind))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %d files", kind, err, len(files))
		}
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || slices.Contains(notInput, filepath.Base(file)) {
				continue
			}
			name, _ := filepath.Rel(root, file)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				sameFromCopy(t, name, file)
			})
		}
	}
}

// notInput are the files of a folder that are about it.
var notInput = []string{"expect.yaml", "case.yaml"}

// inputOf copies the input of a folder: its expectations are no part of it.
func inputOf(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "bundle")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, name := range notInput {
		_ = os.Remove(filepath.Join(to, name))
	}
	return to
}

func sameFromCopy(t *testing.T, name, dir string) {
	t.Helper()
	want := run("-o", "json", "--all", dir)
	copied := filepath.Join(t.TempDir(), "copy.tar.gz")
	got := run("redact", dir, "-o", copied)
	if want.Exit == 2 {
		if got.Exit != 2 {
			t.Errorf("a copy was made of what cannot be read: %s", got.Stdout)
		}
		return
	}
	if got.Exit != 0 {
		t.Fatalf("exit status %d: %s%s", got.Exit, got.Stdout, got.Stderr)
	}
	analyzed := run("-o", "json", "--all", copied)
	before, after := said(t, want.Stdout), said(t, analyzed.Stdout)
	var lines []string
	if was, is := layoutOf(t, want.Stdout), layoutOf(t, analyzed.Stdout); strings.HasPrefix(name, "layouts") && was != is {
		lines = append(lines, "layout "+is+" instead of "+was)
	}
	for _, s := range before {
		if !slices.Contains(after, s) {
			lines = append(lines, "no longer: "+s)
		}
	}
	for _, s := range after {
		if !slices.Contains(before, s) {
			lines = append(lines, "only from the copy: "+s)
		}
	}
	switch expected := mayDiffer[name]; {
	case len(lines) > 0 && expected == "":
		t.Errorf("the copy says something else:\n%s", strings.Join(lines, "\n"))
	case len(lines) == 0 && expected != "":
		t.Errorf("no exception is needed any more: %s", expected)
	}
}

func layoutOf(t *testing.T, report []byte) string {
	t.Helper()
	var r analyze.Report
	if err := json.Unmarshal(report, &r); err != nil {
		t.Fatal(err)
	}
	return r.Bundle.Layout
}

// said lists what a report claims: each workload with its verdict and culprits, each finding with its object, what was
// ruled out, and the versions of the cluster.
func said(t *testing.T, report []byte) []string {
	t.Helper()
	var r analyze.Report
	if err := json.Unmarshal(report, &r); err != nil {
		t.Fatalf("%v: %s", err, report)
	}
	var out []string
	for _, w := range r.Workloads {
		culprits := slices.Clone(w.Culprits)
		slices.Sort(culprits)
		out = append(out, fmt.Sprintf("%s/%s/%s: %s %v", w.Kind, w.Namespace, w.Name, w.Verdict, culprits))
	}
	for _, f := range r.Findings {
		out = append(out, fmt.Sprintf("%s (%s, %s) of %s", f.Code, f.Severity, f.Status, f.Object))
	}
	for _, x := range r.RuledOut {
		out = append(out, fmt.Sprintf("not %s of %s", x.Code, x.Object))
	}
	out = append(out, "API server "+r.Cluster.Kubernetes.Version)
	for _, k := range r.Cluster.Kubelets {
		out = append(out, fmt.Sprintf("kubelet %s on %v", k.Version, k.Nodes))
	}
	for _, cp := range r.Cluster.Istio {
		out = append(out, fmt.Sprintf("istiod %s of %s, variable %v", cp.Version, cp.Revision, cp.EnableNativeSidecars))
	}
	slices.Sort(out)
	return out
}
