package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
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
	second := secondProxies(p)
	for i := len(w.Events) - 1; i >= 0; i-- {
		e := w.Events[i]
		m := duplicateName.FindStringSubmatch(e.Text())
		if m == nil || e.Reason != "FailedCreate" || !isProxyName(p, m[1]) {
			continue
		}
		if p.Verdict.Code != PodCreationRejected && len(w.Pods) > 0 {
			return analyze.RuleOut(say("a pod was refused for a second %s, and another was created since", m[1]), evEvent(e))
		}
		return duplicateRefused(p, m[1], second, evEvent(e))
	}
	switch {
	case len(second) == 0:
		return analyze.Skip()
	case len(w.Pods) > 0:
		return analyze.RuleOut(say("pods were created although %s", bringing(second)), placesOfSecond(second)...)
	case len(w.Events) > 0:
		return analyze.RuleOut(say("no refusal of a second container of the proxy's name is among the events, although %s", bringing(second)), placesOfSecond(second)...)
	}
	return analyze.Undecide(say("%s, no pod is in the bundle and no event says why", bringing(second)),
		analyze.Missing{What: say("the events of the %s", w.Ref.Kind), Command: command("kubectl describe job %s -n %s", w.Ref.Name, w.Ref.Namespace)})
}

// isProxyName says that a container of this name is a mesh's proxy, by its name alone.
func isProxyName(p *analyze.Pass, name string) bool {
	m, ok := p.Know.Sidecar(name, "")
	return ok && m.Helper.Mesh
}

// secondProxy is one thing that can bring a proxy beside the injector's own, and what to do with that one.
type secondProxy struct {
	why, mend analyze.Text
	at        evidence.Evidence
}

func bringing(list []secondProxy) analyze.Text {
	var why []analyze.Text
	for _, s := range list {
		why = append(why, s.why)
	}
	return joined(why)
}

func placesOfSecond(list []secondProxy) (at []evidence.Evidence) {
	for _, s := range list {
		at = append(at, s.at)
	}
	return at
}

// secondProxies finds what can bring a second istio-proxy: further injection templates, or one of the pod's own.
func secondProxies(p *analyze.Pass) (list []secondProxy) {
	t, ok := ownerTemplate(p.Workload)
	if !ok {
		return nil
	}
	if v := t.Meta.Annotations.Get(facts.TemplatesAnnotation); strings.Contains(v, ",") {
		list = append(list, secondProxy{why: say("the pod asks for the injection templates %s", v), mend: mendTemplate(p, v),
			at: t.obj.Ev(t.path+".metadata.annotations["+facts.TemplatesAnnotation+"]", v)})
	}
	if _, injected := injectionRecord(p.Workload); injected {
		return list
	}
	if own, ok := ownSecond(p, t); ok {
		list = append(list, own)
	}
	return list
}

// mendTemplate: Istio's own templates that bring an istio-proxy do so under containers, and are not to be rewritten. In
// one of somebody's own the part about istio-proxy is merged with the sidecar template's where both are in one list.
func mendTemplate(p *analyze.Pass, asked string) analyze.Text {
	templates, _ := p.Know.Templates(asked)
	if i := slices.IndexFunc(templates, func(i knowledge.InjectionTemplate) bool { return i.Gives == knowledge.Ordinary }); i >= 0 {
		return say("ask for one of the templates only: %s brings an %s of its own in spec.containers, beside that of the sidecar template", templates[i].Name, istioProxy)
	}
	if ordinaryNext(p) {
		return say("in the additional template: write what it says of %s under spec.containers, where the ordinary one of the sidecar template stands, and not under spec.initContainers; leave the sidecar template as it is", istioProxy)
	}
	return say("in the additional template: write what it says of %s under spec.initContainers, where a native one of the sidecar template stands, and not under spec.containers; leave the sidecar template as it is. If it serves pods with ordinary proxies too, have it choose the list by the expression of $nativeSidecar in the sidecar template", istioProxy)
}

// ownSecond is an istio-proxy that the pod template brings to customise the injector's. The injector moves one in
// containers to its own in initContainers, but decides on that by the exact values alone (RunTemplate), while its template
// takes any other value as true; one in initContainers it never moves.
func ownSecond(p *analyze.Pass, t template) (secondProxy, bool) {
	c, path := t.find(istioProxy)
	if c == nil {
		return secondProxy{}, false
	}
	s := secondProxy{at: t.obj.Ev(path+".name", c.Name)}
	if strings.Contains(path, ".spec.initContainers[") {
		s.why = say("the pod template brings %s of its own in spec.initContainers", istioProxy)
		s.mend = say("in the pod template: write its own %s under spec.containers and not under spec.initContainers; the injector moves it to initContainers itself where it places its own there", istioProxy)
		return s, ordinaryNext(p)
	}
	s.why = say("the pod template brings %s of its own in spec.containers", istioProxy)
	v, at, set := nativeAnnotation(p.Cluster, p.Workload)
	if !set || v == "" || v == "true" || v == "false" || facts.Redacted(v) {
		return s, true
	}
	if r, known := p.Know.ReadAnnotation(Inputs(p.Cluster, p.Know, p.Workload, p.Next)); known && r.Outcome != knowledge.Native {
		return s, true
	}
	s.why, s.at = say("%s, and %s is %q: that makes the injector's own native and leaves the pod's where it is", s.why, facts.NativeAnnotation, v), at
	s.mend = say("write %s: \"true\" in the pod template, exactly so: the injector then moves the pod's own %s to its own in spec.initContainers and makes one of the two. Leave the pod's own under spec.containers", facts.NativeAnnotation, istioProxy)
	return s, true
}

// ordinaryNext says that the injector's own proxy is one of the ordinary containers.
func ordinaryNext(p *analyze.Pass) bool {
	return p.Next.Emitted == knowledge.Ordinary && p.Next.Reason != knowledge.ReasonInManifest
}

func duplicateRefused(p *analyze.Pass, name string, second []secondProxy, refusal evidence.Evidence) analyze.Outcome {
	if name != istioProxy {
		second = nil
	}
	message := say("the API server refused the pod because container %s was in it twice, once in each list", name)
	if len(second) > 0 {
		message = say("%s; %s", message, bringing(second))
	}
	because := append([]evidence.Evidence{refusal}, placesOfSecond(second)...)
	if n := p.Next; n != nil && n.Plane != nil {
		because = append(because, n.Plane.Env.From...)
	}
	a := &analyze.Advice{
		Summary: say("have one %s in the pod: keep the injector's own where the injector puts it, and change what brings the other", name),
		Verify:  []analyze.Text{say("the Job gets a pod, with %s once", name)},
		Avoid:   []analyze.Text{say("looking for a webhook that drops restartPolicy: this refusal is about the name")},
	}
	for _, s := range second {
		if !s.mend.IsZero() {
			a.Steps = append(a.Steps, s.mend)
		}
	}
	if name == istioProxy && !ordinaryNext(p) {
		a.Steps = append(a.Steps, say("or set %s: \"false\" in the pod template, exactly so and where this Istio reads it: the injector's own is an ordinary container then, is merged with the other in spec.containers, and holds the Job", facts.NativeAnnotation))
	}
	o := analyze.Fire(message, because...).With(a)
	if !slices.ContainsFunc(second, func(s secondProxy) bool { return !s.mend.IsZero() }) {
		o = o.Lacking(analyze.Missing{What: say("the injector's templates, one of which brings the second %s", name),
			Command: "kubectl get configmap -n istio-system -l istio.io/rev -o yaml"})
	}
	return o
}
