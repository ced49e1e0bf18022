package knowledge

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Decide says where the proxy of the next pod goes: first what the injector writes, then what becomes of it in the
// cluster. It is the one implementation behind nextPod and predict, a function of its inputs alone.
func (b *Base) Decide(in Inputs) Decision {
	d := &decider{b: b, in: in}
	d.emit()
	d.settle()
	return d.out
}

// Placed is Decide for one who wants no more than what the injector writes, and why: no steps, and no word on what
// becomes of it.
func (b *Base) Placed(in Inputs) (emitted, reason string) {
	d := &decider{b: b, in: in, terse: true}
	d.emit()
	return d.out.Emitted, d.out.Reason
}

// decider carries one decision while its steps are written.
type decider struct {
	b   *Base
	in  Inputs
	out Decision
	era candidate // the rules in force, if exactly one set is possible
	one bool      // era is set
	// terse leaves out the steps.
	terse bool
	// what the result hangs on, where it is unknown
	hangsOn struct{ era, ann, env, nodes bool }
}

func (d *decider) emit() {
	if d.in.NotInjected != "" {
		d.finish(outcome{None, ReasonNotInjected})
		d.step(say("Is a proxy injected?"), say("no"), "", d.in.NotInjected)
		return
	}
	if place := d.in.InManifest; place != "" {
		d.finish(outcome{place, ReasonInManifest})
		d.step(say("Does the pod template hold the proxy itself?"), say("yes, placed %s: pods made from it get that, whatever istiod is set to", place), "", d.in.InManifestWhere, d.b.stepSource("kube-inject")...)
		return
	}
	kinds, unnamed := d.b.Templates(d.in.Template)
	given := func(what string) bool {
		return slices.ContainsFunc(kinds, func(k InjectionTemplate) bool { return k.Gives == what })
	}
	if d.in.RenderFails != "" && given(Refused) {
		d.finish(outcome{Refused, ReasonTemplateNotForPods})
		d.askedTemplate(say("one for istiod's gateway controller, which cannot be rendered for a pod: a pod was refused for that"))
		return
	}
	if d.in.RenderFails != "" {
		d.finish(outcome{Refused, ReasonTemplateError})
		d.step(say("Can istiod render its sidecar template?"), say("no, it refused a pod for that: the template is of another release than istiod"), "", d.in.RenderFails, d.b.stepSource("template-skew")...)
		return
	}
	if done := d.templateKind(given, unnamed); done {
		return
	}
	eras, assumes := d.b.candidateEras(d.in)
	d.assume(assumes...)
	if len(eras) == 0 {
		d.finish(outcome{Unknown, ReasonUnknownTemplate})
		d.step(say("Which rules does the injector follow?"), say("those of a rewritten template, which cannot be told from here"), d.in.TemplateEra, d.in.TemplateWhere, d.b.stepSource("template-skew")...)
		d.out.Undecided = append(d.out.Undecided, say("what the injector's own sidecar template does (ConfigMap istio-sidecar-injector, key config)"))
		return
	}
	d.era, d.one = eras[0], len(eras) == 1
	nodes := autoNodes(d.in, autoMinor(eras))
	a := axes{
		eras:  eras,
		anns:  possible(d.in.annotation(), annotationRules(eras)),
		envs:  possible(d.in.Env, envRules(eras)),
		nodes: []version.Answer{nodes.answer},
	}
	if nodes.answer == version.Maybe {
		a.nodes = []version.Answer{version.Yes, version.No}
	}
	worlds := a.worlds()
	results := make([]outcome, len(worlds))
	for i, w := range worlds {
		results[i] = w.decide(nodes)
	}
	d.conclude(worlds, results, nodes)
	if !d.terse {
		d.explain(nodes)
	}
	d.seen()
}

// seen takes what the injector wrote into a pod of the same template, where what it goes by is not known.
func (d *decider) seen() {
	if ran := d.in.Ran; d.out.Emitted == Unknown && ran.Emitted {
		d.finish(outcome{Native, ReasonSeenNative})
		d.out.Undecided = nil
		d.step(say("Where did the injector put the proxy of the newest run?"), say("in pod %s as a native sidecar", ran.Pod), "", ran.Where)
		d.assume(say("istiod and what it goes by are as they were when pod %s was made", ran.Pod))
	}
}

// conclude merges the worlds.
func (d *decider) conclude(worlds []world, results []outcome, nodes nodesAnswer) {
	first := results[0]
	sameResult := !slices.ContainsFunc(results, func(o outcome) bool { return o.emitted != first.emitted })
	sameReason := !slices.ContainsFunc(results, func(o outcome) bool { return o.reason != first.reason })
	if sameResult && first.emitted != Unknown {
		if !sameReason {
			first.reason = ReasonSameInAllCases
		}
		if first.reason == ReasonAutoOldNode || first.reason == ReasonAutoUnparsableNode {
			d.out.Blockers = nodes.blockers
		}
		d.finish(d.blameTemplate(first))
		return
	}
	h := &d.hangsOn
	h.era, h.ann, h.env, h.nodes = matters(worlds, results)
	reasons := []struct {
		matters bool
		reason  string
		ask     sentence.Text
	}{
		{h.era, ReasonUnknownIstio, say("the version of istiod, or its sidecar template (Deployment istiod, ConfigMap istio-sidecar-injector)")},
		{h.ann, ReasonUnknownAnnotation, say("the annotations of the pod template")},
		{h.env, ReasonUnknownEnv, say("the value of %s of istiod (its Deployment and pods)", d.b.EnvName())},
		{h.nodes, ReasonUnknownNodes, nodes.missing},
	}
	unknown := outcome{Unknown, ReasonUnknownTemplate}
	for i := len(reasons) - 1; i >= 0; i-- {
		if reasons[i].matters {
			unknown.reason = reasons[i].reason
			d.out.Undecided = append([]sentence.Text{reasons[i].ask}, d.out.Undecided...)
		}
	}
	if len(d.out.Undecided) == 0 {
		d.out.Undecided = []sentence.Text{say("what this istiod makes of a sidecar template that is newer than itself")}
	}
	d.finish(unknown)
}

// blameTemplate names the template where an old one keeps a newer istiod's default from having effect.
func (d *decider) blameTemplate(o outcome) outcome {
	if d.in.TemplateEra == "" || (o.reason != ReasonDefaultOff && o.reason != ReasonEraNoSupport) {
		return o
	}
	own := d.b.erasOf(d.in.Istio)
	if b := d.b.istio; b.judgeable(d.in.Istio) && len(own) == 1 && d.one && d.era.since.AtLeast(own[0].since) == version.No {
		o.reason = ReasonTemplateOlder
	}
	return o
}

func (d *decider) finish(o outcome) { d.out.Emitted, d.out.Reason = o.emitted, o.reason }

// templateKind handles pods that ask for another template than the sidecar's.
func (d *decider) templateKind(given func(string) bool, unnamed bool) (done bool) {
	names := splitNames(d.in.Template)
	switch {
	case given(Refused):
		d.finish(outcome{Unknown, ReasonUnknownTemplate})
		d.askedTemplate(say("one for istiod's gateway controller, not for pods"))
		d.out.Undecided = append(d.out.Undecided, say("whether istiod refuses the pods for the template %s (events of the Job), or the template was replaced (ConfigMap istio-sidecar-injector, key config)", d.in.Template))
	case len(names) == 0 || slices.Contains(names, d.b.t.istio.DefaultTemplate):
		return false
	case given(Ordinary):
		d.finish(outcome{Ordinary, ReasonTemplateNever})
		d.askedTemplate(say("one whose istio-proxy is ordinary in every release"))
	case unnamed:
		d.finish(outcome{Unknown, ReasonUnknownTemplate})
		d.askedTemplate(say("one that cannot be told from here"))
		d.out.Undecided = append(d.out.Undecided, say("what the template %s does (ConfigMap istio-sidecar-injector, key config)", d.in.Template))
	default:
		d.finish(outcome{None, ReasonTemplateNoProxy})
		d.askedTemplate(say("one that adds no proxy"))
	}
	return true
}

// askedTemplate writes down what the pod's template is.
func (d *decider) askedTemplate(is sentence.Text) {
	d.step(say("Which template does the pod ask for?"), is, d.in.Template, sentence.Fixed("annotation inject.istio.io/templates of the pod template"), d.b.stepSource("template-kind")...)
}

// Templates gives those of Istio's templates that an annotation inject.istio.io/templates names beside the sidecar's, and
// whether it names one that is none of Istio's.
func (b *Base) Templates(annotation string) (list []InjectionTemplate, unnamed bool) {
	for _, n := range splitNames(annotation) {
		i := slices.IndexFunc(b.t.istio.Templates, func(t InjectionTemplate) bool { return t.Name == n })
		switch {
		case i >= 0:
			list = append(list, b.t.istio.Templates[i])
		case n != b.t.istio.DefaultTemplate:
			unnamed = true
		}
	}
	return list, unnamed
}

func splitNames(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}

func autoMinor(eras []candidate) int {
	for _, e := range eras {
		if e.rule.AutoKubeletMinor > 0 {
			return e.rule.AutoKubeletMinor
		}
	}
	return 0
}

func annotationRules(eras []candidate) []*valueRule {
	var list []*valueRule
	for _, e := range eras {
		list = append(list, e.rule.Annotation)
	}
	return list
}

func envRules(eras []candidate) []*valueRule {
	var list []*valueRule
	for _, e := range eras {
		list = append(list, e.rule.Env)
	}
	return list
}

func (d *decider) assume(list ...sentence.Text) {
	d.out.Basis.Assumes = appendTexts(d.out.Basis.Assumes, list...)
}

// step records a question. The first source goes beside it, all of them into the basis.
func (d *decider) step(question, answer sentence.Text, value, where string, sources ...string) {
	s := Step{Question: question, Answer: answer, Value: value, Where: where}
	if len(sources) > 0 {
		s.Source = sources[0]
	}
	d.out.Steps = append(d.out.Steps, s)
	d.out.Basis.Sources = appendNew(d.out.Basis.Sources, sources...)
}

// stepSource finds the sources of a step that belongs to no era.
func (b *Base) stepSource(id string) []string {
	for _, list := range [][]sourcedNote{b.t.istio.Steps, b.t.kubernetes.Unable} {
		for _, s := range list {
			if s.ID == id {
				return b.refs(s.Sources)
			}
		}
	}
	return nil
}
