package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// compatibilityProfileDisables: a Helm compatibilityVersion wrote the variable, and nobody remembers setting it.
func compatibilityProfileDisables() *analyze.Rule {
	return &analyze.Rule{Code: "CompatibilityProfileDisables", Title: "A compatibility profile turned native sidecars off",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: eachPlane(runCompatibilityProfileDisables)}
}

func runCompatibilityProfileDisables(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if n.Plane == nil || n.Reason != knowledge.ReasonEnvFalse {
		return analyze.Skip()
	}
	point, ok, basis := p.Know.Istio(n.Plane.Version.V)
	switch {
	case !ok:
		return analyze.Undecide(say("ENABLE_NATIVE_SIDECARS=%s of %s may come from a compatibility profile; which profiles its chart has depends on its release", n.Plane.Env.Value, planeText(n)),
			releaseMissing(n)).On(planeRef(n))
	case len(point.CompatDisables) == 0:
		return analyze.RuleOut(say("the chart of %s has no compatibility profile that sets the variable", planeText(n)), settingEvidence(n)...).On(planeRef(n))
	}
	values := originalValues(n.Plane)
	if values == nil {
		return analyze.Undecide(say("ENABLE_NATIVE_SIDECARS=%s of %s was set by hand, or by compatibilityVersion %s: the values that the chart was installed with tell",
			n.Plane.Env.Value, planeText(n), listOr(point.CompatDisables)), valuesMissing(n)).On(planeRef(n)).From(basis)
	}
	profile := valueOf(values.Text, "compatibilityVersion")
	var where ev
	switch {
	case strings.Contains(values.Text, facts.NativeEnv):
		line, _ := lineWith(values.Text, facts.NativeEnv)
		return analyze.RuleOut(say("the values set ENABLE_NATIVE_SIDECARS themselves, which overrides every profile"), values.ConfigMap.Ev("data["+values.Key+"]", line)).On(planeRef(n))
	case profile == "":
		return analyze.RuleOut(say("the values name no compatibilityVersion"), values.ConfigMap.Ev("data["+values.Key+"]", "no compatibilityVersion")).On(planeRef(n))
	}
	where = values.ConfigMap.Ev("data["+values.Key+"]", "compatibilityVersion: "+profile)
	if !contains(point.CompatDisables, profile) {
		return analyze.RuleOut(say("the profile %s of this chart does not set the variable", profile), where).On(planeRef(n)).From(basis)
	}
	return analyze.Fire(ofNext(p, say("compatibilityVersion %s wrote ENABLE_NATIVE_SIDECARS=false into %s", profile, planeText(n))),
		append([]ev{where}, settingEvidence(n)...)...).On(planeRef(n)).From(basis).As(causeWeight(p)).
		With(&analyze.Advice{Summary: say("set pilot.env.ENABLE_NATIVE_SIDECARS, which overrides the profile, or drop compatibilityVersion"),
			Steps:    []analyze.Text{say("read what else profile %s holds back before dropping it", profile), say("roll istiod out; the next run gets it, and a run made for that runs the program again")},
			Verify:   []analyze.Text{say("istiod's Deployment no longer has ENABLE_NATIVE_SIDECARS=false")},
			Rollback: []analyze.Text{say("put compatibilityVersion back; pods that exist keep their shape")},
			Avoid:    []analyze.Text{say("editing the variable on the Deployment by hand: the next installation writes it again")}})
}

func valuesMissing(n *analyze.NextDecision) analyze.Missing {
	name := "values"
	if r := orDefault(n.Plane.Revision); r != defaultRevision {
		name += "-" + r
	}
	return analyze.Missing{What: say("the ConfigMap %s, in which the chart keeps the values", name),
		Command: command("kubectl get configmap -n %s %s -o yaml", n.Plane.Namespace, name)}
}

func originalValues(cp *facts.ControlPlane) *facts.HelmValues {
	for i := range cp.Values {
		if v := &cp.Values[i]; v.Key == "original-values" && !strings.Contains(v.Text, redactionMark) {
			return v
		}
	}
	return nil
}

// valueOf reads a top-level scalar of the chart's values, which the chart stores as JSON or YAML; empty when it is not
// there.
func valueOf(text, key string) string {
	_, rest, ok := strings.Cut(text, key)
	if !ok {
		return ""
	}
	rest = strings.TrimLeft(rest, "\": ")
	if end := strings.IndexAny(rest, "\n\r,}"); end >= 0 {
		rest = rest[:end]
	}
	return strings.Trim(rest, "\"' ")
}
