package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// rollout puts in what an unfinished rollout of istiod makes of a decision: pods of several releases may serve at once, and
// what comes after may decide otherwise than what serves now.
func (g *gathered) rollout(k *knowledge.Base, n *analyze.NextDecision) {
	if n.Reason == knowledge.ReasonInManifest || n.Emitted == knowledge.None {
		return // no istiod is asked
	}
	if len(n.Plane.Mixed) > 0 {
		n.Decision = decideMixed(k, g.in, n.Plane.Mixed)
	}
	after := n.Plane.After
	if !after.Known {
		return
	}
	if then := decideRelease(k, g.in, after); then.Placement != n.Placement {
		n.Basis.Assumes = append(n.Basis.Assumes, say("the next pod is made before the rollout of istiod to %s ends: after that %s", after.V.Raw, wouldPlace(then)))
	}
}

func decideRelease(k *knowledge.Base, in knowledge.Inputs, release evidence.Fact[version.Version]) knowledge.Decision {
	in.Istio, in.IstioWhere = release.V, whereOf(release.From)
	return k.Decide(in)
}

// decideMixed decides for each of the releases that serve. Where they agree that is the answer; else it is chance.
func decideMixed(k *knowledge.Base, in knowledge.Inputs, releases []evidence.Fact[version.Version]) knowledge.Decision {
	var all []knowledge.Decision
	var parts []analyze.Text
	step := knowledge.Step{Question: say("Which release of istiod injects the pod?")}
	for _, r := range releases {
		d := decideRelease(k, in, r)
		all = append(all, d)
		parts = append(parts, say("by %s %s", r.V.Raw, wouldPlace(d)))
		if step.Where == "" {
			step.Where = whereOf(r.From)
		}
	}
	out, first := all[0], all[0]
	if slices.ContainsFunc(all, func(d knowledge.Decision) bool { return d.Emitted != first.Emitted || d.Placement != first.Placement }) {
		step.Answer = say("pods of several serve, and which of them is asked is chance: %s", list(parts))
		out = knowledge.Decision{Emitted: knowledge.Unknown, Placement: knowledge.Unknown, Reason: knowledge.ReasonUnknownIstio, Basis: first.Basis,
			Undecided: []analyze.Text{say("which release of istiod injects, once its rollout has ended")}}
		for _, d := range all[1:] {
			out.Basis = out.Basis.Merge(d.Basis)
		}
		out.Steps = []knowledge.Step{step}
		return out
	}
	step.Answer = say("pods of several serve, and they agree: %s", list(parts))
	if slices.ContainsFunc(all, func(d knowledge.Decision) bool { return d.Reason != first.Reason }) {
		out.Reason, out.Blockers = knowledge.ReasonSameInAllCases, nil
	}
	out.Steps = slices.Insert(slices.Clone(out.Steps), 0, step)
	return out
}

// wouldPlace says what becomes of the proxy by a decision.
func wouldPlace(d knowledge.Decision) analyze.Text {
	switch d.Placement {
	case knowledge.Native:
		return say("its proxy would be native")
	case knowledge.Ordinary:
		return say("its proxy would be ordinary")
	case knowledge.Broken:
		return say("no working pod would come of it")
	}
	return say("where its proxy would be is not known")
}

// releasesOf names the releases that serve at once.
func releasesOf(cp *facts.ControlPlane) []string {
	var out []string
	for _, r := range cp.Mixed {
		out = append(out, r.V.Raw)
	}
	return out
}
