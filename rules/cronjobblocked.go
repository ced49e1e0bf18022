package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// cronJobBlocked: under Forbid the controller starts nothing while status.active is not empty. A Job that never ends
// stops its CronJob for good, without any failure to alert on.
func cronJobBlocked() *analyze.Rule {
	return &analyze.Rule{Code: "CronJobBlocked", Title: "An open Job keeps its CronJob from starting new runs",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Run: runCronJobBlocked}
}

func runCronJobBlocked(p *analyze.Pass) analyze.Outcome {
	w := p.Workload
	ref, ok := openRun(p)
	if !ok {
		return analyze.Skip()
	}
	held := heldVerdict(p.Verdict.Code)
	refused := cronEvents(p.Cluster, ref, "JobAlreadyActive")
	policy, policyEv := policyOf(w.CronJob)
	_, basis := p.Know.Has("cronjob-forbid-skips", p.Cluster.Server.V)
	switch {
	case w.CronJob == nil && len(refused) > 0 && byHand(w):
		return analyze.RuleOut(say("Job %s was made by hand from the CronJob, which does not count it among its runs", w.Ref.Name), byHandEv(w)...).From(basis)
	case w.CronJob == nil && len(refused) > 0 && !keepsRunsBack(p.Cluster, w, ref):
		return analyze.Undecide(say("the controller skipped at least %s because a run had not finished; several Jobs of the CronJob are open, and only its status tells which it waits for", runCount(times(refused))),
			cronMissing(ref)).On(ref).From(basis)
	case w.CronJob == nil && len(refused) > 0:
		return blockedByEvents(p, ref, refused).From(basis)
	case w.CronJob == nil && held:
		return analyze.Undecide(say("whether the open Job blocks or only joins later runs depends on the concurrencyPolicy of its CronJob, which is not in the bundle"),
			cronMissing(ref)).On(ref).From(basis)
	case w.CronJob == nil:
		return analyze.Skip()
	case policy != forbid:
		return analyze.RuleOut(say("concurrencyPolicy is %s: an open Job does not keep the next run from starting", policy), policyEv).From(basis)
	case w.CronJob.Manifest() && len(refused) == 0:
		return analyze.Undecide(say("the CronJob is in the bundle as a manifest: which Jobs it counts as active, and whether it was changed since, is not"),
			cronMissing(ref)).On(ref).From(basis)
	case suspended(w.CronJob):
		return analyze.RuleOut(say("the CronJob is suspended: it starts nothing anyway"), w.CronJob.Ev("spec.suspend", "true"))
	case !keepsRunsBack(p.Cluster, w, ref):
		return analyze.RuleOut(say("the CronJob does not list Job %s as active, and only the Jobs of that list count under Forbid", w.Ref.Name),
			append(byHandEv(w), w.CronJob.EvAbsent("status.active[name="+w.Ref.Name+"]"))...).From(basis)
	}
	return blockedBySchedule(p, ref, refused, policyEv).From(basis)
}

// blockedBySchedule counts the runs that were due since the last one that was started.
func blockedBySchedule(p *analyze.Pass, ref evidence.Ref, refused []*kube.Event, because ...evidence.Evidence) analyze.Outcome {
	cj, held := p.Workload.CronJob, heldVerdict(p.Verdict.Code)
	last := cj.Status.LastScheduleTime
	because = append(because, activeEv(cj, p.Workload.Ref.Name), cj.Ev("spec.schedule", cj.Spec.Schedule))
	if !last.IsZero() {
		because = append(because, cj.Ev("status.lastScheduleTime", last.String()))
	}
	because = append(because, blockEvents(p, ref, refused)...)
	table, err := timetableOf(cj)
	from := last.Time
	if from.IsZero() && p.Workload.Job != nil {
		from = p.Workload.Job.Meta.Created.Time
	}
	start := say("concurrencyPolicy is Forbid and Job %s had not finished (%s)", p.Workload.Ref.Name, p.Verdict.Code)
	if err != nil || from.IsZero() || !p.Cluster.At.Known {
		if len(refused) == 0 {
			return analyze.Undecide(say("%s; how many runs that cost cannot be computed from the bundle", start), cronMissing(ref)).On(ref)
		}
		return blockedFire(p, say("%s: the controller skipped at least %s", start, runCount(times(refused))), because, ref)
	}
	r := runsSince(p.Cluster, cj, table, from)
	var o analyze.Outcome
	switch {
	case r.n > 0 && p.Cluster.AtFloor:
		o = blockedFire(p, say("%s: it kept the CronJob from starting at least %s", start, table.runText(r, cj)), because, ref)
	case r.n > 0:
		o = blockedFire(p, say("%s: it kept the CronJob from starting %s", start, table.runText(r, cj)), because, ref)
	case len(refused) > 0:
		o = blockedFire(p, say("%s: the controller skipped at least %s", start, runCount(times(refused))), because, ref)
	case held:
		o = blockedFire(p, say("%s: the next run, due at %s (schedule %q, %s), is skipped if the Job is still open then", start, stamp(table.Next(from)), cj.Spec.Schedule, table.zoneText()), because, ref).As(analyze.Warning)
	case p.Cluster.AtFloor:
		o = analyze.RuleOut(say("%s, and no run was due between %s and %s, the newest time in the bundle", start, stamp(from), stamp(p.Cluster.At.V)), because...)
	default:
		o = analyze.RuleOut(say("%s, and no run was due between %s and %s", start, stamp(from), stamp(p.Cluster.At.V)), because...)
	}
	if r.n > 0 || len(refused) == 0 {
		o.Assumes = append(o.Assumes, table.assumes()...)
	}
	return o
}

func blockedByEvents(p *analyze.Pass, ref evidence.Ref, refused []*kube.Event) analyze.Outcome {
	return blockedFire(p, say("the controller skipped at least %s because Job %s had not finished", runCount(times(refused)), p.Workload.Ref.Name),
		blockEvents(p, ref, refused), ref).Lacking(cronMissing(ref))
}

func blockEvents(p *analyze.Pass, ref evidence.Ref, refused []*kube.Event) []evidence.Evidence {
	var out []evidence.Evidence
	for _, e := range refused[:min(len(refused), enoughEvidence)] {
		out = append(out, evEvent(e))
	}
	for _, e := range cronEvents(p.Cluster, ref, "TooManyMissedTimes") {
		out = append(out, evEvent(e))
	}
	return out
}

func blockedFire(p *analyze.Pass, message analyze.Text, because []evidence.Evidence, ref evidence.Ref) analyze.Outcome {
	o := analyze.Fire(message, because...).On(ref)
	code := p.Verdict.Code
	switch {
	case atWork(code):
		return o.With(waitAdvice(p)).As(analyze.Warning)
	case code == InsufficientEvidence, code == NoPods, p.Workload.Live() == nil && len(p.Workload.Pods) == 0:
		return o.With(unseenAdvice(p)).As(analyze.Warning)
	case otherCause(code), code == NativeSidecarStuck:
		o = o.With(causeFirst(p))
	default:
		o = o.With(blockedAdvice(p, ref))
	}
	if !heldVerdict(code) {
		o = o.As(analyze.Warning)
	}
	return o
}

// causeFirst is the remedy where the run is open for a reason that lies neither in the jobTemplate's sidecars nor in its work:
// ending it would cut off what may go on, or change nothing.
func causeFirst(p *analyze.Pass) *analyze.Advice {
	name := p.Workload.Ref.Name
	return &analyze.Advice{
		Summary: say("see to Job %s first (%s): the CronJob starts nothing before that has ended", name, p.Verdict.Code),
		Steps:   []analyze.Text{say("what to do about it is told with the Job itself, and on the page of its verdict: analyze rules %s", string(p.Verdict.Code))},
		Verify:  []analyze.Text{say("the Job ends, and status.lastScheduleTime of the CronJob moves on")},
		Avoid:   []analyze.Text{say("deleting Job %s before that is known: it may cut off work that is being done", name)}}
}

// blockedAdvice ends the open run. What holds it holds the next one too as long as the jobTemplate is what it was, and
// the controller makes up the newest missed run as soon as this one is over: so nothing may start before the change.
func blockedAdvice(p *analyze.Pass, ref evidence.Ref) *analyze.Advice {
	a := &analyze.Advice{
		Summary: say("suspend the CronJob, end the open run, change the jobTemplate, and resume: without the change the next run stays open as well"),
		Verify:  []analyze.Text{cronVerify(ref)},
		Avoid: []analyze.Text{
			say("ending the open run and nothing else: the newest missed run then starts at once, %s, and stays open as this one did", dueStill(p.Workload.CronJob)),
			say("concurrencyPolicy Replace: every run is then deleted by the next, and none completes"),
			say("concurrencyPolicy Allow: the held Jobs add up")}}
	if cured(p) {
		a.Summary = say("end the open run, so that the schedule goes on: the next run's proxy would be native")
		a.Avoid = a.Avoid[1:]
		a.Steps = stepsOf([]act{
			do(say("suspend the CronJob until this moment suits a run: once this one is over the controller starts the newest missed run at once, %s", dueStill(p.Workload.CronJob)), suspendCommand(ref)),
			endRun(p), resume(ref, p.Workload.CronJob)})
		return a
	}
	acts := []act{do(say("suspend the CronJob, so that no run starts before the change is made"), suspendCommand(ref)), endRun(p)}
	a.Steps = stepsOf(append(acts, afterRun(p, ref)...))
	return a
}

// atWork says that a Job with this verdict is open because something in it still works, or ends by itself in a moment.
func atWork(code analyze.Code) bool {
	switch code {
	case AppRunning, OtherContainerRunning, NativeSidecarStopping:
		return true
	}
	return false
}

// unseenAdvice is for a run of which the bundle has neither the Job nor a pod: what holds it open, if anything does, is to
// be seen first.
func unseenAdvice(p *analyze.Pass) *analyze.Advice {
	name := p.Workload.Ref.Name
	summary := say("find out why Job %s had not finished: neither it nor its pods are in the bundle", name)
	if p.Workload.Job != nil || len(p.Workload.Pods) > 0 {
		summary = say("find out why Job %s had not finished: what is in the bundle does not tell", name)
	}
	return &analyze.Advice{
		Summary: summary,
		Steps:   stepsOf([]act{do(say("make a bundle with the Job and its pods, and analyze that"), getCommand(p.Workload))}),
		Verify:  []analyze.Text{say("the Job completes, and status.lastScheduleTime of the CronJob moves on")},
		Avoid:   []analyze.Text{say("deleting Job %s before that is known: it may cut off work that is being done", name)}}
}

// waitAdvice is the remedy where the open Job does what it is for: a run that takes longer than the interval.
func waitAdvice(p *analyze.Pass) *analyze.Advice {
	summary := say("wait for Job %s: it was still at work (%s), so the run took longer than the interval of the schedule", p.Workload.Ref.Name, p.Verdict.Code)
	switch p.Verdict.Code {
	case OtherContainerRunning:
		summary = say("wait for Job %s if %s works; nothing in the bundle tells whether it does", p.Workload.Ref.Name, list(p.Verdict.Culprits))
	case NativeSidecarStopping:
		summary = say("wait for Job %s: its program has ended, and it completes in a moment (%s)", p.Workload.Ref.Name, p.Verdict.Code)
	}
	a := &analyze.Advice{
		Summary: summary,
		Steps: []analyze.Text{
			say("find out how long a run takes at most, and choose a schedule with a longer interval"),
			say("or choose the policy on purpose: Forbid where runs must not overlap and a skipped one does no harm; Allow where they may overlap"),
			say("where a run that never ends must not block the schedule, set spec.jobTemplate.spec.activeDeadlineSeconds above the longest good run")},
		Verify: []analyze.Text{say("the Job completes, and status.lastScheduleTime of the CronJob moves on")},
		Avoid: []analyze.Text{
			say("deleting Job %s: it cuts off work that is being done", p.Workload.Ref.Name),
			say("concurrencyPolicy Replace: it cuts off every run that is longer than the interval")}}
	if p.Verdict.Code == OtherContainerRunning {
		a.Steps = append([]analyze.Text{say("find out whether %s does work of its own or only helps the application: a helper that never ends keeps the Job open for good", list(p.Verdict.Culprits))}, a.Steps...)
	}
	return a
}
