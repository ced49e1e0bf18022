package redact

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules/data"
)

// TestNoStopIsTrue: of an argument that holds a known way to stop a proxy it is never said that it stops none.
func TestNoStopIsTrue(t *testing.T) {
	k, err := knowledge.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range k.StopCalls() {
		if !stopWordsRx.MatchString(strings.ToLower(s.Pattern)) {
			t.Errorf("%s: its pattern %q has none of the words %s", s.ID, s.Pattern, stopWords)
		}
	}
}
