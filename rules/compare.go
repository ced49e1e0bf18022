package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// Result is how one acceptance criterion came out.
type Result string

// A criterion that a bundle can not show is never passed by default.
const (
	Passed      Result = "passed"
	NotPassed   Result = "failed"
	NotProvable Result = "notProvable"
)

// Criterion is one point of the acceptance of a fix.
type Criterion struct {
	ID       string
	Title    analyze.Text
	Result   Result
	Because  analyze.Text
	Evidence []evidence.Evidence
}

// Comparison is the acceptance of a fix: the same Job, or two runs of one CronJob, before and after.
type Comparison struct {
	// Before is nil when there is no BEFORE bundle.
	Before, After *Side
	Criteria      []Criterion
	// Accepted says that every criterion that a bundle can show was passed.
	Accepted bool
}

// Side is one run.
type Side struct {
	Workload *facts.Workload
	Verdict  analyze.Judgement
}

// NewSide judges a run.
func NewSide(c *facts.Cluster, w *facts.Workload) *Side {
	return &Side{Workload: w, Verdict: Judge(c, w)}
}

// Compare checks the acceptance criteria on the after side.
func Compare(before, after *Side) Comparison {
	out := Comparison{Before: before, After: after}
	pod := runOf(after)
	out.Criteria = []Criterion{
		appExitedZero(pod),
		proxyIsNative(pod),
		proxySpansApp(pod),
		jobComplete(after),
		expectedRevision(before, pod),
		noAppRestarts(pod),
	}
	out.Criteria = append(out.Criteria, forTheOperator()...)
	out.Accepted = true
	for _, c := range out.Criteria[:6] {
		out.Accepted = out.Accepted && c.Result == Passed
	}
	return out
}

// runOf gives the pod that shows the run: the newest one.
func runOf(s *Side) *facts.Pod { return newest(s.Workload.Pods) }

func noPod(id string, title analyze.Text) Criterion {
	return Criterion{id, title, NotProvable, say("no pod of the run is in the bundle"), nil}
}

func appsOf(p *facts.Pod) []*facts.Container {
	return p.Of(facts.IsPlaced(facts.Ordinary), facts.IsRole(facts.App, facts.Other))
}

func appExitedZero(p *facts.Pod) Criterion {
	id, title := "AppExitedZero", say("the application exited 0")
	if p == nil {
		return noPod(id, title)
	}
	c := Criterion{ID: id, Title: title, Result: Passed, Because: say("every application container exited 0")}
	for _, a := range appsOf(p) {
		c.Evidence = append(c.Evidence, a.EvState())
		switch t := a.Terminated(); {
		case a.Status == nil:
			return Criterion{id, title, NotProvable, say("the bundle has no state of %s", a.Name), c.Evidence}
		case t == nil:
			return Criterion{id, title, NotPassed, say("%s had not ended (%s)", a.Name, a.State()), c.Evidence}
		case t.ExitCode != 0:
			return Criterion{id, title, NotPassed, say("%s exited %d", a.Name, t.ExitCode), c.Evidence}
		}
	}
	return c
}

func proxyIsNative(p *facts.Pod) Criterion {
	id, title := "ProxyNative", say("the proxy is in initContainers with restartPolicy Always")
	if p == nil {
		return noPod(id, title)
	}
	proxy := meshProxy(p)
	switch {
	case proxy == nil:
		return Criterion{id, title, NotPassed, say("the pod has no mesh proxy: it ran outside the mesh"), nil}
	case p.Described() && proxy.Placement != facts.Native:
		return Criterion{id, title, NotProvable, say("describe text does not print restartPolicy"), nil}
	case proxy.Placement != facts.Native:
		return Criterion{id, title, NotPassed, say("%s is %s", proxy.Name, string(proxy.Placement)), []evidence.Evidence{proxy.EvPlacement()}}
	}
	return Criterion{id, title, Passed, say("%s is a native sidecar", proxy.Name), []evidence.Evidence{proxy.EvPlacement()}}
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
func proxySpansApp(p *facts.Pod) Criterion {
	id, title := "ProxyCoversApp", say("the proxy started before the application and ended after it")
	if p == nil {
		return noPod(id, title)
	}
	proxy := meshProxy(p)
	if proxy == nil || proxy.Terminated() == nil {
		return Criterion{id, title, NotProvable, say("the bundle does not show when the proxy ended"), nil}
	}
	t := proxy.Terminated()
	c := Criterion{ID: id, Title: title, Result: Passed, Because: say("%s ran from %s to %s", proxy.Name, t.StartedAt.String(), t.FinishedAt.String()),
		Evidence: []evidence.Evidence{p.Ev(proxy.StatusPath("state.terminated.startedAt"), t.StartedAt.String()),
			p.Ev(proxy.StatusPath("state.terminated.finishedAt"), t.FinishedAt.String())}}
	for _, a := range appsOf(p) {
		at := a.Terminated()
		if at == nil || at.FinishedAt.IsZero() || t.FinishedAt.IsZero() {
			return Criterion{id, title, NotProvable, say("the bundle does not show when %s ended", a.Name), c.Evidence}
		}
		c.Evidence = append(c.Evidence, p.Ev(a.StatusPath("state.terminated.finishedAt"), at.FinishedAt.String()))
		if t.StartedAt.After(at.StartedAt.Time) || t.FinishedAt.Before(at.FinishedAt.Time) {
			return Criterion{id, title, NotPassed, say("%s ran without the proxy for a while", a.Name), c.Evidence}
		}
	}
	return c
}

func jobComplete(s *Side) Criterion {
	id, title := "JobComplete", say("the Job has the condition Complete=True")
	j := s.Workload.Job
	switch {
	case !s.Workload.IsJob():
		return Criterion{id, title, NotProvable, say("the run is a pod without a Job: its engine decides"), nil}
	case j == nil || j.Described():
		return Criterion{id, title, NotProvable, say("the Job is not in the bundle as YAML"), nil}
	case trueCondition(j.Status.Conditions, "Complete") != nil:
		return Criterion{id, title, Passed, say("it has"), []evidence.Evidence{j.Ev("status.conditions[type=Complete].status", "True")}}
	}
	return Criterion{id, title, NotPassed, say("the verdict on it is %s: %s", string(s.Verdict.Code), s.Verdict.Summary), []evidence.Evidence{j.EvAbsent("status.conditions[type=Complete]")}}
}

func expectedRevision(before *Side, p *facts.Pod) Criterion {
	id, title := "ExpectedRevision", say("the pod was injected by the expected istiod revision")
	if p == nil {
		return noPod(id, title)
	}
	now := injectedBy(p)
	if now == "" {
		return Criterion{id, title, NotProvable, say("the pod records no revision"), nil}
	}
	ev := []evidence.Evidence{p.Ev("metadata.annotations[istio.io/rev]", now)}
	if before == nil || runOf(before) == nil || injectedBy(runOf(before)) == "" {
		return Criterion{id, title, NotProvable, say("it was injected by %s; what was expected is not in the bundles", now), ev}
	}
	then := injectedBy(runOf(before))
	if then == now {
		return Criterion{id, title, Passed, say("%s, as before", now), ev}
	}
	return Criterion{id, title, NotProvable, say("it was injected by %s, before that by %s: confirm that this is meant", now, then), ev}
}

func noAppRestarts(p *facts.Pod) Criterion {
	id, title := "NoAppRestarts", say("no application container was restarted")
	if p == nil {
		return noPod(id, title)
	}
	c := Criterion{ID: id, Title: title, Result: Passed, Because: say("restartCount is 0")}
	for _, a := range appsOf(p) {
		if a.Status == nil {
			return Criterion{id, title, NotProvable, say("the bundle has no state of %s", a.Name), nil}
		}
		c.Evidence = append(c.Evidence, p.Ev(a.StatusPath("restartCount"), count(&a.Status.RestartCount)))
		if n := a.Status.RestartCount; n > 0 {
			c.Result, c.Because = NotPassed, say("%s was restarted %d times", a.Name, n)
		}
	}
	return c
}

// forTheOperator lists what no bundle can show.
func forTheOperator() []Criterion {
	ask := func(id, what string) Criterion {
		return Criterion{id, say(what), NotProvable, say("for the operator to confirm: no bundle shows it"), nil}
	}
	return []Criterion{
		ask("Artefact", "what the run was to produce is there, once"),
		ask("MutualTLS", "its traffic was encrypted by the mesh"),
		ask("Authorization", "authorization policies applied to it"),
		ask("LastTraffic", "requests made just before the exit went through"),
	}
}

// FindRun picks the run to compare: the workload of a name, or of the CronJob of that name (its newest run), or the
// only one there is.
func FindRun(c *facts.Cluster, name, namespace string) (*facts.Workload, []evidence.Ref) {
	var found []*facts.Workload
	var refs []evidence.Ref
	for _, w := range c.Workloads {
		if namespace != "" && w.Ref.Namespace != namespace {
			continue
		}
		if name == "" || w.Ref.Name == name || w.ParentName == name || strings.EqualFold(w.Ref.String(), name) {
			found = append(found, w)
			refs = append(refs, w.Ref)
		}
	}
	if len(found) == 0 || name == "" && len(found) > 1 {
		return nil, refs
	}
	best := found[0]
	for _, w := range found[1:] {
		if startOf(w).After(startOf(best)) {
			best = w
		}
	}
	return best, refs
}
