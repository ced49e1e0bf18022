package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// cronJobReplaced: under Replace the controller deletes the Job that is still active when the next run is due. Held Jobs
// then never pile up and never complete: the CronJob looks healthy with its one young Job.
func cronJobReplaced() *analyze.Rule {
	return &analyze.Rule{Code: "CronJobReplaced", Title: "Every run of the CronJob is deleted by the next one",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Run: runCronJobReplaced}
}

func runCronJobReplaced(p *analyze.Pass) analyze.Outcome {
	w := p.Workload
	ref, ok := openRun(p)
	if !ok || w.CronJob == nil {
		return analyze.Skip() // without its CronJob see CronJobBlocked, which asks for it
	}
	policy, policyEv := policyOf(w.CronJob)
	held := heldVerdict(p.Verdict.Code)
	_, basis := p.Know.Has("cronjob-replace-deletes", p.Cluster.Server.V)
	switch {
	case policy != replace && held:
		return analyze.RuleOut(say("concurrencyPolicy is %s: the next run does not delete this one", policy), policyEv).From(basis)
	case policy != replace:
		return analyze.Skip()
	case suspended(w.CronJob):
		return analyze.RuleOut(say("the CronJob is suspended: no next run deletes this one"), w.CronJob.Ev("spec.suspend", "true"))
	case byHand(w):
		return analyze.RuleOut(say("Job %s was made by hand from the CronJob, which does not count it among its runs", w.Ref.Name), byHandEv(w)...).From(basis)
	}
	deleted := cronEvents(p.Cluster, ref, "SuccessfulDelete")
	because := append([]evidence.Evidence{policyEv}, lastSuccess(w.CronJob))
	for _, e := range deleted[:min(len(deleted), enoughEvidence)] {
		because = append(because, evEvent(e))
	}
	switch {
	case !w.CronJob.Status.LastSuccessfulTime.IsZero() && !held:
		return analyze.RuleOut(say("the CronJob had a run that completed, at %s, and the present one still works", w.CronJob.Status.LastSuccessfulTime), because...).From(basis)
	case !held && len(deleted) == 0:
		return analyze.Undecide(say("concurrencyPolicy is Replace and no run is known to have completed; whether runs are deleted before they end is in the CronJob's events"),
			cronEventsMissing(p.Cluster, ref)).On(ref).From(basis)
	}
	o := analyze.Fire(replacedText(p, deleted, held), because...).On(ref).From(basis).With(replacedAdvice(p, ref))
	if table, err := timetableOf(w.CronJob); err == nil {
		o.Assumes = append(o.Assumes, table.assumes()...)
	}
	if !held {
		o = o.As(analyze.Warning)
	}
	return o
}

// cronEventsMissing asks for the events of a CronJob; where there are some, for those that its next run brings.
func cronEventsMissing(c *facts.Cluster, ref evidence.Ref) analyze.Missing {
	what := say("the events of the CronJob")
	if len(c.EventsOf(ref)) > 0 {
		what = say("the events of the CronJob after its next run")
	}
	return analyze.Missing{What: what, Command: command("kubectl describe cronjob %s -n %s", ref.Name, ref.Namespace)}
}

// lastSuccess is what the CronJob says of its last completed run; an absence counts only where the field exists.
func lastSuccess(cj *kube.CronJob) evidence.Evidence {
	if t := cj.Status.LastSuccessfulTime; !t.IsZero() {
		return cj.Ev("status.lastSuccessfulTime", t.String())
	}
	return cj.EvAbsent("status.lastSuccessfulTime")
}

func replacedText(p *analyze.Pass, deleted []*kube.Event, held bool) analyze.Text {
	cj := p.Workload.CronJob
	text := say("concurrencyPolicy is Replace: each run that is still open when the next is due is deleted")
	if n := times(deleted); n > 0 {
		text = say("%s; the controller deleted %s in the time that the events cover", text, jobsOf(n))
	}
	if cj.Status.LastSuccessfulTime.IsZero() {
		text = say("%s; no run is recorded as completed", text)
	} else {
		text = say("%s; the last run recorded as completed is that of %s", text, cj.Status.LastSuccessfulTime)
	}
	if !held {
		return say("%s. The present run still works", text)
	}
	text = say("%s. The present run (%s) does not end by itself", text, p.Verdict.Code)
	if table, err := timetableOf(cj); err == nil && p.Cluster.At.Known {
		if next := table.Next(p.Cluster.At.V); !next.IsZero() {
			text = say("%s and was to be deleted at %s", text, stamp(next))
		}
	}
	return text
}

func replacedAdvice(p *analyze.Pass, ref evidence.Ref) *analyze.Advice {
	acts := []act{
		do(say("suspend the CronJob: the next run deletes Job and pod, evidence included"), suspendCommand(ref)),
		do(say("check what the deleted runs left half done"))}
	if heldVerdict(p.Verdict.Code) {
		acts = append(acts, endRun(p))
	} else {
		acts = append(acts, do(say("let Job %s end before the CronJob is resumed: the run that is started then deletes it", p.Workload.Ref.Name)))
	}
	acts = append(append(acts, afterRun(p, ref)...), do(say("once runs complete by themselves, choose the policy by what the work needs")))
	summary := say("change what keeps the runs open; Replace only hides that they do not complete")
	if cured(p) {
		summary = say("end the open run before the next one deletes it: that one's proxy would be native")
	}
	return &analyze.Advice{
		Summary: summary,
		Steps:   stepsOf(acts),
		Verify:  []analyze.Text{cronVerify(ref)},
		Avoid:   []analyze.Text{say("taking the CronJob for healthy because only one Job exists")}}
}
