package rules

import (
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// proxyEndedBeforeApp: an ordinary proxy that exits 0 is started again under no restartPolicy a Job may have, while the
// redirection of the pod's traffic to it stays in place.
func proxyEndedBeforeApp() *analyze.Rule {
	return &analyze.Rule{Code: "ProxyEndedBeforeApp", Title: "The ordinary proxy ended before the application",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{AppRunning, AppCrashLooping, AppFailed, Failed, ImagePullFailing, ContainerCannotStart},
		Run: func(p *analyze.Pass) analyze.Outcome { return overPods(p, runProxyEndedBeforeApp) }}
}

func runProxyEndedBeforeApp(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	proxies := pod.Of(isMeshProxy, facts.IsPlaced(facts.Ordinary))
	work, _ := splitRegular(pod)
	if len(proxies) == 0 || len(work) == 0 {
		return analyze.Skip()
	}
	proxy := proxies[0]
	if finished(pod.Status.Phase) {
		return failedWithout(p, pod, proxy, work)
	}
	ended := proxy.Terminated()
	if ended == nil {
		return analyze.RuleOut(say("the proxy %s of pod %s had not ended (%s)", proxy.Name, pod.Meta.Name, proxy.State()), proxy.EvState())
	}
	open := stillToWork(pod, work)
	if open == nil {
		return analyze.RuleOut(say("the application of pod %s had ended too", pod.Meta.Name), work[0].EvState())
	}
	if pod.Meta.Deleted.Raw != "" || p.Verdict.Code == NodeLost {
		return analyze.RuleOut(say("pod %s was being deleted, or its node was lost: the order in which its containers ended tells nothing", pod.Meta.Name), proxy.EvState())
	}
	if ended.ExitCode != 0 && proxy.RestartsAfter(ended.ExitCode) != version.No {
		return restartsProxy(pod, proxy)
	}
	return proxyGone(p, pod, proxy, open)
}

// farewell is how long a proxy may have ended before an application that asked it to end with its last step: the call, and what
// is left to do after it. An end that is so close tells nothing of the failure.
const farewell = 10 * time.Second

// failedWithout looks at a pod that has failed: its application exited by itself, well after the proxy had ended. What somebody
// ended, the kernel killed or the kubelet did not see ending tells nothing.
func failedWithout(p *analyze.Pass, pod *facts.Pod, proxy *facts.Container, work []*facts.Container) analyze.Outcome {
	ended := proxy.Terminated()
	if pod.Status.Phase != "Failed" || p.Verdict.Code == Completed || ended == nil || ended.Reason == lostState || ended.FinishedAt.IsZero() {
		return analyze.Skip()
	}
	if o, other := failedOtherwise(pod); other {
		return o
	}
	const killed, stopped = 137, 143
	for _, c := range work {
		t := c.Terminated()
		if t == nil || t.ExitCode == 0 || t.ExitCode == killed || t.ExitCode == stopped || t.Reason == lostState || t.FinishedAt.Sub(ended.FinishedAt.Time) <= farewell {
			continue
		}
		message := say("the proxy %s of pod %s ended (exit %d) at %s and was not started again; container %s exited %d at %s: what is redirected to the proxy found nothing there in between, and whether that is why it failed is in its log",
			proxy.Name, pod.Meta.Name, ended.ExitCode, atTime(ended.FinishedAt), c.Name, t.ExitCode, atTime(t.FinishedAt))
		because := []evidence.Evidence{proxy.EvState(), proxy.EvPlacement(), pod.Ev(proxy.StatusPath("state.terminated.finishedAt"), ended.FinishedAt.String()),
			c.EvState(), pod.Ev(c.StatusPath("state.terminated.finishedAt"), t.FinishedAt.String())}
		if t.Message != "" {
			message = say("%s. Its failure said: %s", message, t.Message)
			because = append(because, pod.Ev(c.StatusPath("state.terminated.message"), t.Message))
		}
		if who, ev := stopperIn(p, pod); !who.IsZero() {
			message, because = say("%s. %s", message, who), append(because, ev)
		}
		return analyze.Fire(message, because...).With(addNative(p, proxy, &analyze.Advice{
			Summary: say("read the log of %s; where it failed for want of the network, let nothing stop the proxy before the application is done", c.Name),
			Steps: []analyze.Text{do(say("what it said before it failed"), logsOf(pod, c)).text(),
				say("make whatever stops the proxy (a quit call, a helper, a hook) wait for the application's end")},
			Verify: []analyze.Text{say("in the new pod %s runs as long as the application; a native one is started again when it ends early", proxy.Name)}}))
	}
	return analyze.RuleOut(say("the application of pod %s did not fail by itself well after the proxy %s had ended", pod.Meta.Name, proxy.Name), proxy.EvState(), work[0].EvState())
}

// stillToWork gives the first application container that has not come to its end: one that runs, waits, or is to be
// started again.
func stillToWork(pod *facts.Pod, work []*facts.Container) *facts.Container {
	for _, c := range work {
		t := c.Terminated()
		if c.Status != nil && (t == nil || c.RestartsAfter(t.ExitCode) == version.Yes) {
			return c
		}
	}
	return nil
}

// restartsProxy: a proxy that failed is started again under OnFailure, so that its end is a moment and no state.
func restartsProxy(pod *facts.Pod, proxy *facts.Container) analyze.Outcome {
	if policy, at := proxy.Policy(); policy != "" {
		return analyze.RuleOut(say("the proxy %s of pod %s exited %d and is to be started again", proxy.Name, pod.Meta.Name, proxy.Terminated().ExitCode),
			proxy.EvState(), at)
	}
	return analyze.Undecide(say("the proxy %s of pod %s exited %d; whether it is started again depends on restartPolicy, which describe does not print",
		proxy.Name, pod.Meta.Name, proxy.Terminated().ExitCode), storedPod(pod, say("restartPolicy")))
}

func proxyGone(p *analyze.Pass, pod *facts.Pod, proxy, open *facts.Container) analyze.Outcome {
	t := proxy.Terminated()
	because := []evidence.Evidence{proxy.EvState(), proxy.EvPlacement(), open.EvState()}
	if !t.FinishedAt.IsZero() {
		because = append(because, pod.Ev(proxy.StatusPath("state.terminated.finishedAt"), t.FinishedAt.String()))
	}
	message := say("the proxy %s of pod %s ended (exit %d) at %s and is not started again; container %s had not finished (%s): what is redirected to the proxy finds nothing there since",
		proxy.Name, pod.Meta.Name, t.ExitCode, atTime(t.FinishedAt), open.Name, open.State())
	if last := lastFailure(open); last != "" {
		message = say("%s. Its last failure said: %s", message, last)
		because = append(because, pod.Ev(open.StatusPath("lastState.terminated.message"), last))
	}
	who, ev := stopperIn(p, pod)
	if !who.IsZero() {
		message = say("%s. %s", message, who)
		because = append(because, ev)
	}
	o := analyze.Fire(message, because...).With(addNative(p, proxy, &analyze.Advice{
		Summary: say("start pod %s again, and let nothing stop the proxy before the application is done", pod.Meta.Name),
		Steps: []analyze.Text{say("check that a second run is safe"),
			say("delete the pod (or the Job and make it again) so that the proxy starts with it"),
			say("make whatever stops the proxy (a quit call, a helper, a hook) wait for the application's end")},
		Verify: []analyze.Text{say("in the new pod %s runs as long as the application; a native one is started again when it ends early", proxy.Name)},
		Avoid:  []analyze.Text{say("stopping the proxy: it has ended already and is not what keeps the Job open")},
	}))
	if open.Waiting() != nil || open.Terminated() != nil {
		o = o.As(analyze.Error)
	}
	return o
}

func lastFailure(c *facts.Container) string {
	if c.Status == nil || c.Status.LastState.Terminated == nil {
		return ""
	}
	return c.Status.LastState.Terminated.Message
}

// stopperIn looks for something in the pod that stops a proxy. That it stands there is seen; that it did it is not.
func stopperIn(p *analyze.Pass, pod *facts.Pod) (analyze.Text, evidence.Evidence) {
	for _, c := range pod.Containers {
		if c.Spec == nil {
			continue
		}
		for _, line := range linesOf(c) {
			if line.variable != "" || line.path == "lifecycle.preStop.exec.command" {
				continue
			}
			if calls := stopCallsIn(p, line.searched()); len(calls) > 0 {
				return say("Container %s has a call that ends a proxy (%s)", c.Name, calls[0].Note), pod.Ev(c.Path(line.field()), line.text)
			}
		}
	}
	return analyze.Text{}, evidence.Evidence{}
}
