package knowledge

import (
	"fmt"
	"slices"
	"strings"

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
	const question = "Which rules does the injector follow?"
	if note := d.b.istio.newer(d.in.Istio); note != "" {
		d.assume(note)
	}
	value, where := d.in.Istio.Raw, d.in.IstioWhere
	if d.in.TemplateEra != "" {
		value, where = "sidecar template of era "+d.in.TemplateEra, d.in.TemplateWhere
	}
	switch {
	case !d.one:
		d.step(question, "not known: the version of istiod does not tell", value, where)
	case d.out.Reason == ReasonTemplateError:
		d.step(question, "none: the template is newer than istiod "+d.in.Istio.String()+" and can not be rendered", value, where, d.b.stepSource("template-skew")...)
	case d.out.Reason == ReasonTemplateOlder:
		d.step(question, d.era.rule.Title+"; the template is older than istiod "+d.in.Istio.String()+", whose own default has no effect", value, where, append(d.b.stepSource("template-skew"), d.b.refs(d.era.rule.Sources)...)...)
	default:
		d.step(question, d.era.rule.Title, value, where, d.b.refs(d.era.rule.Sources)...)
	}
}

func (d *decider) explainAnnotation() {
	s, question := d.in.annotation(), "What does the annotation "+d.b.AnnotationKey()+" say?"
	var sources []string
	if d.in.readsJobTemplate() {
		question += " (kube-inject reads it from spec.jobTemplate.metadata of a CronJob)"
		sources = d.b.stepSource("kube-inject")
	}
	switch {
	case !s.Known:
		d.step(question, "not known"+indifference(d.hangsOn.ann), "", s.Where, sources...)
	case !s.Set:
		d.step(question, "nothing, it is not set", "", s.Where, sources...)
	case !d.one:
		d.step(question, "depends on the release", s.Value, s.Where, sources...)
	default:
		d.step(question, annotationAnswer(d.b.reading(d.era.rule.Annotation, s.Value)), s.Value, s.Where, append(sources, d.b.refs(d.era.rule.Sources)...)...)
	}
}

func annotationAnswer(r Reading) string {
	switch {
	case r.Outcome == "not-read":
		return "it is set, but this release does not read it"
	case r.Outcome == "ignored":
		return "it is empty and ignored"
	case r.Listed:
		return r.Outcome + ", whatever else is set"
	default:
		return "a value without a meaning of its own, which this release takes as " + r.Outcome
	}
}

func (d *decider) explainEnv() {
	s := d.in.Env
	question := "What does " + d.b.EnvName() + " of istiod say?"
	if d.in.Offline {
		question = "What does " + d.b.EnvName() + " of istioctl say?"
	}
	switch {
	case d.annotationDecides():
		d.step(question, "not consulted, the annotation decides", s.Value, s.Where)
	case !s.Known:
		d.step(question, "not known"+indifference(d.hangsOn.env), "", s.Where)
	case !d.one && s.Set:
		d.step(question, "depends on the release", s.Value, s.Where)
	case !d.one:
		d.step(question, "nothing, it is not set; the default depends on the release", "", s.Where)
	case d.era.rule.Env == nil:
		d.step(question, "nothing that counts: this release does not read it", s.Value, s.Where, d.b.refs(d.era.rule.Sources)...)
	case !s.Set:
		d.step(question, "nothing, it is not set: the default is "+d.era.rule.Env.Unset, "", s.Where, d.b.refs(d.era.rule.Sources)...)
	default:
		d.step(question, envAnswer(d.b.reading(d.era.rule.Env, s.Value), d.era.rule.Env), s.Value, s.Where, d.b.refs(d.era.rule.Sources)...)
	}
}

func envAnswer(r Reading, rule *valueRule) string {
	switch {
	case r.Outcome == "unset":
		return "nothing, it is empty: the default is " + rule.Unset
	case r.Listed:
		return r.Outcome
	default:
		return "a value that this release does not know, which counts as " + r.Outcome
	}
}

func (d *decider) explainNodes(n nodesAnswer) {
	if !d.nodesConsulted() {
		return
	}
	question := fmt.Sprintf("Is every kubelet of the cluster at minor version %d or later?", d.era.rule.AutoKubeletMinor)
	sources := d.b.stepSource("auto")
	switch {
	case n.reason == ReasonAutoNoNodeClient:
		why := d.in.NoNodeClient
		if why == "" {
			why = "kube-inject without a cluster"
		}
		d.step(question, "not known to the injector, which has no client for the nodes and takes that as no", "", why, sources...)
	case n.answer == version.Maybe:
		d.step(question, "not known", nodeList(n.consult), "", sources...)
	case n.reason == ReasonAutoNoNodes:
		d.step(question, "yes, there is no node", "", "", sources...)
	case n.answer == version.Yes:
		d.step(question, "yes", nodeList(n.consult), "status.nodeInfo.kubeletVersion of the nodes", sources...)
	default:
		d.step(question, fmt.Sprintf("no: %d of %d nodes too old or unreadable, and one is enough", len(n.blockers), len(n.consult)), nodeList(n.blockers), "status.nodeInfo.kubeletVersion of the nodes", sources...)
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

// indifference says whether an unknown datum would change the result.
func indifference(decides bool) string {
	if decides {
		return ", and it would decide"
	}
	return ", and it does not change the result"
}

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
