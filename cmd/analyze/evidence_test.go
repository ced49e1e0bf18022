package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
)

// TestNoEvidenceTwice: no report on a stored input cites one observation twice for one statement.
func TestNoEvidenceTwice(t *testing.T) {
	root := fixtures.Root(t)
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
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				got := run("-o", "json", "--all", dir)
				var report any
				if err := json.Unmarshal(got.Stdout, &report); err != nil {
					t.Fatalf("%v: %s", err, got.Stderr)
				}
				twice(t, "report", report)
			})
		}
	}
}

// twice looks for lists of evidence below v in which one stands twice.
func twice(t *testing.T, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			twice(t, path+"."+key, x)
		}
		seen := map[string]bool{}
		list, _ := v["evidence"].([]any)
		for _, e := range list {
			text := fmt.Sprint(e)
			if seen[text] {
				t.Errorf("%s: %s stands twice", path, text)
			}
			seen[text] = true
		}
	case []any:
		for i, x := range v {
			twice(t, fmt.Sprintf("%s[%d]", path, i), x)
		}
	}
}
