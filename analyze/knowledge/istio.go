package knowledge

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// IstioPoint is what an Istio release does about native sidecars, with the template that it ships.
type IstioPoint struct {
	Minor            string   // "1.27"
	Era              string   // "A".."D", see the eras in istio.yaml
	EraTitle         string   // for people
	EnvKind          string   // none | exact | switch
	EnvDefault       string   // what an unset variable leads to: "" (not read), ordinary, auto
	AnnotationRead   bool     // sidecar.istio.io/nativeSidecar is read from the pod
	AutoKubeletMinor int      // lowest kubelet minor for automatic mode, 0 if there is none
	CompatProfiles   []string // compatibility profiles that the chart ships
	CompatDisables   []string // those of them that set the variable to false
	KubernetesMin    string   // oldest and newest supported Kubernetes minor, "" if unknown
	KubernetesMax    string
	SupportSure      string // high | medium | low: confidence in the two above
}

// Istio gives the semantics of an Istio release. False: the version does not tell.
func (b *Base) Istio(v version.Version) (IstioPoint, bool, Basis) {
	if !b.istio.judgeable(v) {
		return IstioPoint{}, false, Basis{}
	}
	eras := b.erasOf(v)
	if len(eras) != 1 {
		return IstioPoint{}, false, Basis{}
	}
	r := eras[0].rule
	p := IstioPoint{
		Minor: v.MinorString(), Era: r.ID, EraTitle: r.Title, EnvKind: r.EnvKind,
		AnnotationRead: r.Annotation != nil, AutoKubeletMinor: r.AutoKubeletMinor,
	}
	basis := Basis{Sources: b.refs(r.Sources)}
	if r.Env != nil {
		p.EnvDefault = r.Env.Unset
	}
	for _, at := range b.profiles {
		if reached(v, at.since) == version.Yes {
			p.CompatProfiles, p.CompatDisables = at.point.Shipped, at.point.Disabling
		}
	}
	for _, at := range b.supports {
		if reached(v, at.since) == version.Yes {
			p.KubernetesMin, p.KubernetesMax, p.SupportSure = at.min, at.max, at.sureness
		}
	}
	if note := b.istio.newer(v); !note.IsZero() {
		basis.Assumes = append(basis.Assumes, note)
	}
	return p, true, basis
}

// erasOf lists the eras that a version may belong to: one for a version that tells, all for one that does not.
func (b *Base) erasOf(v version.Version) []eraAt {
	if !b.istio.judgeable(v) {
		return b.eras
	}
	var list []eraAt
	for i, e := range b.eras {
		in := v.AtLeast(e.since)
		if i+1 < len(b.eras) {
			in = in.And(v.AtLeast(b.eras[i+1].since).Not())
		}
		if in != version.No {
			list = append(list, e)
		}
	}
	return list
}

func (b *Base) eraByID(id string) (eraAt, bool) {
	for _, e := range b.eras {
		if e.rule.ID == id {
			return e, true
		}
	}
	return eraAt{}, false
}

// DetectEra tells the era of a sidecar template from its text: "A".."D", or "custom" if it fits none.
func (b *Base) DetectEra(template string) string {
	for i := len(b.eras) - 1; i >= 0; i-- {
		d := b.eras[i].rule.Detect
		has := !slices.ContainsFunc(d.Has, func(s string) bool { return !strings.Contains(template, s) })
		lacks := !slices.ContainsFunc(d.Lacks, func(s string) bool { return strings.Contains(template, s) })
		if has && lacks {
			return b.eras[i].rule.ID
		}
	}
	return "custom"
}

// EnvName is the name of istiod's environment variable.
func (b *Base) EnvName() string { return b.t.istio.EnvName }

// AnnotationKey is the pod annotation that Istio reads.
func (b *Base) AnnotationKey() string { return b.t.istio.AnnotationKey }

// Reading is what a release makes of the exact text of a setting.
type Reading struct {
	Outcome string // native | ordinary | auto | unset | ignored | not-read
	Listed  bool   // the exact text has a meaning of its own; false: it falls under "any other value"
	Meant   string // true | false | auto, or "": what a person who wrote this most likely meant
	AsMeant bool   // the outcome is what was meant; true also where nothing can be said of the meaning
}

// ReadEnv says what the injector of in makes of in.Env. False: the setting is not set or unknown, or the era is not known.
func (b *Base) ReadEnv(in Inputs) (Reading, bool) {
	e, ok := b.oneEra(in)
	if !ok || !in.Env.Known || !in.Env.Set {
		return Reading{}, false
	}
	return b.reading(e.rule.Env, in.Env.Value), true
}

// ReadAnnotation says what the injector of in makes of in.Annotation. False as for ReadEnv.
func (b *Base) ReadAnnotation(in Inputs) (Reading, bool) {
	e, ok := b.oneEra(in)
	s := in.annotation()
	if !ok || !s.Known || !s.Set {
		return Reading{}, false
	}
	return b.reading(e.rule.Annotation, s.Value), true
}

func (b *Base) oneEra(in Inputs) (eraAt, bool) {
	list, _ := b.candidateEras(in)
	if len(list) != 1 {
		return eraAt{}, false
	}
	return list[0].eraAt, true
}

func (b *Base) reading(rule *valueRule, value string) Reading {
	r := Reading{Meant: b.meaning(value)}
	if rule == nil {
		r.Outcome = "not-read"
		r.AsMeant = r.Meant == ""
		return r
	}
	r.Outcome, r.Listed = rule.lookup(value)
	if strings.TrimSpace(value) == "" {
		// Whoever sets an empty text wants what an unset value gives.
		r.AsMeant = r.Outcome == "unset" || r.Outcome == "ignored" || r.Outcome == rule.Unset
		return r
	}
	effect := map[string]string{Native: "true", Ordinary: "false", "auto": "auto"}[r.Outcome]
	r.AsMeant = r.Meant == "" || effect == r.Meant
	return r
}

// meaning guesses what a spelling was meant to say.
func (b *Base) meaning(value string) string {
	value = strings.TrimSpace(value)
	for _, m := range []string{"true", "false", "auto"} {
		if slices.Contains(b.t.istio.Meanings[m], value) {
			return m
		}
	}
	return ""
}

func (r *valueRule) lookup(value string) (outcome string, listed bool) {
	if o, ok := r.Values[value]; ok {
		return o, true
	}
	return r.Other, false
}
