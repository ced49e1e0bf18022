package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
)

// run runs the program in this process, with no terminal, no environment and a clock that stands still.
func run(args ...string) fixtures.Result { return runWith(IO{}, args...) }

func runWith(stdio IO, args ...string) fixtures.Result {
	var out, errOut bytes.Buffer
	stdio.Stdout, stdio.Stderr, stdio.Version = &out, &errOut, "v0.0.0-test"
	if stdio.Stdin == nil {
		stdio.Stdin = strings.NewReader("")
	}
	if stdio.Env == nil {
		stdio.Env = func(string) string { return "" }
	}
	if stdio.Now == nil {
		stdio.Now = func() time.Time { return time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC) }
	}
	code := Main(context.Background(), args, stdio)
	return fixtures.Result{Exit: code, Stdout: out.Bytes(), Stderr: errOut.Bytes()}
}

// stored is a folder with an input among the fixtures; name is its path below them.
type stored struct{ name, dir string }

// storedInputs lists every stored input.
func storedInputs(t *testing.T) []stored {
	t.Helper()
	root := fixtures.Root(t)
	var all []stored
	for _, kind := range []string{"cases/*", "bundles/*", "layouts/*", "rules/*/*", "demo/bundle"} {
		dirs, err := filepath.Glob(filepath.Join(root, kind))
		if err != nil || len(dirs) == 0 {
			t.Fatalf("%s: %v, %d folders", kind, err, len(dirs))
		}
		for _, dir := range dirs {
			if info, err := os.Stat(dir); err != nil || !info.IsDir() {
				continue
			}
			name, _ := filepath.Rel(root, dir)
			all = append(all, stored{name, dir})
		}
	}
	return all
}

func TestCases(t *testing.T) {
	fixtures.Cases(t, run, filepath.Join(fixtures.Root(t), "cases"))
}

func TestScenarios(t *testing.T) {
	fixtures.Scenarios(t, run, filepath.Join(fixtures.Root(t), "bundles"))
}

func TestRuleCases(t *testing.T) {
	fixtures.RuleCases(t, run, filepath.Join(fixtures.Root(t), "rules"))
}
