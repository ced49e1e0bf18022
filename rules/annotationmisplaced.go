package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// annotationMisplaced: the injector sees pods, so a key on the CronJob, the Job, jobTemplate.metadata or the namespace
// does nothing, and neither does the native-sidecar key as a label.
func annotationMisplaced() *analyze.Rule {
	return &analyze.Rule{Code: "AnnotationMisplaced", Title: "An injection annotation stands where nothing reads it",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runAnnotationMisplaced}
}

func runAnnotationMisplaced(p *analyze.Pass) analyze.Outcome {
	places := placesAround(p)
	native, inject := misplacedNative(p, places), misplacedInject(p, places)
	switch {
	case native.Status == analyze.Fired && inject.Status == analyze.Fired:
		return native.And(inject)
	case native.Status == analyze.Fired, inject.Status == analyze.NotApplicable:
		return native
	case inject.Status == analyze.Fired, native.Status == analyze.NotApplicable:
		return inject
	}
	return native
}

// concernsIstio says that Istio injects the next pod of a workload, or has injected one at hand.
func concernsIstio(p *analyze.Pass) bool { return istioJob(p) || injectedAnyway(p) }

func misplacedNative(p *analyze.Pass, places []place) analyze.Outcome {
	const key = facts.NativeAnnotation
	if !concernsIstio(p) {
		return analyze.Skip()
	}
	var wrong []evidence.Evidence
	asLabel := false
	for _, pl := range places {
		if pl.meta.Annotations.Has(key) && !pl.read {
			wrong = append(wrong, pl.annotation(key))
		}
		if pl.meta.Labels.Has(key) {
			wrong, asLabel = append(wrong, pl.label(key)), true
		}
	}
	if v, at, ok := nativeAnnotation(p.Cluster, p.Workload); ok {
		return analyze.RuleOut(say("%s stood where it is read, with the value %q", key, v), at)
	}
	if len(wrong) == 0 {
		return analyze.RuleOut(say("%s was set nowhere", key))
	}
	if p.Cluster.Namespaces[p.Workload.Ref.Namespace] == nil && len(p.Workload.Pods) == 0 && strings.Contains(wrong[0].Field, ".template.metadata") && !asLabel {
		return analyze.Undecide(say("%s stood on the pod template of a CronJob that istioctl kube-inject rewrote, which did not read it there; whether the injection webhook takes the pods too is not in the bundle", key),
			analyze.Missing{What: say("the labels of namespace %s", p.Workload.Ref.Namespace), Command: command("kubectl get namespace %s -o yaml", p.Workload.Ref.Namespace)})
	}
	message := say("%s stood on %s, where the injector does not look: it sees the pod, and the pod has the metadata of its template", key, list(blocksOf(wrong)))
	switch {
	case asLabel:
		message = say("%s stood on %s as a label; Istio reads it from the annotations of the pod alone", key, list(blocksOf(wrong)))
	case rewritten(p.Workload) && !webhookToo(p.Cluster, p.Workload):
		message = say("%s stood on %s; istioctl kube-inject, which wrote this manifest, reads it at spec.jobTemplate.metadata of a CronJob and nowhere else", key, list(blocksOf(wrong)))
	}
	return moveNative(p, analyze.Fire(message, wrong...), wrong[0].Value)
}

// moveNative says what the key would do in the right place: it is an error only where that would have made the
// difference.
func moveNative(p *analyze.Pass, o analyze.Outcome, value string) analyze.Outcome {
	in := Inputs(p.Cluster, p.Know, p.Workload, p.Next)
	in.Annotation, in.JobTemplateAnnotation = knowledge.Given(value, "what if"), knowledge.Given(value, "what if")
	in.InManifest, in.Ran.Emitted = "", false
	moved := p.Know.Decide(in)
	path, owner := annotationPath(p)
	a := &analyze.Advice{
		Summary: say("move it to %s of %s: the next pod then gets %s", path, owner, placedAs(moved.Emitted)),
		Steps: []analyze.Text{say("set %s: %q at %s", facts.NativeAnnotation, value, path),
			say("existing pods and Jobs never change: the next run gets it, and a run made for that runs the program again")},
		Avoid: []analyze.Text{say("any other metadata of %s: it does not reach the pod that the injector sees", owner)},
	}
	switch {
	case !istioJob(p), moved.Emitted == knowledge.Unknown:
		a.Summary = say("move it to %s of %s; what it does there depends on the release of istiod", path, owner)
		return o.With(a).As(analyze.Warning)
	case moved.Emitted == p.Next.Emitted:
		a.Summary = say("in the right place (%s of %s) it would change nothing: %s", path, owner, reasonWords(moved.Reason))
		a.Aside = true
		return o.With(a).As(idle(p)).From(moved.Basis)
	case moved.Placement == knowledge.Broken:
		a.Avoid = append(a.Avoid, say("moving it before the cluster can run it: %s", brokenWords(p.Know, moved.Broken)))
		return o.With(a).As(analyze.Warning).From(moved.Basis)
	case moved.Emitted == knowledge.Native:
		return o.With(a).As(weight(p)).From(moved.Basis)
	}
	return o.With(a).As(analyze.Warning).From(moved.Basis)
}

// misplacedInject looks at the key that turns injection on or off. The pod's label beats its annotation; on anything but
// the pod neither is read.
func misplacedInject(p *analyze.Pass, places []place) analyze.Outcome {
	const key = facts.InjectAnnotation
	t, ok := decidingTemplate(p.Workload)
	if !ok {
		return analyze.Skip()
	}
	label, labelled := t.meta.Labels.Lookup(key)
	annotation, annotated := t.meta.Annotations.Lookup(key)
	if labelled && annotated && label != annotation && unmet(p, annotation) {
		o := analyze.Fire(say("the pod template had %s both as a label (%q) and as an annotation (%q): the label decides, the annotation is not looked at", key, label, annotation),
			t.annotation(key), t.label(key))
		if annotation == "false" {
			return o.As(weight(p)).With(keepInjected(p, say("drop the annotation, which has no effect beside the label; if the Job is to run without the mesh, set the label to %q instead", annotation)))
		}
		return o.As(weight(p)).
			With(&analyze.Advice{Summary: say("set the label %s to %q and drop the annotation", key, annotation), Steps: []analyze.Text{say("existing pods never change: the next run gets it, and a run made for that runs the program again")}})
	}
	if o, ok := notSelected(p, t); ok {
		return o
	}
	if labelled || annotated {
		return analyze.Skip()
	}
	var wrong []evidence.Evidence
	for _, pl := range places {
		if pl.read {
			continue
		}
		if v, ok := pl.meta.Annotations.Lookup(key); ok && unmet(p, v) {
			wrong = append(wrong, pl.annotation(key))
		}
		if v, ok := pl.meta.Labels.Lookup(key); ok && unmet(p, v) {
			wrong = append(wrong, pl.label(key))
		}
	}
	if len(wrong) == 0 {
		return analyze.Skip()
	}
	return moveInject(p, wrong)
}

// notSelected: as an annotation of the pod the key is read by istiod, which no webhook asks where neither the namespace
// nor a label of the pod does.
func notSelected(p *analyze.Pass, t deciding) (analyze.Outcome, bool) {
	ns := p.Cluster.Namespaces[p.Workload.Ref.Namespace]
	if !byAnnotationAlone(*t.meta) || !unmet(p, "true") || ns == nil || shut(ns) || asks(p.Cluster, ns, t) {
		return analyze.Outcome{}, false
	}
	path, owner := labelPath(p)
	return analyze.Fire(say("the pod template had %s: \"true\" as an annotation and not as a label: namespace %s does not ask for injection, and there the webhook selects pods by the label alone; the pods got no proxy", facts.InjectAnnotation, ns.Meta.Name),
		t.annotation(facts.InjectAnnotation), t.obj.EvAbsent(t.path+".labels["+facts.InjectAnnotation+"]"), ns.EvAbsent("metadata.labels["+namespaceSwitch+"]")).
		As(analyze.Warning).With(&analyze.Advice{
		Summary: say("if a proxy is wanted, set the label %s: \"true\" at %s of %s, or label the namespace", facts.InjectAnnotation, path, owner),
		Steps:   []analyze.Text{say("existing pods and Jobs never change: the next run gets it, and a run made for that runs the program again")},
		Avoid:   []analyze.Text{say("labelling the namespace for the sake of one workload: every pod that is made in it from then on gets a proxy")}}), true
}

// labelPath says where labels reach the pods, beside their annotations.
func labelPath(p *analyze.Pass) (path, owner string) {
	path, owner = annotationPath(p)
	if at, ok := strings.CutSuffix(path, ".annotations"); ok {
		return at + ".labels", owner
	}
	return sentence.Fixed("metadata.labels of the pod template"), owner
}

// unmet says that a value of the inject key asks for what the pods at hand do not show.
func unmet(p *analyze.Pass, value string) bool {
	mesh := p.Cluster.Mesh
	switch value {
	case "false":
		return injectedAnyway(p)
	case "true":
		return len(p.Workload.Pods) > 0 && !injectedAnyway(p) && len(mesh.ControlPlanes)+len(mesh.Injectors) > 0
	}
	return false
}

func moveInject(p *analyze.Pass, wrong []evidence.Evidence) analyze.Outcome {
	path, owner := labelPath(p)
	value, outcome := wrong[0].Value, say("the pods got a proxy all the same")
	if value == "true" {
		outcome = say("the pods got no proxy")
	}
	o := analyze.Fire(say("%s: %q stood on %s, where the injector does not look: it sees the pod, and the pod has the metadata of its template; %s",
		facts.InjectAnnotation, value, list(blocksOf(wrong)), outcome), wrong...)
	if value == "false" {
		if p.Next.Reason == knowledge.ReasonEraNoSupport {
			path, _ = annotationPath(p) // the label came with later releases
		}
		return o.As(weight(p)).With(keepInjected(p, say("it has no effect where it stands: if the Job is to run without the mesh, it belongs at %s of %s", path, owner)))
	}
	a := &analyze.Advice{
		Summary: say("if this is still wanted, set the label %s: %q at %s of %s", facts.InjectAnnotation, value, path, owner),
		Steps:   []analyze.Text{say("as an annotation there it counts too, but only where the namespace asks for injection and the label is not set"), say("existing pods and Jobs never change: the next run gets it, and a run made for that runs the program again")},
		Avoid:   []analyze.Text{say("any other metadata of %s: it does not reach the pod that the injector sees", owner)},
	}
	return o.As(analyze.Warning).With(a)
}

// keepInjected is the remedy for a key that was meant to turn injection off. That is one way out; what cures a Job that is
// to stay in the mesh is told with the workload.
func keepInjected(p *analyze.Pass, summary analyze.Text) *analyze.Advice {
	a := &analyze.Advice{Summary: summary, Aside: true,
		Steps: []analyze.Text{say("existing pods and Jobs never change: the next run gets it, and a run made for that runs the program again")}}
	if p.Next.Reason == knowledge.ReasonEraNoSupport {
		a.Steps = append(a.Steps, say("newer releases of Istio read the label of that name there first"))
		a.Avoid = []analyze.Text{say("turning injection off where mTLS or mesh policy is needed: the application has to end the proxy then")}
		return a
	}
	a.Steps = append(a.Steps, say("or keep the mesh and have the proxy placed natively: what that takes is with the workload, or with the findings about Istio's decision"))
	a.Avoid = []analyze.Text{say("turning injection off where mTLS or mesh policy is needed: a native sidecar ends with the Job and keeps both")}
	return a
}

// injectedAnyway says that a pod at hand has Istio's proxy.
func injectedAnyway(p *analyze.Pass) bool {
	for _, pod := range p.Workload.Pods {
		if proxyOf(pod) != nil {
			return true
		}
	}
	return false
}

// blocksOf names the metadata blocks that hold a key.
func blocksOf(ev []evidence.Evidence) []string {
	var out []string
	for _, e := range ev {
		path, _, _ := strings.Cut(e.Field, "[")
		if s := e.Object + " (" + path + ")"; !contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
