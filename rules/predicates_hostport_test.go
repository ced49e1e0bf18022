package rules

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestHostPortsClash: two pods of a node clash over a port of one protocol and of one address, or of all addresses.
func TestHostPortsClash(t *testing.T) {
	none := kube.Port{ContainerPort: 53}
	at := func(port int64, protocol, ip string) kube.Port {
		return kube.Port{ContainerPort: 53, HostPort: port, Protocol: protocol, HostIP: ip}
	}
	for _, tc := range []struct {
		name       string
		our, their kube.Port
		place      string
		field      string
	}{
		{"the same", at(53, "", ""), at(53, "", ""), "", "spec.containers[name=report].ports"},
		{"TCP by default", at(53, "", ""), at(53, "TCP", ""), "", "spec.containers[name=report].ports"},
		{"another number", at(53, "", ""), at(54, "", ""), "", ""},
		{"no host port", at(53, "", ""), none, "", ""},
		{"another protocol", at(53, "UDP", ""), at(53, "TCP", ""), "", ""},
		{"another address", at(53, "", "10.0.0.1"), at(53, "", "10.0.0.2"), "", ""},
		{"one address and all", at(53, "", "10.0.0.1"), at(53, "", ""), "", "spec.containers[name=report].ports"},
		{"one address and all, written out", at(53, "", "0.0.0.0"), at(53, "", "10.0.0.2"), "", "spec.containers[name=report].ports"},
		{"a native sidecar", at(53, "", ""), at(53, "", ""), "native", "spec.initContainers[name=report].ports"},
		{"a one-shot init container", at(53, "", ""), at(53, "", ""), "init", ""},
	} {
		ours, theirs := proxy().native().waits("CreateContainerError"), app()
		ours.spec.Ports, theirs.spec.Ports = []kube.Port{tc.our}, []kube.Port{tc.their}
		switch tc.place {
		case "native":
			theirs = theirs.native()
		case "init":
			theirs.init = true
		}
		pod, other := podOf("Never", "Pending", ours, app()), podOf("Always", "Running", theirs, container("second", "registry.example.com/second:1"))
		other.Meta.Name, other.Meta.UID, other.Meta.Owners, other.Meta.Labels = "other", "other-1", nil, nil
		pod.Spec.NodeName, other.Spec.NodeName = "node-1", "node-1"
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{pod, other}}, facts.Options{Helper: HelperOf(base(t)), CollectedAt: taken})
		v := issueViews(&analyze.Pass{Cluster: c, Know: base(t), Workload: c.Workloads[0]})[0]
		s := seesHostPortConflict(v)
		if s.seen != (tc.field != "") || s.seen && s.because[1].Field != tc.field {
			t.Errorf("%s: %+v", tc.name, s)
		}
	}
}
