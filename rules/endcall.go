package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// endCall is what is known of the call that ends a container from within its pod. Every place that offers such a call, or
// judges one that somebody made, asks callOf: a call that nothing answers is no way out.
type endCall struct {
	// can: Yes where it is known to end the container with exit code 0, Maybe where the pod does not tell, No where none can.
	can version.Answer
	// port is where the agent or Envoy of Istio answers, "" for others.
	port string
	// why says why none can; because is where that was read.
	why     analyze.Text
	because []evidence.Evidence
}

const agentEndsWithEnvoy, agentQuits = "agent-exits-with-envoy", "quit-endpoint"

// envoyPort is that of Envoy's own interface, agentPort that of Istio's agent unless the pod sets another.
const envoyPort, agentPort = "15000", "15020"

// callOf says which call ends a container, by its product, its release and what its pod sets.
func callOf(k *knowledge.Base, c *facts.Container) endCall {
	if isIstioProxy(c) {
		return istioCall(k, c)
	}
	h, known := entryOf(k, c)
	switch {
	case !known || h.Stop == "":
		return endCall{can: version.No, why: say("it is not in the catalogue of known sidecars: see whether its product has one")}
	case h.HasNoStop():
		return endCall{can: version.No, why: say("%s: %s", h.Product, h.Stop)}
	case h.EndedByOthers():
		return endCall{can: version.No, why: say("%s: %s", h.Product, h.Stop)}
	}
	if off, because := switchedOff(c, h); off {
		return endCall{can: version.No, because: because,
			why: say("its quit call is answered only if %s switches it on, and the pod has none of that", listOr(h.CallNeeds.Words()))}
	}
	return endCall{can: version.Maybe}
}

// istioCall: Envoy's interface is there in every release, and since one of them the agent ends with Envoy; before that the
// agent has a call of its own, which the pod can switch off.
func istioCall(k *knowledge.Base, c *facts.Container) endCall {
	v, alone := version.FromImage(c.Image()), withoutEnvoy(k, c)
	if follows, _ := k.Has(agentEndsWithEnvoy, v); follows != version.No && !otherAdminPort(c) && !alone {
		return endCall{can: follows, port: envoyPort}
	}
	if quits, _ := k.Has(agentQuits, v); quits == version.No {
		return endCall{can: version.No, because: []evidence.Evidence{c.EvImage()},
			why: say("before Istio %s the agent has no such call, and it runs on when Envoy ends", featureSince(k, agentQuits))}
	}
	port, at := statusPort(c)
	switch {
	case port == "0" && alone:
		return endCall{can: version.No, because: at, why: say("the status port is 0 here, which leaves the agent's endpoints out, and it runs without Envoy")}
	case port == "0":
		return endCall{can: version.No, because: at,
			why: say("the status port is 0 here, which leaves the agent's endpoints out, and before Istio %s the agent runs on when Envoy ends", featureSince(k, agentEndsWithEnvoy))}
	}
	return endCall{can: version.Yes, port: port, because: at}
}

// withoutEnvoy says that the agent runs alone, as the template for proxyless gRPC has it: there is no Envoy to ask.
func withoutEnvoy(k *knowledge.Base, c *facts.Container) bool {
	if c.Spec != nil {
		for _, e := range c.Spec.Env {
			if e.Name == "DISABLE_ENVOY" {
				return e.Value == "true"
			}
		}
	}
	return asksForAgent(k, c.Pod.Meta.Annotations.Get(facts.TemplatesAnnotation))
}

// asksForAgent says that an annotation names the template of the agent for proxyless gRPC.
func asksForAgent(k *knowledge.Base, asked string) bool {
	templates, _ := k.Templates(asked)
	return slices.ContainsFunc(templates, func(t knowledge.InjectionTemplate) bool { return t.Proxyless && t.Gives == knowledge.Ordinary })
}

// statusPortAnnotation sets the port of the agent's own endpoints; "0" leaves them out.
const statusPortAnnotation = "status.sidecar.istio.io/port"

// statusPort gives the port of the agent's endpoints, with what sets it where that is not the default: the annotation,
// else the agent's flag or its configuration, which the injector writes from the settings of the mesh.
func statusPort(c *facts.Container) (string, []evidence.Evidence) {
	if v, ok := c.Pod.Meta.Annotations.Lookup(statusPortAnnotation); ok && digits(v) {
		return v, []evidence.Evidence{c.Pod.Ev("metadata.annotations["+statusPortAnnotation+"]", v)}
	}
	if c.Spec == nil {
		return agentPort, nil
	}
	const flag = "--statusPort"
	for i, a := range c.Spec.Args {
		v, ok := strings.CutPrefix(a, flag+"=")
		if a == flag && i+1 < len(c.Spec.Args) {
			v, ok = c.Spec.Args[i+1], true
		}
		if ok && digits(v) {
			return v, []evidence.Evidence{c.Pod.Ev(c.Path("args"), flag+" "+v)}
		}
	}
	for _, e := range c.Spec.Env {
		if n := proxyConfig(e).StatusPort; n != nil {
			return n.String(), []evidence.Evidence{c.Pod.Ev(c.Path("env[name="+e.Name+"].value"), "statusPort: "+n.String())}
		}
	}
	return agentPort, nil
}

// ports are those that the proxy's configuration sets.
type ports struct {
	StatusPort *json.Number `json:"statusPort"`
	AdminPort  *json.Number `json:"proxyAdminPort"`
}

// proxyConfig reads the variable in which the injector writes the merged configuration; of any other it has nothing.
func proxyConfig(e kube.EnvVar) ports {
	var p ports
	if e.Name != "PROXY_CONFIG" || json.Unmarshal([]byte(e.Value), &p) != nil {
		return ports{}
	}
	return p
}

// otherAdminPort says that Envoy's own interface is not where pilot-agent request looks for it, which asks no other port of Envoy's.
func otherAdminPort(c *facts.Container) bool {
	return c.Spec != nil && slices.ContainsFunc(c.Spec.Env, func(e kube.EnvVar) bool {
		n := proxyConfig(e).AdminPort
		return n != nil && n.String() != envoyPort
	})
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// noShell says that an image is one without shell and curl, so that nothing but its own program can be run in it.
func noShell(c *facts.Container) bool { return strings.Contains(c.Image(), "distroless") }

// switchedOff says that a quit call has to be switched on and the pod, as far as it is shown, does not do so.
func switchedOff(c *facts.Container, h knowledge.Helper) (bool, []evidence.Evidence) {
	return notSet(c, h.CallNeeds)
}

// notSet says that a pod, as far as it is shown, sets nothing of a switch. Masked
// arguments and annotations, and a spec that the bundle lacks, prove nothing.
func notSet(c *facts.Container, need knowledge.Switch) (bool, []evidence.Evidence) {
	if need.None() || c.Spec == nil || c.Pod.Origin.Truncated || len(need.Annotations) > 0 && len(c.Pod.Meta.Annotations) == 0 {
		return false, nil
	}
	words := append(slices.Clone(c.Spec.Command), c.Spec.Args...)
	for _, w := range words {
		if redacted(w) || slices.ContainsFunc(need.Flags, func(f string) bool {
			return w == f || strings.HasPrefix(w, f+"=") || strings.Contains(w, f+" ") || strings.HasSuffix(w, " "+f)
		}) {
			return false, nil
		}
	}
	for _, e := range c.Spec.Env {
		if slices.Contains(need.Env, e.Name) {
			return false, nil
		}
	}
	for _, a := range c.Pod.Meta.Annotations {
		if slices.Contains(need.Annotations, a.Key) || len(need.Annotations) > 0 && redacted(a.Value) {
			return false, nil
		}
	}
	var because []evidence.Evidence
	if len(need.Flags) > 0 {
		because = append(because, c.Pod.Ev(c.Path("args"), strings.Join(words, " ")))
	}
	for _, a := range need.Annotations {
		because = append(because, c.Pod.EvAbsent("metadata.annotations["+a+"]"))
	}
	return true, because
}
