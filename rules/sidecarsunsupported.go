package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// sidecarsUnsupported: restartPolicy of init containers is a field that older API servers do not have. No setting of
// Istio and no annotation can help there.
func sidecarsUnsupported() *analyze.Rule {
	return &analyze.Rule{Code: "SidecarsUnsupported", Title: "The API server is too old for native sidecars",
		Severity: analyze.Warning, Scope: analyze.PerCluster,
		Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar, PodCreationRejected, SidecarBlocksInit}, Run: runSidecarsUnsupported}
}

// knowsField is the feature by which an API server is told to know native sidecars.
const knowsField = "apiserver-knows-field"

func runSidecarsUnsupported(p *analyze.Pass) analyze.Outcome {
	answer, basis := p.Know.Has(knowsField, p.Cluster.Server.V)
	use, held := usesNative(p), heldByOrdinary(p)
	if strict, ok := strictRefusal(p.Cluster.Notes); ok && answer != version.Yes {
		return unsupported(p, say("the API server did not know restartPolicy of init containers and refused the manifest that has it"),
			append([]evidence.Evidence{strict}, p.Cluster.Server.From...)).As(analyze.Error).From(basis).About(use.workloads...)
	}
	if short, refs := refusedPods(p, false); len(short) > 0 && answer != version.Yes {
		return unsupported(p, say("the API server refused a pod in words that only one without native sidecars uses"),
			append(short[:1], p.Cluster.Server.From...)).As(analyze.Error).From(basis).About(refs...)
	}
	switch {
	case p.Cluster.Server.Known && answer == version.Yes:
		return analyze.RuleOut(say("API server %s knows native sidecars", p.Cluster.Server.V.Raw), p.Cluster.Server.From...).From(basis)
	case p.Cluster.Server.Known && answer == version.No:
		o := unsupported(p, say("API server %s does not know native sidecars", p.Cluster.Server.V.Raw), p.Cluster.Server.From).
			From(basis).About(held...).About(use.workloads...)
		if len(held) == 0 && !use.any() {
			o = o.As(analyze.Info)
		}
		return o
	case len(use.stored) > 0:
		return analyze.RuleOut(say("the API server kept restartPolicy Always of an init container, so it knows native sidecars"), some(use.stored)...).From(basis)
	}
	if o, ok := knownFromNodes(p); ok {
		return o.From(basis)
	}
	if len(held) == 0 && !use.any() && !emitsNative(p) {
		return analyze.Skip()
	}
	return analyze.Undecide(say("whether this API server knows native sidecars is not in the bundle"), serverMissing()).
		As(analyze.Info).From(basis).About(held...).About(use.workloads...)
}

func unsupported(p *analyze.Pass, message analyze.Text, because []evidence.Evidence) analyze.Outcome {
	since := ""
	if f, ok := p.Know.Feature(knowsField); ok {
		since = f.Since
	}
	return analyze.Fire(say("%s; native sidecars came with Kubernetes %s", message, since), because...).
		With(&analyze.Advice{
			Summary: say("native sidecars need a newer Kubernetes, API server and nodes alike; until then the application has to end its sidecar, or run without it"),
			Steps: []analyze.Text{
				say("let the application ask the sidecar to end as its last step, whatever its own exit code is"),
				say("or leave the sidecar out of this Job, on the pod template, where policy allows it"),
				say("plan the upgrade: first the API server, then every node")},
			Avoid: []analyze.Text{
				say("kubectl with --validate=false: the API server drops the field and the Job then hangs in Init"),
				say("ENABLE_NATIVE_SIDECARS or the pod annotation of Istio: pods with the injected result are refused, or hang in Init")}})
}

// knownFromNodes concludes from kubelets: in the supported skew they are not newer than their API server. Clusters outside of it
// exist, so the sentence says what it rests on.
func knownFromNodes(p *analyze.Pass) (analyze.Outcome, bool) {
	for _, n := range p.Cluster.Nodes {
		if n.Kubelet.IsVirtualKubelet() {
			continue
		}
		if a, _ := p.Know.Has("kubelet-knows-sidecars", n.Kubelet); a == version.Yes {
			o := analyze.RuleOut(say("node %s runs kubelet %s, and in a supported cluster no API server is older than its kubelets", n.Meta.Name, n.Kubelet.Raw),
				n.Ev("status.nodeInfo.kubeletVersion", n.Kubelet.Raw))
			o.Assumes = []analyze.Text{say("the nodes keep to the supported version skew")}
			return o, true
		}
	}
	return analyze.Outcome{}, false
}
