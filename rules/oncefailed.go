package rules

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// aftermath is what the Job controller makes of pods that become Failed.
type aftermath struct {
	text analyze.Text
	// again are those in whose place another pod may be made, which runs the program again.
	again []*facts.Pod
	// ends says that the Job becomes Failed, by which its controller deletes the pods that are left.
	ends bool
}

// onceFailed says what the Job controller makes of pods that become Failed, as far as the Job tells: the first rule of
// podFailurePolicy that fits a pod comes first, then backoffLimit, which has to be exceeded, then the limits of indexes, then
// whether more successes are wanted (syncJob, matchPodFailurePolicy, isIndexFailed).
func onceFailed(w *facts.Workload, pods []*facts.Pod) aftermath {
	job := w.Live()
	if job == nil {
		return aftermath{say("the Job counts that; unless its backoffLimit is exceeded by it, the Job makes another pod, which runs the program again"), pods, false}
	}
	var counted, ignored []*facts.Pod
	indexRule, ignoreRule := -1, -1
	for _, pod := range pods {
		i, r := failureRule(job, pod)
		switch {
		case r == nil:
		case r.Action == "FailJob":
			return aftermath{say("rule %d of podFailurePolicy (FailJob) then fails the Job at once, and no further pod is made", i), nil, true}
		case r.Action == "FailIndex":
			indexRule = i
		case r.Action == "Ignore":
			ignored, ignoreRule = append(ignored, pod), i
			continue
		}
		counted = append(counted, pod)
	}
	passed := say("rule %d of podFailurePolicy (Ignore) passes over that: it is not counted, and the Job makes another pod, which runs the program again", ignoreRule)
	if len(counted) == 0 {
		return aftermath{passed, ignored, false}
	}
	a := onceCounted(w, counted, indexRule)
	if len(ignored) > 0 && !a.ends {
		a.text, a.again = say("%s. Of %s: %s", a.text, list(fewOf(namesOfPods(ignored))), passed), append(a.again, ignored...)
	}
	return a
}

// onceCounted is onceFailed for pods whose failure counts. indexRule is the rule of podFailurePolicy that fails the index of one
// of them, or -1.
func onceCounted(w *facts.Workload, pods []*facts.Pod, indexRule int) aftermath {
	job := w.Live()
	s, failed := job.Spec, endsOf(w, "Failed")+int64(len(pods))
	switch {
	case s.BackoffLimit != nil && failed > *s.BackoffLimit:
		return aftermath{say("the Job counts that, which makes %d and exceeds backoffLimit (%d): it becomes Failed, and no further pod is made", failed, *s.BackoffLimit), nil, true}
	case s.BackoffLimitPerIndex != nil:
		return onceIndexFailed(job, pods, indexRule)
	case s.Completions == nil && endsOf(w, "Succeeded") > 0:
		return aftermath{text: say("no further pod is made, for one has succeeded: the Job is over when none is active")}
	case s.BackoffLimit == nil:
		return aftermath{say("the Job counts that; unless its backoffLimit is exceeded by it, the Job makes another pod, which runs the program again"), pods, false}
	}
	return aftermath{say("the Job counts that, which makes %d and does not exceed backoffLimit (%d): it makes another pod, which runs the program again", failed, *s.BackoffLimit), pods, false}
}

// failureCount is the annotation by which a pod knows how often its index has failed before it.
const failureCount = "batch.kubernetes.io/job-index-failure-count"

// onceIndexFailed is onceCounted for a Job with a limit for each of its indexes.
func onceIndexFailed(job *kube.Job, pods []*facts.Pod, indexRule int) aftermath {
	limit, unknown := *job.Spec.BackoffLimitPerIndex, false
	var open []*facts.Pod
	for _, pod := range pods {
		before, err := strconv.ParseInt(pod.Meta.Annotations.Get(failureCount), 10, 64)
		_, r := failureRule(job, pod)
		if r != nil && r.Action == "FailIndex" || limit == 0 || err == nil && before >= limit {
			continue
		}
		open, unknown = append(open, pod), unknown || err != nil
	}
	spent := int64(len(pods) - len(open))
	if most := job.Spec.MaxFailedIndexes; most != nil && spent > 0 && indexesIn(job.Status.FailedIndexes)+spent > *most {
		return aftermath{say("that fails an index, and the Job then has more failed ones than maxFailedIndexes allows (%d): it becomes Failed, and no further pod is made", *most), nil, true}
	}
	text := say("backoffLimitPerIndex (%d) allows another pod for its index, which runs the program again", limit)
	if unknown {
		text = say("unless backoffLimitPerIndex (%d) is exceeded by that, the Job makes another pod for its index, which runs the program again", limit)
	}
	if spent == 0 {
		return aftermath{text, open, false}
	}
	why := say("backoffLimitPerIndex (%d) is exceeded by that: no further pod is made for its index", limit)
	if indexRule >= 0 {
		why = say("rule %d of podFailurePolicy (FailIndex) then fails its index, for which no further pod is made", indexRule)
	}
	why = say("%s, and the Job becomes Failed when every index has ended", why)
	if len(open) == 0 {
		return aftermath{text: why}
	}
	return aftermath{say("of %s: %s. Of the others: %s", list(fewOf(namesOfPods(open))), text, why), open, false}
}

// indexesIn counts the indexes of a list such as 1,3-5,7 (orderedIntervals).
func indexesIn(intervals string) int64 {
	var n int64
	for part := range strings.SplitSeq(intervals, ",") {
		first, last, span := strings.Cut(part, "-")
		from, err := strconv.ParseInt(first, 10, 32)
		if err != nil {
			continue
		}
		to := from
		if span {
			if to, err = strconv.ParseInt(last, 10, 32); err != nil || to < from {
				continue
			}
		}
		n += to - from + 1
	}
	return n
}

// endsOf counts the pods of a Job that have ended in a phase, Succeeded or Failed: those in its counter, those that are on the way
// into it, and those that its controller has not seen yet, which keep its finalizer.
func endsOf(w *facts.Workload, phase string) int64 {
	job := w.Live()
	counter, onTheWay := job.Status.Succeeded, []string(nil)
	if u := job.Status.UncountedTerminatedPods; u != nil {
		onTheWay = u.Succeeded
	}
	if phase == "Failed" {
		counter, onTheWay = job.Status.Failed, nil
		if u := job.Status.UncountedTerminatedPods; u != nil {
			onTheWay = u.Failed
		}
	}
	n := int64(len(onTheWay))
	if counter != nil {
		n += *counter
	}
	for _, pod := range w.Pods {
		if pod.Status.Phase != phase || !contains(pod.Meta.Finalizers, trackingFinalizer) || contains(onTheWay, pod.Meta.UID) {
			continue
		}
		if _, r := failureRule(job, pod); r == nil || r.Action != "Ignore" || phase == "Succeeded" {
			n++
		}
	}
	return n
}

// failureRule gives the first rule of podFailurePolicy that the exit codes of a pod's containers or its conditions match, with
// its number.
func failureRule(job *kube.Job, pod *facts.Pod) (int, *kube.PodFailureRule) {
	if job.Spec.PodFailurePolicy == nil {
		return 0, nil
	}
	for i, r := range job.Spec.PodFailurePolicy.Rules {
		byCode := r.OnExitCodes != nil && slices.ContainsFunc(pod.Containers, func(c *facts.Container) bool {
			return (r.OnExitCodes.ContainerName == "" || r.OnExitCodes.ContainerName == c.Name) && matchesRule(r, c)
		})
		byCondition := r.OnExitCodes == nil && slices.ContainsFunc(r.OnPodConditions, func(want kube.PodConditionPattern) bool {
			return slices.ContainsFunc(pod.Status.Conditions, func(has kube.Condition) bool {
				return has.Type == want.Type && has.Status == cmp.Or(want.Status, "True")
			})
		})
		if byCode || byCondition {
			return i, &job.Spec.PodFailurePolicy.Rules[i]
		}
	}
	return 0, nil
}
