package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// The findings of this file and of istioenv.go are readings of one decision (knowledge.Decide): each names the reason
// for which the next pod of a workload would get the proxy that it gets. They are about the control plane, so that
// many workloads of one revision give one finding.

// nativeDefaultOff: this release leaves native sidecars off, or has none, and nothing turns them on.
func nativeDefaultOff() *analyze.Rule {
	return &analyze.Rule{Code: "NativeDefaultOff", Title: "Native sidecars are off by default in this Istio",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runNativeDefaultOff}
}

func runNativeDefaultOff(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if !istioJob(p) {
		return analyze.Skip()
	}
	if n.Plane == nil || !n.Plane.Version.Known {
		return analyze.Skip() // ControlPlaneUnknown speaks of that
	}
	switch n.Reason {
	case knowledge.ReasonDefaultOff:
		return analyze.Fire(say("%s leaves native sidecars off unless ENABLE_NATIVE_SIDECARS is set, and it is not", planeText(n)),
			append(append([]ev{}, n.Plane.Version.From...), n.Plane.Env.From...)...).On(planeRef(n)).From(n.Basis).With(nativeAdvice(p)).As(weight(p))
	case knowledge.ReasonEraNoSupport:
		return analyze.Fire(say("%s has no native sidecars at all", planeText(n)), n.Plane.Version.From...).
			On(planeRef(n)).From(n.Basis).With(nativeAdvice(p)).As(weight(p))
	}
	if n.Placement == knowledge.Unknown {
		return analyze.Undecide(say("what %s does by default can not be said", planeText(n)), undecided(n)...).On(planeRef(n))
	}
	return analyze.RuleOut(say("the default of %s is not what decides here (%s)", planeText(n), n.Reason), n.Plane.Version.From...).On(planeRef(n))
}

// weight is the severity of a reason: it breaks a Job now only where an ordinary proxy holds one, or will.
func weight(p *analyze.Pass) analyze.Severity {
	switch p.Verdict.Code {
	case HeldBySidecar, FailureHiddenBySidecar, DeadlineHitWhileHeld, NodeRejectedSidecar, PodCreationRejected, SidecarBlocksInit:
		return analyze.Error
	default:
		return analyze.Warning
	}
}

func undecided(n *analyze.NextDecision) []analyze.Missing {
	var out []analyze.Missing
	for _, u := range n.Undecided {
		out = append(out, analyze.Missing{What: say("%s", u), Command: commandFor(u)})
	}
	if len(out) == 0 {
		out = append(out, planeMissing(n))
	}
	return out
}

// commandFor gives the command that supplies a datum of the decision.
func commandFor(datum string) string {
	switch {
	case strings.Contains(datum, "nodes"):
		return "kubectl get nodes -o yaml"
	case strings.Contains(datum, "annotations"):
		return "kubectl get job,cronjob -A -o yaml"
	default:
		return "kubectl get deployment,replicaset,pod,configmap -n istio-system -o yaml"
	}
}

// autoBlockedByNode: in automatic mode one old kubelet anywhere keeps every pod's proxy ordinary.
func autoBlockedByNode() *analyze.Rule {
	return &analyze.Rule{Code: "AutoBlockedByNode", Title: "One node keeps Istio's automatic mode from native sidecars",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runAutoBlockedByNode}
}

func runAutoBlockedByNode(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if !istioJob(p) || n.Plane == nil {
		return analyze.Skip()
	}
	switch n.Reason {
	case knowledge.ReasonAutoOldNode, knowledge.ReasonAutoUnparsableNode:
	case knowledge.ReasonUnknownNodes:
		return analyze.Undecide(say("%s is in automatic mode and asks every node; their kubelet versions are not in the bundle", planeText(n)),
			undecided(n)...).On(planeRef(n)).From(n.Basis)
	default:
		return analyze.RuleOut(say("the nodes are not what decides here (%s)", n.Reason)).On(planeRef(n))
	}
	because := append(append([]ev{}, n.Plane.Version.From...), n.Plane.Env.From...)
	for _, k := range n.Blockers {
		if node := p.Cluster.Node(k.Node); node != nil {
			because = append(because, node.Ev("status.nodeInfo.kubeletVersion", k.Raw))
		}
	}
	need := 0
	if point, ok, _ := p.Know.Istio(n.Plane.Version.V); ok {
		need = point.AutoKubeletMinor
	}
	o := analyze.Fire(say("%s is in automatic mode: it places the proxy natively only when every node's kubelet has minor version %d or newer, and one older node is enough against it: %s (%d of %d nodes)",
		planeText(n), need, list(blockerNames(n.Blockers)), len(n.Blockers), len(p.Cluster.Nodes)), because...).
		On(planeRef(n)).From(n.Basis).With(nativeAdvice(p)).As(weight(p))
	if h := p.Verdict.Holder; h != nil && p.Cluster.At.Known {
		o.Assumes = append(o.Assumes, say("the nodes were the same when pod %s was made", h.Pod.Meta.Name).String())
	}
	return o
}

// blockerNames lists at most five nodes and counts the rest.
func blockerNames(list []knowledge.Kubelet) []string {
	const most = 5
	out := nodeNames(list[:min(len(list), most)])
	if rest := len(list) - most; rest > 0 {
		out = append(out, say("%d more", rest).String())
	}
	return out
}

// controlPlaneUnknown: managed, external, or simply not collected.
func controlPlaneUnknown() *analyze.Rule {
	return &analyze.Rule{Code: "ControlPlaneUnknown", Title: "The control plane that injects is not in the bundle",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Run: runControlPlaneUnknown}
}

func runControlPlaneUnknown(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if !istioJob(p) {
		return analyze.Skip()
	}
	if n.Plane != nil {
		return analyze.RuleOut(say("%s is in the bundle", planeText(n)), n.Plane.Version.From...)
	}
	var because []ev
	known := say("nothing in the bundle tells its version or settings")
	if pod := newest(p.Workload.Pods); pod != nil {
		if proxy := proxyOf(pod); proxy != nil {
			because = append(because, pod.Ev(proxy.Path("image"), proxy.Image()))
			if v := version.Parse(imageTag(proxy)); v.Known() {
				known = say("its image tag says that istiod was %s when pod %s was made", v.Raw, pod.Meta.Name)
			}
		}
		if r := injectedBy(pod); r != "" {
			because = append(because, pod.Ev("metadata.annotations[istio.io/rev]", r))
		}
	}
	for _, in := range p.Cluster.Mesh.Injectors {
		if in.URL != "" {
			because = append(because, in.Config.Ev("webhooks[0].clientConfig.url", in.URL))
			known = say("%s; the webhook calls a control plane outside the cluster, whose settings only its operator can tell", known)
		}
	}
	o := analyze.Fire(say("the control plane that injects these pods (%s) is not in the bundle: %s", planeText(n), known), because...).
		Lacking(planeMissing(n))
	if len(n.Undecided) == 0 && n.Placement != knowledge.Unknown {
		return o.As(analyze.Info)
	}
	return o
}
