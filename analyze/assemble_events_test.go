package analyze

import (
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

func at(hour int) kube.Time {
	return kube.Time{Time: time.Date(2030, 1, 2, hour, 0, 0, 0, time.UTC), Raw: "set"}
}

// TestEventsOfOtherRunsAreLeftOut: a CronJob's events are about all of its runs.
func TestEventsOfOtherRunsAreLeftOut(t *testing.T) {
	run := &facts.Workload{Ref: evidence.Ref{Kind: "Job", Namespace: "n", Name: "report-12"}, ParentKind: "CronJob", ParentName: "report",
		Job: &kube.Job{}}
	run.Job.Meta.Created = at(10)
	for _, c := range []struct {
		message string
		at      kube.Time
		want    bool
	}{
		{"Created job report-12", at(9), true},
		{"Saw completed job: report-12, condition: Complete", at(11), true},
		{"Created job report-123", at(11), false},
		{"Created job report-1", at(11), false},
		{"Deleted job report-1", at(11), false},
		{"Not starting job because prior execution is running and concurrency policy is Forbid", at(11), true},
		{"Not starting job because prior execution is running and concurrency policy is Forbid", at(9), false},
		{"too many missed start times", kube.Time{}, true},
	} {
		if got := concerns(&kube.Event{Message: c.message, LastTimestamp: c.at}, run); got != c.want {
			t.Errorf("%s at %s: %v", c.message, c.at.Time, got)
		}
	}
}

func TestNamesIsAboutWholeNames(t *testing.T) {
	for text, want := range map[string]bool{
		"job report-1":                 true,
		"job report-1, then others":    true,
		"job report-12":                false,
		"job report-1-x then report-1": true,
		"job report-1.x":               false,
		"":                             false,
	} {
		if got := names(text, "report-1"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestJudged(t *testing.T) {
	for verdict, want := range map[Code]bool{InsufficientEvidence: false, NoPods: false, "HeldBySidecar": true, "OtherContainerRunning": true} {
		if got := (Workload{Verdict: verdict}).Judged(); got != want {
			t.Errorf("%s: %v", verdict, got)
		}
	}
}
