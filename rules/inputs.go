package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// gathered are the inputs of a decision, with what had to be assumed to fill them.
type gathered struct {
	in      knowledge.Inputs
	assumes []analyze.Text
	// neverStarts says that the pod template holds the proxy among the one-shot init containers, where init waits for it.
	neverStarts bool
	// why is the step that says what can have placed a proxy which the manifest holds.
	why *knowledge.Step
}

// Inputs gathers what decides the placement, each with the place it was read.
func Inputs(c *facts.Cluster, k *knowledge.Base, w *facts.Workload, n *analyze.NextDecision) knowledge.Inputs {
	return gather(c, k, w, n).in
}

func gather(c *facts.Cluster, k *knowledge.Base, w *facts.Workload, n *analyze.NextDecision) gathered {
	g := gathered{in: facts.Once(c, "cluster-inputs", clusterInputs)}
	g.template(c, w)
	if w != nil {
		g.manifest(c, k, w)
	}
	g.plane(c, k, w, n)
	g.clusterID(w, n)
	if w != nil {
		g.laterRun(c, w, n.Plane, n.Revision)
		if failed, ok := cannotRender(w); ok {
			g.in.RenderFails = failed.Where()
		}
		if why := notInjected(c, w); !why.IsZero() && g.in.InManifest == "" {
			g.in.NotInjected = why.String()
		}
	}
	return g
}

// plane reads what istiod contributes, and, where it does not tell its release, what istioctl version or the newest pod's
// proxy tells.
func (g *gathered) plane(c *facts.Cluster, k *knowledge.Base, w *facts.Workload, n *analyze.NextDecision) {
	in := &g.in
	if cp := n.Plane; cp != nil {
		if cp.Version.Known {
			in.Istio, in.IstioWhere = cp.Version.V, whereOf(cp.Version.From)
		}
		in.Env = knowledge.Setting{Known: cp.Env.Known, Set: cp.Env.Set, Value: cp.Env.Value, Where: whereOf(cp.Env.From)}
		if t := cp.Template; t != nil && t.Readable {
			in.TemplateEra, in.TemplateWhere = k.DetectEra(t.Text), t.ConfigMap.Ev("data[config]", "").Where()
		}
	}
	if n.Plane != nil && n.Plane.Unready {
		g.assumes = append(g.assumes, say("the pod of istiod that was not ready comes up as it is: no other is in the bundle"))
	}
	if in.TemplateEra != "" || n.Rivals != nil || n.Plane != nil && len(n.Plane.Mixed) > 0 {
		return
	}
	if _, ok, _ := k.Istio(in.Istio); ok {
		return
	}
	if said := c.Mesh.Answered; said.Known && n.Plane == nil && orDefault(n.Revision) == defaultRevision {
		in.Istio, in.IstioWhere = said.V, whereOf(said.From)
		g.assumes = append(g.assumes, say("the istiod that istioctl version asked is the one that injects these pods"))
		return
	}
	im, ok := imprintOf(k, w)
	if !ok {
		return
	}
	if r := injectedBy(im.pod); r != "" && n.Revision != "" && r != n.Revision {
		return // another istiod made that pod
	}
	switch {
	case im.version.Known():
		in.Istio, in.IstioWhere = im.version, whereOf(im.from)
		if in.InManifest != "" {
			return // today's istiod is asked only when the manifest is injected anew
		}
		g.assumes = append(g.assumes, say("istiod is still of the release that injected pod %s, by the tag of its proxy", im.pod.Meta.Name))
	case im.era != "":
		in.TemplateEra, in.TemplateWhere = im.era, whereOf(im.from)
		g.assumes = append(g.assumes, say("the injector still has the template that left its marks on pod %s", im.pod.Meta.Name))
	}
}

// template reads what the pod template contributes.
func (g *gathered) template(c *facts.Cluster, w *facts.Workload) {
	in := &g.in
	if w == nil {
		in.Annotation = knowledge.Unset("")
		return
	}
	in.OwnerKind = ownerKind(w)
	t, ok := decidingTemplate(w)
	if !ok {
		return
	}
	in.Annotation = annotationSetting(t.place)
	in.Template = t.meta.Annotations.Get(facts.TemplatesAnnotation)
	in.NodeName = t.spec.NodeName
	g.landing(c, t)
	if t.standIn {
		in.NodeName = "" // that of a pod is where the scheduler put it
		if t.obj.Described() {
			g.assumes = append(g.assumes, say("kubectl describe prints every annotation of the pod"))
		}
	}
}

func annotationSetting(p place) knowledge.Setting {
	where := p.annotation(facts.NativeAnnotation).Where()
	if v, ok := p.meta.Annotations.Lookup(facts.NativeAnnotation); ok {
		if facts.Redacted(v) {
			return knowledge.Setting{Where: where}
		}
		return knowledge.Given(v, where)
	}
	return knowledge.Unset(where)
}

// manifest notes a proxy that the pod template holds itself. The injection webhook, where it takes these pods too,
// decides anew; whether it does is known from the namespace, or from a pod at hand that stands as its template says.
func (g *gathered) manifest(c *facts.Cluster, k *knowledge.Base, w *facts.Workload) {
	own, ok := proxyInTemplate(w)
	if !ok {
		return
	}
	g.in.KubeInject = own.recorded
	g.jobTemplateAnnotation(w)
	ns := c.Namespaces[w.Ref.Namespace]
	t, _ := decidingTemplate(w)
	if ns != nil && asks(c, ns, t) && keptAway(c, w, t).IsZero() {
		g.in.KubeInject = false // the webhook reads the pod
		return
	}
	if ns == nil {
		g.assumes = append(g.assumes, say("no injection webhook takes the pods of namespace %s as well", w.Ref.Namespace))
	}
	g.in.InManifestWhere = own.where
	g.whyInjected(k, own)
	switch own.placement {
	case facts.Native:
		g.in.InManifest = knowledge.Native
	case facts.Ordinary:
		g.in.InManifest = knowledge.Ordinary
	default:
		g.in.InManifest, g.neverStarts = knowledge.Ordinary, true
	}
}

// whyInjected says by what a manifest can have been injected as it was. Its settings are those of that moment, and of
// istioctl where that ran without a cluster.
func (g *gathered) whyInjected(k *knowledge.Base, own ownProxy) {
	v := version.FromImage(own.image)
	if !own.recorded || !v.Known() || own.placement == facts.InitContainer {
		return
	}
	then := g.in
	then.Istio, then.TemplateEra, then.InManifest = v, "", ""
	placement := map[facts.Placement]string{facts.Native: knowledge.Native, facts.Ordinary: knowledge.Ordinary}[own.placement]
	g.why = &knowledge.Step{Question: say("What placed it there when istioctl kube-inject wrote the manifest?"),
		Answer: reasonsText(consistent(k, then, placement)), Value: own.image, Where: own.where}
}

// jobTemplateAnnotation reads the annotation where kube-inject reads it for a CronJob. The CronJob's jobTemplate.metadata
// becomes the metadata of its Jobs.
func (g *gathered) jobTemplateAnnotation(w *facts.Workload) {
	switch {
	case w.CronJob != nil:
		g.in.JobTemplateAnnotation = annotationSetting(place{&w.CronJob.Object, "spec.jobTemplate.metadata", &w.CronJob.Spec.JobTemplate.Meta, true})
	case w.Job != nil && w.ParentKind == "CronJob":
		g.in.JobTemplateAnnotation = annotationSetting(place{&w.Job.Object, "metadata", &w.Job.Meta, true})
	}
}

// clusterID: istiod looks at the nodes of the cluster that the pod's ID names. Where that is not its own, which nodes it
// asks, or whether it has any to ask, does not follow from this bundle's.
func (g *gathered) clusterID(w *facts.Workload, n *analyze.NextDecision) {
	if w == nil || n.Plane == nil {
		return
	}
	own, known := clusterIDOf(n.Plane)
	p := newest(w.Pods)
	if p == nil || !known {
		return
	}
	proxy := proxyOf(p)
	if proxy == nil || proxy.Spec == nil {
		return
	}
	s := facts.ReadEnv(&p.Object, proxy.Spec.Env, proxy.Path(""), "ISTIO_META_CLUSTER_ID")
	if s.Known && s.Set && s.Value != own {
		g.in.NodesKnown, g.in.OtherCluster = false, s.Value
		g.assumes = append(g.assumes, say("istiod (cluster ID %s) asks the nodes of this cluster for pods of cluster ID %s", own, s.Value))
	}
}
