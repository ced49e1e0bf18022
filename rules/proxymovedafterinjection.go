package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// proxyMovedAfterInjection: sidecar.istio.io/status lists the containers of the rendered template, before other
// webhooks and people had a hand in it. Where the live spec has the proxy in the other list, something moved it. A proxy
// that stands where an injected manifest has it was not moved: InjectedIntoTemplate speaks of that.
func proxyMovedAfterInjection() *analyze.Rule {
	return &analyze.Rule{Code: "ProxyMovedAfterInjection", Title: "The proxy stands elsewhere than the injector put it",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar, SidecarBlocksInit, SidecarNotStarted},
		Run: func(p *analyze.Pass) analyze.Outcome { return overPods(p, runProxyMovedAfterInjection) }}
}

func runProxyMovedAfterInjection(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	c := proxyOf(pod)
	if c == nil || pod.Described() || c.Spec == nil || p.Verdict.Code == Completed {
		return analyze.Skip() // describe cuts long annotations and prints no restartPolicy
	}
	live := "containers"
	if c.Placement != facts.Ordinary {
		live = "initContainers"
	}
	if b, ok := bakedProxyOf(p); ok && b.list() == live {
		return analyze.RuleOut(say("%s of pod %s comes from a manifest that was injected before it was applied", c.Name, pod.Meta.Name), b.by)
	}
	in := pod.Injection
	if in == nil {
		return withoutRecord(p, pod, c)
	}
	record := pod.Ev("metadata.annotations["+facts.StatusAnnotation+"]", pod.Meta.Annotations.Get(facts.StatusAnnotation))
	if !in.Readable {
		return analyze.Undecide(say("the injector's record on pod %s cannot be read, so where it put %s is not known", pod.Meta.Name, c.Name),
			analyze.Missing{What: say("the annotation %s unabridged", facts.StatusAnnotation), Command: podYAML(pod)})
	}
	recorded, ok := recordedList(in, c.Name)
	switch {
	case !ok:
		return analyze.RuleOut(say("the injector's record on pod %s does not list %s, so it says nothing of its place", pod.Meta.Name, c.Name), record)
	case recorded == live:
		return analyze.RuleOut(say("%s of pod %s stands in %s, where the injector put it", c.Name, pod.Meta.Name, live), record, c.EvPlacement())
	}
	o := movedOutcome(p, c, say("the injector put %s of pod %s into spec.%s, and it stands in spec.%s: something moved it afterwards", c.Name, pod.Meta.Name, recorded, live),
		record, pod.Ev("spec."+live+"[name="+c.Name+"].name", c.Name))
	if weight(p) == analyze.Error {
		return o.As(analyze.Error)
	}
	return o
}

// recordedList says in which list the injector put a container.
func recordedList(in *facts.Injection, name string) (string, bool) {
	inInit, inRegular := contains(in.Init, name), contains(in.Containers, name)
	switch {
	case inInit && !inRegular:
		return "initContainers", true
	case inRegular && !inInit:
		return "containers", true
	}
	return "", false
}

// withoutRecord judges a proxy in initContainers of a pod that carries no record of an injector. The template tells
// whether it was written there; without it nothing does.
func withoutRecord(p *analyze.Pass, pod *facts.Pod, c *facts.Container) analyze.Outcome {
	if c.Placement == facts.Ordinary {
		return analyze.Skip()
	}
	if record, ok := injectionRecord(p.Workload); ok {
		return analyze.RuleOut(say("%s of pod %s comes from a manifest that was injected before it was applied", c.Name, pod.Meta.Name), record)
	}
	t, ok := ownerTemplate(p.Workload)
	if !ok || t.obj.Described() {
		return analyze.Undecide(say("%s of pod %s stands in initContainers and the pod carries no record of an injector; who put it there is not in the bundle", c.Name, pod.Meta.Name),
			analyze.Missing{What: say("the object that made the pod, with its template"), Command: getCommand(p.Workload)})
	}
	tc, path := t.find(c.Name)
	if tc == nil {
		return analyze.Undecide(say("%s of pod %s is not in the template of %s, and the pod carries no record of an injector", c.Name, pod.Meta.Name, t.obj.Ref().String()),
			analyze.Missing{What: say("the pod's annotations as they are stored"), Command: podYAML(pod)})
	}
	message := say("%s stands in initContainers of the template of %s, and neither pod nor template carries the record that an injector leaves: it was put there by hand, or by another tool", c.Name, t.obj.Ref().String())
	because := []evidence.Evidence{t.obj.Ev(path+".name", c.Name), t.obj.EvAbsent(t.path + ".metadata.annotations[" + facts.StatusAnnotation + "]"),
		pod.EvAbsent("metadata.annotations[" + facts.StatusAnnotation + "]")}
	if tc.RestartPolicy != "Always" {
		message = say("%s. It has no restartPolicy Always there, so init waits for it to end", message)
		because = append(because, t.obj.EvAbsent(path+".restartPolicy"))
	} else if tc.StartupProbe == nil {
		message = say("%s. It has no startup probe there, so the application begins before the proxy works", message)
		because = append(because, t.obj.EvAbsent(path+".startupProbe"))
	}
	o := movedOutcome(p, c, message, because...)
	if tc.RestartPolicy != "Always" && weight(p) == analyze.Error {
		return o.As(analyze.Error)
	}
	return o
}

func movedOutcome(p *analyze.Pass, c *facts.Container, message analyze.Text, because ...evidence.Evidence) analyze.Outcome {
	return analyze.Fire(message, append(because, c.EvPlacement())...).With(addNative(p, c, &analyze.Advice{
		Summary: say("leave the placement to the injector and find what changes it"),
		Steps: []analyze.Text{
			say("look for another webhook or policy that rewrites containers: kubectl get mutatingwebhookconfigurations"),
			say("take a hand-made %s out of the template and let the injector add it", c.Name)},
		Verify: []analyze.Text{say("in the next pod the list that %s names for %s is the one it stands in", facts.StatusAnnotation, c.Name)},
		Avoid:  []analyze.Text{say("moving the proxy by hand again: probes, hooks, order and volumes belong together")},
	}))
}
