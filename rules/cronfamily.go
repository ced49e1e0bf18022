package rules

import (
	"slices"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// The three values of spec.concurrencyPolicy.
const (
	forbid  = "Forbid"
	replace = "Replace"
	allow   = "Allow"
)

// openRun names the CronJob of a Job that has not ended, in the bundle or not. False: the Job has none, or has ended.
func openRun(p *analyze.Pass) (evidence.Ref, bool) {
	ref, ok := cronRef(p.Workload)
	switch p.Verdict.Code {
	case Completed, Failed, DeadlineHitWhileHeld:
		return ref, false
	}
	return ref, ok && openJob(p.Workload)
}

// cronRef names the CronJob of a Job, in the bundle or not. False: the Job has none.
func cronRef(w *facts.Workload) (evidence.Ref, bool) {
	if !w.IsJob() || w.ParentKind != "CronJob" {
		return evidence.Ref{}, false
	}
	return evidence.Ref{Kind: "CronJob", Namespace: w.Ref.Namespace, Name: w.ParentName}, true
}

// policyOf gives the concurrency policy with its evidence. Unset means Allow; a CronJob that is not in the bundle has
// none that is known.
func policyOf(cj *kube.CronJob) (string, evidence.Evidence) {
	const path = "spec.concurrencyPolicy"
	switch {
	case cj == nil:
		return "", evidence.Evidence{}
	case cj.Spec.ConcurrencyPolicy == "":
		return allow, cj.EvAbsent(path)
	}
	return cj.Spec.ConcurrencyPolicy, cj.Ev(path, cj.Spec.ConcurrencyPolicy)
}

func suspended(cj *kube.CronJob) bool { return cj != nil && cj.Spec.Suspend != nil && *cj.Spec.Suspend }

// activeEv is what a CronJob says of a Job in its list of active ones.
func activeEv(cj *kube.CronJob, job string) evidence.Evidence {
	if cj.ListsActive(job) {
		return cj.Ev("status.active", job)
	}
	return cj.EvAbsent("status.active[name=" + job + "]")
}

// byHandAnnotation is what kubectl create job --from=cronjob/x puts on a Job.
const byHandAnnotation = "cronjob.kubernetes.io/instantiate"

// byHand says that somebody made a Job from a CronJob, which does not count it among its runs.
func byHand(w *facts.Workload) bool { return len(byHandEv(w)) > 0 }

func byHandEv(w *facts.Workload) []evidence.Evidence {
	if w.Job == nil || w.Job.Meta.Annotations.Get(byHandAnnotation) != "manual" || w.CronJob.ListsActive(w.Ref.Name) {
		return nil
	}
	return []evidence.Evidence{w.Job.Ev("metadata.annotations["+byHandAnnotation+"]", "manual")}
}

// keepsRunsBack says that an open Job is one for which its CronJob waits under Forbid. The controller waits for the Jobs
// of status.active, which are those that it made itself (syncCronJob): one made by hand has the CronJob for its owner and
// is not in the list. Where the list is empty or not in the bundle, the controller's event says that a run was open, and
// it was this one if no other is.
func keepsRunsBack(c *facts.Cluster, w *facts.Workload, ref evidence.Ref) bool {
	switch {
	case w.CronJob.ListsActive(w.Ref.Name):
		return true
	case byHand(w), w.CronJob != nil && len(w.CronJob.Status.Active) > 0, len(cronEvents(c, ref, "JobAlreadyActive")) == 0:
		return false
	}
	return !slices.ContainsFunc(facts.Once(c, "by-parent", byParent)[ref], func(o *facts.Workload) bool { return o != w && openJob(o) })
}

// openJob says that a Job has no terminal condition and is not known to have ended in another way. Of one that is not in
// the bundle, nor its pods, its CronJob may tell: it counts as active what has not finished.
func openJob(w *facts.Workload) bool {
	job := w.Live()
	if job == nil && len(w.Pods) == 0 {
		ended := slices.ContainsFunc(w.Events, func(e *kube.Event) bool { return e.Reason == "Completed" })
		return w.CronJob.ListsActive(w.Ref.Name) && !ended
	}
	return job == nil || ending(job) == "" && job.Status.CompletionTime.IsZero()
}

// ending gives the terminal condition of a Job, "" for none.
func ending(j *kube.Job) string {
	for _, typ := range []string{"Complete", "Failed"} {
		if trueCondition(j.Status.Conditions, typ) != nil {
			return typ
		}
	}
	return ""
}

// heldVerdict says that a verdict is one of a Job that does not end by itself though its work is done or was never begun because of
// a sidecar.
func heldVerdict(code analyze.Code) bool {
	switch code {
	case HeldBySidecar, FailureHiddenBySidecar, SidecarBlocksInit, SidecarNotStarted, NodeRejectedSidecar, NativeSidecarStuck, PodFinishedJobNot:
		return true
	}
	return false
}

// heldSince says that an ordinary sidecar holds a pod whose work is done, and since when, from container states alone.
func heldSince(p *facts.Pod) (since time.Time, held bool) {
	if finished(p.Status.Phase) || p.Meta.Deleted.Raw != "" {
		return time.Time{}, false
	}
	apps, running := 0, false
	for _, c := range p.Of(facts.IsPlaced(facts.Ordinary)) {
		if holdsOpen(c) {
			running = running || c.Running() != nil
			continue
		}
		t := c.Terminated()
		if t == nil || t.ExitCode != 0 && c.RestartsAfter(t.ExitCode) != version.No {
			return time.Time{}, false
		}
		apps++
		if t.FinishedAt.After(since) {
			since = t.FinishedAt.Time
		}
	}
	return since, running && apps > 0
}

// cronEvents gives the CronJob's events of one reason.
func cronEvents(c *facts.Cluster, ref evidence.Ref, reason string) []*kube.Event {
	var out []*kube.Event
	for _, e := range c.EventsOf(ref) {
		if e.Reason == reason {
			out = append(out, e)
		}
	}
	return out
}

func times(list []*kube.Event) int64 {
	n := int64(0)
	for _, e := range list {
		n += e.Times()
	}
	return n
}

// cronMissing is what tells about a CronJob that is known by name only.
func cronMissing(ref evidence.Ref) analyze.Missing {
	return analyze.Missing{What: say("the CronJob %s with its schedule and policy", ref.Name),
		Command: command("kubectl get cronjob %s -n %s -o yaml", ref.Name, ref.Namespace)}
}

// runCount puts a number of runs into words.
func runCount(n int64) analyze.Text {
	if n == 1 {
		return say("1 run")
	}
	return say("%d runs", n)
}

// runText says how many runs there were in words, with the zone that the schedule was read in.
func (t timetable) runText(r runs, cj *kube.CronJob) analyze.Text {
	switch {
	case r.more:
		return say("more than %d runs from %s on (schedule %q, %s)", r.n, stamp(r.first), cj.Spec.Schedule, t.zoneText())
	case r.n == 1:
		return say("1 run, at %s (schedule %q, %s)", stamp(r.first), cj.Spec.Schedule, t.zoneText())
	}
	return say("%d runs from %s to %s (schedule %q, %s)", r.n, stamp(r.first), stamp(r.last), cj.Spec.Schedule, t.zoneText())
}

// zoneText names the zone, and says where it is an assumption.
func (t timetable) zoneText() analyze.Text {
	if t.assumed {
		return say("%s assumed", t.zone)
	}
	return say("%s", t.zone)
}

// assumes says what the reading of a schedule rests on.
func (t timetable) assumes() []analyze.Text {
	out := []analyze.Text{say("the schedule was the same all the time")}
	if t.assumed {
		out = append(out, say("the CronJob controller's own time zone is UTC (spec.timeZone is not set)"))
	}
	return out
}
