package rules

import (
	"sort"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// place is one metadata block in which people put what steers injection.
type place struct {
	obj  *kube.Object
	path string // path of the metadata block within obj
	meta *kube.Meta
	// read says that the injecting webhook reads it: it sees the pod, whose metadata is that of the pod template.
	read bool
}

func (p place) annotation(key string) evidence.Evidence {
	return p.obj.Ev(p.path+".annotations["+key+"]", p.meta.Annotations.Get(key))
}

func (p place) label(key string) evidence.Evidence {
	return p.obj.Ev(p.path+".labels["+key+"]", p.meta.Labels.Get(key))
}

// placesOf lists every such block of a workload, the ones that are read first.
func placesOf(c *facts.Cluster, w *facts.Workload) []place {
	all := make([]place, 0, len(w.Pods)+6)
	byKubeInject := rewritten(w) && !webhookToo(c, w)
	if cj := w.CronJob; cj != nil {
		t := &cj.Spec.JobTemplate
		// istioctl kube-inject reads and writes a CronJob's metadata one level above the pod template.
		all = append(all, place{&cj.Object, "spec.jobTemplate.spec.template.metadata", &t.Spec.Template.Meta, !byKubeInject},
			place{&cj.Object, "spec.jobTemplate.metadata", &t.Meta, byKubeInject},
			place{&cj.Object, "metadata", &cj.Meta, false})
	}
	if j := w.Job; j != nil {
		ofCron := w.ParentKind == "CronJob" && byKubeInject
		all = append(all, place{&j.Object, "spec.template.metadata", &j.Spec.Template.Meta, !ofCron},
			place{&j.Object, "metadata", &j.Meta, ofCron})
	}
	for _, p := range w.Pods {
		all = append(all, place{&p.Object, "metadata", &p.Meta, !(byKubeInject && ownerKind(w) == "CronJob")})
	}
	if ns := c.Namespaces[w.Ref.Namespace]; ns != nil {
		all = append(all, place{&ns.Object, "metadata", &ns.Meta, false})
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].read && !all[j].read })
	return all
}

// webhookToo says that the injection webhook takes the pods of a workload, whatever its manifest holds already.
func webhookToo(c *facts.Cluster, w *facts.Workload) bool {
	ns := c.Namespaces[w.Ref.Namespace]
	t, ok := decidingTemplate(w)
	return ns != nil && ok && asks(c, ns, t) && keptAway(c, w, t).IsZero()
}

// placesAround lists the places of a workload with that of the engine's object above its pods, where the kind is one of
// which it is known where its pods get their annotations from. Of any other kind nothing is said.
func placesAround(p *analyze.Pass) []place {
	w := p.Workload
	all := placesOf(p.Cluster, w)
	if w.ParentKind == "" || w.ParentKind == "CronJob" {
		return all
	}
	where, known := p.Know.TemplatePlace(w.ParentGroup, w.ParentKind)
	if !known || where.Path == "" {
		return all
	}
	for _, o := range p.Cluster.Owners {
		if o.Kind == w.ParentKind && o.Meta.Name == w.ParentName && o.Meta.Namespace == w.Ref.Namespace {
			all = append(all, place{o, "metadata", &o.Meta, where.Path == "metadata.annotations"})
		}
	}
	return all
}

// nativeAnnotation gives the value that decides about the next pod and where it stands: that of the pod template, or,
// for a CronJob that kube-inject wrote, the one above it.
func nativeAnnotation(c *facts.Cluster, w *facts.Workload) (value string, at evidence.Evidence, ok bool) {
	t, known := decidingTemplate(w)
	if !known {
		return "", evidence.Evidence{}, false
	}
	pl := t.place
	if ownerKind(w) == "CronJob" && rewritten(w) && !webhookToo(c, w) {
		switch {
		case w.CronJob != nil:
			pl = place{&w.CronJob.Object, "spec.jobTemplate.metadata", &w.CronJob.Spec.JobTemplate.Meta, true}
		case w.Job != nil:
			pl = place{&w.Job.Object, "metadata", &w.Job.Meta, true}
		}
	}
	v, ok := pl.meta.Annotations.Lookup(facts.NativeAnnotation)
	return v, pl.annotation(facts.NativeAnnotation), ok
}

// istioJob says that a rule about Istio's annotation has something to speak of: a pod with Istio's proxy, or a
// workload that Istio would inject.
func istioJob(p *analyze.Pass) bool { return p.Next != nil && p.Next.Applies }

// ordinaryProxy gives the pod of the workload whose Istio proxy is an ordinary container, the one that holds the
// workload first.
func ordinaryProxy(p *analyze.Pass) (*facts.Pod, *facts.Container) {
	pods := p.Workload.Pods
	if h := p.Verdict.Holder; h != nil {
		pods = append([]*facts.Pod{h.Pod}, pods...)
	}
	for _, pod := range pods {
		if c := proxyOf(pod); c != nil && c.Placement == facts.Ordinary {
			return pod, c
		}
	}
	return nil, nil
}

// planeText names the control plane that decides.
func planeText(n *analyze.NextDecision) analyze.Text {
	switch {
	case n.Rivals != nil:
		return among(n.Revision, n.Rivals)
	case n.Plane == nil && n.Revision == "":
		return say("istiod")
	case n.Plane == nil:
		return say("istiod of revision %s", n.Revision)
	case len(n.Plane.Mixed) > 0:
		return say("istiod (%s at once, revision %s, namespace %s)", list(releasesOf(n.Plane)), n.Plane.Revision, n.Plane.Namespace)
	case n.Plane.Version.Known:
		return say("istiod %s (revision %s, namespace %s)", n.Plane.Version.V.Raw, n.Plane.Revision, n.Plane.Namespace)
	default:
		return say("istiod of unknown version (revision %s, namespace %s)", n.Plane.Revision, n.Plane.Namespace)
	}
}

// planeRef is the object that a finding about a control plane is about.
func planeRef(n *analyze.NextDecision) evidence.Ref {
	if n.Plane == nil {
		return evidence.Ref{Kind: "ControlPlane", Name: orDefault(n.Revision)}
	}
	if d := n.Plane.Deployment; d != nil {
		return d.Ref()
	}
	return evidence.Ref{Kind: "ControlPlane", Namespace: n.Plane.Namespace, Name: orDefault(n.Plane.Revision)}
}

func orDefault(revision string) string {
	if revision == "" {
		return "default"
	}
	return revision
}

// istiodCommand asks for every istiod of a cluster, with its history.
const istiodCommand = "kubectl get deployment,replicaset,pod -A -l app=istiod -o yaml"

// planeMissing names what would tell about the control plane.
func planeMissing(n *analyze.NextDecision) analyze.Missing {
	if n.Plane != nil && len(n.Plane.Mixed) > 0 {
		return analyze.Missing{What: say("the pods of istiod once its rollout has ended"),
			Command: command("kubectl get deployment,replicaset,pod -n %s -l app=istiod -o yaml", n.Plane.Namespace)}
	}
	if n.Plane != nil && !n.Plane.Version.Known {
		return releaseMissing(n)
	}
	if n.Rivals != nil {
		return analyze.Missing{What: say("which of them the injection webhook calls"), Command: "kubectl get mutatingwebhookconfiguration -o yaml"}
	}
	return analyze.Missing{What: say("the Deployment of %s", planeText(n)), Command: istiodCommand}
}

// annotationPath says where the annotations of the pods are set for the owner of a workload, and names that owner.
func annotationPath(p *analyze.Pass) (path, owner string) {
	w := p.Workload
	kind, name := ownerKind(w), w.ParentName
	if w.ParentKind == "" {
		name = w.Ref.Name
	}
	owner = kind + " " + name
	if kind == "CronJob" && rewritten(w) && !webhookToo(p.Cluster, w) {
		return "spec.jobTemplate.metadata.annotations", owner // where istioctl kube-inject reads it
	}
	if where, ok := p.Know.TemplatePlace(ownerGroup(w), kind); ok && where.Path != "" {
		return where.Path, owner
	}
	return sentence.Fixed("metadata.annotations of the pod template"), owner
}

// ownerKind is the kind whose pod template makes the pods: the CronJob above a Job, the engine above a bare pod.
func ownerKind(w *facts.Workload) string {
	if w.ParentKind != "" {
		return w.ParentKind
	}
	return w.Ref.Kind
}

// loneJob says that a workload is a Job that nothing owns: its own manifest is where its pods come from.
func loneJob(w *facts.Workload) bool { return w.IsJob() && w.ParentKind == "" }

func ownerGroup(w *facts.Workload) string {
	if w.ParentKind != "" {
		return w.ParentGroup
	}
	if w.IsJob() {
		return "batch"
	}
	return ""
}
