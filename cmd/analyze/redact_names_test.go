package main

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/redact"
)

// What a redaction counts is listed in its manifest, as far as that lists it.
func TestNamesLeftOutAreListedSomewhere(t *testing.T) {
	seven := []string{"a", "b", "c", "d", "e", "f", "g"}
	for want, l := range map[string]redact.LeftOut{
		"a, b, c, d, e": {Files: 5, Names: seven[:5]},
		"a, b, c, d, e and 2 more, in redaction.json":                    {Files: 7, Names: seven},
		"a, b, c, d, e and 4 more, in redaction.json the first 7 of all": {Files: 9, Names: seven},
	} {
		if got := someNames(l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
