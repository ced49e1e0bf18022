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
	// Kind is annotation, env, nodes or manifest.
	Kind string
	What analyze.Text
	knowledge.Decision
}

// The kinds of changes.
const (
	changeAnnotation = "annotation"
	changeEnv        = "env"
	changeNodes      = "nodes"
	changeManifest   = "manifest"
)

// Enough says that the change alone makes the next pod's proxy native.
func (c Change) Enough() bool { return c.Placement == knowledge.Native }

// Changes tries each single change on the inputs of a decision, smallest reach first: one workload, then the mesh, then
// the nodes. The decision function itself says which is enough, so that no remedy is recited that does not work here.
func Changes(k *knowledge.Base, in knowledge.Inputs) []Change {
	const whatIf = "what if"
	if in.InManifest != "" {
		in.InManifest = ""
		annotated := in
		annotated.Annotation, annotated.JobTemplateAnnotation = knowledge.Given("true", whatIf), knowledge.Given("true", whatIf)
		return []Change{
			{changeManifest, say("the original manifest, injected again"), k.Decide(in)},
			{changeAnnotation, say("the original manifest with the annotation %s: \"true\", injected again", k.AnnotationKey()), k.Decide(annotated)},
		}
	}
	annotated := in
	annotated.Annotation, annotated.JobTemplateAnnotation = knowledge.Given("true", whatIf), knowledge.Given("true", whatIf)
	env := in
	env.Env = knowledge.Given("true", whatIf)
	out := []Change{
		{changeAnnotation, say("the pod-template annotation %s: \"true\"", k.AnnotationKey()), k.Decide(annotated)},
		{changeEnv, say("%s=true on istiod", k.EnvName()), k.Decide(env)},
	}
	if point, ok, _ := k.Istio(in.Istio); ok && point.AutoKubeletMinor > 0 && len(in.Kubelets) > 0 {
		out = append(out, Change{changeNodes, upgradeText(k, in, point.AutoKubeletMinor), k.Decide(in.Upgraded(point.AutoKubeletMinor))})
	}
	return out
}

// upgradeText says what an upgrade of the nodes takes: no kubelet is newer than its API server, and none starts that is told to
// switch off a gate which its release has locked.
func upgradeText(k *knowledge.Base, in knowledge.Inputs, minor int) analyze.Text {
	text := say("every node's kubelet at minor version %d or newer", minor)
	wanted := version.Parse(fmt.Sprintf("v1.%d.0", minor))
	if in.APIServer.Known() && in.APIServer.AtLeast(wanted) == version.No {
		text = say("%s, after the API server (%s), than which no kubelet may be newer", text, in.APIServer.Raw)
	}
	if gate, ok, _ := k.SidecarGate(wanted); ok && gate.Locked && in.KubeletGate == "false" {
		text = say("%s, with SidecarContainers=false taken out of its configuration first: a kubelet of that release does not start with it", text)
	}
	return text
}

// nativeAdvice is the remedy for an ordinary Istio proxy: which change is enough in this cluster, which is not and why,
// what makes it unsafe here, and the steps around it.
func nativeAdvice(p *analyze.Pass) *analyze.Advice {
	in := Inputs(p.Cluster, p.Know, p.Workload, p.Next)
	changes := Changes(p.Know, in)
	a := &analyze.Advice{}
	var enough []Change
	for _, c := range changes {
		switch {
		case c.Kind == changeEnv && notSettable(p):
			a.Avoid = append(a.Avoid, say("%s: this control plane is run by its provider, and its settings are not the customer's", c.What))
		case c.Enough():
			enough = append(enough, c)
		case c.Placement == knowledge.Broken:
			a.Avoid = append(a.Avoid, say("%s: the injector would place the proxy natively, and this cluster could not run it: %s", c.What, brokenWords(p.Know, c.Broken)))
		case c.Placement == knowledge.Ordinary:
			a.Avoid = append(a.Avoid, say("%s: not enough here, for %s", c.What, reasonWords(c.Reason)))
		case c.Emitted == knowledge.Native:
			a.Steps = append(a.Steps, say("before %s: make sure that API server and nodes can run native sidecars, which the bundle does not show", c.What))
		}
	}
	if others := otherHolders(p); len(others) > 0 {
		a.Steps = append(a.Steps, say("%s holds the pod too, and goes on to do so without a change of its own: see what to do about it with the workload", list(names(others))))
	}
	if len(enough) == 0 {
		a.Summary = noSingleChange(p, changes)
		held := len(heldPods(p.Verdict)) > 0 || p.Verdict.Code == DeadlineHitWhileHeld
		if held {
			a.Steps = append(a.Steps, withoutNative(p)...)
		}
		a.Avoid = append(a.Avoid, avoidAlways(p.Workload, !held || p.Next.Reason != knowledge.ReasonEraNoSupport)...)
		return a
	}
	a.Avoid = append(a.Avoid, avoidAlways(p.Workload, true)...)
	first := enough[0]
	switch apart := otherCause(p.Verdict.Code); {
	case apart && len(enough) > 1:
		a.Summary = say("any one of these is enough for a native proxy, which keeps no finished Job open: %s", first.What)
	case apart:
		a.Summary = say("enough for a native proxy, which keeps no finished Job open: %s", first.What)
	case len(enough) > 1:
		a.Summary = say("any one of these is enough here: %s", first.What)
	default:
		a.Summary = say("enough here: %s", first.What)
	}
	for _, c := range enough[1:] {
		a.Summary = say("%s; %s", a.Summary, c.What)
	}
	if t, ok := decidingTemplate(p.Workload); !ok || t.standIn {
		a.Summary = say("%s. That is so if the injection webhook adds the proxy; the pod template, which is not in the bundle, may hold it as istioctl kube-inject writes it, and has to be injected again then", a.Summary)
		a.Steps = append(a.Steps, templateFirst(p.Workload))
	}
	a.Steps = append(a.Steps, keepEvidence(p.Workload),
		say("check that a second run is safe: idempotent writes, charges, artefacts"))
	a.Steps = append(append(a.Steps, unsafeHere(p, first)...), tryFirst(p.Workload))
	if first.Kind == changeAnnotation {
		a.Steps = append(a.Steps, inTemplate(p, annotationStep(p)))
		a.Patch = annotationPatch(p)
	} else {
		a.Steps = append(a.Steps, say("make the change: %s", first.What))
	}
	a.Verify = []analyze.Text{
		say("the new pod has %s in spec.initContainers with restartPolicy Always", istioProxy),
		ends(p.Workload)}
	a.Rollback = []analyze.Text{say("undo the same change; pods that exist keep their shape, and what the run wrote stays written")}
	return a
}

// otherHolders gives what holds the workload beside Istio's proxy.
func otherHolders(p *analyze.Pass) []*facts.Container {
	if len(heldPods(p.Verdict)) == 0 {
		return nil
	}
	var out []*facts.Container
	for _, c := range culpritsOf(p) {
		if !isIstioProxy(c) {
			out = append(out, c)
		}
	}
	return out
}

// notSettable says that the control plane is one whose variable the customer cannot set.
func notSettable(p *analyze.Pass) bool {
	namespace := ""
	if p.Next.Plane != nil {
		namespace = p.Next.Plane.Namespace
	}
	c, ok := p.Know.ControlPlane(namespace, p.Next.Revision, "")
	return ok && c.ProviderRun
}

// noSingleChange says what stands in the way when none of the changes is enough.
func noSingleChange(p *analyze.Pass, changes []Change) analyze.Text {
	for _, c := range changes {
		if c.Placement == knowledge.Unknown && c.Emitted == knowledge.Native {
			return say("%s would make the injector place the proxy natively; whether this cluster can run it is not in the bundle", c.What)
		}
	}
	for _, c := range changes {
		if c.Placement == knowledge.Broken {
			return say("no single change is enough: API server or kubelets cannot run native sidecars yet")
		}
	}
	switch {
	case p.Next.Reason == knowledge.ReasonEraNoSupport:
		return noSupport(p)
	case p.Next.Reason == knowledge.ReasonTemplateNever:
		return say("no change of settings is enough: the injection template of this pod is never native")
	case p.Next.Plane == nil:
		return say("which change is enough depends on the control plane, which is not in the bundle")
	case !p.Next.Plane.Version.Known:
		return say("which change is enough depends on the release of %s, which the bundle does not tell", planeText(p.Next))
	}
	return say("no single change is enough with %s: it takes a newer Istio, on Kubernetes that runs native sidecars", planeText(p.Next))
}

// noSupport is for an Istio without native sidecars, known from its istiod or from the proxy that it injected: no setting
// of that release makes a difference.
func noSupport(p *analyze.Pass) analyze.Text {
	if in := Inputs(p.Cluster, p.Know, p.Workload, p.Next); in.Istio.Known() {
		return say("no setting is enough with Istio %s, which has no native sidecars: it takes a newer Istio, on Kubernetes that runs native sidecars; until then the application has to end the proxy, or run without it", in.Istio.Raw)
	}
	return say("no setting is enough with this Istio, which has no native sidecars: it takes a newer one, on Kubernetes that runs native sidecars; until then the application has to end the proxy, or run without it")
}

// withoutNative says what spares the next run as long as the proxy stays an ordinary container: a call of the application
// as far as this release answers one, and, where no change of settings is left, no proxy.
func withoutNative(p *analyze.Pass) []analyze.Text {
	pod, c := ordinaryProxy(p)
	if pod == nil {
		return nil
	}
	var out []analyze.Text
	answers, _ := p.Know.Has(agentQuits, version.FromImage(c.Image()))
	port, _ := statusPort(c)
	switch {
	case port == "0" && callOf(p.Know, c).can != version.No:
		out = append(out, say("as long as no such change is made: let the application end the proxy as its last step, whatever its own exit code is: a POST to localhost:%s/quitquitquit", envoyPort))
	case port == "0":
		out = append(out, say("as long as no such change is made: let the application end the proxy when its work is done, once the agent answers: %s: \"0\" leaves its endpoints out", statusPortAnnotation))
	case answers == version.Yes:
		out = append(out, say("as long as no such change is made: let the application end the proxy as its last step, whatever its own exit code is: a POST to localhost:%s/quitquitquit", port))
	case answers == version.Maybe:
		out = append(out, say("as long as no such change is made: let the application end the proxy as its last step, whatever its own exit code is: a POST to localhost:%s/quitquitquit, which the agent answers from Istio %s on", port, featureSince(p.Know, agentQuits)))
	default:
		out = append(out, say("a call of the application that ends the proxy is not known for this release: its agent answers one from Istio %s on", featureSince(p.Know, agentQuits)))
	}
	if p.Next.Reason != knowledge.ReasonEraNoSupport {
		return out
	}
	path, owner := annotationPath(p)
	return append(out, inTemplate(p, say("where %s needs neither mTLS nor mesh policy: keep the proxy out of its pods, with %s: \"false\" at %s of %s", runWords(p.Workload), facts.InjectAnnotation, path, owner)))
}

func annotationStep(p *analyze.Pass) analyze.Text {
	path, owner := annotationPath(p)
	if rewritten(p.Workload) && !webhookToo(p.Cluster, p.Workload) {
		return say("set %s: \"true\" at %s of the manifest of %s as it was before istioctl kube-inject, and inject that", facts.NativeAnnotation, path, owner)
	}
	return say("set %s: \"true\" at %s of %s", facts.NativeAnnotation, path, owner)
}

// annotationPatch gives the change as YAML for the owner that the customer edits; "" where its place is not a fixed one.
func annotationPatch(p *analyze.Pass) string {
	const line = "sidecar.istio.io/nativeSidecar: \"true\"\n"
	switch path, _ := annotationPath(p); {
	case ownerKind(p.Workload) == "CronJob" && path == jobTemplatePlace:
		return "spec:\n  jobTemplate:\n    metadata:\n      annotations:\n        " + line
	case ownerKind(p.Workload) == "CronJob":
		return "spec:\n  jobTemplate:\n    spec:\n      template:\n        metadata:\n          annotations:\n            " + line
	case loneJob(p.Workload):
		return "spec:\n  template:\n    metadata:\n      annotations:\n        " + line
	}
	return ""
}

// avoidAlways is what is better not done; turning injection off is not among it where it is one of the ways that are left.
func avoidAlways(w *facts.Workload, injectionOff bool) []analyze.Text {
	out := []analyze.Text{say("moving the proxy to initContainers by hand: it lacks probes, order and the injector's other settings")}
	if injectionOff {
		out = append(out, say("turning injection off: %s then runs without mTLS and policy", runWords(w)))
	}
	return append(out, say("killing a proxy that still serves an application"))
}

// templateFirst asks for the template that tells whether the webhook or a manifest put the proxy into the pods.
func templateFirst(w *facts.Workload) analyze.Text {
	what := say("see whether the pod template holds %s itself", istioProxy)
	if ref, ok := cronRef(w); ok {
		return do(what, command("kubectl get cronjob %s -n %s -o yaml", ref.Name, ref.Namespace)).text()
	}
	if w.IsJob() {
		return do(what, command("kubectl get job %s -n %s -o yaml", w.Ref.Name, w.Ref.Namespace)).text()
	}
	if w.ParentKind != "" {
		return do(what, command("kubectl get %s %s -n %s -o yaml", parentResource(w), w.ParentName, w.Ref.Namespace)).text()
	}
	return what
}
