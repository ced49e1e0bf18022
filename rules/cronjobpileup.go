package rules

import (
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// cronJobPileUp: under Allow each run starts beside the held ones. History limits do not remove them, for they count
// finished Jobs only; their requests stay reserved on the nodes.
func cronJobPileUp() *analyze.Rule {
	return &analyze.Rule{Code: "CronJobPileUp", Title: "Held Jobs of a CronJob add up",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Run: runCronJobPileUp}
}

// pile is what the held Jobs of one CronJob cost together.
type pile struct {
	jobs    []*facts.Workload
	open    int // held or not
	pods    int
	first   time.Time
	hours   time.Duration
	free    reserved
	because []evidence.Evidence
}

func runCronJobPileUp(p *analyze.Pass) analyze.Outcome {
	w := p.Workload
	ref, ok := openRun(p)
	if !ok {
		return analyze.Skip()
	}
	held := pileOf(p.Cluster, ref)
	_, basis := p.Know.Has("cronjob-history-finished-only", p.Cluster.Server.V)
	policy, policyEv := policyOf(w.CronJob)
	var policyBecause []evidence.Evidence
	if policy != "" {
		policyBecause = append(policyBecause, policyEv)
	}
	switch {
	case held.open < 2:
		if len(held.jobs) == 0 {
			return analyze.Skip()
		}
		return alone(p, ref, policy, policyBecause).From(basis)
	case len(held.jobs) == 0:
		return analyze.RuleOut(say("%d Jobs of the CronJob are open at once, and none is known to be held: they still work, or wait for something else", held.open), policyBecause...)
	case held.jobs[0] != w:
		return analyze.Skip() // one finding for all of them, from the first
	}
	o := analyze.Fire(pileText(held, p.Cluster.AtFloor), append(policyBecause, held.because...)...).On(ref).From(basis).With(pileAdvice(p, ref))
	for _, j := range held.jobs[1:] {
		o = o.About(j.Ref)
	}
	if len(held.jobs) == 1 {
		o = o.As(analyze.Warning)
	}
	if w.CronJob == nil {
		o = o.Lacking(cronMissing(ref))
	}
	return o
}

// alone judges the only open Job of a CronJob. Runs that come later join it unless the policy is against it.
func alone(p *analyze.Pass, ref evidence.Ref, policy string, because []evidence.Evidence) analyze.Outcome {
	switch cj := p.Workload.CronJob; {
	case cj == nil:
		return analyze.Undecide(say("one held Job of the CronJob is in the bundle; whether later runs join it depends on its concurrencyPolicy"), cronMissing(ref)).On(ref)
	case policy != allow:
		return analyze.RuleOut(say("concurrencyPolicy is %s: held Jobs do not add up", policy), because...)
	default:
		return analyze.RuleOut(say("only one Job of the CronJob was open"), append(because, activeEv(p.Workload.CronJob, p.Workload.Ref.Name))...)
	}
}

// pileOf gives the Jobs of a CronJob that an ordinary sidecar holds. Each of them asks for all of them.
func pileOf(c *facts.Cluster, ref evidence.Ref) pile {
	return facts.OnceFor(c, "pile", ref, func() pile { return addUpPile(c, ref) })
}

func addUpPile(c *facts.Cluster, ref evidence.Ref) pile {
	var s pile
	for _, w := range facts.Once(c, "by-parent", byParent)[ref] {
		if !openJob(w) {
			continue
		}
		s.open++
		before := s.pods
		for _, pod := range w.Pods {
			s.add(c, pod)
		}
		if s.pods > before {
			s.jobs = append(s.jobs, w)
		}
	}
	return s
}

// byParent lists the workloads of each object above them.
func byParent(c *facts.Cluster) map[evidence.Ref][]*facts.Workload {
	out := map[evidence.Ref][]*facts.Workload{}
	for _, w := range c.Workloads {
		parent := evidence.Ref{Kind: w.ParentKind, Namespace: w.Ref.Namespace, Name: w.ParentName}
		out[parent] = append(out[parent], w)
	}
	return out
}

func (s *pile) add(c *facts.Cluster, pod *facts.Pod) {
	since, held := heldSince(pod)
	if !held {
		return
	}
	s.pods++
	s.free.add(pod)
	if s.first.IsZero() || !since.IsZero() && since.Before(s.first) {
		s.first = since
	}
	if c.At.Known && !since.IsZero() {
		s.hours += max(c.At.V.Sub(since), 0)
	}
	if s.pods > 2*enoughEvidence {
		return
	}
	for _, ct := range pod.Of(facts.IsPlaced(facts.Ordinary)) {
		s.because = append(s.because, ct.EvState())
	}
}

// pileText sums up a pile. floor: the bundle was taken later than its newest time, so that the hours are a minimum.
func pileText(s pile, floor bool) analyze.Text {
	text := say("%d Jobs of the CronJob were held open at once", len(s.jobs))
	if len(s.jobs) == 1 {
		text = say("1 Job of the CronJob was held open beside %s", othersOf(s.open-1))
	}
	if !s.first.IsZero() {
		text = say("%s, the first since %s", text, stamp(s.first))
	}
	switch {
	case s.hours > 0 && floor:
		text = say("%s; together they were held for at least %s of pod time", text, span(s.hours))
	case s.hours > 0:
		text = say("%s; together they were held for %s of pod time", text, span(s.hours))
	}
	return say("%s. They keep reserved, with %s: %s", text, podsOf(s.pods), s.free.text())
}

func pileAdvice(p *analyze.Pass, ref evidence.Ref) *analyze.Advice {
	acts := []act{
		do(say("suspend the CronJob so that no more join"), suspendCommand(ref)),
		do(say("end the held Jobs: their applications have ended; the steps for that are under what to do now: %s", whereSteps()))}
	summary := say("suspend the CronJob, end the held Jobs, change the jobTemplate, and resume")
	if cured(p) {
		summary = say("end the held Jobs: the next run's proxy would be native")
	}
	return &analyze.Advice{
		Summary: summary,
		Steps:   stepsOf(append(acts, afterRun(p, ref)...)),
		Verify:  []analyze.Text{cronVerify(ref)},
		Avoid: []analyze.Text{
			say("history limits and ttlSecondsAfterFinished: they concern finished Jobs, and these are not"),
			say("Forbid or Replace as the way out: the first stops the schedule, the second deletes every run unfinished")}}
}
