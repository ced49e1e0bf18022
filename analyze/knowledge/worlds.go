package knowledge

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Where something is unknown, the decision is made in every world that the known data allow. If all agree, nothing is
// missing; if not, the data that tell them apart are what the report asks for. That is how "annotation true" on a new
// istiod stays decided without a list of nodes, and "annotation false" even without a version.

// candidate is a set of rules together with whether istiod is too old for its template.
type candidate struct {
	eraAt
	istiodOlder bool
}

type world struct {
	era   candidate
	ann   Setting
	env   Setting
	nodes version.Answer
}

type outcome struct {
	emitted, reason string
}

// axes lists the possibilities of each datum, one element where it is known.
type axes struct {
	eras  []candidate
	anns  []Setting
	envs  []Setting
	nodes []version.Answer
}

// candidateEras lists the rules that may be in force, with the assumptions made in narrowing them.
func (b *Base) candidateEras(in Inputs) (list []candidate, assumes []sentence.Text) {
	if in.TemplateEra == "" {
		for _, e := range b.erasOf(in.Istio) {
			list = append(list, candidate{eraAt: e})
		}
		if b.istio.judgeable(in.Istio) {
			assumes = append(assumes, say("the injector's sidecar template is the one that this istiod ships"))
		}
		return list, assumes
	}
	e, ok := b.eraByID(in.TemplateEra)
	if !ok {
		return nil, nil
	}
	c := candidate{eraAt: e}
	if e.needs.Known() {
		switch {
		case !b.istio.judgeable(in.Istio):
			assumes = append(assumes, say("istiod is at least of the release that ships this template"))
		case in.Istio.AtLeast(e.needs) == version.No:
			c.istiodOlder = true
		}
	}
	return []candidate{c}, assumes
}

// possible spells out what an unknown setting may be: absent, every listed text, and some other text.
func possible(s Setting, rules []*valueRule) []Setting {
	if s.Known {
		return []Setting{s}
	}
	list := []Setting{{Known: true}}
	for _, r := range rules {
		if r == nil {
			continue
		}
		for _, v := range sortedKeys(r.Values) {
			list = append(list, Setting{Known: true, Set: true, Value: v})
		}
		list = append(list, Setting{Known: true, Set: true, Value: "any other value"})
	}
	return list
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (a axes) worlds() []world {
	list := make([]world, 0, len(a.eras)*len(a.anns)*len(a.envs)*len(a.nodes))
	for _, e := range a.eras {
		for _, an := range a.anns {
			for _, en := range a.envs {
				for _, n := range a.nodes {
					list = append(list, world{e, an, en, n})
				}
			}
		}
	}
	return list
}

// decide applies the rules in one world.
func (w world) decide(nodes nodesAnswer) outcome {
	r := w.era.rule
	if w.era.istiodOlder {
		if r.OnOlderIstiod == "error" {
			return outcome{Refused, ReasonTemplateError}
		}
		return outcome{Unknown, ReasonUnknownTemplate}
	}
	if r.Annotation != nil && w.ann.Set {
		what, listed := r.Annotation.lookup(w.ann.Value)
		switch {
		case what == Native && listed:
			return outcome{Native, ReasonAnnotationTrue}
		case what == Native:
			return outcome{Native, ReasonAnnotationTaken}
		case what == Ordinary && listed:
			return outcome{Ordinary, ReasonAnnotationFalse}
		case what == Ordinary:
			return outcome{Ordinary, ReasonAnnotationNotTrue}
		}
	}
	if r.Env == nil {
		return outcome{Ordinary, ReasonEraNoSupport}
	}
	return w.decideEnv(r.Env, nodes)
}

func (w world) decideEnv(rule *valueRule, nodes nodesAnswer) outcome {
	what, listed := rule.Unset, false
	if w.env.Set {
		if what, listed = rule.lookup(w.env.Value); what == "unset" {
			what, listed = rule.Unset, false
			w.env.Set = false
		}
	}
	switch {
	case what == "auto" && w.nodes == version.Yes:
		return outcome{Native, nodes.reasonOr(ReasonAutoNodesNew)}
	case what == "auto":
		return outcome{Ordinary, nodes.reasonOr(ReasonAutoOldNode)}
	case what == Native && w.env.Set:
		return outcome{Native, ReasonEnvTrue}
	case what == Native:
		return outcome{Native, ReasonDefaultOn}
	case !w.env.Set:
		return outcome{Ordinary, ReasonDefaultOff}
	case listed:
		return outcome{Ordinary, ReasonEnvFalse}
	default:
		return outcome{Ordinary, ReasonEnvNotUnderstood}
	}
}

func (n nodesAnswer) reasonOr(reason string) string {
	if n.reason != "" {
		return n.reason
	}
	return reason
}

// matters reports for each axis (era, annotation, env, nodes) whether two worlds that differ only there end differently.
func matters(worlds []world, results []outcome) (era, ann, env, nodes bool) {
	seen := [4]map[string]string{{}, {}, {}, {}}
	var found [4]bool
	for i, w := range worlds {
		parts := []string{w.era.rule.ID, key(w.ann), key(w.env), w.nodes.String()}
		for axis := range seen {
			rest := slices.Clone(parts)
			rest[axis] = "*"
			k := strings.Join(rest, "\x00")
			if before, ok := seen[axis][k]; ok && before != results[i].emitted {
				found[axis] = true
			}
			seen[axis][k] = results[i].emitted
		}
	}
	return found[0], found[1], found[2], found[3]
}

func key(s Setting) string {
	if !s.Set {
		return "unset"
	}
	return "=" + s.Value
}
