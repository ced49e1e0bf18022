package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// sameRun says why two sides show one and the same run: then there is nothing to compare, whether it was captured once
// or twice, for no change reaches a pod that exists. Without it a bundle compared with itself would pass.
func sameRun(before, after *Side) (analyze.Text, []evidence.Evidence) {
	if before == nil {
		return analyze.Text{}, nil
	}
	then, now := runOf(before), runOf(after)
	switch {
	case then != nil && now != nil && before.Workload.Ref.Namespace == after.Workload.Ref.Namespace && samePod(before, after, then, now):
		return say("nothing was compared, both bundles show the same pod %s: a fix shows in a pod that was created after it", now.Meta.Name),
			[]evidence.Evidence{identity(now)}
	case then == nil && now == nil && before.Workload.Ref == after.Workload.Ref && sameJob(before, after):
		return say("nothing was compared, both bundles show the same state of %s", after.Workload.Ref.String()), nil
	}
	return analyze.Text{}, nil
}

// samePod tells by uid; without one by the name, which a controller gives once, or with the time of creation.
func samePod(before, after *Side, then, now *facts.Pod) bool {
	a, b := then.Meta, now.Meta
	switch {
	case a.UID != "" && b.UID != "":
		return a.UID == b.UID
	case a.Name != b.Name:
		return false
	case !a.Created.IsZero() && !b.Created.IsZero():
		return a.Created.Equal(b.Created.Time)
	case before.Workload.IsJob() && after.Workload.IsJob():
		return true
	}
	return before.sameCapture(after)
}

// sameJob is for Jobs without pods: of one Job that was captured twice, the second capture may show what a fix did.
func sameJob(before, after *Side) bool {
	a, b := before.Workload.Live(), after.Workload.Live()
	if a != nil && b != nil && a.Meta.UID != b.Meta.UID {
		return false
	}
	return before.sameCapture(after)
}

func (s *Side) sameCapture(other *Side) bool {
	return s.at.Known == other.at.Known && s.at.V.Equal(other.at.V)
}

func identity(p *facts.Pod) evidence.Evidence {
	if p.Meta.UID != "" {
		return p.Ev("metadata.uid", p.Meta.UID)
	}
	return p.Ev("metadata.name", p.Meta.Name)
}

// withoutComparison leaves the criteria as they are asked and takes back their answers.
func withoutComparison(criteria []Criterion, why analyze.Text, seen []evidence.Evidence) {
	for i, c := range criteria {
		criteria[i] = Criterion{c.ID, c.Title, NotProvable, why, seen}
	}
}
