package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// TestEveryBundleHasItsLine: a fleet must see the bundles in which there was nothing to find, too.
func TestEveryBundleHasItsLine(t *testing.T) {
	rs := loadCase(t, "bundles")
	var seen []string
	left := 0
	for _, raw := range bytes.Split(bytes.TrimSpace(render(t, "ndjson", rs, Options{})), []byte("\n")) {
		var l struct {
			Record, Bundle              string
			WorkloadCount, FindingCount int
			Problems                    *[]any
		}
		if err := json.Unmarshal(raw, &l); err != nil {
			t.Fatal(err)
		}
		if l.Record != "bundle" {
			left--
			continue
		}
		if left != 0 || l.Problems == nil {
			t.Errorf("%s: %d lines too few before it, problems %v", l.Bundle, left, l.Problems)
		}
		seen, left = append(seen, l.Bundle), l.WorkloadCount+l.FindingCount
	}
	var want []string
	for _, r := range rs {
		want = append(want, r.Bundle.Source)
	}
	if !slices.Equal(seen, want) || left != 0 {
		t.Errorf("%s", fmt.Sprint(seen, want, left))
	}
}
