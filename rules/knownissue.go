package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// knownIssue: a published bug applies where the version of its component lies in its range AND everything that the bug
// would show is seen in the bundle. A version alone is never a finding. Each bug found is a finding of its own.
func knownIssue() *analyze.Rule {
	return &analyze.Rule{Code: "KnownIssue", Title: "A published bug: its versions and its symptom are both in the bundle",
		Severity: analyze.Warning, Scope: analyze.PerWorkload,
		Explains: []analyze.Code{NativeSidecarStuck, SidecarNotStarted, AppFailed, InitNotFinished, PodFinishedJobNot, PodTerminating, PodCreationRejected, Failed},
		Run:      runKnownIssue}
}

func runKnownIssue(p *analyze.Pass) analyze.Outcome {
	if p.Verdict.Code == Completed {
		return analyze.Skip()
	}
	var found []analyze.Outcome
	var inRange []string
	views := issueViews(p)
	for _, issue := range p.Know.Issues() {
		o, ranges := askIssue(views, issue)
		switch {
		case o.Status == analyze.Fired || o.Status == analyze.Undecided:
			found = append(found, o)
		case ranges && issue.Affects.String() != anyVersion:
			inRange = append(inRange, issue.Ref)
		}
	}
	if len(found) > 0 {
		return found[0].And(found[1:]...)
	}
	if len(inRange) == 0 {
		return analyze.Skip()
	}
	return analyze.RuleOut(say("the bundle shows none of the signs of the published bugs whose range holds the versions here: %s", list(inRange)))
}

// anyVersion is the range of an issue that no version can be told for.
const anyVersion = "*"

// issueView is one pod of the workload, or the workload alone where it has none.
type issueView struct {
	p   *analyze.Pass
	pod *facts.Pod
	podView
	// components are those that an issue has asked for.
	components map[string]component
}

func issueViews(p *analyze.Pass) []*issueView {
	if len(p.Workload.Pods) == 0 {
		return []*issueView{{p: p}}
	}
	var out []*issueView
	for _, pod := range p.Workload.Pods {
		out = append(out, &issueView{p: p, pod: pod, podView: newPodView(p.Cluster, p.Workload, pod)})
	}
	return out
}

// askIssue looks for a pod that shows an issue. inRange says that some version lies in its range.
func askIssue(views []*issueView, issue knowledge.Issue) (o analyze.Outcome, inRange bool) {
	var open analyze.Outcome
	for _, v := range views {
		c := v.component(issue.Component)
		answer := affects(v.p.Cluster, issue, c.version)
		if answer == version.No {
			continue
		}
		inRange = inRange || answer == version.Yes
		s := v.sees(issue.Predicates)
		switch {
		case s.seen && answer == version.Yes:
			return v.fire(issue, c, s), true
		case s.seen:
			open = analyze.Undecide(say("%s (%s): what %s shows fits it; the version of %s is not in the bundle", issue.Title, issue.Ref, v.name(), issue.Component),
				analyze.Missing{What: say("the version of %s", issue.Component), Command: versionCommand(issue.Component)})
			open.Sources = issue.Sources
		case s.open && answer == version.Yes:
			open = analyze.Undecide(say("%s (%s): the versions here lie in its range, and what %s shows fits it as far as it goes", issue.Title, issue.Ref, v.name()), s.missing)
			open.Because, open.Sources = s.because, issue.Sources
		}
	}
	return open, inRange
}

// affects remembers the answers: the versions of a cluster are few, its workloads are many.
func affects(c *facts.Cluster, issue knowledge.Issue, v version.Version) version.Answer {
	type question struct {
		issue   string
		version version.Version
	}
	return facts.OnceFor(c, "issues-affect", question{issue.ID, v}, func() version.Answer { return issue.Affects.Check(v) })
}

func (v *issueView) name() string {
	if v.pod != nil {
		return "pod " + v.pod.Meta.Name
	}
	return v.p.Workload.Ref.String()
}

// sees asks all predicates of an issue; the first that is not seen ends it.
func (v *issueView) sees(names []string) sighting {
	all := sighting{seen: true}
	for _, name := range names {
		ask, ok := predicates[name]
		if !ok {
			return sighting{}
		}
		s := ask(v)
		switch {
		case s.open:
			all.seen, all.open, all.missing = false, true, s.missing
		case !s.seen:
			return sighting{}
		}
		all.because = append(all.because, s.because...)
	}
	return all
}

func (v *issueView) fire(issue knowledge.Issue, c component, s sighting) analyze.Outcome {
	message := say("what %s shows fits a published bug: %s (%s): %s", v.name(), issue.Title, issue.Ref, issue.Symptom)
	if issue.Affects.String() != anyVersion {
		message = say("%s. %s %s lies in the affected range (%s)", message, issue.Component, c.version.Raw, issue.Affects.String())
	}
	if len(issue.FixedIn) > 0 {
		message = say("%s; fixed in %s", message, strings.Join(issue.FixedIn, ", "))
	}
	o := analyze.Fire(message, append(s.because, c.from...)...)
	o.Sources = issue.Sources
	for _, a := range []analyze.Text{c.assumes, say(issue.Caveat), say(issue.VendorCaveat(c.version))} {
		if !a.IsZero() {
			o.Assumes = append(o.Assumes, a)
		}
	}
	if issue.Workaround != "" {
		advice := &analyze.Advice{Summary: say("%s", issue.Workaround)}
		if issue.Deletes && v.pod != nil && !finished(v.pod.Status.Phase) {
			advice.Steps = append(advice.Steps, say("before the pod is deleted, know what follows: %s", deletionCounts(v.p.Workload, []*facts.Pod{v.pod})))
		}
		o = o.With(advice)
	}
	return o
}

func versionCommand(component string) string {
	switch component {
	case "kubelet":
		return "kubectl get nodes -o yaml"
	case "istiod":
		return istiodCommand
	case "kube-controller-manager", "kube-scheduler":
		return "kubectl get pods -n kube-system -o yaml"
	}
	return "kubectl version -o yaml"
}

// sighting is what a predicate answers: seen with its evidence, or open for want of something; the zero value is not
// seen.
type sighting struct {
	seen, open bool
	because    []evidence.Evidence
	missing    analyze.Missing
}

// ofAllPods remembers what is seen of all pods of the workload together, for it is asked for each of them.
func (v *issueView) ofAllPods(what string, see func() sighting) sighting {
	return facts.OnceFor(v.p.Cluster, what, v.p.Workload, see)
}

func saw(because ...evidence.Evidence) sighting { return sighting{seen: true, because: because} }

func notSeen() sighting { return sighting{} }

func cannotSee(what analyze.Text, command string) sighting {
	return sighting{open: true, missing: analyze.Missing{What: what, Command: command}}
}
