package rules

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// TestApart: what explains a hold is told apart from a verdict that has another cause, and from no other.
func TestApart(t *testing.T) {
	hold := &analyze.Rule{Code: "AutoBlockedByNode", Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar}}
	gate := &analyze.Rule{Code: "FeatureGateOff", Explains: []analyze.Code{PodCreationRejected, HeldBySidecar}}
	habit := &analyze.Rule{Code: "CronJobBlocked"}
	for _, tc := range []struct {
		verdict analyze.Code
		rule    *analyze.Rule
		beside  analyze.Code
		want    bool
	}{
		{AppCrashLooping, hold, "", true},
		{Failed, hold, "", true},
		{Unschedulable, hold, "", true},
		{PodCreationRejected, hold, "", true},
		{PodCreationRejected, gate, "", false},
		{Failed, hold, "SidecarFailedThePod", false},
		{InitNotFinished, hold, "InitBeforeProxy", false},
		{NativeSidecarStuck, hold, "", true},
		{SidecarNotStarted, hold, "", true},
		{NodeRejectedSidecar, hold, "", true},
		{HeldBySidecar, hold, "", false},
		{DeadlineHitWhileHeld, hold, "", false},
		{InsufficientEvidence, hold, "", false},
		{OtherContainerRunning, hold, "", false},
		{AppFailed, habit, "", false},
	} {
		w := &analyze.Workload{Verdict: tc.verdict, Findings: []analyze.Code{tc.rule.Code, tc.beside}}
		if got := Apart(w, tc.rule); got != tc.want {
			t.Errorf("%s beside %s and %q: apart %v", tc.rule.Code, tc.verdict, tc.beside, got)
		}
	}
}
