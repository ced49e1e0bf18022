package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// namespaceSwitch is the namespace label that asks the default revision for injection. A namespace that has it, with
// any value, is left alone by the webhooks of named revisions.
const namespaceSwitch = "istio-injection"

const defaultRevision = "default"

// route says which istiod injects the next pod of a workload, and how that is known.
type route struct {
	// revision is the name that istiod gives itself, "" when nothing tells; tag is the name that stood for it.
	revision, tag string
	plane         *facts.ControlPlane
	// rivals are of that revision and run in several namespaces, where nothing tells which of them it is.
	rivals []*facts.ControlPlane
	// home is the namespace of the istiod that the record of a pod, or the webhook that takes the pods, names.
	home home
	from evidence.Evidence
	// named says that revision is istiod's own name and no tag.
	named bool
	// assumes is what has to hold for it; zero for nothing.
	assumes analyze.Text
}

// routeOf follows what an injection webhook looks at: the webhooks' own selectors where they are in the bundle, else
// the labels of the namespace and then of the pod; a name may be a tag, which a webhook configuration resolves. The
// record of the newest pod says who injected that one, and stands in where nothing says who injects the next.
func routeOf(c *facts.Cluster, w *facts.Workload) route {
	if w == nil {
		return defaultRoute(c)
	}
	record := recordedRoute(c, w)
	r := selectedRoute(c, w)
	if r.revision == "" {
		r = labelledRoute(c, w)
	}
	if r.revision == "" {
		if record.revision != "" && len(c.Mesh.ControlPlanes) > 1 {
			record.assumes = say("the namespace still leads to revision %s, which injected the newest pod", record.revision)
		}
		if ns := c.Namespaces[w.Ref.Namespace]; record.revision != "" && ns != nil && unasked(c, ns, w) {
			record.assumes = say("revision %s, which injected the newest pod, injects the next one, although by the labels in the bundle neither namespace %s nor the pod template asks for it: a webhook that takes what does not ask, or a label that was taken away since", record.revision, ns.Meta.Name)
		}
		r = record
	}
	if r.revision == "" {
		return defaultRoute(c)
	}
	return resolve(c, r, record)
}

// unasked says that neither the namespace nor the pod template asks for injection.
func unasked(c *facts.Cluster, ns *kube.Namespace, w *facts.Workload) bool {
	t, ok := decidingTemplate(w)
	return ok && !asks(c, ns, t)
}

// resolve finds the control plane of a name, which may be a tag.
func resolve(c *facts.Cluster, r, record route) route {
	planes, viaTag := c.Mesh.Revision(r.revision)
	if len(planes) > 0 {
		if viaTag {
			r.tag, r.revision = r.revision, planes[0].Revision
		}
		return r.in(c, planes, record)
	}
	if r.named {
		return r
	}
	for _, in := range c.Mesh.Injectors {
		if in.Tag == r.revision && in.Revision != r.revision {
			r.tag, r.revision, r.from = in.Tag, in.Revision, in.Config.Ev("metadata.labels["+facts.RevisionLabel+"]", in.Revision)
			return r
		}
	}
	if record.revision != "" && record.revision != r.revision {
		record.tag = r.revision
		record.assumes = say("%s is a tag, and leads to revision %s as it did for the newest pod", r.revision, record.revision)
		planes, _ := c.Mesh.Revision(record.revision)
		return record.in(c, planes, record)
	}
	if r.revision == defaultRevision && record.revision == "" && len(c.Mesh.ControlPlanes) == 1 {
		r.plane, r.tag = c.Mesh.ControlPlanes[0], defaultRevision
		r.revision, r.assumes = r.plane.Revision, say("the only istiod in the bundle injects")
	}
	return r
}

// in picks the control plane among those of the revision: by the Service of the webhook that takes the pods, else of the
// webhooks of that name, else by the proxy of the newest pod.
func (r route) in(c *facts.Cluster, planes []*facts.ControlPlane, record route) route {
	if r.home.namespace == "" {
		name := r.revision
		if r.tag != "" {
			name = r.tag
		}
		r.home = calledHome(c, name)
	}
	r.plane, r.rivals = r.home.pick(planes)
	if r.rivals != nil && record.home.namespace != "" && (record.revision == "" || record.revision == r.revision) {
		if r.plane, r.rivals = record.home.pick(r.rivals); r.plane != nil {
			r.assumes = say("the istiod in namespace %s, which serves the proxy of the newest pod, injects the next one", r.plane.Namespace)
		}
	}
	return r
}

// defaultRoute is the route of a pod that names no revision.
func defaultRoute(c *facts.Cluster) route {
	if len(c.Mesh.ControlPlanes) == 1 {
		return route{revision: c.Mesh.ControlPlanes[0].Revision, plane: c.Mesh.ControlPlanes[0]}
	}
	planes, viaTag := c.Mesh.Revision("")
	r := route{}
	if len(planes) == 0 {
		return r
	}
	if r.revision = planes[0].Revision; viaTag {
		r.tag = defaultRevision
	}
	return r.in(c, planes, route{})
}

// selectedRoute asks the webhooks' selectors. It is silent when none or more than one revision is selected.
func selectedRoute(c *facts.Cluster, w *facts.Workload) route {
	ns := c.Namespaces[w.Ref.Namespace]
	t, ok := decidingTemplate(w)
	if ns == nil || !ok {
		return route{}
	}
	var found route
	for _, in := range c.Mesh.Injectors {
		if !slices.ContainsFunc(in.Config.Webhooks, func(h kube.Webhook) bool {
			return isInjector(h) && selects(h.NamespaceSelector, ns.Meta.Labels) && selects(h.ObjectSelector, t.meta.Labels)
		}) {
			continue
		}
		if found.revision != "" && (found.revision != in.Revision || found.home.namespace != in.Namespace) {
			return route{}
		}
		found = route{revision: in.Revision, named: true, from: in.Config.Ev("metadata.labels["+facts.RevisionLabel+"]", in.Revision)}
		found.home.namespace = in.Namespace
		if in.Tag != in.Revision {
			found.tag = in.Tag
		}
	}
	return found
}

func isInjector(h kube.Webhook) bool { return strings.HasSuffix(h.Name, "sidecar-injector.istio.io") }

// labelledRoute reads the labels as Istio's own webhooks do.
func labelledRoute(c *facts.Cluster, w *facts.Workload) route {
	ns := c.Namespaces[w.Ref.Namespace]
	if ns == nil {
		return route{}
	}
	if v, ok := ns.Meta.Labels.Lookup(namespaceSwitch); ok {
		if v == "enabled" {
			return route{revision: defaultRevision, from: ns.Ev("metadata.labels["+namespaceSwitch+"]", v)}
		}
		return route{}
	}
	if v := ns.Meta.Labels.Get(facts.RevisionLabel); v != "" {
		return route{revision: v, from: ns.Ev("metadata.labels["+facts.RevisionLabel+"]", v)}
	}
	if t, ok := decidingTemplate(w); ok && t.meta.Labels.Get(facts.RevisionLabel) != "" {
		return route{revision: t.meta.Labels.Get(facts.RevisionLabel), from: t.label(facts.RevisionLabel)}
	}
	return route{}
}

// recordedRoute is what the newest pod records of its own injection; for want of one, the label of the template.
func recordedRoute(c *facts.Cluster, w *facts.Workload) route {
	r := recorded(w)
	if len(c.Mesh.ControlPlanes) > 1 {
		r.home = servedHome(newest(w.Pods))
	}
	return r
}

func recorded(w *facts.Workload) route {
	if p := newest(w.Pods); p != nil {
		if r := injectedBy(p); r != "" {
			return route{revision: r, from: evInjectedBy(p)}
		}
	}
	if t, ok := decidingTemplate(w); ok && t.meta.Labels.Get(facts.RevisionLabel) != "" {
		return route{revision: t.meta.Labels.Get(facts.RevisionLabel), from: t.label(facts.RevisionLabel)}
	}
	return route{}
}

// selects evaluates a label selector as the API server does; an empty one selects everything.
func selects(s kube.Selector, labels kube.Pairs) bool {
	for k, v := range s.MatchLabels {
		if is, ok := labels.Lookup(k); !ok || is != v {
			return false
		}
	}
	for _, e := range s.MatchExpressions {
		v, has := labels.Lookup(e.Key)
		switch e.Operator {
		case "In":
			if !has || !contains(e.Values, v) {
				return false
			}
		case "NotIn":
			if has && contains(e.Values, v) {
				return false
			}
		case "Exists":
			if !has {
				return false
			}
		case "DoesNotExist":
			if has {
				return false
			}
		default:
			return false
		}
	}
	return true
}
