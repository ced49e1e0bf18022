package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// component is the version of a part of the cluster as it concerns one pod.
type component struct {
	version version.Version
	from    []evidence.Evidence
	assumes analyze.Text
}

// component finds the version of a part that a published bug is about. Parts without a version in any bundle, such as
// third-party webhooks, give none: their issues hold for all.
func (v *issueView) component(name string) component {
	c, ok := v.components[name]
	if !ok {
		if v.components == nil {
			v.components = map[string]component{}
		}
		c = v.findComponent(name)
		v.components[name] = c
	}
	return c
}

func (v *issueView) findComponent(name string) component {
	server := component{version: v.p.Cluster.Server.V, from: v.p.Cluster.Server.From}
	switch name {
	case "kube-apiserver":
		if v.p.Cluster.Server.Known {
			return server
		}
	case "kubelet":
		return v.kubelet()
	case "kube-controller-manager", "kube-scheduler":
		if c, ok := v.staticPod(name); ok {
			return c
		}
		if v.p.Cluster.Server.Known {
			server.assumes = say("%s is of the API server's version", name)
			return server
		}
	case "istiod":
		return v.istiod()
	case "proxy":
		return v.proxy()
	}
	return component{}
}

// kubelet gives the version of the pod's own node; what a virtual kubelet prints is the version of a library.
func (v *issueView) kubelet() component {
	if v.pod == nil || v.pod.Node == nil || v.pod.Node.Kubelet.IsVirtualKubelet() {
		return component{}
	}
	n := v.pod.Node
	return component{version: n.Kubelet, from: []evidence.Evidence{n.Ev("status.nodeInfo.kubeletVersion", n.Kubelet.Raw)}}
}

// staticPod reads the version of a control-plane component from the image of its pod.
func (v *issueView) staticPod(name string) (component, bool) {
	c := facts.Once(v.p.Cluster, "static-pod "+name, func(c *facts.Cluster) component { return findStaticPod(c, name) })
	return c, c.version.Known()
}

func findStaticPod(cluster *facts.Cluster, name string) component {
	for _, p := range cluster.Services {
		if p.Meta.Namespace != "kube-system" {
			continue
		}
		if c := p.Container(name); c != nil && version.FromImage(c.Image()).Known() {
			return component{version: version.FromImage(c.Image()), from: []evidence.Evidence{c.EvImage()}}
		}
	}
	return component{}
}

// istiod gives the version that injected the pod: its proxy's image dates from then, the Deployment from today.
func (v *issueView) istiod() component {
	if c := v.proxy(); c.version.Known() {
		c.assumes = say("the proxy's image was not set apart from istiod's version")
		return c
	}
	if plane := v.p.Next.Plane; plane != nil && plane.Version.Known {
		return component{version: plane.Version.V, from: plane.Version.From}
	}
	return component{}
}

func (v *issueView) proxy() component {
	if v.pod == nil {
		return component{}
	}
	c := proxyOf(v.pod)
	if c == nil {
		return component{}
	}
	return component{version: version.FromImage(c.Image()), from: []evidence.Evidence{c.EvImage()}}
}
