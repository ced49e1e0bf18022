package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// istioProxy is the name that Istio gives its proxy in every version.
const istioProxy = "istio-proxy"

// Next decides where the proxy of a workload's next pod would be put, or, without a workload, that of a pod which asks
// for nothing special from the only control plane in the bundle. It speaks of what is in force now: what was in force
// when a pod at hand was made is another question, see madeByPresent.
func Next(c *facts.Cluster, k *knowledge.Base, w *facts.Workload) *analyze.NextDecision {
	if w != nil {
		if why := notIstio(c, w); !why.IsZero() {
			return without(why)
		}
	} else if len(c.Mesh.ControlPlanes) == 0 && len(c.Mesh.Injectors) == 0 {
		return without(say("no Istio control plane is in the bundle"))
	}
	r := routeOf(c, w)
	n := askOf(r)
	decide(c, k, w, n, r)
	return n
}

// askOf is the question for the control plane of a route, before it is decided.
func askOf(r route) *analyze.NextDecision {
	n := &analyze.NextDecision{Applies: true, Revision: r.revision, Plane: r.plane, Rivals: r.rivals}
	n.Placement = knowledge.Unknown
	return n
}

func without(why analyze.Text) *analyze.NextDecision {
	n := &analyze.NextDecision{Because: []analyze.Text{why}}
	n.Placement = knowledge.Unknown
	return n
}

// decide makes the decision for the control plane of n and writes the reasoning down.
func decide(c *facts.Cluster, k *knowledge.Base, w *facts.Workload, n *analyze.NextDecision, r route) {
	decideIf(c, k, w, n, r, WhatIf{})
	for _, s := range n.Steps {
		n.Because = append(n.Because, stepText(s))
	}
	for _, a := range n.Basis.Assumes {
		n.Because = append(n.Because, say("assumed: %s", a))
	}
}

// decideIf makes the decision with what-if values over what was read, and gives the inputs that it was made from.
func decideIf(c *facts.Cluster, k *knowledge.Base, w *facts.Workload, n *analyze.NextDecision, r route, what WhatIf) knowledge.Inputs {
	g := gather(c, k, w, n)
	what.apply(&g.in)
	n.Decision = k.Decide(g.in)
	if n.Plane != nil && what.Istio == "" {
		g.rollout(k, n)
	}
	asked := n.Reason != knowledge.ReasonInManifest // a manifest that holds the proxy is asked of no istiod
	if asked && (n.Rivals != nil || w != nil && (r.tag != "" || n.Plane == nil && n.Revision != "" || len(c.Mesh.ControlPlanes) > 1)) {
		n.Steps = slices.Insert(n.Steps, 0, routeStep(n, r))
	}
	if !r.assumes.IsZero() {
		n.Basis.Assumes = append(n.Basis.Assumes, r.assumes)
	}
	if what.Istio == "" {
		n.Basis.Assumes = append(n.Basis.Assumes, g.assumes...)
	}
	if n.Reason == knowledge.ReasonAutoNodesNew && len(what.Kubelets) == 0 {
		n.Basis.Assumes = append(n.Basis.Assumes, say("the bundle lists every node of the cluster"))
	}
	if n.Reason == knowledge.ReasonInManifest && g.why != nil {
		n.Steps = append(n.Steps, *g.why)
	}
	if g.neverStarts {
		n.Emitted, n.Placement, n.Broken = knowledge.Ordinary, knowledge.Broken, knowledge.StuckInInit
	}
	return g.in
}

func routeStep(n *analyze.NextDecision, r route) knowledge.Step {
	s := knowledge.Step{Question: say("Which istiod injects the pod?"), Answer: say("that of revision %s", orDefault(n.Revision)), Value: r.from.Field, Where: r.from.Where()}
	if r.tag != "" {
		s.Answer = say("%s, to which the tag %s leads", s.Answer, r.tag)
	}
	switch {
	case n.Rivals != nil:
		s.Answer = say("%s, and nothing in the bundle tells which", among(n.Revision, n.Rivals))
	case n.Plane == nil:
		s.Answer = say("%s, which is not in the bundle", s.Answer)
	case r.home.namespace != "" && n.Plane.Namespace != "":
		s.Answer = say("%s, in namespace %s", s.Answer, n.Plane.Namespace)
	}
	return s
}

func stepText(s knowledge.Step) analyze.Text {
	switch {
	case s.Value == "" && s.Where == "":
		return say("%s %s", s.Question, s.Answer)
	case s.Where == "":
		return say("%s %s (%s)", s.Question, s.Answer, s.Value)
	case s.Value == "":
		return say("%s %s (%s)", s.Question, s.Answer, s.Where)
	}
	return say("%s %s (%s, %s)", s.Question, s.Answer, s.Value, s.Where)
}

// proxyOf gives Istio's proxy of a pod, wherever it was placed; nil without one.
func proxyOf(p *facts.Pod) *facts.Container {
	for _, c := range p.Containers {
		if c.Name == istioProxy && (c.Helper == nil || !c.Helper.Conflict) {
			return c
		}
	}
	return nil
}

// injectedBy gives the revision that a pod records of its injection.
func injectedBy(p *facts.Pod) string {
	revision, _ := revisionRecord(p)
	return revision
}

// revisionRecord says also in which annotation it stands; "" for none.
func revisionRecord(p *facts.Pod) (revision, annotation string) {
	if p.Injection != nil && p.Injection.Revision != "" {
		return p.Injection.Revision, facts.StatusAnnotation
	}
	return p.Meta.Annotations.Get(facts.RevisionLabel), facts.RevisionLabel
}

// evInjectedBy is the annotation that injectedBy was read from.
func evInjectedBy(p *facts.Pod) evidence.Evidence {
	_, annotation := revisionRecord(p)
	return p.Ev("metadata.annotations["+annotation+"]", p.Meta.Annotations.Get(annotation))
}

func newest(pods []*facts.Pod) *facts.Pod {
	if len(pods) == 0 {
		return nil
	}
	return slices.MaxFunc(pods, func(a, b *facts.Pod) int { return a.Meta.Created.Compare(b.Meta.Created.Time) })
}
