package rules

import (
	"strconv"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// proxyNotReady: a proxy that runs and is not ready. Readiness decides READY and Services; the Job controller looks at
// the pod's phase alone, so it is kept apart from completion.
func proxyNotReady() *analyze.Rule {
	return &analyze.Rule{Code: "ProxyNotReady", Title: "The proxy runs and is not ready, which is not what completion depends on",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{AppRunning, AppCrashLooping},
		Run: func(p *analyze.Pass) analyze.Outcome { return overPods(p, runProxyNotReady) }}
}

func runProxyNotReady(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	var proxy *facts.Container
	for _, c := range pod.Of(isMeshProxy) {
		if c.Placement != facts.InitContainer && c.Running() != nil && (proxy == nil || !c.Status.Ready) {
			proxy = c
		}
	}
	if proxy == nil || finished(pod.Status.Phase) {
		return analyze.Skip()
	}
	ready := pod.Ev(proxy.StatusPath("ready"), strconv.FormatBool(proxy.Status.Ready))
	work, _ := splitRegular(pod)
	_, ended := lastEnd(work)
	switch {
	case p.Verdict.Code == NodeLost:
		return analyze.Undecide(say("whether the proxy %s of pod %s was ready is not known: its node had stopped reporting", proxy.Name, pod.Meta.Name),
			analyze.Missing{What: say("the pod's status once its node reports again"), Command: podYAML(pod)})
	case proxy.Status.Ready:
		return analyze.RuleOut(say("the proxy %s of pod %s was ready", proxy.Name, pod.Meta.Name), ready)
	case pod.Meta.Deleted.Raw != "":
		return analyze.RuleOut(say("pod %s was being deleted: a proxy that drains is not ready", pod.Meta.Name),
			pod.Ev("metadata.deletionTimestamp", pod.Meta.Deleted.String()))
	case proxy.Placement == facts.Native && ended:
		return analyze.RuleOut(say("the application of pod %s had ended and the native sidecar %s was being stopped: a proxy that drains is not ready",
			pod.Meta.Name, proxy.Name), ready)
	case proxy.Placement == facts.Native && !started(proxy) && !pod.StatusDescribed():
		return analyze.RuleOut(say("native sidecar %s of pod %s had not started yet: its start is in question, not its readiness", proxy.Name, pod.Meta.Name),
			evStarted(proxy))
	}
	o := analyze.Fire(say("the proxy %s of pod %s was running and not ready (since %s). That lowers READY and keeps the pod out of Services; it neither completes nor holds the Job",
		proxy.Name, pod.Meta.Name, atTime(proxy.Running().StartedAt)), ready, proxy.EvState(), proxy.EvPlacement())
	o.Because = append(o.Because, podEventsAbout(pod, proxy.Name, "Unhealthy")...)
	if ended {
		return o.As(analyze.Info)
	}
	return o.With(&analyze.Advice{Aside: true,
		Summary: say("find out why %s is not ready; it is another question than why the Job has not completed", proxy.Name),
		Steps: []analyze.Text{
			say("read the proxy's log: kubectl logs %s -n %s -c %s", pod.Meta.Name, pod.Meta.Namespace, proxy.Name),
			say("check that it reaches its control plane and got its configuration: the application's calls may fail until then")},
		Avoid: []analyze.Text{say("changing the readiness probe to make the Job complete: completion does not look at it")},
	})
}

// evStarted is what a container's status says of its start. A kubelet that does not know native sidecars says nothing.
func evStarted(c *facts.Container) evidence.Evidence {
	if c.Status == nil || c.Status.Started == nil {
		return c.Pod.EvAbsent(c.StatusPath("started"))
	}
	return c.Pod.Ev(c.StatusPath("started"), strconv.FormatBool(*c.Status.Started))
}
