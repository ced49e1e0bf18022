package rules

import (
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Judge gives the one verdict on a workload: why it had not completed, as of the bundle. It uses no version knowledge:
// what happened is in the objects, and why the proxy was placed as it was is for the rules to explain.
//
// The order is part of the contract. First what the Job says of itself, then whether there are pods at all, then the
// pod that holds it open.
func Judge(c *facts.Cluster, w *facts.Workload) analyze.Judgement {
	v := &view{c: c, w: w}
	for _, p := range w.Pods {
		v.pods = append(v.pods, judgePod(c, w, p))
	}
	var tried []analyze.Exclusion
	for _, row := range jobOrder() {
		a := row.test(v)
		if a.hit {
			return v.done(v.overtaken(a.judgement(row.code)), tried)
		}
		if !a.because.IsZero() {
			tried = append(tried, analyze.Exclusion{Code: row.code, Because: a.because, From: a.evidence})
		}
	}
	return v.done(v.overtaken(v.fromPods()), tried)
}

// done completes a judgement.
func (v *view) done(j analyze.Judgement, tried []analyze.Exclusion) analyze.Judgement {
	j.RuledOut = append(tried, j.RuledOut...)
	j.Pods = v.pods
	return v.beingDeleted(v.decided(j))
}

// outcome is what a Job that is not over will be: from the moment at which its controller decided, it deletes the pods that are
// left, and sets the last condition when they have gone (syncJob; facts: SuccessCriteriaMet and FailureTarget come first). ""
// where nothing is decided.
func outcome(j *kube.Job) (becomes string, by *kube.Condition) {
	if j == nil || ending(j) != "" {
		return "", nil
	}
	if c := trueCondition(j.Status.Conditions, "FailureTarget"); c != nil {
		return "Failed", c
	}
	if c := trueCondition(j.Status.Conditions, "SuccessCriteriaMet"); c != nil {
		return "Complete", c
	}
	return "", nil
}

// decided says of a Job that is not over that what it becomes does not depend on its pods any more.
func (v *view) decided(j analyze.Judgement) analyze.Judgement {
	job := v.w.Live()
	becomes, by := outcome(job)
	if becomes == "" || j.Code == DeadlineHitWhileHeld || j.Code == Failed || j.Code == Completed {
		return j
	}
	j.Summary = say("%s. The Job's outcome was decided already (%s, reason %s): its controller deletes the pods that are left, and the Job becomes %s", j.Summary, by.Type, orNone(by.Reason), becomes)
	j.Calm = analyze.Text{}
	j.Evidence = append(j.Evidence, job.Ev("status.conditions[type="+by.Type+"].status", "True"))
	return j
}

// beingDeleted says of a Job that is not over that it was to go: whatever its pods do, it goes when the last finalizer does.
func (v *view) beingDeleted(j analyze.Judgement) analyze.Judgement {
	job := v.w.Live()
	if job == nil || job.Meta.Deleted.Raw == "" || j.Code == Completed || j.Code == Failed {
		return j
	}
	if len(job.Meta.Finalizers) == 0 {
		j.Summary = say("%s. The Job itself was being deleted (since %s; no finalizer is left): no pod is made for it meanwhile", j.Summary, atTime(job.Meta.Deleted))
	} else {
		j.Summary = say("%s. The Job itself was being deleted (since %s; finalizers: %s): it goes once they are taken off, and no pod is made for it meanwhile",
			j.Summary, atTime(job.Meta.Deleted), list(job.Meta.Finalizers))
	}
	j.Calm = analyze.Text{}
	j.Evidence = append(j.Evidence, job.Ev("metadata.deletionTimestamp", job.Meta.Deleted.String()))
	for _, f := range job.Meta.Finalizers {
		j.Evidence = append(j.Evidence, job.Ev("metadata.finalizers", f))
	}
	return j
}

// view is what the tests of a workload see.
type view struct {
	c    *facts.Cluster
	w    *facts.Workload
	pods []analyze.PodJudgement
}

// answer is what one test says: a hit with its argument, or why it is not this one (zero because: the question does
// not arise and is not worth a line).
type answer struct {
	hit      bool
	code     analyze.Code // overrides the row's code
	summary  analyze.Text
	because  analyze.Text
	evidence []evidence.Evidence
	culprits []string
	since    time.Time
	held     time.Duration
	missing  []analyze.Missing
	calm     analyze.Text
}

func no() answer { return answer{} }

func notSo(because analyze.Text, ev ...evidence.Evidence) answer {
	return answer{because: because, evidence: ev}
}

func yes(summary analyze.Text, ev ...evidence.Evidence) answer {
	return answer{hit: true, summary: summary, evidence: ev}
}

func (a answer) judgement(code analyze.Code) analyze.Judgement {
	if a.code != "" {
		code = a.code
	}
	return analyze.Judgement{Code: code, Summary: a.summary, Culprits: a.culprits, Since: a.since, Held: a.held,
		Evidence: a.evidence, Missing: a.missing, Calm: a.calm}
}

type jobTest struct {
	code analyze.Code
	test func(*view) answer
}

// jobOrder is the order in which a workload is judged before its pods are asked.
func jobOrder() []jobTest {
	return []jobTest{
		{Completed, jobCompleted},
		{DeadlineHitWhileHeld, jobDeadline},
		{Failed, jobFailed},
		{ManagedElsewhere, jobManagedElsewhere},
		{Suspended, jobSuspended},
		{PodCreationRejected, jobRejected},
		{InsufficientEvidence, jobUnknown},
		{NoPods, jobNoPods},
	}
}

func jobCompleted(v *view) answer {
	j := v.w.Live()
	if j == nil {
		return completedByEvent(v)
	}
	if cond := trueCondition(j.Status.Conditions, "Complete"); cond != nil {
		a := yes(say("the Job completed at %s", atTime(j.Status.CompletionTime, cond.LastTransitionTime)),
			j.Ev("status.conditions[type=Complete].status", "True"))
		if !j.Status.CompletionTime.IsZero() {
			a.evidence = append(a.evidence, j.Ev("status.completionTime", j.Status.CompletionTime.String()))
		}
		return a
	}
	if e := completionOf(v.w); e != nil {
		return yes(say("the Job controller reported the Job as completed at %s; the Job in the bundle was read before that", atTime(e.Last())), evEvent(e), reportedAt(e))
	}
	if j.StatusDescribed() && v.describedFinished() {
		return yes(say("describe shows all %s pods of the Job as succeeded, and a completion time", count(j.Status.Succeeded)),
			j.Ev("status.completionTime", j.Status.CompletionTime.String()))
	}
	return no()
}

// describedFinished reads "Completed At:" of describe, which kubectl prints from status.completionTime; that field is
// set only together with the condition Complete.
func (v *view) describedFinished() bool { return !v.w.Live().Status.CompletionTime.IsZero() }

// completedByEvent takes the Job controller's own stored event for a Job that is not in the bundle any more. A row of
// an event table is too weak for that: it says so and leaves the verdict open.
func completedByEvent(v *view) answer {
	if !v.w.IsJob() || len(v.w.Pods) > 0 {
		return no()
	}
	for _, e := range v.w.Events {
		if e.Reason == "Completed" && e.Origin.Strength == evidence.Stored && fromJobController(e) {
			return yes(say("the Job controller reported the Job as completed; the Job itself is not in the bundle"), evEvent(e))
		}
	}
	return no()
}

func fromJobController(e *kube.Event) bool {
	return e.Source.Component == "job-controller" || e.ReportingComponent == "job-controller"
}

func jobFailed(v *view) answer {
	j := v.w.Live()
	if j == nil || j.StatusDescribed() {
		return failedByEvent(v)
	}
	cond := trueCondition(j.Status.Conditions, "Failed")
	if cond == nil {
		return no()
	}
	a := yes(say("the Job failed for good: %s (%s)", cond.Reason, orNone(cond.Message)),
		j.Ev("status.conditions[type=Failed].reason", cond.Reason))
	if cond.Message != "" {
		a.evidence = append(a.evidence, j.Ev("status.conditions[type=Failed].message", cond.Message))
	}
	a = v.withTries(a)
	if cond.Reason == deadlineExceeded && len(v.pods) == 0 {
		a.missing = append(a.missing, analyze.Missing{What: say(
			"the pod of the run: what its containers had done before the deadline went with it")})
		a.evidence = append(a.evidence, killings(v)...)
		if names := stoppedAlone(v); len(names) > 0 {
			a.summary = say("%s. Likely the program had ended before that, and %s, which is not in the Job's template, kept the pod open: events tell of the start of both, and that only %s had to be stopped; the pod is gone, so it is not certain",
				a.summary, list(names), list(names))
		}
	}
	return a
}

// withTries adds how the containers of each try ended, and which init container kept the newest from beginning: no regular
// container tells of that.
func (v *view) withTries(a answer) answer {
	var tries []*analyze.PodJudgement
	for i := range v.pods {
		p := v.pods[i].Pod
		a.evidence = append(a.evidence, exits(p)...)
		if c := failedInit(p); c != nil {
			a.evidence = append(a.evidence, evEnd(c)...)
		}
		tries = append(tries, &v.pods[i])
	}
	if len(tries) > 0 {
		if c := failedInit(newestPod(tries).Pod); c != nil {
			a.summary = say("%s; in pod %s %s", a.summary, c.Pod.Meta.Name, initEnd(c))
			a.culprits = []string{c.Name}
		}
	}
	return v.withOutsideEnds(a)
}

// withOutsideEnds says which of the tries something else than their containers ended.
func (v *view) withOutsideEnds(a answer) answer {
	ends, other := triesCutOff(v.pods)
	for _, e := range ends {
		a.evidence = append(a.evidence, e.because...)
	}
	switch n := len(ends); {
	case n == 0:
	case n == 1:
		a.summary = say("%s; pod %s was ended from outside: %s (%s)", a.summary, ends[0].pod.Meta.Name, ends[0].reason, orNone(ends[0].message))
	case other == nil:
		a.summary = say("%s; all %d failed pods in the bundle were ended from outside, for example %s: %s (%s)", a.summary, n, ends[n-1].pod.Meta.Name, ends[n-1].reason, orNone(ends[n-1].message))
	default:
		a.summary = say("%s; of the failed pods in the bundle %d were ended from outside, for example %s: %s (%s)", a.summary, n, ends[n-1].pod.Meta.Name, ends[n-1].reason, orNone(ends[n-1].message))
	}
	return a
}

// failReasons are the reasons of a Job's terminal condition Failed; the Job controller's event has the same name.
func failReasons() []string {
	return []string{"BackoffLimitExceeded", "DeadlineExceeded", "PodFailurePolicy", "MaxFailedIndexesExceeded", "FailedIndexes"}
}

// failedByEvent takes the Job controller's event where the Job's conditions are not in the bundle: describe prints none.
func failedByEvent(v *view) answer {
	for _, e := range v.w.Events {
		if e.Type == "Warning" && contains(failReasons(), e.Reason) && e.Origin.Strength != evidence.Table {
			return v.withTries(yes(say("the Job controller reported that the Job failed for good: %s (%s)", e.Reason, e.Text()), evEvent(e)))
		}
	}
	return no()
}

// killings gives what the kubelet was told to stop in pods of this Job, which is all that is left of a pod that the
// deadline removed.
func killings(v *view) []evidence.Evidence {
	var out []evidence.Evidence
	for _, e := range v.podEvents() {
		if e.Reason == "Killing" {
			out = append(out, evEvent(e))
		}
	}
	return out
}

// podEvents gives events about pods of the Job that are not in the bundle themselves, found by the names that the Job
// controller reported.
func (v *view) podEvents() []*kube.Event {
	var out []*kube.Event
	for _, name := range createdPods(v.w) {
		out = append(out, v.c.EventsOf(evidence.Ref{Kind: "Pod", Namespace: v.w.Ref.Namespace, Name: name})...)
	}
	return out
}

// createdPods reads pod names from the Job controller's events.
func createdPods(w *facts.Workload) []string {
	var out []string
	for _, e := range w.Events {
		if e.Reason == "SuccessfulCreate" || e.Reason == "SuccessfulDelete" {
			if _, name, ok := strings.Cut(e.Text(), " pod: "); ok {
				name = strings.TrimSpace(name)
				if !contains(out, name) {
					out = append(out, name)
				}
			}
		}
	}
	return out
}

// jobDeadline needs proof from a pod that is still there: the application had exited 0 before the deadline, and an
// ordinary sidecar was what still ran.
func jobDeadline(v *view) answer {
	j := v.w.Live()
	deadline := j != nil && failedReason(j) == deadlineExceeded
	not := no()
	if deadline {
		not = notSo(say("no pod in the bundle shows the application ended before the deadline"))
	}
	for i := range v.pods {
		p := v.pods[i].Pod
		if !deadline && (p.Status.Reason != deadlineExceeded || v.hasOpenPod()) {
			continue // a deadline of the pod's own ended this try, and where another goes on that one counts
		}
		if endless(v.w, p) {
			_, at := restartPolicyOf(v.w, p)
			not = notSo(say("by the bundle restartPolicy of the pod is Always: it never ends by itself, with or without a sidecar"), at)
			continue
		}
		if a := heldAtDeadline(v, p); a.hit {
			return v.withOthersAtWork(a, p)
		}
	}
	return not
}

func heldAtDeadline(v *view, p *facts.Pod) answer {
	apps := p.Of(facts.IsPlaced(facts.Ordinary), facts.IsRole(facts.App, facts.Other))
	helpers := p.Of(facts.IsPlaced(facts.Ordinary), facts.IsRole(facts.Sidecar))
	last, ok := allExitedZero(apps)
	ends, by := v.deadlineOf(p)
	if !ok || len(helpers) == 0 || last.IsZero() || ends.IsZero() || !last.Before(ends) {
		return no()
	}
	var culprits []string
	var ev []evidence.Evidence
	for _, h := range helpers {
		t := h.Terminated()
		if h.Running() != nil || t != nil && !t.FinishedAt.Before(ends) {
			culprits = append(culprits, h.Name)
			ev = append(ev, h.EvState())
		}
	}
	if len(culprits) == 0 {
		return no()
	}
	a := yes(say("the application had exited 0 at %s; the deadline at %s then failed a pod that only %s kept open",
		stamp(last), stamp(ends), list(culprits)))
	a.evidence = append(append(by, exits(p)...), ev...)
	a.culprits, a.since = culprits, last
	return a
}

// withOthersAtWork says of which other pods of the Job the application had not ended at the deadline: the Job then fails by
// it with or without a sidecar.
func (v *view) withOthersAtWork(a answer, held *facts.Pod) answer {
	ends, _ := v.deadlineOf(held)
	var others []string
	for i := range v.pods {
		p := v.pods[i].Pod
		c := atWorkAt(p, ends)
		if p == held || c == nil {
			continue
		}
		if others = append(others, p.Meta.Name); len(others) <= citedPods {
			a.evidence = append(a.evidence, c.EvState())
		}
	}
	if len(others) > 0 {
		a.summary = say("%s. The application of other pods had not ended by then, so that without the sidecar the deadline would have struck as well: %s", a.summary, list(fewOf(others)))
	}
	return a
}

// atWorkAt gives an application container that ran at a moment, nil for none that is known to.
func atWorkAt(p *facts.Pod, at time.Time) *facts.Container {
	for _, c := range p.Of(facts.IsPlaced(facts.Ordinary), facts.IsRole(facts.App, facts.Other)) {
		start := startedAt(c)
		if t := c.Terminated(); start.IsZero() || !start.Before(at) || t != nil && t.FinishedAt.Before(at) {
			continue
		}
		return c
	}
	return nil
}

// deadlineOf gives the moment at which the deadline struck, and where it stands: the pod's own deadline, or the Job's,
// computed from its start, else from the condition that tells of it.
func (v *view) deadlineOf(p *facts.Pod) (time.Time, []evidence.Evidence) {
	if p.Status.Reason == deadlineExceeded {
		if d := p.Spec.ActiveDeadlineSeconds; d != nil && !p.Status.StartTime.IsZero() {
			return p.Status.StartTime.Add(time.Duration(*d) * time.Second),
				[]evidence.Evidence{p.Ev("status.reason", p.Status.Reason), p.Ev("spec.activeDeadlineSeconds", count(d))}
		}
	}
	j := v.w.Live()
	if j == nil {
		return time.Time{}, nil
	}
	for _, typ := range failTypes() {
		c := trueCondition(j.Status.Conditions, typ)
		if c == nil || c.Reason != deadlineExceeded {
			continue
		}
		by := []evidence.Evidence{j.Ev("status.conditions[type="+typ+"].reason", c.Reason)}
		if d := j.Spec.ActiveDeadlineSeconds; d != nil && !j.Status.StartTime.IsZero() {
			return j.Status.StartTime.Add(time.Duration(*d) * time.Second), append(by, j.Ev("spec.activeDeadlineSeconds", count(d)))
		}
		return c.LastTransitionTime.Time, by
	}
	return time.Time{}, nil
}

// deadlineExceeded is the reason of a pod's or a Job's failure by its deadline.
const deadlineExceeded = "DeadlineExceeded"

// failTypes are the conditions that tell why a Job fails: the final one, and the one that comes before it while pods end.
func failTypes() []string { return []string{"Failed", "FailureTarget"} }

func failedReason(j *kube.Job) string {
	reason, _ := failure(j)
	return reason
}

// failure gives the reason for which a Job fails, "" for none, and the condition that has it.
func failure(j *kube.Job) (reason string, at evidence.Evidence) {
	for _, typ := range failTypes() {
		if c := trueCondition(j.Status.Conditions, typ); c != nil {
			return c.Reason, j.Ev("status.conditions[type="+typ+"].reason", c.Reason)
		}
	}
	return "", j.EvAbsent("status.conditions[type=Failed]")
}

// builtinController is the value of spec.managedBy that means Kubernetes' own Job controller.
const builtinController = "kubernetes.io/job-controller"

func jobManagedElsewhere(v *view) answer {
	j := v.w.Live()
	if j == nil || j.Spec.ManagedBy == "" || j.Spec.ManagedBy == builtinController {
		return no()
	}
	return yes(say("another controller manages this Job (%s): Kubernetes' own makes no pod for it", j.Spec.ManagedBy),
		j.Ev("spec.managedBy", j.Spec.ManagedBy))
}

// queueLabel marks Jobs that wait for admission by Kueue.
const queueLabel = "kueue.x-k8s.io/queue-name"

func jobSuspended(v *view) answer {
	j := v.w.Live()
	if j == nil {
		return no()
	}
	var ev []evidence.Evidence
	if j.Spec.Suspend != nil && *j.Spec.Suspend {
		ev = append(ev, j.Ev("spec.suspend", "true"))
	}
	if trueCondition(j.Status.Conditions, "Suspended") != nil {
		ev = append(ev, j.Ev("status.conditions[type=Suspended].status", "True"))
	}
	if len(ev) == 0 {
		return no()
	}
	text := say("the Job is suspended")
	if q := j.Meta.Labels.Get(queueLabel); q != "" {
		text = say("the Job is suspended and waits for admission by the Kueue queue %s", q)
		ev = append(ev, j.Ev("metadata.labels["+queueLabel+"]", q))
	}
	text, more := podsOfSuspended(text, v.w)
	return yes(text, append(ev, more...)...)
}

// podsOfSuspended says what becomes of the pods of a suspended Job: the controller deletes those that have not ended
// (JobController.manageJob), and makes none.
func podsOfSuspended(text analyze.Text, w *facts.Workload) (analyze.Text, []evidence.Evidence) {
	var open []*facts.Pod
	for _, p := range w.Pods {
		if !finished(p.Status.Phase) {
			open = append(open, p)
		}
	}
	active := w.Job.Status.Active
	switch {
	case len(open) > 0:
		return say("%s, and the controller ends its pods: %s had not ended yet", text, podsOf(len(open))), []evidence.Evidence{open[0].Ev("status.phase", open[0].Status.Phase)}
	case active != nil && *active > 0:
		return say("%s, and the controller ends its pods: the Job counted %s as active", text, podsOf(int(*active))), []evidence.Evidence{evCount(w.Job, "status.active", active)}
	case len(w.Pods) > 0:
		return say("%s; those of its pods that are in the bundle had ended, and it gets no others", text), nil
	}
	return say("%s; it has no pods by design", text), nil
}
