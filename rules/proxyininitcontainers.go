package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// proxyInInitContainers explains a proxy that people miss in spec.containers: as a native sidecar it stands in
// spec.initContainers, and the API server counts it in READY.
func proxyInInitContainers() *analyze.Rule {
	return &analyze.Rule{Code: "ProxyInInitContainers", Title: "The proxy is a native sidecar: in initContainers, and counted in READY",
		Severity: analyze.Info, Scope: analyze.PerWorkload,
		Run: func(p *analyze.Pass) analyze.Outcome { return overPods(p, runProxyInInitContainers) }}
}

func runProxyInInitContainers(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	proxies := pod.Of(isMeshProxy)
	if len(proxies) == 0 || finished(pod.Status.Phase) || p.Verdict.Code == Completed {
		return analyze.Skip()
	}
	c := proxies[0]
	switch {
	case c.Placement == facts.Ordinary:
		return analyze.RuleOut(say("%s of pod %s is an ordinary container", c.Name, pod.Meta.Name), c.EvPlacement())
	case c.Placement == facts.InitContainer && c.PlacementDoubt != "":
		return analyze.Undecide(say("%s of pod %s stands under initContainers; whether as a native sidecar is not known: %s", c.Name, pod.Meta.Name, c.PlacementDoubt),
			storedPod(pod, say("restartPolicy of %s", c.Name)))
	case c.Placement == facts.InitContainer:
		return analyze.RuleOut(say("%s of pod %s stands in initContainers without restartPolicy Always: it is no native sidecar", c.Name, pod.Meta.Name), c.EvPlacement())
	}
	message := say("%s of pod %s is a native sidecar: it stands in spec.initContainers with restartPolicy Always, not in spec.containers", c.Name, pod.Meta.Name)
	if pod.Described() {
		message = say("%s of pod %s is a native sidecar: it stands under initContainers and was %s, which a one-shot init container cannot be", c.Name, pod.Meta.Name, nativeSign(c))
	} else if pr := Printer(p.Cluster, p.Know); pr.CountsSidecars {
		message = say("%s, and READY counts it: %s, while spec.containers has %d", message, pod.Columns(pr).ReadyText(), len(pod.Spec.Containers))
	}
	if work, _ := splitRegular(pod); anyRunning(work) {
		message = say("%s. It does not keep the Job from completing", message)
	}
	return analyze.Fire(message, c.EvPlacement(), c.EvState())
}

func nativeSign(c *facts.Container) analyze.Text {
	if c.Running() != nil && c.Status.Ready {
		return say("running and ready")
	}
	return say("given a probe")
}
