package rules

import (
	"sort"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// place is one metadata block in which people put what steers injection.
type place struct {
	obj  *kube.Object
	path string // path of the metadata block within obj
	meta kube.Meta
	// read says that the injecting webhook reads it: it sees the pod, whose metadata is that of the pod template.
	read bool
}

func (p place) annotation(key string) evidence.Evidence {
	return p.obj.Ev(p.path+".annotations["+key+"]", p.meta.Annotations[key])
}

func (p place) label(key string) evidence.Evidence {
	return p.obj.Ev(p.path+".labels["+key+"]", p.meta.Labels[key])
}

// placesOf lists every such block of a workload, the ones that are read first.
func placesOf(c *facts.Cluster, w *facts.Workload) []place {
	var read, unread []place
	if cj := w.CronJob; cj != nil {
		t := cj.Spec.JobTemplate
		read = append(read, place{&cj.Object, "spec.jobTemplate.spec.template.metadata", t.Spec.Template.Meta, true})
		// istioctl kube-inject reads and writes a CronJob's metadata one level up; its mark tells that it was at work.
		_, rewritten := t.Meta.Annotations[facts.StatusAnnotation]
		unread = append(unread, place{&cj.Object, "spec.jobTemplate.metadata", t.Meta, rewritten},
			place{&cj.Object, "metadata", cj.Meta, false})
	}
	if j := w.Job; j != nil {
		read = append(read, place{&j.Object, "spec.template.metadata", j.Spec.Template.Meta, true})
		_, rewritten := j.Meta.Annotations[facts.StatusAnnotation]
		unread = append(unread, place{&j.Object, "metadata", j.Meta, rewritten})
	}
	for _, p := range w.Pods {
		read = append(read, place{&p.Object, "metadata", p.Meta, true})
	}
	if ns := c.Namespaces[w.Ref.Namespace]; ns != nil {
		unread = append(unread, place{&ns.Object, "metadata", ns.Meta, false})
	}
	return append(read, unread...)
}

// nativeAnnotation gives the value that the next pod would carry and where it stands: the CronJob's template before
// the Job's, the Job's before the pod's.
func nativeAnnotation(c *facts.Cluster, w *facts.Workload) (value string, at evidence.Evidence, ok bool) {
	for _, p := range placesOf(c, w) {
		if !p.read {
			continue
		}
		if v, has := p.meta.Annotations[facts.NativeAnnotation]; has {
			return v, p.annotation(facts.NativeAnnotation), true
		}
	}
	return "", evidence.Evidence{}, false
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

// keysOf gives the keys of annotations and labels in a fixed order.
func keysOf(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// planeText names the control plane that decides.
func planeText(n *analyze.NextDecision) analyze.Text {
	switch {
	case n.Plane == nil && n.Revision == "":
		return say("istiod")
	case n.Plane == nil:
		return say("istiod of revision %s", n.Revision)
	case n.Plane.Version.Known:
		return say("istiod %s (revision %s, namespace %s)", n.Plane.Version.V.Raw, n.Plane.Revision, n.Plane.Namespace)
	default:
		return say("istiod of revision %s (namespace %s)", n.Plane.Revision, n.Plane.Namespace)
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

// planeMissing names what would tell about the control plane.
func planeMissing(n *analyze.NextDecision) analyze.Missing {
	return analyze.Missing{What: say("the Deployment of %s", planeText(n)),
		Command: "kubectl get deployment -A -l app=istiod -o yaml"}
}
