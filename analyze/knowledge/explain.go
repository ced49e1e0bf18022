package knowledge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// explain writes the steps of what the injector does.
func (d *decider) explain(nodes nodesAnswer) {
	d.explainRules()
	if d.out.Reason == ReasonTemplateError {
		return
	}
	d.explainAnnotation()
	d.explainEnv()
	d.explainNodes(nodes)
}

func (d *decider) explainRules() {
	question := say("Which rules does the injector follow?")
	if note := d.b.istio.newer(d.in.Istio); !note.IsZero() {
		d.assume(note)
	}
	value, where := d.in.Istio.Raw, d.in.IstioWhere
	if d.in.TemplateEra != "" {
		value, where = eraWords(d.in.TemplateEra), d.in.TemplateWhere
	}
	switch {
	case !d.one:
		d.step(question, say("not known: the version of istiod does not tell"), value, where)
	case d.out.Reason == ReasonTemplateError:
		d.step(question, say("none: the template is newer than istiod %s and cannot be rendered", d.in.Istio.String()), value, where, d.b.stepSource("template-skew")...)
	case d.out.Reason == ReasonTemplateOlder:
		d.step(question, say("%s; the template is older than istiod %s, whose own default has no effect", d.era.rule.Title, d.in.Istio.String()), value, where, append(d.b.stepSource("template-skew"), d.b.refs(d.era.rule.Sources)...)...)
	default:
		d.step(question, say("%s", d.era.rule.Title), value, where, d.b.refs(d.era.rule.Sources)...)
	}
}

func (d *decider) explainAnnotation() {
	s, question := d.in.annotation(), say("What does the annotation %s say?", d.b.AnnotationKey())
	var sources []string
	if d.in.readsJobTemplate() {
		question = say("What does the annotation %s say? (kube-inject reads it from spec.jobTemplate.metadata of a CronJob)", d.b.AnnotationKey())
		sources = d.b.stepSource("kube-inject")
	}
	switch {
	case !s.Known:
		d.step(question, notKnown(d.hangsOn.ann), "", s.Where, sources...)
	case !s.Set:
		d.step(question, say("nothing, it is not set"), "", s.Where, sources...)
	case !d.one:
		d.step(question, say("depends on the release"), s.Value, s.Where, sources...)
	default:
		d.step(question, annotationAnswer(d.b.reading(d.era.rule.Annotation, s.Value)), s.Value, s.Where, append(sources, d.b.refs(d.era.rule.Sources)...)...)
	}
}

func annotationAnswer(r Reading) sentence.Text {
	switch {
	case r.Outcome == "not-read":
		return say("it is set, but this release does not read it")
	case r.Outcome == "ignored":
		return say("it is empty and ignored")
	case r.Listed:
		return say("%s, whatever else is set", r.Outcome)
	default:
		return say("a value without a meaning of its own, which this release takes as %s", r.Outcome)
	}
}

func (d *decider) explainEnv() {
	s := d.in.Env
	question := say("What does %s of istiod say?", d.b.EnvName())
	if d.in.Offline {
		question = say("What does %s of istioctl say?", d.b.EnvName())
	}
	switch {
	case d.annotationDecides():
		d.step(question, say("not consulted, the annotation decides"), s.Value, s.Where)
	case !s.Known:
		d.step(question, notKnown(d.hangsOn.env), "", s.Where)
	case !d.one && s.Set:
		d.step(question, say("depends on the release"), s.Value, s.Where)
	case !d.one:
		d.step(question, say("nothing, it is not set; the default depends on the release"), "", s.Where)
	case d.era.rule.Env == nil:
		d.step(question, say("nothing that counts: this release does not read it"), s.Value, s.Where, d.b.refs(d.era.rule.Sources)...)
	case !s.Set:
		d.step(question, say("nothing, it is not set: the default is %s", d.era.rule.Env.Unset), "", s.Where, d.b.refs(d.era.rule.Sources)...)
	default:
		d.step(question, envAnswer(d.b.reading(d.era.rule.Env, s.Value), d.era.rule.Env), s.Value, s.Where, d.b.refs(d.era.rule.Sources)...)
	}
}

func envAnswer(r Reading, rule *valueRule) sentence.Text {
	switch {
	case r.Outcome == "unset":
		return say("nothing, it is empty: the default is %s", rule.Unset)
	case r.Listed:
		return say("%s", r.Outcome)
	default:
		return say("a value that this release does not know, which counts as %s", r.Outcome)
	}
}

func (d *decider) explainNodes(n nodesAnswer) {
	if !d.nodesConsulted() {
		return
	}
	question := say("Is every kubelet of the cluster at minor version %d or later?", d.era.rule.AutoKubeletMinor)
	sources := d.b.stepSource("auto")
	switch {
	case n.reason == ReasonAutoNoNodeClient:
		why := d.in.NoNodeClient
		if why == "" {
			why = sentence.Fixed("kube-inject without a cluster")
		}
		d.step(question, say("not known to the injector, which has no client for the nodes and takes that as no"), "", why, sources...)
	case n.answer == version.Maybe:
		d.step(question, say("not known"), nodeList(n.consult), "", sources...)
	case n.reason == ReasonAutoNoNodes:
		d.step(question, say("yes, there is no node"), "", "", sources...)
	case n.answer == version.Yes:
		d.step(question, say("yes"), nodeList(n.consult), kubeletsWhere(), sources...)
	default:
		d.step(question, tooOld(len(n.blockers), len(n.consult)), nodeList(n.blockers), kubeletsWhere(), sources...)
	}
}

// nodesConsulted reports whether automatic mode is, or may be, in force.
func (d *decider) nodesConsulted() bool {
	if !d.one || d.era.rule.AutoKubeletMinor == 0 || d.annotationDecides() {
		return false
	}
	s := d.in.Env
	if !s.Known {
		return d.out.Emitted == Unknown
	}
	what := d.era.rule.Env.Unset
	if s.Set {
		what, _ = d.era.rule.Env.lookup(s.Value)
	}
	return what == "auto"
}

func (d *decider) annotationDecides() bool {
	return slices.Contains([]string{ReasonAnnotationTrue, ReasonAnnotationFalse, ReasonAnnotationTaken, ReasonAnnotationNotTrue}, d.out.Reason)
}

// notKnown says whether an unknown datum would change the result.
func notKnown(decides bool) sentence.Text {
	if decides {
		return say("not known, and it would decide")
	}
	return say("not known, and it does not change the result")
}

func say(format string, args ...any) sentence.Text { return sentence.Say(format, args...) }

// nodeList prints nodes with their versions, the first few only.
func nodeList(list []Kubelet) string {
	const most = 10
	var parts []string
	for i, k := range list {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-most))
			break
		}
		raw := k.Raw
		switch {
		case k.Unread:
			raw = "version not in the bundle"
		case raw == "":
			raw = "empty version"
		}
		parts = append(parts, strings.TrimSpace(k.Node+" "+raw))
	}
	return strings.Join(parts, ", ")
}

// eraWords names a template by its era; those that the built-in data has are in the catalogues.
func eraWords(era string) string {
	switch era {
	case "A":
		return sentence.Fixed("sidecar template of era A")
	case "B":
		return sentence.Fixed("sidecar template of era B")
	case "C":
		return sentence.Fixed("sidecar template of era C")
	case "D":
		return sentence.Fixed("sidecar template of era D")
	}
	return "sidecar template of era " + era
}

func tooOld(old, all int) sentence.Text {
	if all == 1 {
		return say("no: the only node is too old or unreadable")
	}
	return say("no: %d of %d nodes too old or unreadable, and one is enough", old, all)
}
