package rules

import (
	"fmt"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Change is one thing that an operator can change, with what the next pod would get then.
type Change struct {
	// Kind is annotation, env or nodes.
	Kind string
	What analyze.Text
	knowledge.Decision
}

// Enough says that the change alone makes the next pod's proxy native.
func (c Change) Enough() bool { return c.Placement == knowledge.Native }

// Changes tries each single change on the inputs of a decision, smallest reach first: one workload, then the mesh, then
// the nodes. The decision function itself says which is enough, so that no remedy is recited that does not work here.
func Changes(k *knowledge.Base, in knowledge.Inputs) []Change {
	var out []Change
	annotated := in
	annotated.Annotation = knowledge.Given("true", "what if")
	out = append(out, Change{"annotation", say("the pod-template annotation %s: \"true\"", facts.NativeAnnotation), k.Decide(annotated)})
	env := in
	env.Env = knowledge.Given("true", "what if")
	out = append(out, Change{"env", say("ENABLE_NATIVE_SIDECARS=true on istiod"), k.Decide(env)})
	if point, ok, _ := k.Istio(in.Istio); ok && point.AutoKubeletMinor > 0 && len(in.Kubelets) > 0 {
		nodes := in
		nodes.Kubelets = nil
		for _, n := range in.Kubelets {
			if minor, ok := version.IstioAutoMinor(n.Raw); !ok || minor < point.AutoKubeletMinor {
				n.Raw = fmt.Sprintf("v1.%d.0", point.AutoKubeletMinor)
			}
			nodes.Kubelets = append(nodes.Kubelets, n)
		}
		out = append(out, Change{"nodes", say("every node's kubelet at minor version %d or newer", point.AutoKubeletMinor), k.Decide(nodes)})
	}
	return out
}

// nativeAdvice is the remedy for an ordinary Istio proxy: which change is enough in this cluster, which is not and why,
// and the steps around it.
func nativeAdvice(p *analyze.Pass) *analyze.Advice {
	in := Inputs(p.Cluster, p.Know, p.Workload, p.Next)
	changes := Changes(p.Know, in)
	a := &analyze.Advice{Avoid: avoidAlways()}
	var enough []Change
	for _, c := range changes {
		switch {
		case c.Enough():
			enough = append(enough, c)
		case c.Placement == knowledge.Broken:
			a.Avoid = append(a.Avoid, say("%s: the injector would place the proxy natively and this cluster could not run it (%s)", c.What, c.Broken))
		case c.Placement == knowledge.Ordinary:
			a.Avoid = append(a.Avoid, say("%s: not enough here (%s)", c.What, c.Reason))
		case c.Emitted == knowledge.Native:
			a.Steps = append(a.Steps, say("before %s: make sure that API server and nodes can run native sidecars, which the bundle does not show", c.What))
		}
	}
	if len(enough) == 0 {
		a.Summary = noSingleChange(p, in, changes)
		a.Steps = append(a.Steps, say("until then: end the proxy from the application when its work is done, or run the Job without injection where policy allows"))
		return a
	}
	first := enough[0]
	a.Summary = say("enough here: %s", first.What)
	for _, c := range enough[1:] {
		a.Summary = say("%s; or %s", a.Summary, c.What)
	}
	for _, k := range first.Risky {
		a.Steps = append(a.Steps, say("keep the pods off node %s (%s): its kubelet can not run native sidecars", k.Node, k.Raw))
	}
	a.Steps = append(a.Steps, say("keep the evidence: save the Job's and the pod's manifests and events"),
		say("check that a second run is safe: idempotent writes, charges, artefacts"),
		say("try it on an isolated test Job first"))
	if first.Kind == "annotation" {
		a.Steps = append(a.Steps, annotationStep(p))
		a.Patch = annotationPatch(p.Workload)
	} else {
		a.Steps = append(a.Steps, say("make the change: %s", first.What))
	}
	a.Verify = []analyze.Text{
		say("the new pod has %s in spec.initContainers with restartPolicy Always", istioProxy),
		say("the Job gets the condition Complete=True soon after the application exits 0")}
	a.Rollback = []analyze.Text{say("undo the same change; pods that exist keep their shape, and what the run wrote stays written")}
	return a
}

// noSingleChange says what stands in the way when none of the changes is enough.
func noSingleChange(p *analyze.Pass, in knowledge.Inputs, changes []Change) analyze.Text {
	for _, c := range changes {
		if c.Placement == knowledge.Unknown && c.Emitted == knowledge.Native {
			return say("%s would make the injector place the proxy natively; whether this cluster can run it is not in the bundle", c.What)
		}
	}
	for _, c := range changes {
		if c.Placement == knowledge.Broken {
			return say("no single change is enough: API server or kubelets can not run native sidecars yet (%s)", c.Broken)
		}
	}
	if p.Next.Plane == nil {
		return say("which change is enough depends on the control plane, which is not in the bundle")
	}
	return say("no single change is enough with %s: it takes a newer Istio, on Kubernetes that runs native sidecars", planeText(p.Next))
}

func annotationStep(p *analyze.Pass) analyze.Text {
	kind := ownerKind(p.Workload)
	if where, ok := p.Know.TemplatePlace(ownerGroup(p.Workload), kind); ok {
		return say("set %s: \"true\" at %s of the %s", facts.NativeAnnotation, where.Path, kind)
	}
	return say("set %s: \"true\" on the pod template of the %s", facts.NativeAnnotation, kind)
}

// annotationPatch gives the change as YAML for the owner that the customer edits.
func annotationPatch(w *facts.Workload) string {
	line := "sidecar.istio.io/nativeSidecar: \"true\"\n"
	switch ownerKind(w) {
	case "CronJob":
		return "spec:\n  jobTemplate:\n    spec:\n      template:\n        metadata:\n          annotations:\n            " + line
	case "Job":
		return "spec:\n  template:\n    metadata:\n      annotations:\n        " + line
	}
	return ""
}

func avoidAlways() []analyze.Text {
	return []analyze.Text{
		say("moving the proxy to initContainers by hand: it lacks probes, order and the injector's other settings"),
		say("turning injection off: the Job then runs without mTLS and policy"),
		say("killing a proxy that still serves an application"),
	}
}
