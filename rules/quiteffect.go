package rules

import (
	"strconv"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// effect is what an attempt to end a sidecar does in this pod. Without text it has nothing to act on.
type effect struct {
	text     analyze.Text
	severity analyze.Severity
	// dead says that the call cannot end the sidecar in this pod.
	dead bool
	// drains says that the sidecar may go on for a while after the call, until its connections are over.
	drains  bool
	because []evidence.Evidence
	basis   []knowledge.Basis
}

// effectOf judges an attempt by the sidecar that is really there, its placement and its release.
func effectOf(p *analyze.Pass, a attempt) effect {
	target := targetOf(a)
	if target == nil {
		return effect{}
	}
	e := effect{severity: analyze.Info, because: []evidence.Evidence{target.EvPlacement()}}
	what := say("%s tries to end %s", a.name, target.Name)
	if a.call.Kind == fromOutside {
		what = say("%s is marked to be ended from outside", target.Name)
	}
	shared := a.pod.Spec.ShareProcessNamespace
	unreached := a.call.Kind == "kill" && (shared == nil || !*shared) && !a.pod.Described()
	switch {
	case unreached:
		e.severity, e.dead = analyze.Warning, true
		e.because = append(e.because, a.pod.EvAbsent("spec.shareProcessNamespace"))
		e.text = say("%s: a signal reaches nothing there, for the containers of the pod do not share their processes", what)
	case a.call.Kind == "kill" && shared != nil && *shared:
		e.because = append(e.because, a.pod.Ev("spec.shareProcessNamespace", "true"))
		e.text = say("%s: a signal reaches it, for the containers of the pod share their processes; the exit code is the program's", what)
	case a.call.Kind == "kill":
		e.text = say("%s: a signal reaches it only if the containers of the pod share their processes", what)
	case a.call.Helper == "istio-proxy":
		e = istioEffect(a, target, what, e, p.Know)
	default:
		e.text = say("%s (%s)", what, a.call.Note)
		if h, known := entryOf(p.Know, target); known && a.call.Kind == "call" {
			if off, because := switchedOff(target, h); off {
				e.severity, e.dead = analyze.Warning, true
				e.because = append(e.because, because...)
				e.text = say("%s: nothing answers that call here, for none of what switches it on is set (%s)", what, listOr(h.CallNeeds.Words()))
			}
		}
	}
	if target.Placement == facts.Native {
		e.severity = analyze.Warning
		if e.dead {
			e.text = say("%s; beside a native sidecar no call is needed", e.text)
		} else {
			e.text = say("%s: beside a native sidecar that is not needed, and the kubelet starts it again", what)
		}
		return e
	}
	return afterwards(p, a, target, e)
}

// targetOf finds the sidecar that a call is meant for; a general call is for any.
func targetOf(a attempt) *facts.Container {
	if a.call.Kind == fromOutside {
		return a.by
	}
	for _, c := range a.pod.Containers {
		if c.Helper == nil || c.Role != facts.Sidecar || c == a.by {
			continue
		}
		if c.Helper.ID == a.call.Helper || a.call.Helper == "" {
			return c
		}
	}
	return nil
}

// istioEffect: what pilot-agent and Envoy do on such a call changed with the releases of Istio.
func istioEffect(a attempt, proxy *facts.Container, what analyze.Text, e effect, k *knowledge.Base) effect {
	v := version.FromImage(proxy.Image())
	e.because = append(e.because, proxy.EvImage())
	if a.call.ID == "agent-drain" {
		e.severity, e.dead = analyze.Warning, true
		e.text = say("%s: the proxy runs on after that call", what)
		return e
	}
	if a.call.ByGet {
		e.severity, e.dead = analyze.Warning, true
		e.text = say("%s: it calls with GET, and only a POST is answered there, so that the proxy runs on", what)
		return orItsWork(a, e)
	}
	if a.call.ID == "envoy-quit" || a.call.ID == "agent-quit-request" { // pilot-agent request speaks to Envoy's own interface
		return envoyEffect(what, e, k, v)
	}
	if port, at := statusPort(proxy); port == "0" {
		e.severity, e.dead = analyze.Warning, true
		e.because = append(e.because, at...)
		e.text = say("%s: status port 0 leaves the agent's endpoints out, so nothing answers the call", what)
		return orItsWork(a, e)
	}
	exists, existsBasis := k.Has("quit-endpoint", v)
	atOnce, atOnceBasis := k.Has("quit-exits-at-once", v)
	e.basis = append(e.basis, existsBasis, atOnceBasis)
	switch {
	case exists == version.No:
		e.severity, e.dead = analyze.Warning, true
		e.text = say("%s: proxy %s has no such endpoint yet", what, v.Raw)
	case atOnce == version.Yes:
		e.text = say("%s: proxy %s ends at once, without draining, with exit code 0", what, v.Raw)
	case atOnce == version.No && waitsForLast(a.pod, proxy):
		e.drains = true
		e.text = say("%s: proxy %s drains first and then ends with exit code 0; as EXIT_ON_ZERO_ACTIVE_CONNECTIONS is set it waits for the last connection, without limit", what, v.Raw)
	case atOnce == version.No:
		e.drains = true
		e.text = say("%s: proxy %s drains first and then ends with exit code 0; with EXIT_ON_ZERO_ACTIVE_CONNECTIONS it waits for the last connection, without limit", what, v.Raw)
	default:
		e.drains = true
		e.text = say("%s: whether the proxy drains first depends on its release, which its image does not tell; it ends with exit code 0", what)
	}
	return e
}

// orItsWork adds to a call that fails what else the exit code of its container may be of.
func orItsWork(a attempt, e effect) effect {
	if t := a.by.Terminated(); t != nil && t.ExitCode != 0 {
		e.severity = analyze.Error
		e.because = append(e.because, a.by.EvState())
		e.text = say("%s. Container %s exited %d; whether that is the failed call or the work itself is in its log", e.text, a.name, t.ExitCode)
	}
	return e
}

// envoyEffect: an agent of an old release takes a clean end of Envoy for one of its restarts and waits on.
func envoyEffect(what analyze.Text, e effect, k *knowledge.Base, v version.Version) effect {
	follows, basis := k.Has(agentEndsWithEnvoy, v)
	e.basis = append(e.basis, basis)
	switch follows {
	case version.No:
		e.severity, e.dead = analyze.Warning, true
		e.text = say("%s: Envoy ends, and the agent of proxy %s runs on without it, so the container does not end", what, v.Raw)
	case version.Yes:
		e.text = say("%s: the agent ends with Envoy and exit code 0, so an ordinary proxy does not fail the pod", what)
	default:
		e.text = say("%s: from Istio %s on, which its image does not tell, the agent ends with Envoy and exit code 0; before that it runs on", what,
			featureSince(k, agentEndsWithEnvoy))
	}
	return e
}

// endedWith gives the end of a sidecar's last run where that came as another container ended or later, nil for none.
func endedWith(target, by *facts.Container) *kube.Terminated {
	if target.Status == nil {
		return nil
	}
	last, t := target.Status.LastState.Terminated, by.Terminated()
	if last == nil || t == nil || last.FinishedAt.IsZero() || t.FinishedAt.IsZero() || last.FinishedAt.Before(t.FinishedAt.Add(-farewell)) {
		return nil
	}
	return last
}

// whyStill says why a sidecar may run on behind a call.
func whyStill(e effect) analyze.Text {
	if e.drains {
		return say("the call was not made, or had no effect, or the sidecar was still draining")
	}
	return say("the call was not made, or had no effect")
}

// afterwards adds what the bundle shows of the outcome, and what becomes of the call with the next pod.
func afterwards(p *analyze.Pass, a attempt, target *facts.Container, e effect) effect {
	if target.Running() != nil && heldVerdict(p.Verdict.Code) && a.by.Terminated() != nil && a.by != target {
		if e.severity == analyze.Info {
			e.severity = analyze.Warning
		}
		last := endedWith(target, a.by)
		if last == nil {
			e.text = say("%s. %s had ended and %s still ran: %s", e.text, a.name, target.Name, whyStill(e))
		} else {
			e.text = say("%s. %s had ended and %s still ran: its last run had ended with exit code %d, and the kubelet started it again", e.text, a.name, target.Name, last.ExitCode)
			e.because = append(e.because, target.Pod.Ev(target.StatusPath("lastState.terminated.exitCode"), strconv.FormatInt(last.ExitCode, 10)))
		}
		e.because = append(e.because, target.EvState())
	}
	if policy, at := a.pod.RestartPolicy(); a.call.Kind == fromOutside && policy == "OnFailure" {
		e.severity = analyze.Warning
		e.text = say("%s. Under restartPolicy OnFailure a container that is killed is started again", e.text)
		e.because = append(e.because, at)
	}
	if target.Name == istioProxy && p.Next != nil && p.Next.Applies && p.Next.Emitted == knowledge.Native && !e.dead {
		e.text = say("%s. The next pod gets a native proxy: there the call only makes the kubelet restart it", e.text)
	}
	return e
}
