package main

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestNoEvidenceTwice: no report on a stored input cites one observation twice for one statement.
func TestNoEvidenceTwice(t *testing.T) {
	for _, in := range storedInputs(t) {
		t.Run(in.name, func(t *testing.T) {
			t.Parallel()
			got := run("-o", "json", "--all", in.dir)
			var report any
			if err := json.Unmarshal(got.Stdout, &report); err != nil {
				t.Fatalf("%v: %s", err, got.Stderr)
			}
			twice(t, "report", report)
		})
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
