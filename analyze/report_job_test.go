package analyze

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestJobStatus: what is not there is absent, and said to be, and never zero.
func TestJobStatus(t *testing.T) {
	if jobStatus(nil) != nil {
		t.Error("a status without a Job")
	}
	one := int64(1)
	j := &kube.Job{Status: kube.JobStatus{Active: &one, StartTime: at(8)}}
	s := jobStatus(j)
	if s.Active != &one || s.Succeeded != nil || s.Failed != nil || s.StartedAt != "2030-01-02T08:00:00Z" || len(s.Evidence) != 4 {
		t.Errorf("%+v", s)
	}
	for i, absent := range []bool{false, true, true, true} {
		if e := s.Evidence[i]; e.Absent != absent {
			t.Errorf("%+v", e)
		}
	}
	j.Status.Conditions = []kube.Condition{{Type: "Complete", Status: "True", Reason: "CompletionsReached", LastTransitionTime: at(9)}}
	s = jobStatus(j)
	if len(s.Conditions) != 1 || s.Conditions[0] != (JobCondition{Type: "Complete", Status: "True", Reason: "CompletionsReached", Since: "2030-01-02T09:00:00Z"}) {
		t.Errorf("%+v", s.Conditions)
	}
	if e := s.Evidence[3]; e.Field != "status.conditions[type=Complete].status" || e.Value != "True" {
		t.Errorf("%+v", e)
	}
}
