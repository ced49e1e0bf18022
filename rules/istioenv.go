package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// nativeDisabledByEnv and nativeForcedByEnv: istiod's variable decides, and the annotation does not override it.
func nativeDisabledByEnv() *analyze.Rule {
	return &analyze.Rule{Code: "NativeDisabledByEnv", Title: "istiod's environment turns native sidecars off",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: envRule(knowledge.ReasonEnvFalse, "%s has ENABLE_NATIVE_SIDECARS=%s: the proxy is an ordinary container", true)}
}

func nativeForcedByEnv() *analyze.Rule {
	return &analyze.Rule{Code: "NativeForcedByEnv", Title: "istiod's environment forces native sidecars",
		Severity: analyze.Info, Scope: analyze.PerWorkload, Explains: []analyze.Code{NodeRejectedSidecar, PodCreationRejected},
		Run: envRule(knowledge.ReasonEnvTrue, "%s has ENABLE_NATIVE_SIDECARS=%s: the proxy is native whatever the nodes can run", false)}
}

// envRule fires when the decision rests on istiod's variable with a given reason.
func envRule(reason, message string, weighed bool) func(*analyze.Pass) analyze.Outcome {
	return func(p *analyze.Pass) analyze.Outcome {
		n := p.Next
		if !istioJob(p) || n.Plane == nil {
			return analyze.Skip()
		}
		if n.Reason == reason {
			o := analyze.Fire(say(message, planeText(n), n.Plane.Env.Value), n.Plane.Env.From...).On(planeRef(n)).From(n.Basis)
			if weighed {
				o = o.As(weight(p)).With(nativeAdvice(p))
			}
			return o
		}
		if !n.Plane.Env.Known && n.Placement == knowledge.Unknown {
			return analyze.Undecide(say("ENABLE_NATIVE_SIDECARS of %s can not be read: %s", planeText(n), n.Plane.Env.Why), undecided(n)...).On(planeRef(n))
		}
		return analyze.RuleOut(say("istiod's variable is not what decides here (%s)", n.Reason), n.Plane.Env.From...).On(planeRef(n))
	}
}

// envValueNotUnderstood: the eras read the value differently, and none accepts what people think it accepts.
func envValueNotUnderstood() *analyze.Rule {
	return &analyze.Rule{Code: "EnvValueNotUnderstood", Title: "ENABLE_NATIVE_SIDECARS has a value that this Istio does not take as meant",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runEnvValueNotUnderstood}
}

func runEnvValueNotUnderstood(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if !istioJob(p) || n.Plane == nil || !n.Plane.Env.Set {
		return analyze.Skip()
	}
	if !n.Plane.Env.Known {
		return analyze.Undecide(say("ENABLE_NATIVE_SIDECARS of %s can not be read: %s", planeText(n), n.Plane.Env.Why), planeMissing(n)).On(planeRef(n))
	}
	r, ok := p.Know.ReadEnv(Inputs(p.Cluster, p.Know, p.Workload, n))
	if !ok {
		return analyze.Undecide(say("what %s makes of ENABLE_NATIVE_SIDECARS=%q depends on its version", planeText(n), n.Plane.Env.Value), planeMissing(n)).On(planeRef(n))
	}
	if r.Outcome == "not-read" || r.AsMeant && (r.Listed || r.Meant != "") {
		return analyze.RuleOut(say("%s takes ENABLE_NATIVE_SIDECARS=%q as it is meant", planeText(n), n.Plane.Env.Value), n.Plane.Env.From...).On(planeRef(n))
	}
	return analyze.Fire(say("%s does not understand ENABLE_NATIVE_SIDECARS=%q as it is meant: it takes it as %s", planeText(n), n.Plane.Env.Value, r.Outcome),
		append(append([]ev{}, n.Plane.Env.From...), n.Plane.Version.From...)...).On(planeRef(n)).From(n.Basis).As(weight(p)).
		With(&analyze.Advice{Summary: say("set ENABLE_NATIVE_SIDECARS of istiod to exactly \"true\" (lower case), or remove it"),
			Steps: []analyze.Text{say("change it where istiod is installed from (Helm values, IstioOperator), not by hand on the Deployment"),
				say("wait for istiod to roll out, then start a new run")}})
}

// envInWrongPlace: only istiod reads the variable.
func envInWrongPlace() *analyze.Rule {
	return &analyze.Rule{Code: "EnvInWrongPlace", Title: "ENABLE_NATIVE_SIDECARS stands where nothing reads it",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runEnvInWrongPlace}
}

func runEnvInWrongPlace(p *analyze.Pass) analyze.Outcome {
	if !istioJob(p) {
		return analyze.Skip()
	}
	var wrong []ev
	for _, pod := range p.Workload.Pods {
		for _, c := range pod.Containers {
			if c.Spec == nil {
				continue
			}
			if s := facts.ReadEnv(&pod.Object, c.Spec.Env, c.Path(""), facts.NativeEnv); s.Set {
				wrong = append(wrong, s.From...)
			}
		}
	}
	for _, pl := range placesOf(p.Cluster, p.Workload) {
		if v := pl.meta.Annotations["proxy.istio.io/config"]; strings.Contains(v, facts.NativeEnv) {
			wrong = append(wrong, pl.annotation("proxy.istio.io/config"))
		}
	}
	if mesh := meshConfig(p); len(mesh) > 0 {
		wrong = append(wrong, mesh...)
	}
	if len(wrong) == 0 {
		return analyze.RuleOut(say("ENABLE_NATIVE_SIDECARS is on no container of its pods and in no proxy configuration"))
	}
	return analyze.Fire(say("ENABLE_NATIVE_SIDECARS is set on %s, where it has no effect: istiod alone reads it, from its own environment",
		list(objectsOf(wrong))), wrong...).
		With(&analyze.Advice{Summary: say("set it on istiod (Helm value pilot.env.ENABLE_NATIVE_SIDECARS), not on the proxy"),
			Steps: []analyze.Text{say("remove it from the workload and from proxyMetadata"), say("decide for the whole control plane, or use the pod annotation where this Istio reads it")}})
}

// meshConfig finds the variable in the mesh's own configuration.
func meshConfig(p *analyze.Pass) []ev {
	var out []ev
	for _, cm := range p.Cluster.Configs() {
		if v := cm.Data["mesh"]; strings.Contains(v, facts.NativeEnv) {
			out = append(out, cm.Ev("data[mesh]", facts.NativeEnv))
		}
	}
	return out
}

// compatibilityProfileDisables: a Helm compatibilityVersion wrote the variable, and nobody remembers setting it.
func compatibilityProfileDisables() *analyze.Rule {
	return &analyze.Rule{Code: "CompatibilityProfileDisables", Title: "A compatibility profile turned native sidecars off",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runCompatibilityProfileDisables}
}

func runCompatibilityProfileDisables(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if !istioJob(p) || n.Plane == nil || n.Reason != knowledge.ReasonEnvFalse {
		return analyze.Skip()
	}
	point, ok, basis := p.Know.Istio(n.Plane.Version.V)
	if !ok || len(point.CompatDisables) == 0 {
		return analyze.RuleOut(say("%s has no compatibility profile that sets the variable", planeText(n)), n.Plane.Env.From...).On(planeRef(n))
	}
	values := originalValues(n.Plane)
	if values == nil {
		return analyze.Undecide(say("ENABLE_NATIVE_SIDECARS=%s may have been set by hand or by compatibilityVersion %s: the chart's values tell",
			n.Plane.Env.Value, list(point.CompatDisables)), analyze.Missing{What: say("the ConfigMap values of the istiod namespace"),
			Command: "kubectl get configmap -n " + n.Plane.Namespace + " values -o yaml"}).On(planeRef(n)).From(basis)
	}
	profile := valueOf(values.Text, "compatibilityVersion")
	where := values.ConfigMap.Ev("data["+values.Key+"]", "compatibilityVersion: "+profile)
	if !contains(point.CompatDisables, profile) || strings.Contains(values.Text, facts.NativeEnv) {
		return analyze.RuleOut(say("the values of the chart do not make a compatibility profile set it"), where).On(planeRef(n))
	}
	return analyze.Fire(say("compatibilityVersion %s of the chart wrote ENABLE_NATIVE_SIDECARS=false into %s", profile, planeText(n)),
		append([]ev{where}, n.Plane.Env.From...)...).On(planeRef(n)).From(basis).As(weight(p)).
		With(&analyze.Advice{Summary: say("drop compatibilityVersion, or set pilot.env.ENABLE_NATIVE_SIDECARS, which overrides the profile"),
			Steps: []analyze.Text{say("read what else the profile %s holds back before dropping it", profile), say("roll istiod out, then start a new run")}})
}

func originalValues(cp *facts.ControlPlane) *facts.HelmValues {
	for i := range cp.Values {
		if cp.Values[i].Key == "original-values" {
			return &cp.Values[i]
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
