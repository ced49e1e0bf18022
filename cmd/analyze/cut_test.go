package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules/data"
)

// TestCutNamesNoOtherCause: a file that ends anywhere in a pod gives the verdict of the whole file, or that it does not tell.
func TestCutNamesNoOtherCause(t *testing.T) {
	base, err := knowledge.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	bundles, err := filepath.Glob(filepath.Join(fixtures.Root(t), "bundles", "*"))
	if err != nil {
		t.Fatal(err)
	}
	cuts, told := 0, 0
	for _, dir := range bundles {
		for _, name := range []string{"describe-pods.txt", "pods.yaml"} {
			whole, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				continue
			}
			path := filepath.Join(t.TempDir(), name)
			want := verdictsOf(t, base, path, whole)
			for i, c := range whole {
				if c != '\n' {
					continue
				}
				cuts++
				for ref, got := range verdictsOf(t, base, path, whole[:i+1]) {
					if got == want[ref] {
						told++
					} else if got != rules.InsufficientEvidence {
						t.Errorf("%s/%s cut off behind line %d: %s is %s, and %s in the whole file", filepath.Base(dir), name, bytes.Count(whole[:i+1], []byte("\n")), ref, got, want[ref])
					}
				}
			}
		}
	}
	if cuts == 0 || told == 0 {
		t.Errorf("%d cuts, %d verdicts as in the whole file", cuts, told)
	}
}

// verdictsOf gives the verdict of each workload of one file.
func verdictsOf(t *testing.T, base *knowledge.Base, path string, text []byte) map[string]analyze.Code {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := bundle.Read(context.Background(), path, nil, bundle.Options{})
	if err != nil {
		return nil // nothing in it is known: an error, and no cause
	}
	e := &engine{app: &app{}, base: base}
	c := facts.Build(read.Set, e.factOptions(read))
	out := map[string]analyze.Code{}
	for _, w := range c.Workloads {
		out[w.Ref.String()] = rules.Judge(c, w).Code
	}
	return out
}
