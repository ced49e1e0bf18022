package rules

import (
	"regexp"
	"strconv"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// withoutPolicy is the API server's refusal of an init container that kept the probes or hooks of a native sidecar. From
// the release on that knows the field it names it.
var withoutPolicy = regexp.MustCompile(`initContainers\[(\d+)\]\.(\w+): Forbidden: may not be set for init containers( without restartPolicy=Always)?`)

// refusedWithoutPolicy reads the refusal from the Job's events, or from what the API server said to the manifest.
func refusedWithoutPolicy(p *analyze.Pass) (analyze.Outcome, bool) {
	w := p.Workload
	for _, n := range w.Refusals {
		if m := withoutPolicy.FindStringSubmatch(n.Text); m != nil {
			return refusedManifest(p, n, m), true
		}
	}
	for i := len(w.Events) - 1; i >= 0; i-- {
		e := w.Events[i]
		m := withoutPolicy.FindStringSubmatch(e.Text())
		if m == nil || e.Reason != "FailedCreate" {
			continue
		}
		if len(w.Pods) > 0 {
			continue // one was refused once, and the pods that are there speak for themselves
		}
		if !stillRefused(p) {
			return analyze.RuleOut(say("a pod was refused for that once, and another was created since"), evEvent(e)), true
		}
		lost := ""
		what := say("the API server refused the pod: its init container number %s (counted from 0) had the probes or hooks of a native sidecar (%s) and no restartPolicy Always: the field was lost before it was checked",
			m[1], m[2])
		because := []evidence.Evidence{evEvent(e)}
		if name, ev, ok := nativeAt(w, m[1]); ok {
			what = say("%s. The template of Job %s has %s there, with restartPolicy Always", what, w.Ref.Name, name)
			because, lost = append(because, ev), name
		}
		return whoStripped(p, wordingOf(m[3])).from(p, lost).outcome(what, because...), true
	}
	return analyze.Outcome{}, false
}

// stillRefused says that refusals are the last word on a workload without pods, as far as its verdict goes.
func stillRefused(p *analyze.Pass) bool {
	return p.Verdict.Code == PodCreationRejected || p.Verdict.Code == InsufficientEvidence
}

// nativeAt gives the native sidecar that a stored Job's own template has at a place of its init list. Webhooks may have
// added others before it, so it is told as what the template says and not as what was refused.
func nativeAt(w *facts.Workload, index string) (name string, ev evidence.Evidence, ok bool) {
	i, err := strconv.Atoi(index)
	if err != nil || w.Job == nil || w.Job.Described() || i >= len(w.Job.Spec.Template.Spec.InitContainers) {
		return "", evidence.Evidence{}, false
	}
	c := w.Job.Spec.Template.Spec.InitContainers[i]
	return c.Name, w.Job.Ev("spec.template.spec.initContainers[name="+c.Name+"].restartPolicy", "Always"), c.RestartPolicy == "Always"
}

// refusedManifest tells a manifest that lost the field on the way from one that never had it.
func refusedManifest(p *analyze.Pass, n kube.Note, m []string) analyze.Outcome {
	ev := evidence.Evidence{Field: "message", Value: n.Text, File: n.File, Line: n.Line, Strength: evidence.Text}
	t, ok := ownerTemplate(p.Workload)
	if ok {
		for _, c := range t.Spec.InitContainers {
			if c.RestartPolicy == "Always" {
				path := t.path + ".spec.initContainers[name=" + c.Name + "].restartPolicy"
				return whoStripped(p, wordingOf(m[3])).from(p, c.Name).outcome(say("the manifest has restartPolicy Always on init container %s, and the API server refused it as if it had not", c.Name),
					ev, t.obj.Ev(path, "Always"))
			}
		}
		return analyze.RuleOut(say("the manifest itself gives an init container probes or hooks and no restartPolicy"), ev)
	}
	return analyze.Undecide(say("the API server refused probes or hooks of an init container without restartPolicy Always; whether the manifest had it is not in the bundle"),
		analyze.Missing{What: say("the manifest that was refused")})
}
