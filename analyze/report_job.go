package analyze

import (
	"strconv"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// JobStatus is what the Job controller wrote into a Job's status: it is what kubectl get job is made of, and says by
// itself whether the Job had ended. A number that the status does not have is absent.
type JobStatus struct {
	Active    *int64 `json:"active,omitempty"`
	Succeeded *int64 `json:"succeeded,omitempty"`
	Failed    *int64 `json:"failed,omitempty"`
	// Completions is how many successes the Job wants (spec.completions).
	Completions *int64 `json:"completions,omitempty"`
	StartedAt   string `json:"startedAt,omitempty"`
	CompletedAt string `json:"completedAt,omitempty"`
	// Conditions are in the Job's order.
	Conditions []JobCondition `json:"conditions"`
	// Evidence is where each of these was read; of conditions that are not there, that they are not.
	Evidence []evidence.Evidence `json:"evidence"`
}

// JobCondition is one condition of a Job.
type JobCondition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	Since   string `json:"since,omitempty"`
}

// stripped says that an object was given without its status, which tells nothing of the Job: one that its controller has not
// seen yet has an empty one, and kubectl prints it.
func stripped(j *kube.Job) bool {
	return !j.Described() && j.Origin.Lines != nil && j.Origin.Lines.LineOf("status") == 0
}

// jobStatus reads the status of a Job; nil where the bundle has none.
func jobStatus(j *kube.Job) *JobStatus {
	if j == nil || stripped(j) {
		return nil
	}
	s := j.Status
	out := &JobStatus{Active: s.Active, Succeeded: s.Succeeded, Failed: s.Failed, Completions: j.Spec.Completions,
		StartedAt: timeText(s.StartTime), CompletedAt: timeText(s.CompletionTime), Conditions: []JobCondition{}}
	for _, n := range []struct {
		path  string
		value *int64
	}{{"status.active", s.Active}, {"status.succeeded", s.Succeeded}, {"status.failed", s.Failed}} {
		if n.value == nil {
			out.Evidence = append(out.Evidence, j.EvAbsent(n.path))
			continue
		}
		out.Evidence = append(out.Evidence, j.Ev(n.path, strconv.FormatInt(*n.value, 10)))
	}
	for _, c := range s.Conditions {
		out.Conditions = append(out.Conditions, JobCondition{Type: c.Type, Status: c.Status, Reason: c.Reason, Message: c.Message, Since: timeText(c.LastTransitionTime)})
		out.Evidence = append(out.Evidence, j.Ev("status.conditions[type="+c.Type+"].status", c.Status))
	}
	if len(s.Conditions) == 0 {
		out.Evidence = append(out.Evidence, j.EvAbsent("status.conditions"))
	}
	return out
}
