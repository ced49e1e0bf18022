package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// envInWrongPlace: only istiod reads the variable.
func envInWrongPlace() *analyze.Rule {
	return &analyze.Rule{Code: "EnvInWrongPlace", Title: "ENABLE_NATIVE_SIDECARS stands where nothing reads it",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar},
		Run: runEnvInWrongPlace}
}

// proxyConfigAnnotation sets the proxy's configuration for one pod.
const proxyConfigAnnotation = "proxy.istio.io/config"

func runEnvInWrongPlace(p *analyze.Pass) analyze.Outcome {
	if !concernsIstio(p) {
		return analyze.Skip()
	}
	own := envOfWorkload(p)
	var mesh []analyze.Outcome
	for _, m := range facts.Once(p.Cluster, "env-in-mesh-config", envInMeshConfig) {
		mesh = append(mesh, wrongEnv(p, m).On(m.of))
	}
	switch {
	case len(own) > 0:
		return wrongEnv(p, own...).And(mesh...)
	case len(mesh) > 0:
		return mesh[0].And(mesh[1:]...)
	}
	return analyze.RuleOut(say("ENABLE_NATIVE_SIDECARS stood on no container of its pods and in no proxy configuration"))
}

// strayEnv is the variable in a place where nothing reads it.
type strayEnv struct {
	of evidence.Ref
	at []ev
	// value is what was written, where it can be read.
	value string
	// remove says how to take it out again.
	remove analyze.Text
}

func envInMeshConfig(c *facts.Cluster) []strayEnv {
	var out []strayEnv
	for _, cm := range c.Configs() {
		if line, ok := lineWith(cm.Data["mesh"], facts.NativeEnv); ok {
			out = append(out, strayEnv{of: cm.Ref(), at: []ev{cm.Ev("data[mesh]", line)}, value: valueIn(line),
				remove: say("take it out of proxyMetadata in the mesh configuration, where istiod is installed from")})
		}
	}
	return out
}

// wrongEnv weighs it by what it costs: an error only where the same value on istiod would have placed the proxy of this
// workload natively.
func wrongEnv(p *analyze.Pass, wrong ...strayEnv) analyze.Outcome {
	var at []ev
	var remove []analyze.Text
	for _, s := range wrong {
		at = append(at, s.at...)
		if !slices.ContainsFunc(remove, func(t analyze.Text) bool { return t.String() == s.remove.String() }) {
			remove = append(remove, s.remove)
		}
	}
	message := say("ENABLE_NATIVE_SIDECARS was set on %s, where it has no effect: istiod alone reads it, from its own environment", list(objectsOf(at)))
	if !istioJob(p) || p.Next.Emitted == knowledge.Native {
		return analyze.Fire(message, at...).With(&analyze.Advice{Summary: say("remove it: nothing reads it there"), Steps: remove}).As(analyze.Info)
	}
	moved, known := onIstiod(p, wrong)
	switch {
	case known && moved.Placement == knowledge.Native:
		a := nativeAdvice(p)
		a.Steps = append(a.Steps, remove...)
		return analyze.Fire(message, at...).With(a).As(causeWeight(p))
	case known && moved.Emitted != knowledge.Unknown:
		return analyze.Fire(say("%s. On istiod the same value would give this workload %s too (%s)", message, placedAs(moved.Emitted), reasonWords(moved.Reason)), at...).
			With(&analyze.Advice{Summary: say("remove it: nothing reads it there"), Steps: remove}).As(analyze.Info)
	}
	return analyze.Fire(message, at...).As(analyze.Warning).With(&analyze.Advice{
		Summary: say("set it on istiod (Helm value pilot.env.ENABLE_NATIVE_SIDECARS), not on the proxy"),
		Steps:   append(remove, say("decide for the whole control plane, or use the pod annotation where this Istio reads it"))})
}

// onIstiod decides as if the values stood on istiod: the best of them, false where none can be read.
func onIstiod(p *analyze.Pass, wrong []strayEnv) (best knowledge.Decision, known bool) {
	for _, s := range wrong {
		if s.value == "" {
			continue
		}
		in := Inputs(p.Cluster, p.Know, p.Workload, p.Next)
		in.Env = knowledge.Given(s.value, s.at[0].Where())
		if d := p.Know.Decide(in); !known || d.Placement == knowledge.Native {
			best, known = d, true
		}
	}
	return best, known
}

// envOfWorkload finds the variable on the containers and init containers of the pods and of the template that they are
// made from, and in their proxy configuration.
func envOfWorkload(p *analyze.Pass) []strayEnv {
	var out []strayEnv
	add := func(name string, s facts.Setting) {
		if s.Set {
			out = append(out, strayEnv{at: s.From, value: s.Value, remove: removeFrom(p, name)})
		}
	}
	if t, ok := ownerTemplate(p.Workload); ok {
		for _, c := range slices.Concat(t.Spec.InitContainers, t.Spec.Containers) {
			_, path := t.find(c.Name)
			add(c.Name, facts.ReadEnv(t.obj, c.Env, path, facts.NativeEnv))
		}
	}
	for _, pod := range p.Workload.Pods {
		for _, c := range pod.Containers {
			if c.Spec != nil {
				add(c.Name, facts.ReadEnv(&pod.Object, c.Spec.Env, c.Path(""), facts.NativeEnv))
			}
		}
	}
	for _, pl := range placesOf(p.Cluster, p.Workload) {
		if line, ok := lineWith(pl.meta.Annotations.Get(proxyConfigAnnotation), facts.NativeEnv); ok {
			out = append(out, strayEnv{at: []ev{pl.obj.Ev(pl.path+".annotations["+proxyConfigAnnotation+"]", line)}, value: valueIn(line),
				remove: say("take it out of the annotation %s, where the pods get that from", proxyConfigAnnotation)})
		}
	}
	return out
}

// removeFrom says how to take the variable off a container. What the injector wrote is not in the pod template; kubectl set
// env takes init containers by their name like others, and cannot change a stored Job.
func removeFrom(p *analyze.Pass, container string) analyze.Text {
	w := p.Workload
	own := false
	if t, ok := ownerTemplate(w); ok {
		c, _ := t.find(container)
		own = c != nil
	}
	if !own && container == istioProxy {
		return say("on %s it comes from proxyMetadata: take it out of the mesh configuration, a ProxyConfig, or the annotation %s, whichever has it", istioProxy, proxyConfigAnnotation)
	}
	if ref, ofCron := cronRef(w); ofCron {
		return say("take it off container %s: %s", container, command("kubectl set env cronjob/%s -n %s -c %s %s-", ref.Name, ref.Namespace, container, facts.NativeEnv))
	}
	_, owner := annotationPath(p)
	return say("take it off container %s in the manifest of %s, for the next run: what runs is not changed", container, owner)
}

// valueIn reads the value that a line of YAML or JSON gives the variable; "" where it stands elsewhere.
func valueIn(line string) string {
	_, rest, _ := strings.Cut(line, facts.NativeEnv)
	_, rest, found := strings.Cut(rest, ":")
	if !found {
		return ""
	}
	rest, _, _ = strings.Cut(strings.TrimLeft(rest, " "), ",")
	return strings.Trim(strings.TrimRight(rest, " }"), `"'`)
}

// objectsOf names fields for a sentence, without what is repeated.
func objectsOf(list []ev) []string {
	var out []string
	for _, e := range list {
		if s := e.Object + " (" + strings.TrimSuffix(e.Field, ".value") + ")"; !contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// lineWith gives the first line of a text that has a word in it.
func lineWith(text, word string) (string, bool) {
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, word) {
			return strings.TrimSpace(line), true
		}
	}
	return "", false
}
