package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// nativeTroubles are the verdicts in which a native sidecar, or the pod itself, did not come to be as it was asked for.
// What would place the proxy natively does not help them; what the findings that explain them advise is.
func nativeTroubles() []analyze.Code {
	return []analyze.Code{SidecarBlocksInit, SidecarNotStarted, NodeRejectedSidecar, NativeSidecarStuck, PodCreationRejected}
}

// ofCauses makes the plan of such a verdict from the remedies of the findings that explain it.
func (p Plan) ofCauses(pass *analyze.Pass) (Plan, bool) {
	if !slices.Contains(nativeTroubles(), p.Verdict.Code) {
		return p, false
	}
	causes := causesOf(pass)
	if now := lookNow(pass); len(causes) == 0 && now != nil {
		p.Summary, p.CanNotHelp = now.Summary, now.Avoid
		p.Steps = append(p.Steps, PlanStep{Title: now.Summary, Notes: now.Steps}, PlanStep{Title: say("verify"), Commands: []string{command("kubectl get job,pod -n %s", p.Workload.Ref.Namespace)}})
		return p, true
	}
	p.Summary = say("no change is known that helps here; what stands against the pod is in the verdict")
	for i, c := range causes {
		if i == 0 {
			p.Summary = say("the remedy is that of %s: %s", string(c.rule), c.advice.Summary)
		}
		p.Steps = append(p.Steps, PlanStep{Title: c.advice.Summary, Notes: c.advice.Steps, YAML: c.advice.Patch})
		for _, avoid := range c.advice.Avoid {
			if !slices.ContainsFunc(p.CanNotHelp, func(t analyze.Text) bool { return t.String() == avoid.String() }) {
				p.CanNotHelp = append(p.CanNotHelp, avoid)
			}
		}
	}
	p.Steps = append(p.Steps, verifyStep(p.Workload))
	return p, true
}

// ofOtherCause makes the plan of a verdict that no placement of the proxy cures: what is to be looked at, and no test run, no
// deletion and no change for something else. Where a finding says that a native sidecar cures it after all, the plan is that.
func (p Plan) ofOtherCause(pass *analyze.Pass) (Plan, bool) {
	if !otherCause(p.Verdict.Code) || slices.ContainsFunc(causesIn(pass, analyze.PerWorkload), func(c cause) bool { return slices.Contains(curedNatively(), c.rule) }) {
		return p, false
	}
	p.Summary = say("no placement of a proxy ends this (%s): it has another cause, which comes first; what the report says about the next pod's proxy is for later", p.Verdict.Code)
	if now := lookNow(pass); now != nil {
		p.Steps = append(p.Steps, PlanStep{Title: now.Summary, Notes: now.Steps})
		p.CanNotHelp = now.Avoid
	}
	return p, true
}

// cause is a finding that explains a verdict, with what it advises.
type cause struct {
	rule   analyze.Code
	advice *analyze.Advice
}

// causesOf runs the rules that can explain the verdict, those of the workload first.
func causesOf(p *analyze.Pass) []cause {
	whole := &analyze.Pass{Cluster: p.Cluster, Know: p.Know, Next: Next(p.Cluster, p.Know, nil),
		Judged: []analyze.Judged{{Workload: p.Workload, Verdict: p.Verdict}}}
	return append(causesIn(p, analyze.PerWorkload), causesIn(whole, analyze.PerCluster)...)
}

func causesIn(p *analyze.Pass, scope analyze.Scope) []cause {
	verdict := p.Verdict
	if verdict == nil {
		verdict = p.Judged[0].Verdict
	}
	var out []cause
	for _, rule := range All() {
		if rule.Scope != scope || !slices.Contains(rule.Explains, verdict.Code) {
			continue
		}
		first := rule.Run(p)
		for _, o := range append([]analyze.Outcome{first}, first.More...) {
			elsewhere := scope == analyze.PerCluster && len(o.Concerns) > 0 && !slices.Contains(o.Concerns, p.Judged[0].Workload.Ref)
			if o.Status == analyze.Fired && o.Remedy != nil && !elsewhere {
				out = append(out, cause{rule.Code, o.Remedy})
			}
		}
	}
	return out
}
