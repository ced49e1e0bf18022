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

// quitWorkaround: before native sidecars, ending the proxy was the application's business. Such calls stay in scripts
// and mean other things after an upgrade; beside a native proxy they only make the kubelet restart it.
func quitWorkaround() *analyze.Rule {
	return &analyze.Rule{Code: "QuitWorkaround", Title: "Something in the pod tries to end the sidecar",
		Severity: analyze.Info, Scope: analyze.PerWorkload, Explains: []analyze.Code{FailureHiddenBySidecar, HeldBySidecar, AppFailed}, Run: runQuitWorkaround}
}

// fromOutside is the kind of attempt that marks the sidecar itself, for a controller to stop.
const fromOutside = "controller"

// attempt is one way to end a sidecar, seen in one container.
type attempt struct {
	call knowledge.StopCall
	by   *facts.Container
	pod  *facts.Pod
	name string
	at   evidence.Evidence
}

// mostAttempts bounds how many calls in one pod are looked at.
const mostAttempts = 50

func runQuitWorkaround(p *analyze.Pass) analyze.Outcome {
	attempts, masked := attemptsIn(p)
	var texts []analyze.Text
	var because []evidence.Evidence
	severity := analyze.Info
	var basis []knowledge.Basis
	var dead *facts.Container
	ordinary := false
	for _, a := range attempts {
		e := effectOf(p, a)
		if e.text.IsZero() {
			continue
		}
		if e.dead {
			dead = targetOf(a)
		}
		ordinary = ordinary || targetOf(a).Placement != facts.Native
		texts = append(texts, e.text)
		because = append(append(because, a.at), e.because...)
		basis = append(append(basis, knowledge.Basis{Sources: a.call.Sources}), e.basis...)
		if e.severity.Worse(severity) {
			severity = e.severity
		}
	}
	if len(texts) > 0 {
		text := texts[0]
		for _, t := range texts[1:] {
			text = say("%s; %s", text, t)
		}
		if len(attempts) == mostAttempts {
			text = say("%s; of such calls the first %d are looked at", text, mostAttempts)
		}
		advice := &analyze.Advice{Summary: say("take it out of image, command and hooks: beside a native sidecar no such call is needed")}
		if ordinary {
			advice = quitAdvice(p.Know, dead)
		}
		return analyze.Fire(text, because...).As(severity).From(basis...).With(advice)
	}
	if p.Verdict.Code != HeldBySidecar && p.Verdict.Code != FailureHiddenBySidecar {
		return analyze.Skip()
	}
	if masked != nil {
		o := analyze.Undecide(say("whether the application tries to end the sidecar cannot be seen: its command line is redacted"),
			analyze.Missing{What: say("the command lines of the containers"), Command: getCommand(p.Workload)})
		o.Because = []evidence.Evidence{*masked}
		return o
	}
	return analyze.RuleOut(say("no command, argument, hook or variable of its containers tries to end a sidecar"))
}

// attemptsIn looks at the pod that decides the verdict, else at the newest one. Without a pod it is not known which
// sidecar there would be to end.
func attemptsIn(p *analyze.Pass) (list []attempt, masked *evidence.Evidence) {
	pod := newest(p.Workload.Pods)
	if h := p.Verdict.Holder; h != nil {
		pod = h.Pod
	}
	if pod == nil || !slices.ContainsFunc(pod.Containers, func(c *facts.Container) bool { return c.Role == facts.Sidecar || c.Role == facts.Other }) {
		return nil, nil // nothing is there that could be ended
	}
	for _, c := range pod.Containers {
		if c.Spec == nil {
			continue
		}
		before := len(list)
		for _, line := range linesOf(c) {
			if masked == nil && redacted(line.text) {
				at := pod.Ev(c.Path(line.field()), line.text)
				masked = &at
			}
			for _, call := range stopCallsIn(p, line.searched()) {
				if c.Role == facts.Sidecar && !line.hook && call.Kind != fromOutside {
					continue // a sidecar's own flags switch such an endpoint on; they do not call it
				}
				if len(list) < mostAttempts && !slices.ContainsFunc(list[before:], func(a attempt) bool { return a.call.ID == call.ID }) {
					list = append(list, attempt{call, c, pod, c.Name, pod.Ev(c.Path(line.field()), excerpt(line.text))})
				}
			}
		}
	}
	return list, masked
}

// stopCallsIn remembers what the catalogue finds in short texts: the same commands and variables stand in every pod.
func stopCallsIn(p *analyze.Pass, text string) []knowledge.StopCall {
	const short, most = 256, 10000
	known := facts.Once(p.Cluster, "stop-calls", func(*facts.Cluster) map[string][]knowledge.StopCall { return map[string][]knowledge.StopCall{} })
	calls, ok := known[text]
	if !ok {
		calls = p.Know.StopCallsIn(text)
		if len(text) <= short && len(known) < most {
			known[text] = calls
		}
	}
	return calls
}

// commandLine is a text in which a call may stand.
type commandLine struct {
	// path is that of the field, variable the name of a variable that stands there.
	path, variable, text string
	hook                 bool
	words                []string
}

// searched is the text as a call is looked for in it: a comment goes no further than the word in which it stands.
func (l commandLine) searched() string {
	if len(l.words) < 2 {
		return l.text
	}
	return strings.Join(l.words, "\n")
}

func (l commandLine) field() string {
	if l.variable != "" {
		return "env[name=" + l.variable + "]"
	}
	return l.path
}

func linesOf(c *facts.Container) []commandLine {
	s := c.Spec
	out := make([]commandLine, 0, len(s.Env)+4)
	if len(s.Command) > 0 {
		out = append(out, commandLine{path: "command", text: strings.Join(s.Command, " "), words: s.Command})
	}
	if len(s.Args) > 0 {
		out = append(out, commandLine{path: "args", text: strings.Join(s.Args, " "), words: s.Args})
	}
	if l := s.Lifecycle; l != nil {
		out = append(append(out, hookLine("lifecycle.postStart", l.PostStart)...), hookLine("lifecycle.preStop", l.PreStop)...)
	}
	for _, e := range s.Env {
		out = append(out, commandLine{variable: e.Name, text: e.Name})
	}
	return out
}

func hookLine(field string, h *kube.Hook) []commandLine {
	if h == nil || h.Exec == nil || len(h.Exec.Command) == 0 {
		return nil
	}
	return []commandLine{{path: field + ".exec.command", text: strings.Join(h.Exec.Command, " "), words: h.Exec.Command, hook: true}}
}

// lookedThrough is what the collector and redact put in the place of an argument that they have searched for such calls.
var lookedThrough = regexp.MustCompile(`REDACTED \((stops no proxy|mentions [^)]*)\)`)

// redacted recognises what collectors put in the place of arguments, without saying what was in them.
func redacted(text string) bool {
	if strings.Contains(text, "REDACTED") {
		text = lookedThrough.ReplaceAllString(text, "")
	}
	return strings.Contains(text, "REDACTED") || strings.Contains(text, "****")
}

// excerpt keeps evidence readable where a whole script stands in one argument.
func excerpt(text string) string {
	const longest = 200
	if len(text) <= longest {
		return text
	}
	i := strings.Index(text, "quit")
	if i < 0 {
		i = 0
	}
	from, to := max(0, i-longest/2), min(len(text), i+longest/2)
	return "…" + strings.ToValidUTF8(text[from:to], "") + "…"
}

// quitAdvice: dead is a sidecar that the call seen cannot end, nil where it can.
func quitAdvice(k *knowledge.Base, dead *facts.Container) *analyze.Advice {
	a := &analyze.Advice{
		Summary: say("with native sidecars no such call is needed; take it out when they are in use, and until then make sure that it cannot spoil the application's own exit code"),
		Avoid:   []analyze.Text{say("ending the sidecar from outside while the application still needs the network")}}
	every := say("make the call on every way out (trap EXIT), or a failing application leaves the sidecar running")
	if dead != nil {
		a.Steps = answeredCall(k, dead)
		if len(a.Steps) > 0 {
			every = say("make that call on every way out (trap EXIT), or a failing application leaves the sidecar running")
		}
	}
	a.Steps = append(a.Steps, say("keep the exit code of the work and give it back at the end: code=0; work || code=$?; call || true; exit $code"), every,
		say("after the move to native sidecars remove the call from image, command and hooks"))
	return a
}

// answeredCall says which call is answered in place of one that is not, or what makes it be.
func answeredCall(k *knowledge.Base, c *facts.Container) []analyze.Text {
	if _, known := entryOf(k, c); known && !isIstioProxy(c) {
		return []analyze.Text{stopOf(k, c)}
	}
	if !isIstioProxy(c) {
		return nil
	}
	port, at := statusPort(c)
	switch call := callOf(k, c); {
	case call.can != version.No && call.port == envoyPort:
		return []analyze.Text{say("call Envoy in place of it: POST http://localhost:%s/quitquitquit, with which the agent ends as well", envoyPort)}
	case call.can != version.No:
		return []analyze.Text{say("call the agent in place of it: POST http://localhost:%s/quitquitquit", call.port)}
	case port == "0" && len(at) > 0:
		return []analyze.Text{say("give the agent its endpoints back: take the setting away that makes its status port 0 (%s), in the pod template or the mesh, whichever sets it", at[0].Field)}
	}
	return []analyze.Text{say("no call ends this proxy: %s", callOf(k, c).why)}
}
