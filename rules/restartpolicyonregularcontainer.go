package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// restartPolicyOnRegularContainer: since KEP-5307 a regular container may have a restartPolicy of its own. Always there
// makes it run for ever, even after exit 0; only among the init containers does it make a sidecar.
func restartPolicyOnRegularContainer() *analyze.Rule {
	return &analyze.Rule{Code: "RestartPolicyOnRegularContainer", Title: "restartPolicy Always on a regular container is no sidecar",
		Severity: analyze.Error, Scope: analyze.PerWorkload,
		Explains: []analyze.Code{HeldBySidecar, OtherContainerRunning, AppRunning, AppCrashLooping}, Run: runRestartPolicyOnRegular}
}

// honoursOnRegular is the release from which the field works on regular containers, in API server and kubelet alike.
const honoursOnRegular = "regular-container-restart-policy-honoured"

func runRestartPolicyOnRegular(p *analyze.Pass) analyze.Outcome {
	for _, pod := range p.Workload.Pods {
		for _, c := range pod.Of(facts.IsPlaced(facts.Ordinary)) {
			if c.Spec != nil && c.Spec.RestartPolicy == "Always" {
				return alwaysRegular(p, pod, c)
			}
		}
	}
	if j := p.Workload.Job; j != nil {
		for _, c := range j.Spec.Template.Spec.Containers {
			if c.RestartPolicy == "Always" {
				return alwaysInTemplate(p, c.Name, j.Ev("spec.template.spec.containers[name="+c.Name+"].restartPolicy", "Always"))
			}
		}
	}
	return analyze.Skip()
}

// alwaysRegular judges a container of a pod. That the API server kept the field shows that it has the feature; whether
// the kubelet obeys it shows in a restart after exit 0, or follows from its version.
func alwaysRegular(p *analyze.Pass, pod *facts.Pod, c *facts.Container) analyze.Outcome {
	field := pod.Ev(c.Path("restartPolicy"), "Always")
	_, basis := p.Know.Has(honoursOnRegular, p.Cluster.Server.V)
	if finished(pod.Status.Phase) {
		return analyze.RuleOut(say("container %s has restartPolicy Always, and the pod finished all the same (%s)", c.Name, pod.Status.Phase),
			field, pod.Ev("status.phase", pod.Status.Phase)).From(basis)
	}
	because := []evidence.Evidence{field, c.EvState()}
	message := say("container %s of pod %s has restartPolicy Always in spec.containers: that is no sidecar, the kubelet starts it again after every exit, and the pod never ends",
		c.Name, pod.Meta.Name)
	if last := c.Status; last != nil && last.RestartCount > 0 && last.LastState.Terminated != nil && last.LastState.Terminated.ExitCode == 0 {
		because = append(because, pod.Ev(c.StatusPath("restartCount"), count(&last.RestartCount)), pod.Ev(c.StatusPath("lastState.terminated.exitCode"), "0"))
		return analyze.Fire(say("%s. It has been started again %s, the last time after exit 0", message, timesOf(last.RestartCount)), because...).
			From(basis).With(regularAdvice(c.Name, c.Role))
	}
	node := pod.Node
	if node != nil {
		because = append(because, node.Ev("status.nodeInfo.kubeletVersion", node.Kubelet.Raw))
	}
	answer := version.Maybe
	if node != nil {
		answer, basis = p.Know.Has(honoursOnRegular, node.Kubelet)
	} else if p.Cluster.Server.Known {
		answer, basis = p.Know.Has(honoursOnRegular, p.Cluster.Server.V)
		because = append(because, p.Cluster.Server.From...)
	}
	if answer == version.Yes {
		return analyze.Fire(message, because...).From(basis).With(regularAdvice(c.Name, c.Role))
	}
	o := analyze.Undecide(say("container %s has restartPolicy Always in spec.containers: that is no sidecar in any version; whether the kubelet starts it again after exit 0 depends on its version", c.Name),
		nodesMissing(p)).From(basis)
	o.Because = because
	return o
}

// alwaysInTemplate judges a Job without pods, or a manifest that was never stored.
func alwaysInTemplate(p *analyze.Pass, name string, field evidence.Evidence) analyze.Outcome {
	for _, r := range p.Workload.Refusals {
		if strings.Contains(r.Text, "non-init containers") {
			return analyze.RuleOut(say("the API server refused restartPolicy on the regular container %s, so nothing runs with it", name),
				field, evidence.Evidence{Field: "message", Value: r.Text, File: r.File, Line: r.Line, Strength: evidence.Text})
		}
	}
	stored := p.Workload.Job.Meta.UID != ""
	server := p.Cluster.Server
	answer, basis := p.Know.Has(honoursOnRegular, server.V)
	switch {
	case stored && slices.ContainsFunc(p.Workload.Pods, func(pod *facts.Pod) bool { return !pod.Described() }):
		return analyze.RuleOut(say("the template has restartPolicy Always on the regular container %s and the pod has not", name), field).From(basis)
	case answer == version.Yes, stored:
		return analyze.Fire(say("the template has restartPolicy Always on the regular container %s: that is no sidecar, and pods made from it never end", name),
			append([]evidence.Evidence{field}, server.From...)...).As(analyze.Warning).From(basis).With(regularAdvice(name, ""))
	case server.Known && answer == version.No:
		return analyze.RuleOut(say("API server %s does not keep restartPolicy on regular containers: it refuses or drops the field", server.V.Raw),
			append([]evidence.Evidence{field}, server.From...)...).From(basis)
	}
	o := analyze.Undecide(say("the manifest has restartPolicy Always on the regular container %s; an API server refuses, drops or obeys it, by its version", name),
		serverMissing()).From(basis)
	o.Because = []evidence.Evidence{field}
	return o
}

// regularAdvice is what was meant: a sidecar belongs elsewhere, and an application is to end. Without the field a sidecar is an
// ordinary container all the same.
func regularAdvice(name string, role facts.Role) *analyze.Advice {
	if role == facts.App {
		return &analyze.Advice{
			Summary: say("take restartPolicy off %s: with it the kubelet starts the application again after every end", name),
			Steps:   []analyze.Text{say("take it out of the pod template, and make a new Job; the pods that exist do not change")},
			Verify:  []analyze.Text{say("the pod ends after the application has")}}
	}
	return &analyze.Advice{
		Summary: say("move %s to initContainers and keep restartPolicy Always there; taking the field off alone leaves an ordinary container, which holds the pod as well unless it ends by itself", name),
		Steps: []analyze.Text{
			say("in the pod template: list %s under initContainers, before those that need it", name),
			say("give it a startup probe if the application needs it to be up first"),
			say("make a new Job; the pods that exist do not change")},
		Verify: []analyze.Text{
			say("kubectl get pod -o jsonpath='{.spec.initContainers[*].restartPolicy}' prints Always"),
			say("the pod ends after the application has")}}
}
