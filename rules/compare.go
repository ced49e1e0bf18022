package rules

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// Result is how one acceptance criterion came out.
type Result string

// A criterion that a bundle cannot show is never passed by default.
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
	// Compared says that AFTER shows a later run of what BEFORE shows; else no criterion has an answer.
	Compared bool
	// SameRun says that both bundles show one and the same run, so that nothing was compared.
	SameRun bool
}

// Side is one run.
type Side struct {
	Workload *facts.Workload
	Verdict  analyze.Judgement
	// Named says that a person chose this run, by its own name, to be compared with the other side's.
	Named bool
	at    evidence.Fact[time.Time]
}

// NewSide judges a run.
func NewSide(c *facts.Cluster, w *facts.Workload) *Side {
	return &Side{Workload: w, Verdict: Judge(c, w), at: c.At}
}

// Compare checks the acceptance criteria on the after side.
func Compare(before, after *Side) Comparison {
	out := Comparison{Before: before, After: after}
	ended, tries := podsOfRun(after), after.Workload.Pods
	out.Criteria = []Criterion{
		afterTries(after, withLacking(after, overRun(ended, "AppExitedZero", say("the application exited 0"), appExitedZero), "Succeeded")),
		withLacking(after, overRun(tries, "ProxyNative", say("the proxy is in initContainers with restartPolicy Always"), proxyIsNative), "Succeeded", "Failed"),
		withLacking(after, overRun(ended, "ProxyCoversApp", say("the proxy started before the application and ended after it"), proxySpansApp), "Succeeded"),
		jobComplete(after),
		withLacking(after, overRun(ended, "ExpectedRevision", say("the pod was injected by the expected istiod revision"), expectedRevision(before)), "Succeeded"),
		withLacking(after, overRun(tries, "NoAppRestarts", say("no application container was restarted"), appRanOnce(tries)), "Succeeded", "Failed"),
	}
	why, seen := sameRun(before, after)
	out.SameRun = !why.IsZero()
	if !out.SameRun {
		why, seen = noLaterRun(before, after)
	}
	if out.Compared = why.IsZero(); !out.Compared {
		withoutComparison(out.Criteria, why, seen)
	}
	out.Accepted = true
	for _, c := range out.Criteria {
		out.Accepted = out.Accepted && c.Result == Passed
	}
	out.Criteria = append(out.Criteria, forTheOperator()...)
	return out
}

// runOf gives the pod that stands for a run: the newest one.
func runOf(s *Side) *facts.Pod { return newest(s.Workload.Pods) }

// podsOfRun gives the pods in which a run ended: all but the tries that failed and were followed by another.
func podsOfRun(s *Side) []*facts.Pod {
	var out []*facts.Pod
	for _, p := range s.Workload.Pods {
		if p.Status.Phase != "Failed" {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		if p := runOf(s); p != nil {
			out = append(out, p)
		}
	}
	return out
}

// FindRun picks the run to compare: the workload of a name, or of the CronJob of that name (its newest run), or the
// only one there is. None where the name is used in several namespaces, or no name is given; the references are those of
// what may be meant.
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
	if len(found) == 0 || name == "" && len(found) > 1 || severalNamespaces(refs) {
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

// severalNamespaces leaves out what the bundle does not tell the namespace of.
func severalNamespaces(refs []evidence.Ref) bool {
	one := ""
	return slices.ContainsFunc(refs, func(r evidence.Ref) bool {
		one = cmp.Or(one, r.Namespace)
		return r.Namespace != "" && r.Namespace != one
	})
}
