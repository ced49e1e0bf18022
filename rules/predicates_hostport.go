package rules

import (
	"cmp"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Predicates about host ports of native sidecars.

// hostPort is a port of the node that a container asks for.
type hostPort struct {
	kube.Port
	evidence func() evidence.Evidence
}

// clashes says that two containers cannot have both ports on one node: number and protocol are the same, and the address
// too, or one asks for all of them (HostPortInfo of the scheduler).
func (h hostPort) clashes(o hostPort) bool {
	return h.HostPort == o.HostPort && cmp.Or(h.Protocol, "TCP") == cmp.Or(o.Protocol, "TCP") &&
		(h.HostIP == o.HostIP || everyAddress(h.HostIP) || everyAddress(o.HostIP))
}

// everyAddress says that an address stands for all of a node: none, or the one of zeros.
func everyAddress(ip string) bool { return strings.Trim(ip, "0.") == "" }

func hostPortsOf(p *facts.Pod, c *facts.Container) []hostPort {
	if c.Spec == nil {
		return nil
	}
	var out []hostPort
	for _, port := range c.Spec.Ports {
		if port.HostPort == 0 {
			continue
		}
		out = append(out, hostPort{port, func() evidence.Evidence {
			value := "hostPort " + count(&port.HostPort)
			if port.Protocol != "" {
				value += "/" + port.Protocol
			}
			if port.HostIP != "" {
				value += " of " + port.HostIP
			}
			return p.Ev(c.Path("ports"), value)
		}})
	}
	return out
}

// sidecarPorts gives the host ports that native sidecars of a stored pod ask for; waiting: of those that do not run.
func (v *issueView) sidecarPorts(waiting bool) []hostPort {
	if !v.stored() {
		return nil
	}
	var out []hostPort
	for _, c := range v.natives {
		if !waiting || c.Running() == nil {
			out = append(out, hostPortsOf(v.pod, c)...)
		}
	}
	return out
}

func seesSidecarHostPort(v *issueView) sighting {
	ports := v.sidecarPorts(false)
	if len(ports) == 0 {
		return notSeen()
	}
	return saw(ports[0].evidence())
}

func seesHostPortConflict(v *issueView) sighting {
	ports := v.sidecarPorts(true)
	if len(ports) == 0 || v.pod.Spec.NodeName == "" {
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
		for _, c := range o.Containers {
			if c.Placement == facts.InitContainer {
				continue // a one-shot init container's ports are not given out on the node
			}
			for _, theirs := range hostPortsOf(o, c) {
				for _, ours := range ports {
					if ours.clashes(theirs) {
						return saw(ours.evidence(), theirs.evidence())
					}
				}
			}
		}
	}
	return notSeen()
}
