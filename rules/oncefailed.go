package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// onceFailed says what the Job controller makes of pods that become Failed, as far as the Job tells, and whether their program
// may run again by that: a rule of podFailurePolicy comes first, then the limit of an index, then whether more successes are
// wanted, then backoffLimit, which has to be exceeded (syncJob, matchPodFailurePolicy).
func onceFailed(w *facts.Workload, pods []*facts.Pod) (text analyze.Text, again bool) {
	job := w.Live()
	if job == nil {
		return say("the Job counts that; unless its backoffLimit is exceeded by it, the Job makes another pod, which runs the program again"), true
	}
	if i, r := failureRule(job, pods[0]); r != nil {
		switch r.Action {
		case "FailJob":
			return say("rule %d of podFailurePolicy (FailJob) then fails the Job at once, and no further pod is made", i), false
		case "FailIndex":
			return say("rule %d of podFailurePolicy (FailIndex) then fails its index, for which no further pod is made", i), false
		case "Ignore":
			return say("rule %d of podFailurePolicy (Ignore) passes over that: it is not counted, and the Job makes another pod, which runs the program again", i), true
		}
	}
	s, failed, done := job.Spec, int64(0), int64(0)
	if job.Status.Failed != nil {
		failed = *job.Status.Failed
	}
	if job.Status.Succeeded != nil {
		done = *job.Status.Succeeded
	}
	failed += int64(len(pods))
	switch {
	case s.BackoffLimitPerIndex != nil && *s.BackoffLimitPerIndex == 0:
		return say("backoffLimitPerIndex is 0: no further pod is made for its index"), false
	case s.BackoffLimitPerIndex != nil:
		return say("unless backoffLimitPerIndex (%s) is exceeded by that, the Job makes another pod for its index, which runs the program again", count(s.BackoffLimitPerIndex)), true
	case s.Completions == nil && done > 0:
		return say("no further pod is made, for one has succeeded: the Job is over when none is active"), false
	case s.BackoffLimit == nil:
		return say("the Job counts that; unless its backoffLimit is exceeded by it, the Job makes another pod, which runs the program again"), true
	case failed > *s.BackoffLimit:
		return say("the Job counts that, which makes %d and exceeds backoffLimit (%d): it becomes Failed, and no further pod is made", failed, *s.BackoffLimit), false
	}
	return say("the Job counts that, which makes %d and does not exceed backoffLimit (%d): it makes another pod, which runs the program again", failed, *s.BackoffLimit), true
}

// failureRule gives the first rule of podFailurePolicy that the exit codes of a pod's containers match, with its number. Rules
// about conditions of the pod say nothing about one that ends by itself.
func failureRule(job *kube.Job, pod *facts.Pod) (int, *kube.PodFailureRule) {
	if job.Spec.PodFailurePolicy == nil {
		return 0, nil
	}
	for i, r := range job.Spec.PodFailurePolicy.Rules {
		if r.OnExitCodes == nil {
			continue
		}
		if slices.ContainsFunc(pod.Containers, func(c *facts.Container) bool {
			return (r.OnExitCodes.ContainerName == "" || r.OnExitCodes.ContainerName == c.Name) && matchesRule(r, c)
		}) {
			return i, &job.Spec.PodFailurePolicy.Rules[i]
		}
	}
	return 0, nil
}
