package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// withLacking takes back a criterion that was passed by the pods in the bundle where the Job counts more of them: those
// that were deleted before the capture may have been other than those that are left.
func withLacking(s *Side, c Criterion, phases ...string) Criterion {
	j := s.Workload.Live()
	if c.Result != Passed || j == nil {
		return c
	}
	for _, phase := range phases {
		path, counted := "status.succeeded", j.Status.Succeeded
		if phase == "Failed" {
			path, counted = "status.failed", j.Status.Failed
		}
		have := int64(0)
		for _, p := range s.Workload.Pods {
			if p.Status.Phase == phase {
				have++
			}
		}
		if counted == nil || *counted <= have {
			continue
		}
		return Criterion{c.ID, c.Title, NotProvable, say("the Job counts %s as %s, and the bundle has %s of them", count(counted), phase, countOf(have)),
			append([]evidence.Evidence{evCount(j, path, counted)}, c.Evidence...)}
	}
	return c
}

// afterTries adds to a passed criterion, which asks the pods in which the run ended, in which pods it had failed before that.
func afterTries(s *Side, c Criterion) Criterion {
	var failed []string
	for _, p := range s.Workload.Pods {
		for _, a := range appsOf(p) {
			if t := a.Terminated(); p.Status.Phase == "Failed" && t != nil && t.ExitCode != 0 {
				failed = append(failed, p.Meta.Name)
				c.Evidence = append(c.Evidence, a.EvState())
				break
			}
		}
	}
	if c.Result == Passed && len(failed) > 0 {
		c.Because = say("%s in the pods in which the run ended; it had failed before in %s", c.Because, list(fewOf(failed)))
	}
	return c
}

// appRanOnce asks whether the application of a pod ran once: neither did the kubelet restart it, nor the Job begin it
// again in another pod after this one had failed.
func appRanOnce(tries []*facts.Pod) func(*facts.Pod) met {
	return func(p *facts.Pod) met {
		if p.Status.Phase == "Failed" && followed(p, tries) {
			for _, c := range appsOf(p) {
				if c.EverRan() {
					return met{NotPassed, say("%s began here, and this pod failed: the Job began it again in another", c.Name),
						[]evidence.Evidence{p.Ev("status.phase", "Failed"), c.EvState()}}
				}
			}
		}
		return noAppRestarts(p)
	}
}

// followed says that another pod of the run was made after this one; where the times are not in the bundle any may be.
func followed(p *facts.Pod, tries []*facts.Pod) bool {
	return slices.ContainsFunc(tries, func(other *facts.Pod) bool {
		a, b := p.Meta.Created, other.Meta.Created
		return other != p && (a.IsZero() || b.IsZero() || b.After(a.Time))
	})
}

func noAppRestarts(p *facts.Pod) met {
	a := met{Passed, say("restartCount is 0"), nil}
	for _, c := range appsOf(p) {
		if c.Status == nil {
			return met{NotProvable, say("the bundle has no state of %s", c.Name), nil}
		}
		a.evidence = append(a.evidence, p.Ev(c.StatusPath("restartCount"), count(&c.Status.RestartCount)))
		if n := c.Status.RestartCount; n > 0 {
			a.result, a.because = NotPassed, say("%s was restarted %s", c.Name, timesOf(n))
		}
	}
	return a
}
