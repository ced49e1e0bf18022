package facts

import (
	"slices"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestEventsInAnyOrder: describe text before or behind the stored events gives the same events, each once.
func TestEventsInAnyOrder(t *testing.T) {
	event := func(name, reason, last, age string) *kube.Event {
		e := &kube.Event{Type: "Normal", Reason: reason, Message: "of " + reason, Age: age, LastTimestamp: kube.ParseTime(last)}
		e.Meta.Name = name
		e.Involved = kube.ObjectRef{Kind: "Job", Namespace: "team-app", Name: "report"}
		e.Origin.Strength = evidence.Stored
		if age != "" {
			e.Origin.Strength = evidence.Described
		}
		return e
	}
	stored := []*kube.Event{
		event("report.1", "SuccessfulCreate", "2026-11-30T12:19:18Z", ""),
		event("report.2", "SuccessfulCreate", "2026-11-30T12:20:18Z", ""),
		event("report.3", "Suspended", "2026-11-30T12:20:18Z", ""),
		event("report.1", "SuccessfulCreate", "2026-11-30T12:19:18Z", ""),
	}
	described := []*kube.Event{event("", "SuccessfulCreate", "", "71s"), event("", "BackoffLimitExceeded", "", "5s")}
	want := []string{" BackoffLimitExceeded", "report.1 SuccessfulCreate", "report.2 SuccessfulCreate", "report.3 Suspended"}
	backwards := slices.Concat(described, stored)
	slices.Reverse(backwards)
	for order, list := range map[string][]*kube.Event{
		"stored first": slices.Concat(stored, described), "described first": slices.Concat(described, stored), "backwards": backwards,
	} {
		var got []string
		for _, e := range indexEvents(list)[evidence.Ref{Kind: "Job", Namespace: "team-app", Name: "report"}] {
			got = append(got, e.Meta.Name+" "+e.Reason)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", order, got, want)
		}
	}
}
