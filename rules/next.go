package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// istioProxy is the name that Istio gives its proxy in every version.
const istioProxy = "istio-proxy"

// Next decides where the proxy of a workload's next pod would be put, or, without a workload, that of a pod which asks
// for nothing special from the only control plane in the bundle.
func Next(c *facts.Cluster, k *knowledge.Base, w *facts.Workload) *analyze.NextDecision {
	n := &analyze.NextDecision{Applies: true}
	n.Placement = knowledge.Unknown
	if w != nil {
		if why := notIstio(c, w); !why.IsZero() {
			n.Applies = false
			n.Because = []analyze.Text{why}
			return n
		}
	} else if len(c.Mesh.ControlPlanes) == 0 && len(c.Mesh.Injectors) == 0 {
		n.Applies = false
		n.Because = []analyze.Text{say("no Istio control plane is in the bundle")}
		return n
	}
	n.Revision, n.Plane = planeFor(c, w)
	in := Inputs(c, k, w, n)
	n.Decision = k.Decide(in)
	for _, s := range n.Steps {
		n.Because = append(n.Because, stepText(s))
	}
	return n
}

func stepText(s knowledge.Step) analyze.Text {
	if s.Value == "" && s.Where == "" {
		return say("%s: %s", s.Question, s.Answer)
	}
	if s.Where == "" {
		return say("%s: %s (%s)", s.Question, s.Answer, s.Value)
	}
	return say("%s: %s (%s, %s)", s.Question, s.Answer, orNone(s.Value), s.Where)
}

// notIstio says why no Istio proxy is in question for a workload.
func notIstio(c *facts.Cluster, w *facts.Workload) analyze.Text {
	for _, p := range w.Pods {
		if proxyOf(p) != nil || p.Injection != nil {
			return analyze.Text{}
		}
	}
	if len(w.Pods) > 0 {
		return say("no pod of it has an Istio proxy")
	}
	if len(c.Mesh.ControlPlanes) == 0 && len(c.Mesh.Injectors) == 0 {
		return say("neither a proxy nor an Istio control plane is in the bundle")
	}
	if w.Job == nil {
		return say("neither its pods nor its template are in the bundle")
	}
	return analyze.Text{}
}

// proxyOf gives Istio's proxy of a pod, wherever it was placed; nil without one.
func proxyOf(p *facts.Pod) *facts.Container {
	for _, c := range p.Containers {
		if c.Name == istioProxy && (c.Helper == nil || !c.Helper.Conflict) {
			return c
		}
	}
	return nil
}

// planeFor finds the control plane that would inject the next pod: the one that the pod's revision names, else the
// only one there is.
func planeFor(c *facts.Cluster, w *facts.Workload) (revision string, cp *facts.ControlPlane) {
	revision = revisionFor(c, w)
	if revision != "" {
		cp, _ = c.Mesh.Revision(revision)
		return revision, cp
	}
	if len(c.Mesh.ControlPlanes) == 1 {
		return c.Mesh.ControlPlanes[0].Revision, c.Mesh.ControlPlanes[0]
	}
	cp, _ = c.Mesh.Revision("")
	return "", cp
}

// revisionFor gives the revision of the newest pod's injection, else the label of the template or the namespace.
func revisionFor(c *facts.Cluster, w *facts.Workload) string {
	if w == nil {
		return ""
	}
	if p := newest(w.Pods); p != nil {
		if r := injectedBy(p); r != "" {
			return r
		}
	}
	if t := w.Template(); t != nil {
		if r := t.Meta.Labels[facts.RevisionLabel]; r != "" {
			return r
		}
	}
	if ns := c.Namespaces[w.Ref.Namespace]; ns != nil && ns.Meta.Labels["istio-injection"] == "" {
		return ns.Meta.Labels[facts.RevisionLabel]
	}
	return ""
}

// injectedBy gives the revision that a pod records of its injection.
func injectedBy(p *facts.Pod) string {
	if p.Injection != nil && p.Injection.Revision != "" {
		return p.Injection.Revision
	}
	return p.Meta.Annotations[facts.RevisionLabel]
}

func newest(pods []*facts.Pod) *facts.Pod {
	if len(pods) == 0 {
		return nil
	}
	return slices.MaxFunc(pods, func(a, b *facts.Pod) int { return a.Meta.Created.Compare(b.Meta.Created.Time) })
}

// Inputs gathers what decides the placement, each with the place it was read.
func Inputs(c *facts.Cluster, k *knowledge.Base, w *facts.Workload, n *analyze.NextDecision) knowledge.Inputs {
	in := knowledge.Inputs{NodesKnown: len(c.Nodes) > 0, APIServer: c.Server.V, KubeletGates: map[string]string{}}
	if _, refused := c.Refused["nodes"]; refused {
		in.NodesKnown = false
	}
	for _, d := range c.Nodes {
		in.Kubelets = append(in.Kubelets, knowledge.Kubelet{Node: d.Meta.Name, Raw: d.Kubelet.Raw})
	}
	if len(c.Server.From) > 0 {
		in.APIServerWhere = c.Server.From[0].Where()
	}
	for _, g := range c.Gates {
		value := map[bool]string{true: "true", false: "false"}[g.Enabled]
		switch g.Component {
		case "kube-apiserver":
			in.Gate = knowledge.Given(value, g.Evidence.Where())
		case "kubelet":
			in.KubeletGates[""] = value
		}
	}
	planeInputs(&in, k, n.Plane)
	templateInputs(&in, w)
	return in
}

// planeInputs reads what istiod contributes.
func planeInputs(in *knowledge.Inputs, k *knowledge.Base, cp *facts.ControlPlane) {
	if cp == nil {
		return
	}
	if cp.Version.Known {
		in.Istio, in.IstioWhere = cp.Version.V, whereOf(cp.Version.From)
	}
	in.Env = knowledge.Setting{Known: cp.Env.Known, Set: cp.Env.Set, Value: cp.Env.Value, Where: whereOf(cp.Env.From)}
	if t := cp.Template; t != nil && t.Readable {
		in.TemplateEra, in.TemplateWhere = k.DetectEra(t.Text), t.ConfigMap.Origin.File
	}
}

// templateInputs reads what the pod template contributes. The live Job's template is best; the newest pod's own
// metadata is the next best witness of it, for annotations are copied from the one to the other.
func templateInputs(in *knowledge.Inputs, w *facts.Workload) {
	in.Annotation = knowledge.Unset("")
	if w == nil {
		return
	}
	in.OwnerKind = w.Ref.Kind
	if w.CronJob != nil {
		t := w.CronJob.Spec.JobTemplate.Spec.Template
		path := "spec.jobTemplate.spec.template.metadata.annotations[" + facts.NativeAnnotation + "]"
		in.Annotation = annotationSetting(t.Meta.Annotations, w.CronJob.Ev(path, "").Where())
		in.Template = t.Meta.Annotations[facts.TemplatesAnnotation]
		in.NodeName = t.Spec.NodeName
		return
	}
	if t := w.Template(); t != nil && len(t.Spec.Containers) > 0 {
		path := "spec.template.metadata.annotations[" + facts.NativeAnnotation + "]"
		in.Annotation = annotationSetting(t.Meta.Annotations, w.Job.Ev(path, "").Where())
		in.Template = t.Meta.Annotations[facts.TemplatesAnnotation]
		in.NodeName = t.Spec.NodeName
		return
	}
	if p := newest(w.Pods); p != nil {
		in.Annotation = annotationSetting(p.Meta.Annotations, p.Ev("metadata.annotations["+facts.NativeAnnotation+"]", "").Where())
		in.Template = p.Meta.Annotations[facts.TemplatesAnnotation]
	}
}

func annotationSetting(m map[string]string, where string) knowledge.Setting {
	if v, ok := m[facts.NativeAnnotation]; ok {
		return knowledge.Given(v, where)
	}
	return knowledge.Unset(where)
}
