package rules

import (
	"encoding/json"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// Two istiods of one revision can run in two namespaces of a cluster, an old installation beside a new one. Which of them
// injects is told by the Service that the webhook calls, and of a pod at hand by the address that its proxy was given.

// home is the namespace of the istiod that is meant, "" where nothing tells it.
type home struct {
	namespace string
	from      evidence.Evidence
}

// pick gives the one control plane of a list that runs in a namespace; of several that may be meant it gives none.
func (h home) pick(planes []*facts.ControlPlane) (plane *facts.ControlPlane, rivals []*facts.ControlPlane) {
	var there []*facts.ControlPlane
	for _, cp := range planes {
		if h.namespace == "" || cp.Namespace == "" || cp.Namespace == h.namespace {
			there = append(there, cp)
		}
	}
	switch len(there) {
	case 0:
		return nil, nil
	case 1:
		return there[0], nil
	}
	return nil, there
}

// calledHome is where the webhook configurations of a revision or tag send their calls, if they agree.
func calledHome(c *facts.Cluster, name string) home {
	var h home
	for _, in := range c.Mesh.Injectors {
		if in.Tag != name && in.Revision != name || in.Namespace == "" {
			continue
		}
		if h.namespace != "" && h.namespace != in.Namespace {
			return home{}
		}
		h = home{in.Namespace, in.Config.Ev("webhooks[0].clientConfig.service.namespace", in.Namespace)}
	}
	return h
}

// servedHome is where the istiod runs that serves a pod's proxy, by the address that the injector wrote.
func servedHome(pod *facts.Pod) home {
	if pod == nil {
		return home{}
	}
	proxy := proxyOf(pod)
	if proxy == nil || proxy.Spec == nil {
		return home{}
	}
	if address, ok := servingIstiod(pod, proxy); ok {
		if ns := namespaceOf(address.Value); ns != "" {
			return home{ns, address}
		}
	}
	s := facts.ReadEnv(&pod.Object, proxy.Spec.Env, proxy.Path(""), "PROXY_CONFIG")
	var config struct {
		DiscoveryAddress string `json:"discoveryAddress"`
	}
	if !s.Known || !s.Set || json.Unmarshal([]byte(s.Value), &config) != nil {
		return home{}
	}
	return home{namespaceOf(config.DiscoveryAddress), s.From[0]}
}

// namespacesOf lists where control planes run.
func namespacesOf(planes []*facts.ControlPlane) []string {
	var out []string
	for _, cp := range planes {
		out = append(out, cp.Namespace)
	}
	return out
}

// among names control planes of which one is meant.
func among(revision string, rivals []*facts.ControlPlane) analyze.Text {
	return say("one of the istiods of revision %s in the namespaces %s", orDefault(revision), strings.Join(namespacesOf(rivals), " or "))
}
