package rules

import (
	"regexp"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// duplicateProxy: a template or a pod that brings its own istio-proxy under containers is merged with the injector's
// under initContainers, and names must be unique over both lists (ValidatePodSpec).
func duplicateProxy() *analyze.Rule {
	return &analyze.Rule{Code: "DuplicateProxy", Title: "istio-proxy is asked for in both lists of containers",
		Severity: analyze.Error, Scope: analyze.PerWorkload, Explains: []analyze.Code{PodCreationRejected},
		Run: runDuplicateProxy}
}

// duplicateName is the API server's refusal of a second container of a name; volumes, ports and variables have other
// paths.
var duplicateName = regexp.MustCompile(`(?:initContainers|containers)\[\d+\]\.name: Duplicate value: "([^"]+)"`)

func runDuplicateProxy(p *analyze.Pass) analyze.Outcome {
	w := p.Workload
	custom, at := customTemplates(p)
	for i := len(w.Events) - 1; i >= 0; i-- {
		e := w.Events[i]
		m := duplicateName.FindStringSubmatch(e.Text())
		if m == nil || e.Reason != "FailedCreate" || !isProxyName(p, m[1]) {
			continue
		}
		if p.Verdict.Code != PodCreationRejected && len(w.Pods) > 0 {
			return analyze.RuleOut(say("a pod was refused for a second %s, and another was created since", m[1]), evEvent(e))
		}
		return duplicateRefused(p, m[1], custom, append([]evidence.Evidence{evEvent(e)}, at...))
	}
	switch {
	case len(custom) == 0:
		return analyze.Skip()
	case len(w.Pods) > 0:
		return analyze.RuleOut(say("pods were created although %s", joined(custom)), at...)
	case len(w.Events) > 0:
		return analyze.RuleOut(say("no refusal of a second container of the proxy's name is among the events, although %s", joined(custom)), at...)
	}
	return analyze.Undecide(say("%s, no pod is in the bundle and no event says why", joined(custom)),
		analyze.Missing{What: say("the events of the %s", w.Ref.Kind), Command: command("kubectl describe job %s -n %s", w.Ref.Name, w.Ref.Namespace)})
}

// isProxyName says that a container of this name is a mesh's proxy, by its name alone.
func isProxyName(p *analyze.Pass, name string) bool {
	m, ok := p.Know.Sidecar(name, "")
	return ok && m.Helper.Mesh
}

// customTemplates finds what can bring a second proxy: further injection templates, or a proxy of the pod's own.
func customTemplates(p *analyze.Pass) (why []analyze.Text, at []evidence.Evidence) {
	t, ok := ownerTemplate(p.Workload)
	if !ok {
		return nil, nil
	}
	if v := t.Meta.Annotations.Get(facts.TemplatesAnnotation); strings.Contains(v, ",") {
		why = append(why, say("the pod asks for the injection templates %s", v))
		at = append(at, t.obj.Ev(t.path+".metadata.annotations["+facts.TemplatesAnnotation+"]", v))
	}
	for _, c := range t.Spec.Containers {
		if _, injected := injectionRecord(p.Workload); c.Name == istioProxy && !injected {
			why = append(why, say("the template brings a container %s of its own", istioProxy))
			at = append(at, t.obj.Ev(t.path+".spec.containers[name="+c.Name+"].name", c.Name))
		}
	}
	return why, at
}

func duplicateRefused(p *analyze.Pass, name string, custom []analyze.Text, because []evidence.Evidence) analyze.Outcome {
	message := say("the API server refused the pod because container %s was in it twice, once in each list", name)
	if len(custom) > 0 {
		message = say("%s; %s", message, joined(custom))
	}
	if n := p.Next; n != nil && n.Plane != nil {
		because = append(because, n.Plane.Env.From...)
	}
	o := analyze.Fire(message, because...).With(&analyze.Advice{
		Summary: say("write the additional template, or the pod's own %s, for initContainers as well, or keep this pod's proxy ordinary", name),
		Steps: []analyze.Text{
			say("in the additional template: move what concerns %s from spec.containers to spec.initContainers where the proxy is native", name),
			say("or on the pod template of this workload: %s: \"false\", where this Istio reads it; the proxy is then ordinary and holds the Job", facts.NativeAnnotation)},
		Verify: []analyze.Text{say("the Job gets a pod, with %s once", name)},
		Avoid:  []analyze.Text{say("looking for a webhook that drops restartPolicy: this refusal is about the name")},
	})
	if len(custom) == 0 {
		o = o.Lacking(analyze.Missing{What: say("the injector's templates, one of which brings the second %s", name),
			Command: "kubectl get configmap -n istio-system -l istio.io/rev -o yaml"})
	}
	return o
}
