package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Predicates about the mesh and the cluster around a pod.

func seesInterceptionNone(v *issueView) sighting {
	if v.pod == nil {
		return notSeen()
	}
	const key, env = "sidecar.istio.io/interceptionMode", "ISTIO_META_INTERCEPTION_MODE"
	if v.pod.Meta.Annotations.Get(key) == "NONE" {
		return saw(v.pod.Ev("metadata.annotations["+key+"]", "NONE"))
	}
	c := proxyOf(v.pod)
	if c == nil || c.Spec == nil {
		return notSeen()
	}
	for _, e := range c.Spec.Env {
		if e.Name == env && e.Value == "NONE" {
			return saw(v.pod.Ev(c.Path("env[name="+env+"].value"), "NONE"))
		}
	}
	return notSeen()
}

func seesProxyOrdinary(v *issueView) sighting {
	if v.pod == nil {
		return notSeen()
	}
	if c := proxyOf(v.pod); c != nil && c.Placement == facts.Ordinary {
		return saw(c.EvPlacement())
	}
	return notSeen()
}

// seesProxylessAgent: the pod has the agent of proxyless gRPC, which is never native.
func seesProxylessAgent(v *issueView) sighting {
	if v.pod == nil || v.p.Next == nil || v.p.Next.Reason != knowledge.ReasonTemplateNever {
		return notSeen()
	}
	asked := v.pod.Meta.Annotations.Get(facts.TemplatesAnnotation)
	if asksForAgent(v.p.Know, asked) {
		return saw(v.pod.Ev("metadata.annotations["+facts.TemplatesAnnotation+"]", asked))
	}
	return notSeen()
}

func seesValidationCrashes(v *issueView) sighting {
	for _, c := range v.ordinaryInits() {
		if c.Name != "istio-validation" || c.Status == nil {
			continue
		}
		w, last := c.Waiting(), c.Status.LastState.Terminated
		if w != nil && w.Reason == "CrashLoopBackOff" || restarts(c) > 0 && last != nil && last.ExitCode != 0 {
			return saw(c.EvState(), v.pod.Ev(c.StatusPath("restartCount"), countOf(restarts(c))))
		}
	}
	return notSeen()
}

func seesInjectedByIstio(v *issueView) sighting {
	if v.pod == nil {
		return notSeen()
	}
	if c := proxyOf(v.pod); c != nil {
		return saw(c.EvPlacement())
	}
	if v.pod.Injection != nil {
		return saw(v.pod.Ev("metadata.annotations["+facts.StatusAnnotation+"]", v.pod.Meta.Annotations.Get(facts.StatusAnnotation)))
	}
	return notSeen()
}

// seesCNIRepair knows the repair by its mark on the pod alone: the settings of the CNI's DaemonSet are not read.
func seesCNIRepair(v *issueView) sighting {
	const label = "cni.istio.io/uninitialized"
	if v.pod == nil {
		return notSeen()
	}
	if l, ok := v.pod.Meta.Labels.Lookup(label); ok {
		return saw(v.pod.Ev("metadata.labels["+label+"]", l))
	}
	return notSeen()
}

func seesServerKeepsSidecars(v *issueView) sighting {
	server := v.p.Cluster.Server
	for _, g := range v.p.Cluster.Gates {
		if g.Component == "kube-apiserver" && !g.Enabled {
			return notSeen()
		}
	}
	if a, _ := v.p.Know.Has("apiserver-sidecars-by-default", server.V); !server.Known || a != version.Yes {
		return notSeen()
	}
	return saw(server.From...)
}

func seesStrippingWebhook(v *issueView) sighting {
	for _, w := range v.p.Cluster.Webhooks {
		if _, ok := changesPods(w); !ok {
			continue
		}
		if _, known := v.p.Know.StrippingWebhook(webhookNames(w)...); known {
			return saw(w.Ev("metadata.name", w.Meta.Name))
		}
	}
	return notSeen()
}

func seesWebhookOnUpdate(v *issueView) sighting {
	for _, w := range v.p.Cluster.Webhooks {
		if i, ok := webhookOn(w, "UPDATE"); ok {
			return saw(w.Ev("webhooks[name="+w.Webhooks[i].Name+"].rules", "UPDATE pods"))
		}
	}
	return notSeen()
}

// seesIstioBugReport knows istioctl bug-report by the file that its objects come from.
func seesIstioBugReport(v *issueView) sighting {
	j := v.job()
	if j == nil || !strings.HasSuffix(j.Origin.File, "cluster/k8s-resources") {
		return notSeen()
	}
	return saw(j.Ev("metadata.name", j.Meta.Name))
}
