package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// restartPolicyOnWrongInit: restartPolicy Always turns an init container into one that is started again whenever it
// ends. Patches that address initContainers by index have put it on the neighbour of the one it was meant for.
func restartPolicyOnWrongInit() *analyze.Rule {
	return &analyze.Rule{Code: "RestartPolicyOnWrongInit", Title: "A one-shot init container carries restartPolicy Always",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{SidecarBlocksInit, InitNotFinished, SidecarNotStarted},
		Run: func(p *analyze.Pass) analyze.Outcome { return overPods(p, runRestartPolicyOnWrongInit) }}
}

func runRestartPolicyOnWrongInit(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	natives := pod.Of((*facts.Container).SaysAlways)
	if pod.Described() || len(natives) == 0 {
		return analyze.Skip()
	}
	for _, c := range natives {
		if c.Helper != nil && c.Helper.Class == initClass {
			return wrongInit(pod, c, say("which is made to end (%s)", c.Helper.Product))
		}
		if why, ev, ok := againstTemplate(p.Workload, c); ok {
			o := wrongInit(pod, c, why)
			o.Because = append(o.Because, ev)
			return o
		}
	}
	for _, c := range natives {
		if c.Helper != nil || c.Status == nil || restarts(c) < crashRestarts {
			continue
		}
		if t := c.Status.LastState.Terminated; t != nil && t.ExitCode == 0 {
			return analyze.Undecide(say("init container %s of pod %s has restartPolicy Always and ended with exit code 0 again and again (%s): it may be a one-shot container",
				c.Name, pod.Meta.Name, restartsOf(restarts(c))), analyze.Missing{What: say("what container %s is made for: to run beside the application, or to end", c.Name),
				Command: command("kubectl logs %s -n %s -c %s --previous", pod.Meta.Name, pod.Meta.Namespace, c.Name)})
		}
	}
	return analyze.RuleOut(say("restartPolicy Always stands on %s, no known one-shot container", list(names(natives))), natives[0].EvPlacement())
}

// againstTemplate finds a container that the owner's template has as a one-shot init container.
func againstTemplate(w *facts.Workload, c *facts.Container) (analyze.Text, evidence.Evidence, bool) {
	t, ok := ownerTemplate(w)
	if !ok || t.obj.Described() || isLongHelper(c) { // a proxy may be customised by an entry of its name
		return analyze.Text{}, evidence.Evidence{}, false
	}
	for _, tc := range t.Spec.InitContainers {
		if tc.Name == c.Name && tc.RestartPolicy == "" {
			return say("which the template of the %s has without it", t.obj.Kind),
				t.obj.EvAbsent(t.path + ".spec.initContainers[name=" + c.Name + "].restartPolicy"), true
		}
	}
	return analyze.Text{}, evidence.Evidence{}, false
}

func wrongInit(pod *facts.Pod, c *facts.Container, why analyze.Text) analyze.Outcome {
	because := []evidence.Evidence{c.EvPlacement(), c.EvState()}
	message := say("restartPolicy Always stands on init container %s of pod %s, %s: the kubelet starts it again whenever it ends (%s)",
		c.Name, pod.Meta.Name, why, restartsOf(restarts(c)))
	owner := c.Name
	for _, o := range pod.Of(facts.IsPlaced(facts.InitContainer)) {
		if isLongHelper(o) {
			message = say("%s. %s, which runs until it is stopped, stands in initContainers without it", message, o.Name)
			because = append(because, o.EvPlacement(), o.EvState())
			owner = o.Name
			break
		}
	}
	o := analyze.Fire(message, because...)
	if owner == c.Name {
		o = o.With(&analyze.Advice{Summary: say("remove restartPolicy from init container %s at its source, and create the pod again", c.Name)})
	} else {
		o = o.With(&analyze.Advice{
			Summary: say("find which webhook puts restartPolicy on %s instead of %s, and update it or keep it off this pod", c.Name, owner),
			Steps: []analyze.Text{say("list the webhooks that change pods: kubectl get mutatingwebhookconfigurations"),
				say("until it is mended: let the product of %s use its ordinary placement", owner), say("create the pod again")},
			Verify: []analyze.Text{say("in the next pod %s has restartPolicy Always and %s has not", owner, c.Name)},
		})
	}
	for _, r := range pod.Of(facts.IsPlaced(facts.Ordinary)) {
		if r.EverRan() {
			return o.As(analyze.Warning)
		}
	}
	return o
}
