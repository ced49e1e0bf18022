package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// met is how one pod meets a criterion.
type met struct {
	result   Result
	because  analyze.Text
	evidence []evidence.Evidence
}

// overRun asks every pod of a run: one that fails decides, then one that does not show it.
func overRun(pods []*facts.Pod, id string, title analyze.Text, ask func(*facts.Pod) met) Criterion {
	if len(pods) == 0 {
		return Criterion{id, title, NotProvable, say("no pod of the run is in the bundle"), nil}
	}
	rank := map[Result]int{NotPassed: 2, NotProvable: 1, Passed: 0}
	best := ask(pods[0])
	worst := 0
	for i, p := range pods[1:] {
		a := ask(p)
		if rank[a.result] > rank[best.result] {
			a.evidence, worst = append(a.evidence, best.evidence...), i+1
			best = a
			continue
		}
		if i < citedPods {
			best.evidence = append(best.evidence, a.evidence...)
		}
	}
	if len(pods) > 1 {
		if best.result == Passed {
			best.because = say("all %d pods; one of them: %s", len(pods), best.because)
		} else {
			best.because = say("pod %s: %s", pods[worst].Meta.Name, best.because)
		}
	}
	return Criterion{id, title, best.result, best.because, best.evidence}
}

func appsOf(p *facts.Pod) []*facts.Container {
	return p.Of(facts.IsPlaced(facts.Ordinary), facts.IsRole(facts.App, facts.Other))
}

func appExitedZero(p *facts.Pod) met {
	a := met{Passed, say("every application container exited 0"), nil}
	apps := appsOf(p)
	if len(apps) == 0 {
		return met{NotProvable, say("the bundle does not show which container is the application"), nil}
	}
	for _, c := range apps {
		a.evidence = append(a.evidence, c.EvState())
		switch t := c.Terminated(); {
		case c.Status == nil:
			return met{NotProvable, say("the bundle has no state of %s", c.Name), a.evidence}
		case t == nil:
			return met{NotPassed, say("%s had not ended (%s)", c.Name, c.State()), a.evidence}
		case t.ExitCode != 0:
			return met{NotPassed, say("%s exited %d", c.Name, t.ExitCode), a.evidence}
		}
	}
	return a
}

func proxyIsNative(p *facts.Pod) met {
	proxy := meshProxy(p)
	switch {
	case proxy == nil:
		return met{NotPassed, say("the pod has no mesh proxy: it ran outside the mesh"), nil}
	case p.Described() && proxy.Placement == facts.InitContainer:
		return met{NotProvable, say("%s is among the init containers, and describe text does not print restartPolicy", proxy.Name), nil}
	case proxy.Placement == facts.InitContainer && proxy.PlacementDoubt != "":
		return met{NotProvable, say("%s of pod %s stands under initContainers; whether as a native sidecar is not known: %s", proxy.Name, p.Meta.Name, proxy.PlacementDoubt), nil}
	case proxy.Placement == facts.InitContainer:
		return met{NotPassed, say("%s is an init container without restartPolicy Always", proxy.Name), []evidence.Evidence{proxy.EvPlacement()}}
	case proxy.Placement != facts.Native:
		return met{NotPassed, say("%s is an ordinary container", proxy.Name), []evidence.Evidence{proxy.EvPlacement()}}
	}
	return met{Passed, say("%s is a native sidecar", proxy.Name), []evidence.Evidence{proxy.EvPlacement()}}
}

// meshProxy gives the proxy of any mesh.
func meshProxy(p *facts.Pod) *facts.Container {
	for _, c := range p.Containers {
		if c.Helper != nil && c.Helper.Mesh && !c.Helper.Conflict && c.Helper.Class != initClass {
			return c
		}
	}
	return proxyOf(p)
}

// proxySpansApp: the proxy served the application from its first to its last moment.
func proxySpansApp(p *facts.Pod) met {
	proxy := meshProxy(p)
	if proxy == nil || proxy.Terminated() == nil {
		return met{NotProvable, say("the bundle does not show when the proxy ended"), nil}
	}
	t := proxy.Terminated()
	if t.StartedAt.IsZero() || t.FinishedAt.IsZero() {
		return met{NotProvable, say("the bundle does not show from when to when %s ran", proxy.Name), nil}
	}
	a := met{Passed, say("%s ran from %s to %s", proxy.Name, t.StartedAt.String(), t.FinishedAt.String()),
		[]evidence.Evidence{p.Ev(proxy.StatusPath("state.terminated.startedAt"), t.StartedAt.String()),
			p.Ev(proxy.StatusPath("state.terminated.finishedAt"), t.FinishedAt.String())}}
	for _, c := range appsOf(p) {
		at := c.Terminated()
		if at == nil || at.FinishedAt.IsZero() || at.StartedAt.IsZero() {
			return met{NotProvable, say("the bundle does not show from when to when %s ran", c.Name), a.evidence}
		}
		a.evidence = append(a.evidence, p.Ev(c.StatusPath("state.terminated.startedAt"), at.StartedAt.String()),
			p.Ev(c.StatusPath("state.terminated.finishedAt"), at.FinishedAt.String()))
		if t.StartedAt.After(at.StartedAt.Time) || t.FinishedAt.Before(at.FinishedAt.Time) {
			return met{NotPassed, say("%s ran without the proxy for a while", c.Name), a.evidence}
		}
	}
	return a
}

func jobComplete(s *Side) Criterion {
	id, title := "JobComplete", say("the Job has the condition Complete=True")
	j := s.Workload.Live()
	switch {
	case !s.Workload.IsJob():
		return Criterion{id, title, NotProvable, say("the run is a pod without a Job: its engine decides"), nil}
	case j == nil || j.StatusDescribed():
		return Criterion{id, title, NotProvable, say("the Job is not in the bundle as YAML"), nil}
	case trueCondition(j.Status.Conditions, "Complete") != nil:
		c := Criterion{id, title, Passed, say("it has"), []evidence.Evidence{j.Ev("status.conditions[type=Complete].status", "True")}}
		if n := j.Status.Failed; n != nil && *n > 0 {
			c.Because, c.Evidence = say("it has, after pods that failed: %s", count(n)), append(c.Evidence, j.Ev("status.failed", count(n)))
		}
		return c
	}
	return Criterion{id, title, NotPassed, say("the verdict on it is %s: %s", string(s.Verdict.Code), s.Verdict.Summary), []evidence.Evidence{j.EvAbsent("status.conditions[type=Complete]")}}
}

// expectedRevision asks whether a pod was injected by the revision that injected the pod before.
func expectedRevision(before *Side) func(*facts.Pod) met {
	return func(p *facts.Pod) met {
		now := injectedBy(p)
		if now == "" {
			return met{NotProvable, say("the pod records no revision"), nil}
		}
		ev := []evidence.Evidence{evInjectedBy(p)}
		if before == nil || runOf(before) == nil || injectedBy(runOf(before)) == "" {
			return met{NotProvable, say("it was injected by %s; what was expected is not in the bundles", now), ev}
		}
		then := injectedBy(runOf(before))
		if then == now {
			return met{Passed, say("%s, as before", now), ev}
		}
		return met{NotProvable, say("it was injected by %s, before that by %s: confirm that this is meant", now, then), ev}
	}
}

// forTheOperator lists what no bundle can show.
func forTheOperator() []Criterion {
	ask := func(id string, what analyze.Text) Criterion {
		return Criterion{id, what, NotProvable, say("for the operator to confirm: no bundle shows it"), nil}
	}
	return []Criterion{
		ask("Artefact", say("what the run was to produce is there, once")),
		ask("MutualTLS", say("its traffic was encrypted by the mesh")),
		ask("Authorization", say("authorization policies applied to it")),
		ask("LastTraffic", say("requests made just before the exit went through")),
	}
}
