package rules

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestFailureIsShownWhereItStands: while pods still end a Job has FailureTarget alone, and that is the proof then.
func TestFailureIsShownWhereItStands(t *testing.T) {
	for _, tt := range []struct {
		conditions []kube.Condition
		reason     string
		field      string
	}{
		{nil, "", "status.conditions[type=Failed]"},
		{[]kube.Condition{{Type: "Failed", Status: "False", Reason: "x"}}, "", "status.conditions[type=Failed]"},
		{[]kube.Condition{{Type: "FailureTarget", Status: "True", Reason: "BackoffLimitExceeded"}}, "BackoffLimitExceeded", "status.conditions[type=FailureTarget].reason"},
		{[]kube.Condition{{Type: "FailureTarget", Status: "True", Reason: "a"}, {Type: "Failed", Status: "True", Reason: "b"}}, "b", "status.conditions[type=Failed].reason"},
	} {
		job := jobOf()
		job.Status.Conditions = tt.conditions
		reason, at := failure(job)
		if reason != tt.reason || at.Field != tt.field || at.Absent != (reason == "") || at.Value != reason {
			t.Errorf("%+v: %q at %+v", tt.conditions, reason, at)
		}
	}
}

// TestBackoffOfFailureTarget: both rules that tell of the limit show the condition that the Job has.
func TestBackoffOfFailureTarget(t *testing.T) {
	k := base(t)
	job, pod := jobOf(), podOf("OnFailure", "Running", app(), proxy().restarted(6, 1))
	limit := int64(6)
	job.Spec.BackoffLimit, job.Spec.Template.Spec.RestartPolicy = &limit, "OnFailure"
	job.Status.Conditions = []kube.Condition{{Type: "FailureTarget", Status: "True", Reason: "BackoffLimitExceeded"}}
	pod.Meta.Deleted = stampOf(ended)
	c := facts.Build(&kube.Set{Jobs: []*kube.Job{job}, Pods: []*kube.Pod{pod}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
	report := Engine().Run(c, k, analyze.Options{All: true})
	seen := 0
	for _, f := range report.Findings {
		for _, e := range f.Evidence {
			switch e.Field {
			case "status.conditions[type=Failed].reason":
				t.Errorf("%s shows a condition that is not there", f.Code)
			case "status.conditions[type=FailureTarget].reason":
				seen++
			}
		}
	}
	if seen == 0 {
		t.Error("no finding shows the condition")
	}
}

// TestStartedIsShownAsItStands: a status without the field proves no value of it.
func TestStartedIsShownAsItStands(t *testing.T) {
	k := base(t)
	for _, tt := range []struct {
		sidecar told
		value   string
	}{{proxy().native().notStarted(), "false"}, {proxy().native(), "true"}, {proxy().native().unreported(), ""}} {
		c := facts.Build(&kube.Set{Pods: []*kube.Pod{podOf("Never", "Pending", tt.sidecar, app().waits("PodInitializing"))}},
			facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		e := evStarted(c.Workloads[0].Pods[0].Container("istio-proxy"))
		if e.Field != "status.initContainerStatuses[name=istio-proxy].started" || e.Value != tt.value || e.Absent != (tt.value == "") {
			t.Errorf("%q: %+v", tt.value, e)
		}
	}
}
