package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// nativeDisabledByEnv and nativeForcedByEnv: istiod's variable decides, for every pod whose annotation does not.
func nativeDisabledByEnv() *analyze.Rule {
	return &analyze.Rule{Code: "NativeDisabledByEnv", Title: "istiod's environment turns native sidecars off",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: eachPlane(runNativeDisabledByEnv)}
}

func runNativeDisabledByEnv(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if n.Plane == nil {
		return analyze.Skip()
	}
	if n.Reason == knowledge.ReasonEnvFalse || meantOff(p) {
		return analyze.Fire(ofNext(p, say("%s had ENABLE_NATIVE_SIDECARS=%s, which makes the proxy an ordinary container", planeText(n), n.Plane.Env.Value)), settingEvidence(n)...).
			On(planeRef(n)).From(n.Basis).With(nativeAdvice(p)).As(causeWeight(p))
	}
	return envElse(p)
}

// meantOff says that a value that the release does not know counts as off and was meant so: False, 0, no.
func meantOff(p *analyze.Pass) bool {
	if p.Next.Reason != knowledge.ReasonEnvNotUnderstood {
		return false
	}
	r, ok := p.Know.ReadEnv(Inputs(p.Cluster, p.Know, p.Workload, p.Next))
	return ok && r.Meant == "false"
}

func nativeForcedByEnv() *analyze.Rule {
	return &analyze.Rule{Code: "NativeForcedByEnv", Title: "istiod's environment forces native sidecars",
		Severity: analyze.Info, Scope: analyze.PerWorkload, Explains: []analyze.Code{NodeRejectedSidecar, PodCreationRejected, SidecarBlocksInit},
		Run: eachPlane(runNativeForcedByEnv)}
}

func runNativeForcedByEnv(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if n.Plane == nil {
		return analyze.Skip()
	}
	if n.Reason != knowledge.ReasonEnvTrue {
		return envElse(p)
	}
	if n.Placement == knowledge.Broken || len(n.Risky) > 0 {
		o := beyondNodes(p, say("ENABLE_NATIVE_SIDECARS=%s of %s", n.Plane.Env.Value, planeText(n)), settingEvidence(n)...).On(planeRef(n))
		if n.Placement == knowledge.Broken {
			return o.As(analyze.Error)
		}
		return o
	}
	return analyze.Fire(say("%s had ENABLE_NATIVE_SIDECARS=%s, which makes the proxy native whatever the nodes can run", planeText(n), n.Plane.Env.Value), settingEvidence(n)...).
		On(planeRef(n)).From(n.Basis)
}

func settingEvidence(n *analyze.NextDecision) []ev {
	return append(append([]ev{}, n.Plane.Env.From...), n.Plane.Version.From...)
}

// envElse answers where the variable is not the reason: it cannot be read, or something else decides.
func envElse(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if !n.Plane.Env.Known && n.Reason == knowledge.ReasonUnknownEnv {
		return analyze.Undecide(say("ENABLE_NATIVE_SIDECARS of %s decides and cannot be read: %s", planeText(n), orNone(n.Plane.Env.Why)), envMissing(n)).On(planeRef(n))
	}
	return analyze.RuleOut(say("istiod's variable was not what decided: %s", reasonWords(n.Reason)), n.Plane.Env.From...).On(planeRef(n))
}

// envMissing names what tells the variable of an istiod that is in the bundle.
func envMissing(n *analyze.NextDecision) analyze.Missing {
	switch src := n.Plane.Env.Source; src.Kind {
	case "ConfigMap":
		return analyze.Missing{What: say("%s, from which istiod may take the variable", src), Command: command("kubectl get configmap %s -n %s -o yaml", src.Name, src.Namespace)}
	case "Secret": // that one value, and nothing else that is secret
		return analyze.Missing{What: say("%s of %s, from which istiod may take it", n.Plane.Env.Key, src),
			Command: command("kubectl get secret %s -n %s -o jsonpath={.data.%s}", src.Name, src.Namespace, n.Plane.Env.Key)}
	}
	return analyze.Missing{What: say("the environment of the running istiod, and the object that it is taken from"),
		Command: command("kubectl get deployment,pod,configmap -n %s -o yaml", n.Plane.Namespace)}
}

// envValueNotUnderstood: the eras read the value differently, and none accepts what people think it accepts.
func envValueNotUnderstood() *analyze.Rule {
	return &analyze.Rule{Code: "EnvValueNotUnderstood", Title: "ENABLE_NATIVE_SIDECARS has a value that this Istio does not take as meant",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: eachPlane(runEnvValueNotUnderstood)}
}

func runEnvValueNotUnderstood(p *analyze.Pass) analyze.Outcome {
	n := p.Next
	if n.Plane == nil {
		return analyze.Skip()
	}
	e := n.Plane.Env
	switch {
	case !e.Known && (e.Set || len(e.From) > 0):
		return analyze.Undecide(say("ENABLE_NATIVE_SIDECARS of %s cannot be read: %s", planeText(n), orNone(e.Why)), envMissing(n)).On(planeRef(n))
	case !e.Known:
		return analyze.Skip()
	case !e.Set:
		return analyze.RuleOut(say("ENABLE_NATIVE_SIDECARS of %s was not set", planeText(n)), e.From...).On(planeRef(n))
	}
	r, ok := p.Know.ReadEnv(Inputs(p.Cluster, p.Know, p.Workload, n))
	switch {
	case !ok:
		return analyze.Undecide(say("what %s makes of ENABLE_NATIVE_SIDECARS=%q depends on its release", planeText(n), e.Value), releaseMissing(n)).On(planeRef(n))
	case r.Outcome == "not-read":
		return analyze.RuleOut(say("%s does not read ENABLE_NATIVE_SIDECARS at all", planeText(n)), settingEvidence(n)...).On(planeRef(n))
	case r.AsMeant && (r.Listed || r.Meant != ""):
		return analyze.RuleOut(say("%s takes ENABLE_NATIVE_SIDECARS=%q as it is meant", planeText(n), e.Value), e.From...).On(planeRef(n))
	}
	a := nativeAdvice(p)
	a.Steps = append([]analyze.Text{say("write ENABLE_NATIVE_SIDECARS of istiod as exactly \"true\", in lower case, where istiod is installed from (Helm values, IstioOperator), not by hand on the Deployment"),
		say("wait for istiod to roll out: it reads the variable when it starts")}, a.Steps...)
	o := analyze.Fire(ofNext(p, say("%s had ENABLE_NATIVE_SIDECARS=%q, which %s does not take as it was meant: it counts as %s", planeText(n), e.Value, envReader(p), envOutcome(r))),
		settingEvidence(n)...).On(planeRef(n)).From(n.Basis).With(a)
	if n.Reason != knowledge.ReasonEnvNotUnderstood {
		return o.As(analyze.Warning) // something else decides for this workload
	}
	return o.As(causeWeight(p))
}

// envReader says what gives a value its meaning: the release, or the template of another one.
func envReader(p *analyze.Pass) analyze.Text {
	cp := p.Next.Plane
	if t := cp.Template; t != nil && t.Readable {
		if point, ok, _ := p.Know.Istio(cp.Version.V); ok && point.Era != p.Know.DetectEra(t.Text) {
			return say("the injector's template, which is of another release,")
		}
	}
	return say("this release")
}

// envOutcome says what a value comes to.
func envOutcome(r knowledge.Reading) analyze.Text {
	switch r.Outcome {
	case knowledge.Ordinary:
		return say("off, which makes the proxy an ordinary container")
	case knowledge.Native:
		return say("on, which makes the proxy a native sidecar")
	case "unset":
		return say("not set, which leaves native sidecars off in this release")
	}
	return say("%s", r.Outcome)
}
