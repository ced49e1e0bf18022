package redact

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// A secret behind a flag goes whatever stands before the flag, as the collector takes it out: the list is the one that
// its test reads.
func TestFlags(t *testing.T) {
	raw, err := os.ReadFile("../../collect/testdata/flags.json")
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Before, Commands, MessagesOnly, Messages, Staying []string }
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	p := patterns{}
	for _, before := range list.Before {
		for i, command := range append(append([]string{}, list.Commands...), list.MessagesOnly...) {
			text := before + command
			if hidden, _ := p.hides(text, ""); !hidden && i < len(list.Commands) {
				t.Errorf("as an argument it stays: %q", text)
			}
			for _, m := range list.Messages {
				got, _ := p.scrub(fmt.Sprintf(m, text))
				if strings.Contains(got, "CANARY") {
					t.Errorf("%q\nis scrubbed to %q", fmt.Sprintf(m, text), got)
				}
				if again, changed := p.scrub(got); again != got || changed {
					t.Errorf("%q: scrubbed again it is %q", got, again)
				}
			}
		}
	}
	for _, m := range list.Staying {
		if got, _ := p.scrub(m); got != m {
			t.Errorf("%q\nis scrubbed to %q", m, got)
		}
	}
	if len(list.Before) < 10 || len(list.Commands) < 10 || len(list.Messages) < 5 || len(list.Staying) < 5 {
		t.Error("the list is not what it was")
	}
}
