package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// imprint is what a proxy tells of the istiod that injected it, when it did.
type imprint struct {
	pod *facts.Pod
	// version is that of the proxy's image, which normally is istiod's; unknown for a digest, or an image set apart.
	version version.Version
	// since and until bound the template's release by the marks that it left; "" where they tell nothing.
	since, until string
	// era is the template's, where version or marks leave only one; "" otherwise.
	era  string
	from []evidence.Evidence
}

// proxyImageAnnotation sets the proxy's image apart from istiod's version.
const proxyImageAnnotation = "sidecar.istio.io/proxyImage"

// imprintOf reads the newest pod with a proxy; false when there is none, or it tells nothing.
func imprintOf(k *knowledge.Base, w *facts.Workload) (imprint, bool) {
	if w == nil {
		return imprint{}, false
	}
	var withProxy []*facts.Pod
	for _, p := range w.Pods {
		if proxyOf(p) != nil {
			withProxy = append(withProxy, p)
		}
	}
	p := newest(withProxy)
	if p == nil {
		return imprint{}, false
	}
	return imprintOfPod(k, p, proxyOf(p))
}

func imprintOfPod(k *knowledge.Base, p *facts.Pod, proxy *facts.Container) (imprint, bool) {
	im := imprint{pod: p}
	if !p.Meta.Annotations.Has(proxyImageAnnotation) {
		im.version = version.FromImage(proxy.Image())
	}
	if point, ok, _ := k.Istio(im.version); ok {
		im.era, im.from = point.Era, []evidence.Evidence{proxy.EvImage()}
		return im, true
	}
	im.version = version.Version{}
	marks, from := marksOf(p, proxy)
	r, ok := k.NarrowIstio(marks)
	if !ok {
		return im, false
	}
	im.since, im.until, im.from = r.Since, r.Until, from
	im.era = eraBetween(k, r)
	return im, true
}

// eraBetween gives the template era of a range of releases when it lies in one.
func eraBetween(k *knowledge.Base, r knowledge.Range) string {
	oldest, newest := version.Parse(r.Since), version.Parse(r.Until)
	if !oldest.Known() {
		return ""
	}
	if newest.Known() {
		newest.Minor, newest.Precision, newest.Pre = max(0, newest.Minor-1), 2, "" // releases below the bound
	} else {
		newest = version.Version{Major: oldest.Major, Minor: oldest.Minor + farAhead, Precision: 2}
	}
	a, okA, _ := k.Istio(oldest)
	b, okB, _ := k.Istio(newest)
	if !okA || !okB || a.Era != b.Era {
		return ""
	}
	return a.Era
}

// farAhead is a number of minor releases that reaches beyond every known change.
const farAhead = 1000

// marksOf lists the ids of the fingerprints (rules/data/istio.yaml) that a proxy bears, with the places.
func marksOf(p *facts.Pod, proxy *facts.Container) (ids []string, from []evidence.Evidence) {
	see := func(is bool, id string, e evidence.Evidence) {
		if is {
			ids, from = append(ids, id), append(from, e)
		}
	}
	revision := "metadata.annotations[" + facts.RevisionLabel + "]"
	see(p.Meta.Annotations.Has(facts.RevisionLabel), "rev-annotation", p.Ev(revision, p.Meta.Annotations.Get(facts.RevisionLabel)))
	if p.Described() {
		return ids, from // describe leaves out what the other marks are
	}
	in := p.Injection
	see(in != nil && !p.Meta.Annotations.Has(facts.RevisionLabel), "status-without-rev-annotation", p.EvAbsent(revision))
	status := p.Ev("metadata.annotations["+facts.StatusAnnotation+"]", p.Meta.Annotations.Get(facts.StatusAnnotation))
	see(in != nil && contains(in.Volumes, "istio-ca-crl"), "volume-ca-crl", status)
	see(in != nil && contains(in.Init, istioProxy), "native-placement", status)
	if c := p.Container("enable-core-dump"); c != nil {
		see(true, "enable-core-dump", p.Ev(c.Path("name"), c.Name))
	}
	if proxy.Spec == nil {
		return ids, from
	}
	env := func(name string) bool {
		return slices.ContainsFunc(proxy.Spec.Env, func(e kube.EnvVar) bool { return e.Name == name })
	}
	at := func(name string) evidence.Evidence { return p.Ev(proxy.Path("env[name="+name+"]"), "set") }
	see(env("GOMEMLIMIT"), "env-gomemlimit", at("GOMEMLIMIT"))
	see(env("GOMAXPROCS"), "env-gomaxprocs", at("GOMAXPROCS"))
	see(env("GOMEMLIMIT") && !env("GOMAXPROCS"), "env-gomemlimit-without-gomaxprocs", p.EvAbsent(proxy.Path("env[name=GOMAXPROCS]")))
	see(env("JWT_POLICY"), "env-jwt-policy", at("JWT_POLICY"))
	see(env("OTEL_RESOURCE_ATTRIBUTES"), "env-otel-resource-attributes", at("OTEL_RESOURCE_ATTRIBUTES"))
	ready := proxy.Spec.ReadinessProbe
	see(proxy.Placement == facts.Ordinary && proxy.Spec.StartupProbe != nil && ready != nil && ready.PeriodSeconds == 15,
		"ordinary-with-startup-probe", p.Ev(proxy.Path("startupProbe"), "set"))
	see(proxy.Placement == facts.Native && proxy.Spec.Lifecycle != nil && proxy.Spec.Lifecycle.PreStop != nil,
		"native-with-prestop-drain", p.Ev(proxy.Path("lifecycle.preStop"), "set"))
	return ids, from
}

// placementOf says where a proxy stands in the words of the decision; "" among the one-shot init containers.
func placementOf(proxy *facts.Container) string {
	switch proxy.Placement {
	case facts.Native:
		return knowledge.Native
	case facts.Ordinary:
		return knowledge.Ordinary
	}
	return ""
}

// thenOf gives the inputs of a pod's own injection, as far as the pod tells them.
func thenOf(p *facts.Pod, im imprint) knowledge.Inputs {
	return knowledge.Inputs{Istio: im.version, Template: p.Meta.Annotations.Get(facts.TemplatesAnnotation),
		Annotation: annotationSetting(place{&p.Object, "metadata", &p.Meta, true})}
}

// text names the releases that an imprint leaves.
func (im imprint) text() analyze.Text {
	switch {
	case im.version.Known():
		return say("istiod was %s when pod %s was made, by the tag of its proxy", im.version.Raw, im.pod.Meta.Name)
	case im.since != "" && im.until != "":
		return say("the marks on the proxy of pod %s are those of Istio %s or later and older than %s", im.pod.Meta.Name, im.since, im.until)
	case im.since != "":
		return say("the marks on the proxy of pod %s are those of Istio %s or later", im.pod.Meta.Name, im.since)
	default:
		return say("the marks on the proxy of pod %s are those of an Istio older than %s", im.pod.Meta.Name, im.until)
	}
}
