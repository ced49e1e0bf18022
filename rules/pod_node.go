package rules

import (
	"slices"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// podNodeLost: the kubelet of the pod's node stopped reporting, so container states are from before that.
func podNodeLost(v *podView) answer {
	p := v.p
	if p.Status.Reason == "NodeLost" {
		return yes(say("node %s was lost: what the pod's status says is from before that", p.Spec.NodeName), p.Ev("status.reason", "NodeLost"))
	}
	if p.Status.Phase == "Unknown" {
		return yes(say("the state of the pod could not be had from node %s: what its status says is old news", p.Spec.NodeName), p.Ev("status.phase", "Unknown"))
	}
	n := p.Node
	if n == nil {
		return no()
	}
	if silent, ev := nodeSilent(v.c, n); silent {
		a := yes(say("node %s stopped reporting: what the pod's status says is from before that, and whether the application has finished cannot be known",
			n.Meta.Name), ev...)
		a.missing = []analyze.Missing{{What: say("the node back, or the state of its containers as it has it (on node %s itself)", n.Meta.Name), Command: "crictl ps -a"}}
		return a
	}
	if c := n.Status.Conditions; len(c) > 0 {
		return notSo(say("node %s was reporting", n.Meta.Name), nodeReady(n)...)
	}
	return no()
}

func nodeReady(n *facts.Node) []evidence.Evidence {
	for _, c := range n.Status.Conditions {
		if c.Type == "Ready" {
			return []evidence.Evidence{n.Ev("status.conditions[type=Ready].status", c.Status)}
		}
	}
	return nil
}

// leaseSilence is how far a node's lease may lag behind the newest lease of the bundle. Kubelets renew every 10 s and
// the node controller gives up after 40 s; leases of one file are read within moments of each other.
const leaseSilence = 5 * time.Minute

// nodeSilent says that a node had stopped reporting: its Ready condition is Unknown, which the node controller sets, or
// its lease lags far behind those of other nodes.
func nodeSilent(c *facts.Cluster, n *facts.Node) (bool, []evidence.Evidence) {
	for _, cond := range n.Status.Conditions {
		if cond.Type == "Ready" && cond.Status == "Unknown" {
			ev := []evidence.Evidence{n.Ev("status.conditions[type=Ready].status", "Unknown")}
			if cond.Message != "" {
				ev = append(ev, n.Ev("status.conditions[type=Ready].message", cond.Message))
			}
			if !cond.LastHeartbeatTime.IsZero() {
				ev = append(ev, n.Ev("status.conditions[type=Ready].lastHeartbeatTime", cond.LastHeartbeatTime.String()))
			}
			return true, ev
		}
	}
	if n.Lease == nil || n.Lease.Spec.RenewTime.IsZero() {
		return false, nil
	}
	for _, o := range c.Nodes {
		if o.Lease != nil && o.Lease.Spec.RenewTime.Sub(n.Lease.Spec.RenewTime.Time) > leaseSilence {
			return true, []evidence.Evidence{n.Lease.Ev("spec.renewTime", n.Lease.Spec.RenewTime.String()),
				o.Lease.Ev("spec.renewTime", o.Lease.Spec.RenewTime.String())}
		}
	}
	return false, nil
}

// podTerminating: the pod is being deleted. deletionTimestamp already includes the grace period.
func podTerminating(v *podView) answer {
	p := v.p
	d := p.Meta.Deleted
	if d.Raw == "" && p.Status.Phase != "Terminating" {
		return no()
	}
	ev := []evidence.Evidence{p.Ev("metadata.deletionTimestamp", d.String())}
	if d.Raw == "" {
		ev = []evidence.Evidence{p.Ev("status.phase", "Terminating")}
	}
	for _, f := range p.Meta.Finalizers {
		ev = append(ev, p.Ev("metadata.finalizers", f))
	}
	if !v.c.At.Known || d.IsZero() {
		return yes(say("the pod is being deleted"), ev...)
	}
	if late := v.c.At.V.Sub(d.Time); late > 0 {
		if still := running(v.p.Containers); len(still) > 0 {
			return yes(say("the pod should have been gone %s before the bundle was taken, and %s still ran: the kubelet or the runtime did not stop it",
				span(late), list(names(still))), append(ev, v.states(still)...)...)
		}
		return yes(say("the pod should have been gone %s before the bundle was taken: deletion does not finish (finalizers %s)",
			span(late), listOrNone(p.Meta.Finalizers)), ev...)
	}
	return yes(say("the pod is being deleted and still within its grace period: look again"), ev...)
}

// podNotRemoved: a finished pod that is deleted goes once the Job controller has counted it and taken its finalizer off, be
// the Job still there or not.
func podNotRemoved(v *podView) answer {
	p := v.p
	d := p.Meta.Deleted
	if !finished(p.Status.Phase) || !contains(p.Meta.Finalizers, trackingFinalizer) || d.IsZero() || !v.c.At.Known {
		return no()
	}
	late := v.c.At.V.Sub(d.Time)
	if late < countingTakes {
		return no()
	}
	a := podSucceeded(v)
	if !a.hit {
		a = podFailed(v)
	}
	a.code = PodTerminating
	a.summary = say("%s; it should have been gone %s before the bundle was taken, and the finalizer %s, which the Job controller takes off when it has counted the pod, was still on it",
		a.summary, span(late), trackingFinalizer)
	a.evidence = append(a.evidence, p.Ev("metadata.deletionTimestamp", d.String()), p.Ev("metadata.finalizers", trackingFinalizer))
	return a
}

func listOrNone(l []string) sentence.List {
	out := list(l)
	out.Empty = sentence.None
	return out
}

// podIgnoredByKubelet recognises a kubelet that does not know native sidecars: it runs the proxy, waits for it to end, and
// never reports `started` for an init container. Where the status was trimmed, or is describe's, which prints none, the
// kubelet's version has to tell.
func podIgnoredByKubelet(v *podView) answer {
	if appBegan(v) {
		return no()
	}
	c, asked := ignoredSidecar(v)
	if c == nil {
		return no()
	}
	byStatus := !v.p.StatusDescribed() && reportsStarted(v)
	if v.kubeletKnows() || !byStatus && !v.onOldKubelet() {
		return no()
	}
	a := yes(say("the pod asks for %s as a native sidecar and its kubelet on node %s treats it as a one-shot init container: it waits for it to end, for ever",
		c.Name, v.p.Spec.NodeName), asked, c.EvState())
	if byStatus {
		a.evidence = append(a.evidence, v.p.EvAbsent(c.StatusPath("started")))
	}
	if cond := v.p.Condition("Initialized"); cond != nil && cond.Message != "" {
		a.evidence = append(a.evidence, v.p.Ev("status.conditions[type=Initialized].message", cond.Message))
	}
	if n := v.p.Node; n != nil {
		a.evidence = append(a.evidence, n.Ev("status.nodeInfo.kubeletVersion", n.Kubelet.Raw))
	}
	a.culprits = []string{c.Name}
	return a
}

// ignoredSidecar gives a container that was asked for as a native sidecar, runs, and has let nothing behind it begin, with
// what shows that it was asked for: describe prints no restartPolicy, its Job's template and the injector's record do.
func ignoredSidecar(v *podView) (*facts.Container, evidence.Evidence) {
	first := firstUnfinished(v)
	for _, c := range v.p.Containers {
		if c != first || c.Running() == nil || c.Status.Started != nil || c.Status.Ready {
			continue
		}
		if c.Placement == facts.Native {
			return c, c.EvPlacement()
		}
		if _, had, ok := hadPolicy(v.w, v.p, c); ok && v.p.Described() && c.Placement == facts.InitContainer {
			return c, had
		}
	}
	return nil, evidence.Evidence{}
}

// onOldKubelet says that by its version the kubelet of a pending pod's node does not know native sidecars.
func (v *podView) onOldKubelet() bool {
	return v.p.Node != nil && v.p.Node.OldKubelet && v.p.Status.Phase == "Pending"
}

// kubeletKnows says that the bundle shows the kubelet to know native sidecars: one of them was up on its node, or it reports
// `started` for an init container.
func (v *podView) kubeletKnows() bool {
	return facts.Once(v.c, "proven-nodes", provenNodes)[v.p.Spec.NodeName] || slices.ContainsFunc(v.p.Containers, func(c *facts.Container) bool {
		return c.Placement != facts.Ordinary && c.Status != nil && c.Status.Started != nil
	})
}

// reportsStarted says that the status is whole: every kubelet since long reports `started` for regular containers, so
// that its absence there means a status that was trimmed, and proves nothing about init containers.
func reportsStarted(v *podView) bool {
	for _, c := range v.regular() {
		if c.Status != nil && c.Status.Started != nil {
			return true
		}
	}
	return false
}

// appBegan says that some regular container has run.
func appBegan(v *podView) bool {
	for _, c := range v.regular() {
		if c.EverRan() {
			return true
		}
	}
	return false
}
