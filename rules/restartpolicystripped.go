package rules

import (
	"encoding/json"
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

// lostWhenStored compares a stored Job with what was applied, which kubectl keeps in an annotation.
func lostWhenStored(p *analyze.Pass) (analyze.Outcome, bool) {
	j := p.Workload.Job
	name, because := appliedNative(j, "")
	if name == "" {
		return analyze.Outcome{}, false
	}
	return whoStripped(p, noRefusal).from(p, name).
		outcome(say("init container %s of Job %s was applied with restartPolicy Always and stored without it", name, j.Meta.Name), because...), true
}

// appliedNative gives an init container that a Job was applied with as a native sidecar and is stored without, "" for none.
// only limits it to one of a name.
func appliedNative(j *kube.Job, only string) (name string, because []evidence.Evidence) {
	if j == nil || j.Described() {
		return "", nil
	}
	text := j.Meta.Annotations.Get(lastApplied)
	if !strings.Contains(text, `"Always"`) {
		return "", nil
	}
	var applied kube.Job
	if json.Unmarshal([]byte(text), &applied) != nil {
		return "", nil
	}
	for _, c := range applied.Spec.Template.Spec.InitContainers {
		stored := initNamed(j.Spec.Template.Spec, c.Name)
		if only != "" && c.Name != only || c.RestartPolicy != "Always" || stored == nil || stored.RestartPolicy != "" {
			continue
		}
		path := "spec.template.spec.initContainers[name=" + c.Name + "].restartPolicy"
		return c.Name, []evidence.Evidence{j.Ev("metadata.annotations["+lastApplied+"]", "initContainers "+c.Name+" restartPolicy Always"), j.EvAbsent(path)}
	}
	return "", nil
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
		what, had, ok := hadPolicy(p.Workload, pod, c)
		switch {
		case ok && ranBeside(pod, c):
			return analyze.RuleOut(say("%s of pod %s ran on while the application ran: its kubelet knows it as a native sidecar, and only the bundle's copy of the pod lacks restartPolicy",
				c.Name, pod.Meta.Name), c.EvState(), had)
		case ok:
			return whoStripped(p, noRefusal).from(p, c.Name).outcome(say("%s, and init container %s of pod %s is stored without it (%s)", what, c.Name, pod.Meta.Name, c.State()),
				had, pod.EvAbsent(c.Path("restartPolicy")), c.EvState())
		case isLongHelper(c) && c.Running() != nil && !ranBeside(pod, c):
			return mayHaveHad(p, pod, c)
		}
	}
	if natives := pod.Of((*facts.Container).SaysAlways); len(natives) > 0 && !pod.Described() {
		return analyze.RuleOut(say("%s of pod %s has its restartPolicy", natives[0].Name, pod.Meta.Name), natives[0].EvPlacement())
	}
	return analyze.Skip()
}

// hadPolicy finds the proof that a container had restartPolicy Always before: in the template of the Job, in what was
// applied, or in the injector's record, whose template writes it on every proxy that it puts into initContainers.
func hadPolicy(w *facts.Workload, pod *facts.Pod, c *facts.Container) (analyze.Text, evidence.Evidence, bool) {
	if j := w.Job; j != nil && !j.Described() {
		if tc := initNamed(j.Spec.Template.Spec, c.Name); tc != nil && tc.RestartPolicy == "Always" {
			return say("the template of Job %s has restartPolicy Always", j.Meta.Name),
				j.Ev("spec.template.spec.initContainers[name="+c.Name+"].restartPolicy", "Always"), true
		}
	}
	if appliedAlways(pod.Meta.Annotations.Get(lastApplied), c.Name) {
		return say("the pod was applied with restartPolicy Always"),
			pod.Ev("metadata.annotations["+lastApplied+"]", "initContainers "+c.Name+" restartPolicy Always"), true
	}
	if in := pod.Injection; c.Name == istioProxy && in != nil && in.Readable && contains(in.Init, c.Name) {
		return say("the injector put %s into initContainers, which it does with restartPolicy Always only", c.Name),
			pod.Ev("metadata.annotations["+facts.StatusAnnotation+"]", pod.Meta.Annotations.Get(facts.StatusAnnotation)), true
	}
	return analyze.Text{}, evidence.Evidence{}, false
}

// appliedAlways says that the manifest of a pod has an init container with restartPolicy Always.
func appliedAlways(manifest, name string) bool {
	if manifest == "" {
		return false
	}
	var applied kube.Pod
	if json.Unmarshal([]byte(manifest), &applied) != nil {
		return false
	}
	c := initNamed(applied.Spec, name)
	return c != nil && c.RestartPolicy == "Always"
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
	for _, n := range pod.Of((*facts.Container).SaysAlways) {
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
