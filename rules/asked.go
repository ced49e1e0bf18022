package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// eachPlane asks a question about Istio's decision of every control plane that concerns a workload: the one that will
// inject its next pod, and, where another one made the ordinary proxy at hand, that one. What each is set to concerns
// its own pods only.
func eachPlane(ask func(*analyze.Pass) analyze.Outcome) func(*analyze.Pass) analyze.Outcome {
	return func(p *analyze.Pass) analyze.Outcome {
		first := analyze.Skip()
		if istioJob(p) {
			first = ask(p)
		}
		then := madeByOther(p)
		if then == nil {
			return first
		}
		other := ask(then)
		if other.Remedy != nil {
			other.Remedy = afterChange(p)
		}
		switch {
		case other.Status == analyze.NotApplicable:
			return first
		case first.Status == analyze.NotApplicable:
			return other
		}
		return first.And(other)
	}
}

// madeByOther gives a pass about the control plane that made the ordinary proxy at hand, when that is in the bundle and
// not the one that will inject the next pod.
func madeByOther(p *analyze.Pass) *analyze.Pass {
	pod, _ := ordinaryProxy(p)
	if pod == nil {
		return nil
	}
	plane := planeOfPod(p.Cluster, pod)
	if plane == nil || istioJob(p) && plane == p.Next.Plane {
		return nil
	}
	n := &analyze.NextDecision{Applies: true, Plane: plane, Revision: plane.Revision}
	w := *p.Workload
	w.Pods, w.Job, w.CronJob = []*facts.Pod{pod}, nil, nil // its own metadata is what the injector saw
	past := *p.Cluster
	past.Namespaces = nil // how it is labelled now tells nothing about a pod that was injected
	decide(&past, p.Know, &w, n, route{revision: plane.Revision, plane: plane})
	then := *p
	then.Next = n
	return &then
}

// afterChange is the remedy for a pod that another control plane made than the one that decides about the next: what is
// set on the one that made it concerns no pod any more.
func afterChange(p *analyze.Pass) *analyze.Advice {
	switch {
	case !istioJob(p):
		return newRun(say("nothing is to be changed for the next run: %s", p.Next.Because[0]), say("the next pod has no %s, and the Job gets the condition Complete=True soon after the application exits 0", istioProxy))
	case p.Next.Placement == knowledge.Native:
		return newRun(say("nothing is to be changed for the next run: its pod is injected by %s, which places the proxy natively", planeText(p.Next)),
			say("the new pod has %s in spec.initContainers with restartPolicy Always", istioProxy))
	}
	return nativeAdvice(p)
}

// Otherwise is the remedy for a workload that Istio's proxy holds and of which no finding says why, for the bundle lacks
// the control plane, its release or the nodes: what would place the next proxy natively, as far as it can be told.
func Otherwise(p *analyze.Pass) *analyze.Advice {
	switch p.Verdict.Code {
	case HeldBySidecar, FailureHiddenBySidecar, DeadlineHitWhileHeld:
	default:
		return nil
	}
	if !p.Next.Applies || !slices.ContainsFunc(culpritsOf(p), isIstioProxy) {
		return nil
	}
	if p.Next.Placement == knowledge.Native {
		a := newRun(say("nothing is to be changed for the next run: its pod gets a native proxy (%s)", reasonWords(p.Next.Reason)),
			say("the new pod has %s in spec.initContainers with restartPolicy Always", istioProxy))
		if pod, present := madeByPresent(p); pod != nil && present {
			a.Summary = say("by what the bundle has the next pod gets a native proxy (%s), though the ordinary one of pod %s shows no other istiod: what was different then is not in the bundle, so try it on an isolated test Job",
				reasonWords(p.Next.Reason), pod.Meta.Name)
		}
		if since := provenSince(p.Cluster, p.Workload, p.Next.Decision); since != nil {
			a.Summary = say("nothing is to be changed for the next run: pod %s of a later run got a native proxy and completed", since.Meta.Name)
		}
		a.Avoid = avoidAlways(p.Workload, true)
		return a
	}
	return nativeAdvice(p)
}

// newRun is the remedy where nothing but the pod is to be changed.
func newRun(summary, verify analyze.Text) *analyze.Advice {
	return &analyze.Advice{Summary: summary,
		Steps: []analyze.Text{say("keep the evidence: save the Job's and the pod's manifests and events"),
			say("check that a second run is safe: idempotent writes, charges, artefacts"),
			say("existing pods never change: wait for the next run, or delete this one and make it again, which runs its program once more")},
		Verify:   []analyze.Text{verify},
		Rollback: []analyze.Text{say("nothing was changed; what the run wrote stays written")},
		Avoid:    []analyze.Text{say("changing settings of the istiod that made this pod for its sake: they concern neither it nor the next one")}}
}

// madeByPresent says whether the ordinary proxy at hand was made by the control plane of p.Next as it is now. Where it
// was not, today's settings are no cause of what that pod is; true also where nothing says otherwise.
func madeByPresent(p *analyze.Pass) (*facts.Pod, bool) {
	pod, proxy := ordinaryProxy(p)
	if pod == nil || p.Next.Plane == nil {
		return nil, true
	}
	plane := p.Next.Plane
	if made := planeOfPod(p.Cluster, pod); made != nil && made != plane {
		return pod, false
	}
	if r := injectedBy(pod); r != "" && planeOfPod(p.Cluster, pod) == nil {
		return pod, false
	}
	if im, ok := imprintOfPod(p.Know, pod, proxy); ok && im.version.Known() && plane.Version.Known && im.version.SameMinor(plane.Version.V) == version.No {
		return pod, false
	}
	now := lastRollout(plane)
	if created := pod.Meta.Created; !now.at.IsZero() && !created.IsZero() && created.Before(now.at) {
		then, ok := inForce(plane, created.Time, now)
		return pod, ok && then.sameAs(now.settings)
	}
	return pod, true
}

// weight is the severity of a reason: it breaks a Job now only where an ordinary proxy holds one, or will.
func weight(p *analyze.Pass) analyze.Severity {
	switch p.Verdict.Code {
	case HeldBySidecar, FailureHiddenBySidecar, DeadlineHitWhileHeld, NodeRejectedSidecar, PodCreationRejected, SidecarBlocksInit, SidecarNotStarted, NativeSidecarStuck:
		return analyze.Error
	default:
		return analyze.Warning
	}
}

// causeWeight is weight for a setting of istiod: an error only where the pod at hand was made under it.
func causeWeight(p *analyze.Pass) analyze.Severity {
	if _, present := madeByPresent(p); !present {
		return analyze.Warning
	}
	return weight(p)
}

// ofNext limits a sentence about istiod's settings to pods made from now on where the pod at hand is not made by them.
func ofNext(p *analyze.Pass, message analyze.Text) analyze.Text {
	if pod, present := madeByPresent(p); !present {
		return say("%s. This concerns the next pod; pod %s was injected under other settings", message, pod.Meta.Name)
	}
	return message
}
