package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

const kubeletPath = "status.nodeInfo.kubeletVersion"

// clusterInputs are the inputs that all workloads of a cluster have in common. Who changes a list of them copies it first.
func clusterInputs(c *facts.Cluster) knowledge.Inputs {
	in := knowledge.Inputs{APIServer: c.Server.V}
	nodeInputs(&in, c)
	gateInputs(&in, c)
	in.Kubelets, in.Memory = slices.Clip(in.Kubelets), &knowledge.Memory{}
	return in
}

// nodeInputs lists the kubelets. A table of nodes stands in where no node object is there; it names old ones, and is not
// taken to be complete. Neither are the objects when a pod runs on a node that is not among them.
func nodeInputs(in *knowledge.Inputs, c *facts.Cluster) {
	_, refused := c.Refused["nodes"]
	in.NodesKnown = len(c.Nodes) > 0 && !refused && facts.Once(c, "node-not-listed", nodeNotListed) == ""
	proven := facts.Once(c, "proven-nodes", provenNodes)
	for _, d := range c.Nodes {
		raw := d.Status.NodeInfo.KubeletVersion
		k := knowledge.Kubelet{Node: d.Meta.Name, Raw: raw, Unread: raw == "" && !stated(&d.Object, kubeletPath)}
		if proven[d.Meta.Name] {
			k.Gate = "true"
		}
		in.Kubelets = append(in.Kubelets, k)
	}
	if len(c.Nodes) > 0 {
		return
	}
	for _, r := range c.Rows {
		if v := r.Cells["VERSION"]; r.Kind == "Node" && r.Cells["NAME"] != "" && strings.HasPrefix(v, "v") && version.Parse(v).Known() {
			in.Kubelets = append(in.Kubelets, knowledge.Kubelet{Node: r.Cells["NAME"], Raw: v})
		}
	}
}

// stated says that a field is there, if only empty: a node that never reported has kubeletVersion "", one whose status
// was cut off has none.
func stated(o *kube.Object, path string) bool {
	return o.Origin.Lines != nil && o.Origin.Lines.LineOf(path) > 0
}

// nodeNotListed gives the node of an unfinished pod that is not among the nodes of the bundle.
func nodeNotListed(c *facts.Cluster) string {
	missing := ""
	see := func(node, phase string) {
		if node != "" && !finished(phase) && missing == "" && c.Node(node) == nil {
			missing = node
		}
	}
	eachPod(c, func(p *facts.Pod) { see(p.Spec.NodeName, p.Status.Phase) })
	for i := range c.Reduced {
		see(c.Reduced[i].Node, c.Reduced[i].Phase)
	}
	return missing
}

func eachPod(c *facts.Cluster, see func(*facts.Pod)) {
	for _, w := range c.Workloads {
		for _, p := range w.Pods {
			see(p)
		}
	}
	for _, p := range c.Services {
		see(p)
	}
}

// provenNodes are those on which a native sidecar had started and a regular container ran after it: proof that outranks
// what a version lets expect.
func provenNodes(c *facts.Cluster) map[string]bool {
	out := map[string]bool{}
	eachPod(c, func(p *facts.Pod) {
		for _, s := range p.Of(facts.IsPlaced(facts.Native)) {
			if s.Status == nil || s.Status.Started == nil || !*s.Status.Started {
				continue
			}
			for _, regular := range p.Of(facts.IsPlaced(facts.Ordinary)) {
				if regular.EverRan() && p.Spec.NodeName != "" {
					out[p.Spec.NodeName] = true
				}
			}
		}
	})
	return out
}

// gateInputs reads the feature gate where it is set, and where a stored pod proves it: an API server without it would
// have dropped the field.
func gateInputs(in *knowledge.Inputs, c *facts.Cluster) {
	for _, g := range c.Gates {
		value := strconv.FormatBool(g.Enabled)
		switch g.Component {
		case "kube-apiserver":
			in.Gate = knowledge.Given(value, g.Evidence.Where())
		case "kubelet":
			in.KubeletGate = value
		}
	}
	if in.Gate.Known {
		return
	}
	if kept := facts.Once(c, "field-kept", fieldKept); kept != nil {
		in.Gate, in.GateKept = knowledge.Given("true", kept.Where()), true
	}
}

// fieldKept finds, for all workloads, a pod that the API server stored with restartPolicy Always in initContainers. Pods stored before the
// gate was switched off keep the field too, so one that lost it, or was refused for the lack of it, takes the proof away.
func fieldKept(c *facts.Cluster) *evidence.Evidence {
	var kept *evidence.Evidence
	lost := false
	eachPod(c, func(p *facts.Pod) {
		for _, s := range p.Of(facts.IsPlaced(facts.Native)) {
			if kept == nil && !p.Described() && p.Meta.UID != "" && s.SaysAlways() {
				e := s.EvPlacement()
				kept = &e
			}
		}
	})
	for _, w := range c.Workloads {
		lost = lost || lostField(w)
		for _, e := range w.Events {
			lost = lost || strings.Contains(e.Text(), refusedInInit)
		}
	}
	if lost {
		return nil
	}
	return kept
}

// lostField says that a pod lacks a restartPolicy that its template gives an init container.
func lostField(w *facts.Workload) bool {
	t, ok := decidingTemplate(w)
	if !ok || t.standIn {
		return false
	}
	for _, tc := range t.spec.InitContainers {
		for _, p := range w.Pods {
			if c := p.Container(tc.Name); tc.RestartPolicy == "Always" && c != nil && c.Placement == facts.InitContainer && !p.Described() {
				return true
			}
		}
	}
	return false
}

// evKubelet is the evidence of a node's kubelet version.
func evKubelet(c *facts.Cluster, k knowledge.Kubelet) []evidence.Evidence {
	if node := c.Node(k.Node); node != nil {
		if k.Raw == "" && k.Unread {
			return []evidence.Evidence{node.EvAbsent(kubeletPath)}
		}
		return []evidence.Evidence{node.Ev(kubeletPath, k.Raw)}
	}
	for _, r := range c.Rows {
		if r.Kind == "Node" && r.Cells["NAME"] == k.Node {
			return []evidence.Evidence{{Object: "Node/" + k.Node, Field: "VERSION", Value: k.Raw, File: r.File, Line: r.Line, Strength: evidence.Table}}
		}
	}
	return nil
}

// clusterIDOf reads under which name istiod registers its own cluster; false when it cannot be read.
func clusterIDOf(cp *facts.ControlPlane) (string, bool) {
	if cp.Deployment == nil {
		return "", false
	}
	for _, ct := range cp.Deployment.Spec.Template.Spec.Containers {
		if ct.Name == "discovery" {
			s := facts.ReadEnv(&cp.Deployment.Object, ct.Env, "spec.template.spec.containers[name=discovery]", "CLUSTER_ID")
			return s.Value, s.Known && s.Set
		}
	}
	return "", false
}
