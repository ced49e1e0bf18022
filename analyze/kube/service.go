package kube

import (
	"bytes"
	"cmp"
	"reflect"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// ServicePod is what is kept of an ordinary pod of a service where the reader was asked to reduce them. Most pods of a
// cluster are of this kind and are no part of any answer: they have no completion, no native sidecar and no host port,
// and are not Istio's. What is left is that they are there, where, and when they were last heard of.
type ServicePod struct {
	Namespace, Name, UID string
	// Node is spec.nodeName, Phase status.phase.
	Node, Phase string
	Created     Time
	// File and Line are those of metadata.uid.
	File string
	Line int
	// Newest is the newest time in the pod, where its file had no newer one before; nil otherwise.
	Newest *Moment
}

// Ref names the pod.
func (s *ServicePod) Ref() evidence.Ref {
	return evidence.Ref{Kind: "Pod", Namespace: s.Namespace, Name: s.Name}
}

// Moment is a time with the place it was read.
type Moment struct {
	Time     Time
	Evidence evidence.Evidence
}

// ordinaryService says that a pod is one that a ServicePod stands for.
func (p *Pod) ordinaryService() bool {
	if !ownedByService(p.Meta) || p.Spec.RestartPolicy != "Always" || p.Origin.Strength != evidence.Stored || p.Origin.Truncated {
		return false
	}
	for _, c := range p.Spec.InitContainers {
		if c.RestartPolicy != "" || servesHostPort(c) {
			return false
		}
	}
	for _, c := range p.Spec.Containers {
		if c.Name == "discovery" || servesHostPort(c) {
			return false
		}
	}
	return true
}

// ownedByService says by the metadata alone that a pod may be an ordinary one of a service.
func ownedByService(m Meta) bool {
	if m.Namespace == "" || m.Namespace == "kube-system" || m.Name == "" || m.UID == "" || m.Labels.Get("app") == "istiod" {
		return false
	}
	owner, ok := m.Controller()
	return ok && isServiceOwner(owner.Kind)
}

func servesHostPort(c Container) bool {
	for _, p := range c.Ports {
		if p.HostPort != 0 {
			return true
		}
	}
	return false
}

// keepService keeps what is left of an ordinary pod of a service.
func (d *Decoder) keepService(p *Pod) {
	s := ServicePod{Namespace: p.Meta.Namespace, Name: p.Meta.Name, UID: p.Meta.UID, Node: p.Spec.NodeName, Phase: p.Status.Phase,
		Created: p.Meta.Created, File: p.Origin.File, Line: p.Origin.LineOf("metadata.uid")}
	if path, t := p.newest(d.newest); path != "" {
		d.newest = t
		s.Newest = &Moment{t, p.Ev(path, t.String())}
	}
	d.Set.Services = append(d.Set.Services, s)
}

// newest gives the newest time of a pod after another, and its path.
func (p *Pod) newest(than Time) (path string, t Time) {
	latest := than.Time
	p.EachTime(func(_, _, _ string, t Time) {
		if t.After(latest) {
			latest = t.Time
		}
	})
	if !latest.After(than.Time) {
		return "", Time{}
	}
	p.EachTime(func(before, name, after string, seen Time) {
		if path == "" && seen.Equal(latest) {
			path, t = before+name+after, seen
		}
	})
	return path, t
}

// EachTime gives the times of a pod at which something happened to it; the path of each is before+name+after. The
// deletionTimestamp is left out: it lies in the future of a pod that is being deleted.
func (p *Pod) EachTime(see func(before, name, after string, t Time)) {
	see("metadata.creationTimestamp", "", "", p.Meta.Created)
	see("status.startTime", "", "", p.Status.StartTime)
	for i := range p.Status.Conditions {
		c := &p.Status.Conditions[i]
		see("status.conditions[type=", c.Type, "].lastTransitionTime", c.LastTransitionTime)
		see("status.conditions[type=", c.Type, "].lastHeartbeatTime", c.LastHeartbeatTime)
	}
	for i := range p.Status.ContainerStatuses {
		p.Status.ContainerStatuses[i].eachTime("status.containerStatuses[name=", see)
	}
	for i := range p.Status.InitContainerStatuses {
		p.Status.InitContainerStatuses[i].eachTime("status.initContainerStatuses[name=", see)
	}
}

func (s *ContainerStatus) eachTime(list string, see func(before, name, after string, t Time)) {
	if r := s.State.Running; r != nil {
		see(list, s.Name, "].state.running.startedAt", r.StartedAt)
	}
	if t := cmp.Or(s.State.Terminated, s.State.Uncoded); t != nil {
		see(list, s.Name, "].state.terminated.startedAt", t.StartedAt)
		see(list, s.Name, "].state.terminated.finishedAt", t.FinishedAt)
	}
	if r := s.LastState.Running; r != nil {
		see(list, s.Name, "].lastState.running.startedAt", r.StartedAt)
	}
	if t := s.LastState.Terminated; t != nil {
		see(list, s.Name, "].lastState.terminated.startedAt", t.StartedAt)
		see(list, s.Name, "].lastState.terminated.finishedAt", t.FinishedAt)
	}
}

// seemsOfService looks ahead whether a pod, whose text begins here, is owned by what runs services and has no label of
// istiod. Metadata stands before everything else, owners behind labels and annotations.
func seemsOfService(text []byte) bool {
	const far = 16 << 10
	text = text[:min(len(text), far)]
	at := bytes.Index(text, []byte(" ownerReferences:\n"))
	if at < 0 || mayNameIstiod(text[:at]) {
		return false
	}
	text = text[at:]
	at = bytes.Index(text, []byte("kind: "))
	if at < 0 {
		return false
	}
	kind, _, _ := bytes.Cut(text[at+len("kind: "):], newline)
	return isServiceOwner(string(kind))
}

// mayNameIstiod says that a label in metadata up to the owners may be istiod: it is there in some way of writing it.
func mayNameIstiod(metadata []byte) bool {
	labels := bytes.Index(metadata, []byte(" labels:\n"))
	return labels >= 0 && (bytes.Contains(metadata[labels:], []byte("istiod")) || bytes.IndexByte(metadata[labels:], '\\') >= 0)
}

func isServiceOwner(kind string) bool {
	return kind == "ReplicaSet" || kind == "StatefulSet" || kind == "DaemonSet"
}

// leanFields are the fields that ordinaryService, keepService and newest look at, by type; of types that are not named
// here, all. Of a pod that seemsOfService no other is read; what its labels could say, seemsOfService has seen.
var leanFields = map[reflect.Type][]string{
	reflect.TypeFor[Meta]():            {"name", "namespace", "uid", "creationTimestamp", "ownerReferences"},
	reflect.TypeFor[PodSpec]():         {"initContainers", "containers", "restartPolicy", "nodeName"},
	reflect.TypeFor[Container]():       {"name", "ports", "restartPolicy"},
	reflect.TypeFor[PodStatus]():       {"phase", "startTime", "conditions", "initContainerStatuses", "containerStatuses"},
	reflect.TypeFor[Condition]():       {"type", "lastTransitionTime", "lastHeartbeatTime"},
	reflect.TypeFor[ContainerStatus](): {"name", "state", "lastState"},
}
