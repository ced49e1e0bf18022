package rules

import (
	"slices"
	"strconv"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// kubeletBehind: an API server accepts native sidecars for nodes whose kubelet is up to three minors older and cannot
// run them; that skew is supported. It has nothing to do with the kubelet version that Istio's automatic mode waits for.
func kubeletBehind() *analyze.Rule {
	return &analyze.Rule{Code: "KubeletBehind", Title: "A node cannot run the native sidecars that the API server accepts",
		Severity: analyze.Warning, Scope: analyze.PerCluster, Explains: []analyze.Code{NodeRejectedSidecar, SidecarBlocksInit}, Run: runKubeletBehind}
}

func runKubeletBehind(p *analyze.Pass) analyze.Outcome {
	hit, pods := ignoredNatives(p)
	nodes, doubt := behindNodes(p)
	_, basis := p.Know.Has("kubelet-knows-sidecars", p.Cluster.Server.V)
	switch {
	case len(nodes) > 0:
		return nodesBehind(p, nodes, pods, hit).From(basis)
	case len(pods) > 0:
		return analyze.Fire(say("a kubelet without native sidecars runs %s: it never reported whether the sidecar had started, which newer ones do for every init container", podNames(pods)),
			ignoredEvidence(pods)...).As(analyze.Error).From(basis).About(hit...).
			Lacking(analyze.Missing{What: say("the kubelet version of its node"), Command: "kubectl get nodes -o yaml"})
	case len(p.Cluster.Nodes) == 0:
		stuck := judgedAs(p, SidecarBlocksInit, SidecarNotStarted, InitNotFinished)
		if len(stuck) > 0 && usesNative(p).any() || emitsNative(p) && len(heldByOrdinary(p)) > 0 {
			return analyze.Undecide(say("whether every kubelet can run native sidecars is not known: no node is in the bundle"), nodesMissing(p)).
				As(analyze.Info).About(stuck...)
		}
		return analyze.Skip()
	case doubt:
		return analyze.RuleOut(say("no node in the bundle is known to be unable to run native sidecars; for some the version says nothing"), kubeletEvidence(p)...).From(basis)
	}
	return analyze.RuleOut(say("every kubelet in the bundle runs native sidecars"), kubeletEvidence(p)...).From(basis)
}

func nodesBehind(p *analyze.Pass, nodes []behind, pods []*facts.Pod, hit []evidence.Ref) analyze.Outcome {
	use := usesNative(p)
	accepts, acceptBecause := apiAccepts(p, use)
	switch {
	case accepts == version.No:
		return analyze.RuleOut(say("the API server accepts no native sidecars either"), acceptBecause...)
	case accepts == version.Maybe && len(pods) == 0 && !use.any():
		return analyze.Skip() // old kubelets under an API server of which nothing is known
	}
	var because []evidence.Evidence
	for _, b := range nodes[:min(len(nodes), 2*enoughEvidence)] {
		because = append(because, evKubelet(p.Cluster, b.Kubelet)...)
	}
	because = append(because, acceptBecause...)
	message := say("%s cannot run native sidecars, although the API server accepts them: %s", nodesOf(len(nodes), len(facts.Once(p.Cluster, "cluster-inputs", clusterInputs).Kubelets)), behindText(nodes))
	advice, assumes := behindAdvice(p, nodes), behindAssumes(nodes)
	switch {
	case len(pods) > 0:
		on := say("%s. A kubelet without native sidecars runs pod %s", message, podNames(pods))
		if allOn(pods, nodes) {
			on = say("%s. Pod %s was placed on one of them", message, podNames(pods))
		}
		return analyze.Fire(on, append(ignoredEvidence(pods), because...)...).As(analyze.Error).About(hit...).With(advice).From(assumes)
	case use.any() || emitsNative(p):
		return analyze.Fire(message, append(because, some(append(use.stored, use.asked...))...)...).About(use.workloads...).With(advice).From(assumes)
	}
	if held := heldByOrdinary(p); len(held) > 0 {
		return analyze.Fire(say("%s. Nothing in the bundle uses native sidecars; before one is forced, these nodes are in the way", message), because...).
			As(analyze.Info).About(held...).With(advice).From(assumes)
	}
	return analyze.RuleOut(say("%s; and nothing in the bundle asks for native sidecars", message), because...)
}

// allOn says that every pod is on one of the nodes.
func allOn(pods []*facts.Pod, nodes []behind) bool {
	for _, p := range pods {
		if !slices.ContainsFunc(nodes, func(b behind) bool { return b.Node == p.Spec.NodeName }) {
			return false
		}
	}
	return true
}

// behindText names at most five nodes, each with what becomes of a pod there.
func behindText(nodes []behind) analyze.Text {
	const shown = 5
	var out analyze.Text
	for i, b := range nodes[:min(len(nodes), shown)] {
		one := say("%s (%s: does not know them, pods hang in Init)", b.Node, b.Raw)
		if b.outcome == knowledge.RejectedByKubelet {
			one = say("%s (%s: has them off unless its gate SidecarContainers is on, and fails such pods)", b.Node, b.Raw)
		}
		if i == 0 {
			out = one
			continue
		}
		out = say("%s, %s", out, one)
	}
	if rest := len(nodes) - shown; rest > 0 {
		out = say("%s and %d more", out, rest)
	}
	return out
}

func behindAssumes(nodes []behind) knowledge.Basis {
	for _, b := range nodes {
		if b.outcome == knowledge.RejectedByKubelet {
			return knowledge.Basis{Assumes: []analyze.Text{say("no setting of a kubelet that the bundle does not show switches its gate on")}}
		}
	}
	return knowledge.Basis{}
}

// behindAdvice keeps pods off every one of the nodes: the scheduler takes any that is left.
func behindAdvice(p *analyze.Pass, nodes []behind) *analyze.Advice {
	var avoid []string
	hang := false
	for _, b := range nodes {
		avoid, hang = append(avoid, b.Node), hang || b.outcome != knowledge.RejectedByKubelet
	}
	a := &analyze.Advice{
		Summary: say("upgrade the kubelets of these nodes, or keep pods with native sidecars off them"),
		Steps: []analyze.Text{
			say("until they are upgraded: give such Jobs a nodeSelector or an affinity that leaves %s out. The pod template of a Job cannot be changed, so this takes a new Job; for a CronJob change its jobTemplate, from which the next runs are made", list(fewOf(avoid)))},
		Verify: []analyze.Text{say("kubectl get nodes shows a kubelet that runs native sidecars on every node where such a pod may land")},
		Avoid:  []analyze.Text{say("judging by the API server's version: the kubelet of the node decides")}}
	a.Steps = append(a.Steps, stayOrdinary(p)...)
	if hang {
		a.Steps = append(a.Steps, deleteHanging(p)...)
	}
	return a
}

// deleteHanging deletes the pods that a kubelet without native sidecars lets hang, and says for each workload what that brings
// on it.
func deleteHanging(p *analyze.Pass) []analyze.Text {
	var out []analyze.Text
	more := false
	for _, j := range p.Judged {
		hang := hanging(j.Verdict)
		switch {
		case len(hang) == 0:
		case len(out) == enoughEvidence:
			more = true
		default:
			out = append(out, deleteHung(j.Workload, hang))
		}
	}
	if len(out) == 0 || more {
		out = append(out, say("delete pods that hang on such a node only with this in mind: the Job makes new ones, but deleting a pod that has not finished counts as a failure of it, and with each the backoffLimit of its Job may be exceeded, which fails the Job"))
	}
	return out
}

// hanging gives the pods of a workload that wait in Init for a native sidecar which their kubelet runs as a one-shot container.
func hanging(j *analyze.Judgement) []*facts.Pod {
	var out []*facts.Pod
	for _, pod := range j.Pods {
		if pod.Code == NodeRejectedSidecar && !finished(pod.Pod.Status.Phase) {
			out = append(out, pod.Pod)
		}
	}
	return out
}

func deleteHung(w *facts.Workload, hang []*facts.Pod) analyze.Text {
	if !w.IsJob() {
		return say("delete the pods that hang (%s), so that new ones can be made; %s", list(fewOf(namesOfPods(hang))), deletionCounts(w, hang))
	}
	return say("delete the pods that hang (%s), so that Job %s makes new ones; %s", list(fewOf(namesOfPods(hang))), w.Ref.Name, deletionCounts(w, hang))
}

// stayOrdinary says how proxies are kept ordinary: the webhook reads an annotation of the pod template, and a proxy that
// the template holds itself stays what it is until the manifest is injected again.
func stayOrdinary(p *analyze.Pass) []analyze.Text {
	baked, webhook := 0, 0
	for _, j := range p.Judged {
		if own, ok := proxyInTemplate(j.Workload); !ok {
			webhook++
		} else if own.placement == facts.Native {
			baked++
		}
	}
	var out []analyze.Text
	if webhook > 0 || baked == 0 {
		out = append(out, say("or keep their proxies ordinary: pod-template annotation %s: \"false\", where the webhook injects the pods and Istio reads it", facts.NativeAnnotation))
	}
	if baked > 0 {
		out = append(out, say("or, where the template holds the proxy itself (istioctl kube-inject), keep it ordinary by injecting again: take the original manifest, set the annotation %s: \"false\" in it where Istio reads it, and inject that; on the template as it is the annotation changes nothing", facts.NativeAnnotation))
	}
	return append(out, say("with an ordinary proxy a Job stays open after its program has ended, until something ends the proxy: keep it ordinary only where the application does that"))
}

func podNames(pods []*facts.Pod) sentence.List {
	var out []string
	for _, p := range pods {
		if name := p.Meta.Namespace + "/" + p.Meta.Name; len(out) < enoughEvidence && !contains(out, name) {
			out = append(out, name)
		}
	}
	return list(out)
}

func ignoredEvidence(pods []*facts.Pod) []evidence.Evidence {
	var out []evidence.Evidence
	for _, p := range pods[:min(len(pods), enoughEvidence)] {
		for _, c := range p.Of(facts.IsPlaced(facts.Native)) {
			if c.Running() != nil {
				out = append(out, c.EvPlacement(), c.EvState(), p.EvAbsent(c.StatusPath("started")), p.Ev("spec.nodeName", p.Spec.NodeName))
				break
			}
		}
	}
	return out
}

// kubeletEvidence shows the kubelets of ten nodes, and, where there are more, how many nodes there are.
func kubeletEvidence(p *analyze.Pass) []evidence.Evidence {
	const shown = 10
	var out []evidence.Evidence
	all := p.Cluster.Nodes
	for _, n := range all[:min(len(all), shown)] {
		out = append(out, n.Ev("status.nodeInfo.kubeletVersion", n.Kubelet.Raw))
	}
	if len(all) > shown {
		out = append(out, evidence.Evidence{Object: "Cluster/cluster", Field: "nodes", Value: strconv.Itoa(len(all)), Strength: evidence.Derived})
	}
	return out
}

// nodesMissing is what tells about the nodes, and that they were refused where they were.
func nodesMissing(p *analyze.Pass) analyze.Missing {
	m := analyze.Missing{What: say("the nodes with their kubelet versions"), Command: "kubectl get nodes -o yaml"}
	if _, refused := p.Cluster.Refused["nodes"]; refused {
		m.What = say("the nodes with their kubelet versions: the collector was not allowed to read them")
	}
	return m
}
