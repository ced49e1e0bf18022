package rules

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
)

// TestEventsThatAreThereAreNotAskedFor: describe text of a Job ends with its events.
func TestEventsThatAreThereAreNotAskedFor(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(fixtures.Root(t), "bundles", "*", "describe-jobs.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	noPods := 0
	for _, file := range files {
		c := clusterIn(t, file)
		for _, w := range c.Workloads {
			j := Judge(c, w)
			if j.Code == NoPods {
				noPods++
			}
			for _, m := range j.Missing {
				if strings.Contains(m.Command, "describe job") {
					t.Errorf("%s: %s asks for %s", file, w.Ref, m.What)
				}
			}
		}
	}
	if noPods == 0 {
		t.Error("no Job without pods among them")
	}
}
