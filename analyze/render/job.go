package render

import (
	"strconv"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// jobText says in a line what the Job's own status says; "" without a Job.
func jobText(c catalogue, w analyze.Workload) string {
	j := w.JobStatus
	if j == nil {
		return ""
	}
	number := func(n *int64) string {
		if n == nil {
			return c.say("job.unset")
		}
		return strconv.FormatInt(*n, 10)
	}
	s := c.say("job.status.open", number(j.Active), number(j.Succeeded), number(j.Failed))
	if j.Completions != nil {
		s = c.say("job.status", number(j.Active), number(j.Succeeded), number(j.Completions), number(j.Failed))
	}
	var conditions []string
	for _, k := range j.Conditions {
		if k.Reason == "" {
			conditions = append(conditions, c.say("job.condition", k.Type, k.Status))
			continue
		}
		conditions = append(conditions, c.say("job.condition.reason", k.Type, k.Status, k.Reason))
	}
	if len(conditions) == 0 {
		return s + c.say("job.conditions.none") + c.say("stop")
	}
	return s + c.say("job.conditions", c.names(conditions)) + c.say("stop")
}

// jobWhere is where that was read.
func jobWhere(c catalogue, w analyze.Workload) string {
	if w.JobStatus == nil || len(w.JobStatus.Evidence) == 0 {
		return ""
	}
	return whereText(c, w.JobStatus.Evidence[0])
}
