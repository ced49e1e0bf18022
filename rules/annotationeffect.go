package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

type ev = evidence.Evidence

// annotationBeyondNodes: the annotation overrides Istio's look at the nodes, so it can ask for what they cannot run.
func annotationBeyondNodes() *analyze.Rule {
	return &analyze.Rule{Code: "AnnotationBeyondNodes", Title: "The annotation asks for what the cluster cannot run",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{NodeRejectedSidecar, PodCreationRejected, SidecarBlocksInit},
		Run: runAnnotationBeyondNodes}
}

func runAnnotationBeyondNodes(p *analyze.Pass) analyze.Outcome {
	if !istioJob(p) {
		return analyze.Skip()
	}
	v, at, ok := nativeAnnotation(p.Cluster, p.Workload)
	if !ok || v == "false" || v == "" {
		return analyze.Skip()
	}
	if facts.Redacted(v) {
		return annotationRedacted(p, at)
	}
	n := p.Next
	if n.Reason != knowledge.ReasonAnnotationTrue && n.Reason != knowledge.ReasonAnnotationTaken {
		return analyze.RuleOut(say("the annotation did not make the proxy native: %s", reasonWords(n.Reason)), at)
	}
	return beyondNodes(p, say("the annotation %s: %q", facts.NativeAnnotation, v), at)
}

// beyondNodes answers for a setting that makes the injector write a native sidecar without a look at the nodes.
func beyondNodes(p *analyze.Pass, setting analyze.Text, at ...ev) analyze.Outcome {
	n := p.Next
	because := append([]ev{}, at...)
	for _, k := range n.Risky[:min(len(n.Risky), 2*enoughEvidence)] {
		because = append(because, evKubelet(p.Cluster, k)...)
	}
	switch {
	case n.Placement == knowledge.Broken:
		because = append(append(because, p.Cluster.Server.From...), gateEvidence(p)...)
		return analyze.Fire(say("%s forces a native sidecar that this cluster cannot run: %s", setting, brokenWords(p.Know, n.Broken)), because...).
			From(n.Basis).With(beyondAdvice(p))
	case len(n.Risky) > 0:
		return analyze.Fire(say("%s forces a native sidecar, and %s cannot run one: a pod that lands there hangs in Init or is rejected", setting, list(blockerNames(n.Risky))), because...).
			As(analyze.Warning).From(n.Basis).With(beyondAdvice(p))
	case n.Placement == knowledge.Unknown:
		return analyze.Undecide(say("%s forces a native sidecar; whether the API server keeps it and the nodes can run it is not known", setting), undecided(n)...).From(n.Basis)
	case len(p.Cluster.Nodes) == 0:
		return analyze.RuleOut(say("every kubelet of a release that the API server supports can run native sidecars"), append(because, p.Cluster.Server.From...)...)
	}
	in := Inputs(p.Cluster, p.Know, p.Workload, n)
	if list, _ := in.Landing(); in.Selector != "" {
		for _, k := range list[:min(len(list), 2*enoughEvidence)] {
			because = append(because, evKubelet(p.Cluster, k)...)
		}
		return analyze.RuleOut(say("API server and every node that the pod template leaves (%s) can run native sidecars", in.Selector), because...)
	}
	return analyze.RuleOut(say("API server and every node in the bundle can run native sidecars"), append(because, kubeletEvidence(p)...)...)
}

func gateEvidence(p *analyze.Pass) []ev {
	var out []ev
	for _, g := range p.Cluster.Gates {
		if g.Component == "kube-apiserver" || g.Component == "kubelet" {
			out = append(out, g.Evidence)
		}
	}
	return out
}

func beyondAdvice(p *analyze.Pass) *analyze.Advice {
	a := &analyze.Advice{
		Summary: say("upgrade what cannot run native sidecars, or take the setting back until then"),
		Steps:   hangingPods(p),
		Verify:  []analyze.Text{say("the next pod runs, with %s in spec.initContainers and restartPolicy Always", istioProxy)},
		Avoid:   []analyze.Text{say("judging by the API server's version alone: the kubelet of the node decides")},
	}
	if len(p.Next.Risky) > 0 && p.Next.Placement != knowledge.Broken {
		a.Summary = say("keep these pods off the nodes that cannot run native sidecars, or upgrade those nodes")
		a.Steps = append(a.Steps, say("a nodeSelector or a required node affinity of the pod template keeps them off; taints are not looked at here: a node whose taint the pods do not tolerate is off already"))
	}
	return a
}

// hangingPods are deleted so that the Job makes new ones; those that were rejected have failed already.
func hangingPods(p *analyze.Pass) []analyze.Text {
	hang := hanging(p.Verdict)
	if len(hang) == 0 {
		return nil
	}
	return []analyze.Text{say("after that %s", deleteHung(p.Workload, hang))}
}

func nodeNames(list []knowledge.Kubelet) []string {
	var out []string
	for _, k := range list {
		out = append(out, k.Node+" ("+k.Raw+")")
	}
	return out
}

// annotationTooLate: injection happens once, when the pod is made; an annotation that came later changes nothing.
func annotationTooLate() *analyze.Rule {
	return &analyze.Rule{Code: "AnnotationTooLate", Title: "The annotation came after the pod was injected",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runAnnotationTooLate}
}

func runAnnotationTooLate(p *analyze.Pass) analyze.Outcome {
	pod, proxy := ordinaryProxy(p)
	if pod == nil || pod.Described() {
		return analyze.Skip()
	}
	own, ownHas := pod.Meta.Annotations.Lookup(facts.NativeAnnotation)
	v, at, ok := nativeAnnotation(p.Cluster, p.Workload)
	if !ok {
		v, at, ok = own, pod.Ev("metadata.annotations["+facts.NativeAnnotation+"]", own), ownHas
	}
	if !ok || v == "false" || v == "" {
		return analyze.Skip()
	}
	if facts.Redacted(v) {
		return annotationRedacted(p, at)
	}
	if in := pod.Injection; in != nil && in.Readable && contains(in.Init, istioProxy) {
		return analyze.RuleOut(say("the injector had placed the proxy of pod %s natively; something moved it afterwards", pod.Meta.Name), at)
	}
	if _, own := proxyInTemplate(p.Workload); own {
		return analyze.RuleOut(say("the proxy of pod %s comes from the manifest, not from an injection of the pod", pod.Meta.Name), at)
	}
	switch imageReads(p.Know, proxy) {
	case version.No:
		return analyze.RuleOut(say("pod %s was injected by a release that does not read the annotation (%s)", pod.Meta.Name, proxy.Image()), at, proxy.EvImage())
	case version.Maybe:
		return analyze.Undecide(say("the proxy of pod %s was ordinary although %s was %q; whether the istiod that injected it read the annotation is not known", pod.Meta.Name, facts.NativeAnnotation, v),
			planeMissing(p.Next))
	}
	return tooLate(p, pod, proxy, at, v, ownHas)
}

// tooLate weighs what kept an annotation that this release reads from having effect on the pod.
func tooLate(p *analyze.Pass, pod *facts.Pod, proxy *facts.Container, at ev, value string, ownHas bool) analyze.Outcome {
	if t, templated := pod.Meta.Annotations.Lookup(facts.TemplatesAnnotation); templated {
		return analyze.RuleOut(say("pod %s asked for the injection template %s", pod.Meta.Name, t), at, pod.Ev("metadata.annotations["+facts.TemplatesAnnotation+"]", t))
	}
	// What the value means is for the release that injected this pod to say; today's may read it otherwise.
	in := Inputs(p.Cluster, p.Know, p.Workload, p.Next)
	in.Annotation, in.NotInjected = knowledge.Given(value, at.Where()), ""
	if _, present := madeByPresent(p); !present || !istioJob(p) {
		if injector := version.FromImage(proxy.Image()); in.Istio.SameMinor(injector) != version.Yes {
			in.Istio, in.IstioWhere, in.TemplateEra = injector, proxy.EvImage().Where(), ""
		}
	}
	switch d := p.Know.Decide(in); d.Emitted {
	case knowledge.Native:
	case knowledge.Unknown:
		return analyze.Undecide(say("the proxy of pod %s was ordinary although %s was %q; whether the release that injected it would have placed it natively is not known", pod.Meta.Name, facts.NativeAnnotation, value),
			undecided(&analyze.NextDecision{Decision: d, Plane: p.Next.Plane, Revision: p.Next.Revision})...)
	default:
		return analyze.RuleOut(say("the release that injected pod %s does not place the proxy natively for that value: %s", pod.Meta.Name, reasonWords(d.Reason)), at)
	}
	o, sure := addedLater(p, pod, at, value, ownHas)
	if !sure {
		return o
	}
	o.Because = append(o.Because, proxy.EvPlacement(), proxy.EvImage())
	if c := pod.Meta.Created; !c.IsZero() {
		o.Because = append(o.Because, pod.Ev("metadata.creationTimestamp", c.String()))
	}
	o.Assumes = append(o.Assumes, say("the injector's template was that of the proxy's release when the pod was made"))
	return o.As(weight(p))
}

// nextRunHas says how a run comes about that has what is set on what makes the pods.
func nextRunHas(p *analyze.Pass, owner string) analyze.Text {
	switch w := p.Workload; {
	case w.ParentKind == "CronJob":
		return say("nothing has to be deleted for that: the next run of %s gets it", owner)
	case loneJob(w):
		return say("only where the program is to run once more: check that this is safe (idempotent writes, charges, artefacts), save the manifests and the logs, delete %s and make it anew, for the template of a stored Job cannot be changed", owner)
	}
	return say("let %s make a new run; it runs the program once more, so check that this is safe: idempotent writes, charges, artefacts", owner)
}

// addedLater says that the annotation came after the pod, where the templates prove it. The template of a Job cannot be
// changed, so an annotation that it has was on its pods from the first moment; that of a CronJob can.
func addedLater(p *analyze.Pass, pod *facts.Pod, at ev, value string, ownHas bool) (analyze.Outcome, bool) {
	w := p.Workload
	jobKnown := w.Job != nil && len(w.Job.Spec.Template.Spec.Containers) > 0
	jobHas := jobKnown && w.Job.Spec.Template.Meta.Annotations.Has(facts.NativeAnnotation)
	path, owner := annotationPath(p)
	a := &analyze.Advice{
		Summary: say("nothing to change: %s has it, and a run that is made now gets a native proxy", owner),
		Steps:   []analyze.Text{nextRunHas(p, owner)},
		Avoid: []analyze.Text{say("annotating the running pod: existing pods never change"),
			say("deleting the pod alone: where its Job makes another, that is made from the Job's own template, which lacks the annotation and cannot be changed, and it runs the program once more")},
	}
	switch {
	case jobHas || ownHas && !jobKnown:
		return analyze.Undecide(say("pod %s was made with %s: %q as far as the bundle shows, its injector reads it, and its proxy was ordinary all the same: what undid it is not in the bundle", pod.Meta.Name, facts.NativeAnnotation, value),
			injectorMissing(p.Next), analyze.Missing{What: say("the webhooks that change pods"), Command: "kubectl get mutatingwebhookconfigurations -o yaml"}), false
	case ownHas:
		if t, ok := decidingTemplate(w); ok && !t.meta.Annotations.Has(facts.NativeAnnotation) {
			a.Summary = say("set it at %s of %s: a pod made now would not have it", path, owner)
			a.Steps = append([]analyze.Text{say("set it there")}, a.Steps...)
			if loneJob(w) {
				a.Summary = say("set it at %s in the manifest or chart that %s is made from: a pod made now would not have it", path, owner)
			}
		}
		return analyze.Fire(say("pod %s carried %s: %q and the template of its Job did not: it was added to the pod after the injection, or by a webhook that runs after Istio's", pod.Meta.Name, facts.NativeAnnotation, value),
			pod.Ev("metadata.annotations["+facts.NativeAnnotation+"]", value), w.Job.EvAbsent("spec.template.metadata.annotations["+facts.NativeAnnotation+"]")).With(a), true
	}
	return analyze.Fire(say("the template set %s to %q, and pod %s did not carry it: the pod was made before that", facts.NativeAnnotation, value, pod.Meta.Name),
		at, pod.EvAbsent("metadata.annotations["+facts.NativeAnnotation+"]")).With(a), true
}

// imageReads says whether the Istio release that the proxy's image names reads the annotation: the tag normally is
// that of the istiod which injected the pod.
func imageReads(k *knowledge.Base, proxy *facts.Container) version.Answer {
	if proxy.Pod.Meta.Annotations.Has(proxyImageAnnotation) {
		return version.Maybe
	}
	a, _ := k.Has("istio-reads-annotation", version.FromImage(proxy.Image()))
	return a
}

// annotationRedacted answers where the annotation is there and its value was taken out of the bundle.
func annotationRedacted(p *analyze.Pass, at ev) analyze.Outcome {
	path, owner := annotationPath(p)
	o := analyze.Undecide(say("%s is set, and its value was redacted", facts.NativeAnnotation),
		analyze.Missing{What: say("the value of %s at %s of %s", facts.NativeAnnotation, path, owner), Command: getCommand(p.Workload)})
	o.Because = []ev{at}
	return o
}
