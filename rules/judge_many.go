package rules

import (
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// holding orders the verdicts of pods that are not finished by what a reader must hear first when the pods of one Job
// differ. All of them hold the Job open; one that is held for ever outranks one that still works.
var holding = []analyze.Code{HeldBySidecar, FailureHiddenBySidecar, NativeSidecarStuck, SidecarBlocksInit, NodeRejectedSidecar,
	SidecarNotStarted, NodeLost, PodTerminating, ImagePullFailing, ContainerCannotStart, AppCrashLooping, AppFailed, InitNotFinished,
	Unschedulable, OtherContainerRunning, AppRunning, NativeSidecarStopping, InsufficientEvidence}

// fromPods takes the verdict of the pod that holds the workload open.
func (v *view) fromPods() analyze.Judgement {
	var open, ended []*analyze.PodJudgement
	for i := range v.pods {
		if finished(v.pods[i].Pod.Status.Phase) {
			ended = append(ended, &v.pods[i])
		} else {
			open = append(open, &v.pods[i])
		}
	}
	if len(open) == 0 {
		return v.fromFinished(ended)
	}
	if last := latestFailure(ended); last != nil && allUnjudged(open) {
		j := ofTry(last)
		j.Summary = say("%s; the next try, pod %s, had not begun", j.Summary, open[0].Pod.Meta.Name)
		return j
	}
	for _, code := range holding {
		for _, p := range open {
			if p.Code == code {
				j := p.Judgement
				j.Holder = p
				if len(v.pods) > 1 {
					j = withUncounted(v.together(j, code, open), ended)
				}
				return j
			}
		}
	}
	j := open[0].Judgement
	j.Holder = open[0]
	return j
}

// failedTry says that a finished pod failed before its work was done: by the exit code of the application or of an init
// container before it, or by an end from outside.
func failedTry(p *analyze.PodJudgement) bool {
	return p.Code == AppFailed || p.Code == InitNotFinished || p.Code == Failed && cutOff(p.Pod) != nil
}

// ofTry gives the judgement of a failed pod as that of its Job, which has tries left: Failed is for what is over.
func ofTry(p *analyze.PodJudgement) analyze.Judgement {
	j := p.Judgement
	j.Holder = p
	if j.Code == Failed {
		j.Code = AppFailed
	}
	return j
}

// latestFailure gives the newest finished pod when it failed before its work was done.
func latestFailure(ended []*analyze.PodJudgement) *analyze.PodJudgement {
	if len(ended) == 0 {
		return nil
	}
	if last := newestPod(ended); failedTry(last) {
		return last
	}
	return nil
}

// allUnjudged says that no open pod shows anything yet: tries that the kubelet has not begun.
func allUnjudged(open []*analyze.PodJudgement) bool {
	for _, p := range open {
		if p.Code != InsufficientEvidence || len(p.Pod.Status.ContainerStatuses) > 0 {
			return false
		}
	}
	return true
}

func finished(phase string) bool { return phase == "Succeeded" || phase == "Failed" }

// together adds to the verdict of one pod how many others are in the same state.
func (v *view) together(j analyze.Judgement, code analyze.Code, open []*analyze.PodJudgement) analyze.Judgement {
	same := 0
	for _, p := range open {
		if p.Code != code {
			continue
		}
		same++
		if p != j.Holder {
			j.Evidence = append(j.Evidence, p.Evidence...)
			for _, c := range p.Culprits {
				if !contains(j.Culprits, c) {
					j.Culprits = append(j.Culprits, c)
				}
			}
			if !p.Since.IsZero() && p.Since.Before(j.Since) {
				j.Since, j.Held = p.Since, p.Held
			}
		}
	}
	if same == len(v.pods) {
		j.Summary = say("all %d pods, for example %s: %s", same, j.Holder.Pod.Meta.Name, j.Summary)
		return j
	}
	if same == 1 {
		j.Summary = say("pod %s, 1 of %d: %s", j.Holder.Pod.Meta.Name, len(v.pods), j.Summary)
		return j
	}
	j.Summary = say("%d of %d pods, for example %s: %s", same, len(v.pods), j.Holder.Pod.Meta.Name, j.Summary)
	return j
}

// withUncounted adds to the verdict of an open pod the finished ones that the Job controller has neither counted nor let go.
func withUncounted(j analyze.Judgement, ended []*analyze.PodJudgement) analyze.Judgement {
	var stuck []string
	for _, p := range ended {
		if p.Code == PodTerminating {
			stuck = append(stuck, p.Pod.Meta.Name)
			j.Evidence = append(j.Evidence, p.Evidence...)
		}
	}
	if len(stuck) > 0 {
		j.Calm = analyze.Text{}
		j.Summary = say("%s. The Job controller had not counted pods that had ended and should have been gone, for the finalizer %s was still on them: %s",
			j.Summary, trackingFinalizer, list(fewOf(stuck)))
	}
	return j
}

// fromFinished judges a workload whose pods have all finished while it has no terminal condition.
func (v *view) fromFinished(pods []*analyze.PodJudgement) analyze.Judgement {
	if !v.w.IsJob() {
		p := pods[0]
		j := p.Judgement
		j.Holder = p
		if failedTry(p) {
			j.Code = Failed
		}
		return j
	}
	for _, p := range pods {
		if p.Code == NodeRejectedSidecar {
			j := p.Judgement
			j.Holder = p
			return j
		}
	}
	job := v.w.Live()
	if job == nil {
		return v.withoutJob(pods)
	}
	last := newestPod(pods)
	if n := v.activeElsewhere(pods); n > 0 {
		return v.lacksActive(n, last)
	}
	if failedTry(last) && !v.holdsFinalizer(pods) && !(cutOff(last.Pod) != nil && v.overdue(pods)) {
		j := ofTry(last)
		j.Summary = say("%s; the Job may try again (failed %s, backoffLimit %s)", j.Summary, count(job.Status.Failed), count(job.Spec.BackoffLimit))
		j.Evidence = append(j.Evidence, evCount(job, "status.failed", job.Status.Failed))
		return j
	}
	return v.finishedJobNot(pods, last)
}

// overdue says that pods ended longer ago than the Job controller ever waits between two tries.
func (v *view) overdue(pods []*analyze.PodJudgement) bool {
	since, known := v.sinceEnd(pods)
	return known && since > longestBackOff+killMargin
}

// activeElsewhere gives how many pods the Job counts as active beside the finished ones of the bundle. A file of the Job
// that is older than that of a pod may count this one still: all but those that the Job counted as ended.
func (v *view) activeElsewhere(pods []*analyze.PodJudgement) int64 {
	s := v.w.Live().Status
	if s.Active == nil {
		return 0
	}
	var held, free int64
	for _, p := range pods {
		if contains(p.Pod.Meta.Finalizers, trackingFinalizer) {
			held++
		} else {
			free++
		}
	}
	counted := int64(0)
	for _, n := range []*int64{s.Succeeded, s.Failed} {
		if n != nil {
			counted += *n
		}
	}
	return *s.Active - held - max(free-counted, 0)
}

// lacksActive is for a Job that is held open by pods of which the bundle has none.
func (v *view) lacksActive(n int64, last *analyze.PodJudgement) analyze.Judgement {
	job := v.w.Live()
	a := yes(say("the Job counted %s as active, and every pod of it in the bundle had finished (succeeded %s, failed %s): what kept it open is in a pod that the bundle lacks",
		podsOf(int(n)), count(job.Status.Succeeded), count(job.Status.Failed)),
		evCount(job, "status.active", job.Status.Active), evCount(job, "status.succeeded", job.Status.Succeeded), evCount(job, "status.failed", job.Status.Failed),
		last.Pod.Ev("status.phase", last.Pod.Status.Phase))
	if last.Code != Completed {
		a.summary = say("%s; newest pod in the bundle: %s", a.summary, last.Summary)
		a.evidence = append(a.evidence, last.Evidence...)
	}
	a.missing = []analyze.Missing{podsMissing(job)}
	j := v.whyNotThere(a).judgement(InsufficientEvidence)
	j.Holder = last
	return j
}

// withoutJob speaks of finished pods whose Job is not in the bundle: whether the Job counted them is not known.
func (v *view) withoutJob(pods []*analyze.PodJudgement) analyze.Judgement {
	last := newestPod(pods)
	j := last.Judgement
	j.Holder = last
	if !failedTry(last) && last.Code != PodTerminating {
		j.Code = InsufficientEvidence
		j.Summary = say("%s; the Job itself is not in the bundle, so whether it counted its pods and completed is not known", j.Summary)
	}
	if d := last.Pod.Meta.Deleted; d.Raw != "" && j.Code != PodTerminating {
		j.Summary = say("%s. The pod was being deleted (by %s; finalizers: %s)", j.Summary, atTime(d), listOrNone(last.Pod.Meta.Finalizers))
		j.Evidence = append(j.Evidence, last.Pod.Ev("metadata.deletionTimestamp", d.String()))
	}
	j.Missing = append(j.Missing, analyze.Missing{What: say("the Job itself"),
		Command: command("kubectl get job %s -n %s -o yaml", v.w.Ref.Name, v.w.Ref.Namespace)})
	return j
}

func newestPod(pods []*analyze.PodJudgement) *analyze.PodJudgement {
	best := pods[0]
	for _, p := range pods[1:] {
		if p.Pod.Meta.Created.After(best.Pod.Meta.Created.Time) {
			best = p
		}
	}
	return best
}

// trackingFinalizer is on every pod that the Job controller has not counted yet.
const trackingFinalizer = "batch.kubernetes.io/job-tracking"

func (v *view) holdsFinalizer(pods []*analyze.PodJudgement) bool {
	for _, p := range pods {
		if contains(p.Pod.Meta.Finalizers, trackingFinalizer) {
			return true
		}
	}
	return false
}

func (v *view) finishedJobNot(pods []*analyze.PodJudgement, last *analyze.PodJudgement) analyze.Judgement {
	j := v.w.Live()
	var ev []evidence.Evidence
	for _, p := range pods {
		ev = append(ev, p.Pod.Ev("status.phase", p.Pod.Status.Phase))
		for _, f := range p.Pod.Meta.Finalizers {
			ev = append(ev, p.Pod.Ev("metadata.finalizers", f))
		}
		if p.Pod.Meta.Deleted.Raw != "" {
			ev = append(ev, p.Pod.Ev("metadata.deletionTimestamp", p.Pod.Meta.Deleted.String()))
		}
	}
	summary := say("the pods have finished and the Job has no terminal condition (succeeded %s, failed %s)", count(j.Status.Succeeded), count(j.Status.Failed))
	var missing []analyze.Missing
	switch u := j.Status.UncountedTerminatedPods; {
	case u != nil && len(u.Succeeded)+len(u.Failed) > 0:
		for _, uid := range append(append([]string{}, u.Succeeded...), u.Failed...) {
			ev = append(ev, j.Ev("status.uncountedTerminatedPods", uid))
		}
		summary = say("the pods have finished, and the Job controller has not finished counting them: status.uncountedTerminatedPods has %d, and the finalizer %s is still on them",
			len(u.Succeeded)+len(u.Failed), trackingFinalizer)
	case v.holdsFinalizer(pods):
		summary = say("the pods have finished and still carry the finalizer %s: the Job controller has not counted them", trackingFinalizer)
	case v.waitsToRetry(pods, last):
		summary = say("the pods in the bundle have finished and the Job has counted them (succeeded %s of %s, failed %s, backoffLimit %s); after a failure the Job controller waits before the next try, longer each time, and has no pod meanwhile",
			count(j.Status.Succeeded), count(j.Spec.Completions), count(j.Status.Failed), count(j.Spec.BackoffLimit))
		missing = append(missing, madeSince(v.w))
	case v.wantsMore():
		summary = say("the pods in the bundle have finished, and the Job wants more (succeeded %s of %s)", count(j.Status.Succeeded), count(j.Spec.Completions))
		missing = append(missing, madeSince(v.w))
	}
	ev = append(ev, evCount(j, "status.succeeded", j.Status.Succeeded), evCount(j, "status.active", j.Status.Active), j.EvAbsent("status.conditions[type=Complete]"))
	if last.Code != Completed {
		summary = say("%s; last pod: %s", summary, last.Summary)
		ev = append(ev, last.Evidence...)
	}
	code := PodFinishedJobNot
	if e, older := jobOlder(v.w); older {
		ev = append(ev, e...)
		summary = say("%s. The Job in the bundle may be older than its pods: it counts as active what had ended, and the finalizer %s, which is taken off once a pod is counted, is not there", summary, trackingFinalizer)
	}
	if since, known := v.sinceEnd(pods); known && since < killMargin {
		missing = append(missing, analyze.Missing{What: say("a later look at the Job"), Command: command("kubectl get job %s -n %s -o yaml", v.w.Ref.Name, v.w.Ref.Namespace)})
		if v.c.AtFloor {
			summary = say("%s. No time in the bundle is much later than their end: the Job controller may not have looked at them yet", summary)
		} else {
			code = InsufficientEvidence
			summary = say("%s. They had ended %s before the bundle was taken: the Job controller may not have looked at them yet", summary, span(since))
		}
	}
	return analyze.Judgement{Code: code, Summary: summary, Evidence: ev, Missing: missing, Holder: last}
}

// jobOlder says that a Job may have been read before its pods: it counts some as active, and a pod that has ended is counted by now, for the
// controller takes its finalizer off only then (syncJob).
func jobOlder(w *facts.Workload) ([]evidence.Evidence, bool) {
	j := w.Live()
	if j == nil || j.StatusDescribed() || j.Status.Active == nil || *j.Status.Active == 0 {
		return nil, false
	}
	counted, free := int64(0), []*facts.Pod(nil)
	for _, n := range []*int64{j.Status.Succeeded, j.Status.Failed} {
		if n != nil {
			counted += *n
		}
	}
	if u := j.Status.UncountedTerminatedPods; u != nil {
		counted += int64(len(u.Succeeded) + len(u.Failed))
	}
	for _, p := range w.Pods {
		if finished(p.Status.Phase) && !contains(p.Meta.Finalizers, trackingFinalizer) && !p.Described() && p.Origin.Strength == evidence.Stored {
			free = append(free, p)
		}
	}
	if int64(len(free)) <= counted {
		return nil, false
	}
	return []evidence.Evidence{evCount(j, "status.active", j.Status.Active), free[0].Ev("status.phase", free[0].Status.Phase), free[0].EvAbsent("metadata.finalizers")}, true
}

// waitsToRetry says that the Job has counted the failure of its newest pod and is within the time that its controller waits
// before it makes another.
func (v *view) waitsToRetry(pods []*analyze.PodJudgement, last *analyze.PodJudgement) bool {
	j := v.w.Live()
	u := j.Status.UncountedTerminatedPods
	return last.Pod.Status.Phase == "Failed" && v.wantsMore() && j.Status.Failed != nil && *j.Status.Failed > 0 && !v.holdsFinalizer(pods) && !v.overdue(pods) &&
		(u == nil || len(u.Succeeded)+len(u.Failed) == 0) && (j.Status.Active == nil || *j.Status.Active == 0)
}

// nextTryDue is the same of a verdict that stands.
func (v *view) nextTryDue(holder *analyze.PodJudgement) bool {
	if holder == nil || v.w.Live() == nil {
		return false
	}
	var pods []*analyze.PodJudgement
	for i := range v.pods {
		pods = append(pods, &v.pods[i])
	}
	return v.waitsToRetry(pods, holder)
}

// sinceEnd is how long before the bundle's time the last container of some pods ended, or something ended the pod.
func (v *view) sinceEnd(pods []*analyze.PodJudgement) (time.Duration, bool) {
	var end time.Time
	for _, p := range pods {
		if last, ended := lastEnd(p.Pod.Of(facts.IsPlaced(facts.Ordinary))); ended && last.After(end) {
			end = last
		}
		if c := trueCondition(p.Pod.Status.Conditions, disruptionTarget); c != nil && finished(p.Pod.Status.Phase) && c.LastTransitionTime.After(end) {
			end = c.LastTransitionTime.Time
		}
	}
	if end.IsZero() || !v.c.At.Known {
		return 0, false
	}
	return max(v.c.At.V.Sub(end), 0), true
}

// madeSince asks for what a Job did after its pods in the bundle had ended: its events tell, and where these are in the
// bundle already the pods do.
func madeSince(w *facts.Workload) analyze.Missing {
	if eventsHere(w) {
		return analyze.Missing{What: say("pods that the Job made since"), Command: command("kubectl get pods -n %s ", w.Ref.Namespace) + podsOfJob(w) + " -o yaml"}
	}
	return analyze.Missing{What: say("pods that the Job made since, and its events"), Command: command("kubectl describe job %s -n %s", w.Ref.Name, w.Ref.Namespace)}
}

func (v *view) wantsMore() bool {
	j := v.w.Live()
	if j.Spec.Completions == nil {
		return false
	}
	done := int64(0)
	if j.Status.Succeeded != nil {
		done = *j.Status.Succeeded
	}
	return done < *j.Spec.Completions
}
