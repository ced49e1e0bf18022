package main

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// fieldPath is the form of the paths in evidence: spec.containers[name=app].image, metadata.labels[a/b].
var fieldPath = regexp.MustCompile(`^[a-z][A-Za-z0-9]*(\[[^\[\]]+\])?(\.[a-z][A-Za-z0-9-]*(\[[^\[\]]+\])?)*$`)

// TestEvidencePaths: whatever a report cites as a field is one that could be looked up.
func TestEvidencePaths(t *testing.T) {
	seen := 0
	for _, in := range storedInputs(t) {
		out := run(in.dir, "-o", "json", "--all").Stdout
		var r analyze.Report
		if len(out) == 0 {
			continue
		}
		if err := json.Unmarshal(out, &r); err != nil {
			t.Fatalf("%s: %v", in.name, err)
		}
		check := func(list []evidence.Evidence) {
			for _, e := range list {
				seen++
				if e.Strength == evidence.Stored && e.Field != "" && !fieldPath.MatchString(e.Field) {
					t.Errorf("%s: %s cites %q", in.name, e.Object, e.Field)
				}
			}
		}
		for _, w := range r.Workloads {
			check(w.Evidence)
			for _, x := range w.RuledOut {
				check(x.Evidence)
			}
		}
		for _, f := range r.Findings {
			check(f.Evidence)
		}
		for _, x := range r.RuledOut {
			check(x.Evidence)
		}
	}
	if seen < 1000 {
		t.Errorf("only %d pieces of evidence", seen)
	}
}
