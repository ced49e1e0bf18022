package rules

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// restartPolicyStripped: an API server whose gate is off drops initContainers[].restartPolicy without a word
// (dropDisabledFields), and a webhook built on Kubernetes types older than the field removes it by writing the pod back.
// What carried probes or hooks is then refused; what did not becomes a one-shot init container that never ends.
func restartPolicyStripped() *analyze.Rule {
	return &analyze.Rule{Code: "RestartPolicyStripped", Title: "restartPolicy Always was lost on the way to the pod",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{PodCreationRejected, SidecarBlocksInit, InitNotFinished, NoPods},
		Run: runRestartPolicyStripped}
}

func runRestartPolicyStripped(p *analyze.Pass) analyze.Outcome {
	if p.Verdict.Code == Completed {
		return analyze.Skip()
	}
	if o, ok := refusedWithoutPolicy(p); ok {
		return o
	}
	if o, ok := lostWhenStored(p); ok {
		return o
	}
	return overPods(p, strippedFromPod)
}

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
		what := say("the API server refused the pod: its init container number %s (counted from 0) had the probes or hooks of a native sidecar (%s) and no restartPolicy Always: the field was lost before it was checked",
			m[1], m[2])
		because := []evidence.Evidence{evEvent(e)}
		if name, ev, ok := nativeAt(w, m[1]); ok {
			what = say("%s. The template of Job %s has %s there, with restartPolicy Always", what, w.Ref.Name, name)
			because = append(because, ev)
		}
		return whoStripped(p, wordingOf(m[3])).outcome(what, because...), true
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
				return whoStripped(p, wordingOf(m[3])).outcome(say("the manifest has restartPolicy Always on init container %s, and the API server refused it as if it had not", c.Name),
					ev, t.obj.Ev(path, "Always"))
			}
		}
		return analyze.RuleOut(say("the manifest itself gives an init container probes or hooks and no restartPolicy"), ev)
	}
	return analyze.Undecide(say("the API server refused probes or hooks of an init container without restartPolicy Always; whether the manifest had it is not in the bundle"),
		analyze.Missing{What: say("the manifest that was refused")})
}

// lostWhenStored compares a stored Job with what was applied, which kubectl keeps in an annotation.
func lostWhenStored(p *analyze.Pass) (analyze.Outcome, bool) {
	j := p.Workload.Job
	if j == nil || j.Described() {
		return analyze.Outcome{}, false
	}
	text := j.Meta.Annotations[lastApplied]
	var applied kube.Job
	if text == "" || json.Unmarshal([]byte(text), &applied) != nil {
		return analyze.Outcome{}, false
	}
	for _, c := range applied.Spec.Template.Spec.InitContainers {
		stored := initNamed(j.Spec.Template.Spec, c.Name)
		if c.RestartPolicy != "Always" || stored == nil || stored.RestartPolicy != "" {
			continue
		}
		path := "spec.template.spec.initContainers[name=" + c.Name + "].restartPolicy"
		return whoStripped(p, noRefusal).outcome(say("init container %s of Job %s was applied with restartPolicy Always and stored without it", c.Name, j.Meta.Name),
			j.Ev("metadata.annotations["+lastApplied+"]", "initContainers "+c.Name+" restartPolicy Always"), j.EvAbsent(path)), true
	}
	return analyze.Outcome{}, false
}

// lastApplied is where kubectl apply keeps the manifest. It tells what was asked for and never what is stored.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

func initNamed(s kube.PodSpec, name string) *kube.Container {
	for i := range s.InitContainers {
		if s.InitContainers[i].Name == name {
			return &s.InitContainers[i]
		}
	}
	return nil
}

func strippedFromPod(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	if finished(pod.Status.Phase) {
		return analyze.Skip()
	}
	for _, c := range pod.Of(facts.IsPlaced(facts.InitContainer)) {
		if pod.Described() {
			if isLongHelper(c) && c.Running() != nil {
				return analyze.Undecide(say("%s of pod %s runs under initContainers; whether restartPolicy Always was lost or is only not printed is not known", c.Name, pod.Meta.Name),
					storedPod(pod, say("restartPolicy of %s", c.Name)))
			}
			continue
		}
		if c.Spec == nil || c.Spec.RestartPolicy != "" {
			continue
		}
		what, had, ok := hadPolicy(p, pod, c)
		switch {
		case ok && ranBeside(pod, c):
			return analyze.RuleOut(say("%s of pod %s ran on while the application ran: its kubelet knows it as a native sidecar, and only the bundle's copy of the pod lacks restartPolicy",
				c.Name, pod.Meta.Name), c.EvState(), had)
		case ok:
			return whoStripped(p, noRefusal).outcome(say("%s, and init container %s of pod %s is stored without it (%s)", what, c.Name, pod.Meta.Name, c.State()),
				had, pod.EvAbsent(c.Path("restartPolicy")), c.EvState())
		case isLongHelper(c) && c.Running() != nil && !ranBeside(pod, c):
			return mayHaveHad(p, pod, c)
		}
	}
	if natives := pod.Of(facts.IsPlaced(facts.Native)); len(natives) > 0 && !pod.Described() {
		return analyze.RuleOut(say("%s of pod %s has its restartPolicy", natives[0].Name, pod.Meta.Name), natives[0].EvPlacement())
	}
	return analyze.Skip()
}

// hadPolicy finds the proof that a container had restartPolicy Always before: in the template of the Job, in what was
// applied, or in the injector's record, whose template writes it on every proxy that it puts into initContainers.
func hadPolicy(p *analyze.Pass, pod *facts.Pod, c *facts.Container) (analyze.Text, evidence.Evidence, bool) {
	if j := p.Workload.Job; j != nil && !j.Described() {
		if tc := initNamed(j.Spec.Template.Spec, c.Name); tc != nil && tc.RestartPolicy == "Always" {
			return say("the template of Job %s has restartPolicy Always", j.Meta.Name),
				j.Ev("spec.template.spec.initContainers[name="+c.Name+"].restartPolicy", "Always"), true
		}
	}
	var applied kube.Pod
	if text := pod.Meta.Annotations[lastApplied]; text != "" && json.Unmarshal([]byte(text), &applied) == nil {
		if ac := initNamed(applied.Spec, c.Name); ac != nil && ac.RestartPolicy == "Always" {
			return say("the pod was applied with restartPolicy Always"),
				pod.Ev("metadata.annotations["+lastApplied+"]", "initContainers "+c.Name+" restartPolicy Always"), true
		}
	}
	if in := pod.Injection; c.Name == istioProxy && in != nil && in.Readable && contains(in.Init, c.Name) {
		return say("the injector put %s into initContainers, which it does with restartPolicy Always only", c.Name),
			pod.Ev("metadata.annotations["+facts.StatusAnnotation+"]", pod.Meta.Annotations[facts.StatusAnnotation]), true
	}
	return analyze.Text{}, evidence.Evidence{}, false
}

// ranBeside says that a container of the init list ran on while regular containers had begun, which no kubelet lets a
// one-shot init container do. A bundle can lose the field as well: kubectl cluster-info dump of an old kubectl does.
func ranBeside(pod *facts.Pod, c *facts.Container) bool {
	if c.Running() == nil {
		return false
	}
	for _, r := range pod.Of(facts.IsPlaced(facts.Ordinary)) {
		if r.EverRan() {
			return true
		}
	}
	return false
}

// mayHaveHad is for a helper that blocks init and of which nothing tells what it was before.
func mayHaveHad(p *analyze.Pass, pod *facts.Pod, c *facts.Container) analyze.Outcome {
	for _, n := range pod.Of(facts.IsPlaced(facts.Native)) {
		if n.Helper != nil && n.Helper.Class == initClass {
			return analyze.RuleOut(say("restartPolicy Always stands on %s of pod %s instead of %s: it was misplaced rather than lost", n.Name, pod.Meta.Name, c.Name),
				n.EvPlacement(), pod.EvAbsent(c.Path("restartPolicy")))
		}
	}
	o := analyze.Undecide(say("%s of pod %s, which runs until it is stopped, stands in initContainers without restartPolicy Always; whether it was lost on the way or never there is not in the bundle",
		c.Name, pod.Meta.Name), analyze.Missing{What: say("the object that made the pod, and the webhooks that changed it"),
		Command: "kubectl get mutatingwebhookconfigurations -o yaml; " + getCommand(p.Workload)})
	o.Because = []evidence.Evidence{pod.EvAbsent(c.Path("restartPolicy")), c.EvState()}
	for _, e := range c.Spec.Env {
		if strings.Contains(strings.ToUpper(e.Name), "NATIVE_SIDECAR") && strings.EqualFold(string(e.Value), "true") {
			o.Message = say("%s. Its variable %s says that it was meant as a native sidecar", o.Message, e.Name)
			o.Because = append(o.Because, pod.Ev(c.Path("env[name="+e.Name+"].value"), string(e.Value)))
		}
	}
	return o
}
