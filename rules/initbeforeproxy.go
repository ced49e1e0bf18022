package rules

import (
	"regexp"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// initBeforeProxy: once the pod's traffic is redirected to the proxy, an init container that calls out before the
// ordinary proxy runs is refused, for nothing listens yet. istio-init runs last of the init containers, so what stands
// before it is not redirected; with the CNI plugin, whose mark is istio-validation, all of them are.
func initBeforeProxy() *analyze.Rule {
	return &analyze.Rule{Code: "InitBeforeProxy", Title: "An init container needs the network before the ordinary proxy runs",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{InitNotFinished},
		Run: func(p *analyze.Pass) analyze.Outcome { return overPods(p, runInitBeforeProxy) }}
}

// refused is what a call says that was sent to a port on which nothing listens. A time-out is something else: packets
// that vanish are the work of a network policy or a route.
var refused = regexp.MustCompile(`(?i)connection refused|ECONNREFUSED`)

// loopback is an address within the pod: such a call is not redirected, its own server is missing.
var loopback = regexp.MustCompile(`(?i)\b127\.\d+\.\d+\.\d+\b|\blocalhost\b|\[::1\]`)

func runInitBeforeProxy(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	proxies := pod.Of(isMeshProxy, facts.IsPlaced(facts.Ordinary))
	if len(proxies) == 0 || finished(pod.Status.Phase) || proxies[0].EverRan() {
		return analyze.Skip()
	}
	v := newPodView(p.Cluster, p.Workload, pod)
	c := firstUnfinished(&v)
	if c == nil || c.Placement != facts.InitContainer || c.Helper != nil && c.Helper.Mesh || isLongHelper(c) || c.Status == nil {
		return analyze.Skip()
	}
	proxy := proxies[0]
	mark, redirected := redirection(pod, c)
	if !redirected {
		return analyze.RuleOut(say("nothing shows that the traffic of pod %s was redirected to %s when init container %s ran", pod.Meta.Name, proxy.Name, c.Name), c.EvState())
	}
	message, at := failureOf(c)
	free := exemption{holds: version.No}
	if isIstioProxy(proxy) {
		free = exempt(pod, c, message)
	}
	because := []evidence.Evidence{c.EvState(), proxy.EvState(), proxy.EvPlacement(), mark}
	switch {
	case message == "" && c.Running() == nil && c.Waiting() != nil && restarts(c) == 0:
		return analyze.Skip()
	case refused.MatchString(message) && loopback.MatchString(message):
		return analyze.RuleOut(say("init container %s of pod %s was refused by an address within the pod, which is not redirected", c.Name, pod.Meta.Name), pod.Ev(at, message))
	case free.holds == version.Yes:
		return analyze.RuleOut(say("init container %s of pod %s: %s", c.Name, pod.Meta.Name, free.why), append(free.because, c.EvState())...)
	case refused.MatchString(message) && free.holds != version.No:
		o := analyze.Undecide(say("init container %s of pod %s was refused while traffic was redirected to %s, which had not started; %s",
			c.Name, pod.Meta.Name, proxy.Name, free.why), analyze.Missing{What: say("what init container %s says", c.Name), Command: logsOf(pod, c)})
		o.Because = append(append(because, pod.Ev(at, message)), free.because...)
		return o
	case refused.MatchString(message):
		return fireInitBeforeProxy(p, pod, c, proxy, append(because, pod.Ev(at, message)))
	}
	text, shown := say("what it runs and what it said are not in the bundle"), commandOf(c)
	if shown != "" {
		text = say("whether its command (%s) waits for the network, or fails for want of it, is in its log, which is not in the bundle", excerpt(shown))
	}
	o := analyze.Undecide(say("init container %s of pod %s had not finished while traffic was redirected to %s, which had not started; %s",
		c.Name, pod.Meta.Name, proxy.Name, text), analyze.Missing{What: say("what init container %s says", c.Name),
		Command: logsOf(pod, c)})
	o.Because = because
	return o
}

// commandOf gives what a container runs, "" where neither its command nor its arguments are set or readable.
func commandOf(c *facts.Container) string {
	if c.Spec == nil {
		return ""
	}
	return strings.Join(append(append([]string{}, c.Spec.Command...), c.Spec.Args...), " ")
}

// logsOf is the command for what a container said: of its last run where it was restarted.
func logsOf(pod *facts.Pod, c *facts.Container) string {
	if restarts(c) > 0 {
		return command("kubectl logs %s -n %s -c %s --previous", pod.Meta.Name, pod.Meta.Namespace, c.Name)
	}
	return command("kubectl logs %s -n %s -c %s", pod.Meta.Name, pod.Meta.Namespace, c.Name)
}

// redirection finds the sign that traffic goes to the proxy while an init container runs: an init container of the mesh
// that set it up or checked it has ended before it, or the CNI plugin's check is in the pod at all.
func redirection(pod *facts.Pod, c *facts.Container) (evidence.Evidence, bool) {
	for _, o := range pod.Containers {
		if o == c {
			break
		}
		if o.Helper != nil && o.Helper.Mesh && o.Helper.Class == initClass && o.Terminated() != nil && o.Terminated().ExitCode == 0 {
			return o.EvState(), true
		}
	}
	for _, o := range pod.Of(facts.IsPlaced(facts.InitContainer)) {
		if strings.Contains(o.Name, "validat") && o.Helper != nil && o.Helper.Mesh {
			return o.EvPlacement(), true
		}
	}
	return evidence.Evidence{}, false
}

// failureOf gives what a container said when it ended last, and where that stands.
func failureOf(c *facts.Container) (message, path string) {
	if t := c.Terminated(); t != nil && t.ExitCode != 0 {
		return t.Message, c.StatusPath("state.terminated.message")
	}
	if t := c.Status.LastState.Terminated; t != nil && t.ExitCode != 0 {
		return t.Message, c.StatusPath("lastState.terminated.message")
	}
	return "", ""
}

func fireInitBeforeProxy(p *analyze.Pass, pod *facts.Pod, c, proxy *facts.Container, because []evidence.Evidence) analyze.Outcome {
	o := analyze.Fire(say("init container %s of pod %s failed with a refused connection (%s) while the pod's traffic was redirected to %s, an ordinary container that starts only after every init container",
		c.Name, pod.Meta.Name, restartsOf(restarts(c)), proxy.Name), because...)
	o.Assumes = []analyze.Text{say("the refused address is one that the redirection covers, and the init container does not run as the proxy's own user")}
	verify := []analyze.Text{say("in the next pod %s is running before %s starts, and %s exits 0", proxy.Name, c.Name, c.Name)}
	avoid := []analyze.Text{say("holdApplicationUntilProxyStarts: it orders regular containers only, and this is an init container"),
		say("ending the proxy: it has not even started")}
	if isIstioProxy(proxy) && istioJob(p) && p.Next.Reason == knowledge.ReasonEraNoSupport {
		path, owner := annotationPath(p)
		return o.With(&analyze.Advice{
			Summary: say("let init container %s past the redirection: this Istio has no native sidecar that could be up before it", c.Name),
			Steps: []analyze.Text{
				say("run it as user %d, the proxy's own, which concerns no other container; or exclude the address that it calls, for the whole pod and so for the application, too: traffic.sidecar.istio.io/excludeOutboundIPRanges or excludeOutboundPorts at %s of %s", proxyUser, path, owner),
				say("or keep the proxy out of the pod, where neither mTLS nor mesh policy is needed"),
				say("a newer Istio, on Kubernetes that runs native sidecars, can have the proxy up before it")},
			Verify: []analyze.Text{say("in the next pod %s exits 0", c.Name)}, Avoid: avoid})
	}
	if !isIstioProxy(proxy) {
		return o.With(addNative(p, proxy, &analyze.Advice{
			Summary: say("have the proxy up before init container %s: as a native sidecar that stands before it", c.Name),
			Steps:   []analyze.Text{say("either let the init container past the redirection, by the means that %s's mesh has for that, or have the proxy placed natively:", proxy.Name)},
			Verify:  verify, Avoid: avoid}))
	}
	return o.With(addNative(p, proxy, &analyze.Advice{
		Summary: say("have the proxy up before init container %s: as a native sidecar that stands before it", c.Name),
		Steps: []analyze.Text{
			say("either exempt the init container: run it as user %d, the proxy's own, which concerns no other container; or exclude the address that it calls, for the whole pod and so for the application, too (traffic.sidecar.istio.io/excludeOutboundIPRanges or excludeOutboundPorts on the pod template); or have the proxy placed natively:", proxyUser)},
		Verify: verify, Avoid: avoid,
	}))
}
