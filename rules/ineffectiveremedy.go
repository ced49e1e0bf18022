package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// ineffectiveRemedy: settings that are often tried on a held Job and cannot end it, each for a reason of its own. They
// do no harm; believing in them costs days.
func ineffectiveRemedy() *analyze.Rule {
	return &analyze.Rule{Code: "IneffectiveRemedy", Title: "Settings on a held Job that cannot end it",
		Severity: analyze.Info, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar}, Run: runIneffectiveRemedy}
}

// tried is one such setting with the reason why it has no effect on a held Job.
type tried struct {
	why   analyze.Text
	at    evidence.Evidence
	basis knowledge.Basis
}

func runIneffectiveRemedy(p *analyze.Pass) analyze.Outcome {
	if p.Verdict.Code != HeldBySidecar && p.Verdict.Code != FailureHiddenBySidecar {
		return analyze.Skip()
	}
	found := append(triedOnJob(p), triedOnCronJob(p)...)
	if h := p.Verdict.Holder; h != nil {
		if proxy := proxyOf(h.Pod); proxy != nil && contains(p.Verdict.Culprits, proxy.Name) && proxy.Spec != nil {
			found = append(found, triedOnProxy(p, h.Pod, proxy)...)
		}
	}
	if len(found) == 0 {
		return analyze.RuleOut(say("none of the settings that are often tried without effect is on it"))
	}
	text := found[0].why
	var because []evidence.Evidence
	var basis []knowledge.Basis
	for i, t := range found {
		if i > 0 {
			text = say("%s; %s", text, t.why)
		}
		because, basis = append(because, t.at), append(basis, t.basis)
	}
	return analyze.Fire(say("what is set here cannot end the pod that %s holds: %s", list(p.Verdict.Culprits), text), because...).From(basis...).
		With(&analyze.Advice{Aside: true, Summary: say("do not count on these settings: only the end of the sidecar ends the pod, and only a native sidecar is ended by the kubelet")})
}

func triedOnJob(p *analyze.Pass) []tried {
	j := p.Workload.Job
	if j == nil || j.Spec.TTLSecondsAfterFinished == nil {
		return nil
	}
	_, basis := p.Know.Has("ttl-starts-when-finished", p.Cluster.Server.V)
	return []tried{{say("ttlSecondsAfterFinished (%d) begins when the Job is finished, and it is not", *j.Spec.TTLSecondsAfterFinished),
		j.Ev("spec.ttlSecondsAfterFinished", count(j.Spec.TTLSecondsAfterFinished)), basis}}
}

// The API server fills the history limits in; other values are somebody's choice.
const (
	defaultSuccessfulHistory = 3
	defaultFailedHistory     = 1
)

func triedOnCronJob(p *analyze.Pass) []tried {
	cj := p.Workload.CronJob
	if cj == nil {
		return nil
	}
	_, basis := p.Know.Has("cronjob-history-finished-only", p.Cluster.Server.V)
	var out []tried
	limit := func(field string, n *int64, usual int64) {
		if n != nil && *n != usual {
			out = append(out, tried{say("%s (%d) removes finished Jobs only", field, *n), cj.Ev("spec."+field, count(n)), basis})
		}
	}
	limit("successfulJobsHistoryLimit", cj.Spec.SuccessfulJobsHistoryLimit, defaultSuccessfulHistory)
	limit("failedJobsHistoryLimit", cj.Spec.FailedJobsHistoryLimit, defaultFailedHistory)
	return out
}

// Settings in proxy configuration, as YAML in an annotation or JSON in a variable.
var (
	holdSetting  = regexp.MustCompile(`holdApplicationUntilProxyStarts"?\s*:\s*"?true`)
	zeroSetting  = regexp.MustCompile(`EXIT_ON_ZERO_ACTIVE_CONNECTIONS"?\s*:\s*"?[Tt]rue`)
	drainSetting = regexp.MustCompile(`terminationDrainDuration"?\s*:\s*"?[0-9]`)
)

// zeroEnv has a draining proxy wait for its last connection, whatever its drain duration.
const zeroEnv = "EXIT_ON_ZERO_ACTIVE_CONNECTIONS"

// oldDrainEnv was read by istiod long ago; on a proxy it never had a meaning.
const oldDrainEnv = "TERMINATION_DRAIN_DURATION_SECONDS"

// triedOnProxy leaves out what shapes the drain where something tells the proxy to stop: QuitWorkaround says what becomes of that.
func triedOnProxy(p *analyze.Pass, pod *facts.Pod, proxy *facts.Container) []tried {
	k, v := p.Know, version.FromImage(proxy.Image())
	var out []tried
	if at, ok := proxySetting(pod, proxy, holdSetting, "holdApplicationUntilProxyStarts"); ok {
		_, basis := k.Has("hold-ignored-when-native", v)
		out = append(out, tried{say("holdApplicationUntilProxyStarts orders the start and has no part in the end"), at, basis})
	}
	var drains []tried
	if at, ok := proxySetting(pod, proxy, zeroSetting, zeroEnv); ok {
		_, basis := k.Has("exit-on-zero-connections", v)
		drains = append(drains, tried{say("EXIT_ON_ZERO_ACTIVE_CONNECTIONS shapes the drain after the proxy was told to stop, and nothing tells it"), at, basis})
	}
	if at, ok := proxySetting(pod, proxy, drainSetting, ""); ok {
		drains = append(drains, tried{say("terminationDrainDuration is how long the proxy drains after it was told to stop, and nothing tells it"), at, knowledge.Basis{}})
	}
	if at, ok := proxyVariable(pod, proxy, oldDrainEnv); ok {
		_, basis := k.Has("drain-seconds-env", v)
		out = append(out, tried{say("%s is no setting of the proxy: istiod read it once, as how long a proxy drains after it was told to stop", oldDrainEnv), at, basis})
	}
	if len(drains) > 0 && !toldToStop(p, proxy) {
		out = append(out, drains...)
	}
	return append(out, triedReadiness(pod)...)
}

// toldToStop says that something in the pod makes a call that stops the proxy.
func toldToStop(p *analyze.Pass, proxy *facts.Container) bool {
	attempts, _ := attemptsIn(p)
	return slices.ContainsFunc(attempts, func(a attempt) bool {
		return targetOf(a) == proxy && !effectOf(p, a).dead
	})
}

// waitsForLast says that a proxy which drains waits for its last connection.
func waitsForLast(pod *facts.Pod, proxy *facts.Container) bool {
	if proxy.Spec == nil {
		return false
	}
	_, ok := proxySetting(pod, proxy, zeroSetting, zeroEnv)
	return ok
}

// proxySetting looks where a proxy setting can stand: the pod's annotation, the proxy's variables, its hook.
func proxySetting(pod *facts.Pod, proxy *facts.Container, pattern *regexp.Regexp, env string) (evidence.Evidence, bool) {
	const config = "proxy.istio.io/config"
	if found := pattern.FindString(pod.Meta.Annotations.Get(config)); found != "" {
		return pod.Ev("metadata.annotations["+config+"]", found), true
	}
	for _, e := range proxy.Spec.Env {
		at := proxy.Path("env[name=" + e.Name + "].value")
		if found := pattern.FindString(string(e.Value)); e.Name == "PROXY_CONFIG" && found != "" {
			return pod.Ev(at, found), true
		}
	}
	if at, ok := proxyVariable(pod, proxy, env); ok {
		return at, true
	}
	if pattern == holdSetting && waitsAtStart(proxy.Spec.Lifecycle) {
		return pod.Ev(proxy.Path("lifecycle.postStart.exec.command"), strings.Join(proxy.Spec.Lifecycle.PostStart.Exec.Command, " ")), true
	}
	return evidence.Evidence{}, false
}

// proxyVariable finds a variable of the proxy that is set to something; "" for none.
func proxyVariable(pod *facts.Pod, proxy *facts.Container, name string) (evidence.Evidence, bool) {
	for _, e := range proxy.Spec.Env {
		if name != "" && e.Name == name && e.Value != "" && !strings.EqualFold(string(e.Value), "false") {
			return pod.Ev(proxy.Path("env[name="+e.Name+"].value"), string(e.Value)), true
		}
	}
	return evidence.Evidence{}, false
}

// waitsAtStart recognises the hook by which an injector carries out holdApplicationUntilProxyStarts.
func waitsAtStart(l *kube.Lifecycle) bool {
	return l != nil && l.PostStart != nil && l.PostStart.Exec != nil && strings.Contains(strings.Join(l.PostStart.Exec.Command, " "), "pilot-agent wait")
}

// triedReadiness: readiness decides about traffic and about the READY column, never about completion. A status port of 0 is nobody's
// attempt: it switches the agent's endpoints off.
func triedReadiness(pod *facts.Pod) []tried {
	var out []tried
	for _, a := range pod.Meta.Annotations {
		key := a.Key
		if strings.HasPrefix(key, "readiness.status.sidecar.istio.io/") || key == statusPortAnnotation && a.Value != "0" || key == "sidecar.istio.io/rewriteAppHTTPProbers" {
			out = append(out, tried{say("the annotation %s changes probes, and readiness has no part in completion", key),
				pod.Ev("metadata.annotations["+key+"]", a.Value), knowledge.Basis{}})
		}
	}
	return out
}
