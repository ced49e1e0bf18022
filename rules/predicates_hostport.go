package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Predicates about host ports of native sidecars.

// hostPort gives the first host port that a native sidecar asks for.
func (v *issueView) hostPort() (*facts.Container, int64) {
	for _, c := range v.natives {
		if c.Spec == nil || !v.stored() {
			continue
		}
		for _, p := range c.Spec.Ports {
			if p.HostPort != 0 {
				return c, p.HostPort
			}
		}
	}
	return nil, 0
}

func seesSidecarHostPort(v *issueView) sighting {
	c, port := v.hostPort()
	if c == nil {
		return notSeen()
	}
	return saw(v.pod.Ev(c.Path("ports"), "hostPort "+count(&port)))
}

func seesHostPortConflict(v *issueView) sighting {
	c, port := v.hostPort()
	if port == 0 || v.pod.Spec.NodeName == "" || c.Running() != nil {
		return notSeen()
	}
	pods := append([]*facts.Pod{}, v.p.Cluster.Services...)
	for _, w := range v.p.Cluster.Workloads {
		pods = append(pods, w.Pods...)
	}
	for _, o := range pods {
		if o == v.pod || o.Spec.NodeName != v.pod.Spec.NodeName || finished(o.Status.Phase) {
			continue
		}
		for _, c := range append(append([]kube.Container{}, o.Spec.InitContainers...), o.Spec.Containers...) {
			for _, p := range c.Ports {
				if p.HostPort == port {
					return saw(o.Ev("spec.containers[name="+c.Name+"].ports", "hostPort "+count(&port)))
				}
			}
		}
	}
	return notSeen()
}
