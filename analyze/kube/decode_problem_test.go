package kube

import (
	"slices"
	"testing"
)

// TestWithoutExitCode: what is missing is named, whatever the notation.
func TestWithoutExitCode(t *testing.T) {
	for format, raw := range map[Format]string{
		YAML: "kind: Pod\nmetadata: {name: a}\nstatus:\n  containerStatuses:\n  - name: app\n    state:\n      terminated:\n        exitCode: none\n        reason: Error\n",
		JSON: `{"kind": "Pod", "metadata": {"name": "a"}, "status": {"containerStatuses": [{"name": "app", "state": {"terminated": {"reason": "Error"}}}]}}`,
	} {
		var said []string
		set := &Set{}
		d := &Decoder{File: "f", Set: set, Report: func(_ int, message string) { said = append(said, message) }}
		if err := d.Object(Text{Format: format, Raw: []byte(raw), Line: 1}, ""); err != nil {
			t.Fatal(err)
		}
		d.Close()
		want := "Pod: status.containerStatuses[0].state.terminated has no readable exitCode; it was left out"
		if !slices.Contains(said, want) {
			t.Errorf("%v: %q", format, said)
		}
		state := set.Pods[0].Status.ContainerStatuses[0].State
		if state.Terminated != nil || state.Uncoded == nil || state.Uncoded.Reason != "Error" {
			t.Errorf("%v: %+v", format, state)
		}
	}
}
