package collect

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// flagList is testdata/flags.json: what may stand before a flag, command lines with a secret, messages that quote one.
// The tests of analyze/redact read the same list.
type flagList struct{ Before, Commands, MessagesOnly, Messages, Staying []string }

// A secret behind a flag goes whatever stands before the flag, from a message that quotes the command line and from an
// argument that holds one.
func TestFlags(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/flags.json")
	if err != nil {
		t.Fatal(err)
	}
	var list flagList
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	var events, args array
	describe := "Name:  nightly-1\nEvents:\n  Type    Reason  Age  From  Message\n"
	event := func(message string) {
		events = append(events, object{"apiVersion": "v1", "kind": "Event", "metadata": object{"name": "e", "namespace": "batch"}, "reason": "Failed", "message": message})
		describe += "  Warning  Failed  1s  kubelet  " + message + "\n"
	}
	secrets := 0
	for _, before := range list.Before {
		for i, command := range append(append([]string{}, list.Commands...), list.MessagesOnly...) {
			text := before + strings.ReplaceAll(command, "CANARY", "Canary0x")
			if i < len(list.Commands) {
				args = append(args, "plain", text)
			}
			for _, m := range list.Messages {
				event(fmt.Sprintf(m, text))
				secrets++
			}
		}
	}
	for _, m := range list.Staying {
		event(m)
	}
	pod := object{"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": "nightly-1", "namespace": "batch"},
		"spec": object{"containers": array{object{"name": "main", "args": args}}}}
	docs := func(items array) string {
		return marshal(t, object{"apiVersion": "v1", "kind": "List", "items": items})
	}
	res := run{args: []string{"-n", "batch"}}.on(t, healthy(t).with(answer{words: "get events", out: docs(events)},
		answer{words: "get pods", out: docs(array{pod})}, answer{words: "describe pods", out: describe}))
	noCanaries(t, res)
	have := res.bundle.files["namespaces/batch/core/events.yaml"]
	if n := strings.Count(have, "message: REDACTED"); res.exit != 0 || n != secrets {
		t.Errorf("exit %d, %d of %d messages were taken out", res.exit, n, secrets)
	}
	if n := strings.Count(res.bundle.files["namespaces/batch/core/pods.yaml"], "- plain\n"); n != len(args)/2 {
		t.Errorf("%d of %d other arguments are there", n, len(args)/2)
	}
	for _, m := range list.Staying {
		if !strings.Contains(res.bundle.files["describe/pods.batch.txt"], m+"\n") {
			t.Errorf("taken out: %s", m)
		}
	}
}
