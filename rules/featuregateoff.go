package rules

import "github.com/sidecar-must-gather/sidecar-must-gather/analyze"

// featureGateOff: the gate SidecarContainers is read by each component for itself. The API server drops the field, the
// scheduler places no such pod, the kubelet refuses it.
func featureGateOff() *analyze.Rule {
	return &analyze.Rule{Code: "FeatureGateOff", Title: "The feature gate SidecarContainers is off",
		Severity: analyze.Warning, Scope: analyze.PerCluster,
		Explains: []analyze.Code{NodeRejectedSidecar, PodCreationRejected, SidecarBlocksInit, Unschedulable, HeldBySidecar}, Run: runFeatureGateOff}
}

func runFeatureGateOff(p *analyze.Pass) analyze.Outcome {
	s := &gateSigns{p: p}
	use := usesNative(p)
	s.kubelets()
	s.scheduler()
	s.settings(use)
	s.byDefault(use)
	if len(s.messages) == 0 {
		return s.none(use)
	}
	message := s.messages[0]
	for _, m := range s.messages[1:] {
		message = say("%s; %s", message, m)
	}
	return analyze.Fire(message, s.because...).As(s.severity).From(s.basis).About(s.hit...).With(gateAdvice(s.p))
}

// none says why no sign of a gate switched off is good news, or that it is none.
func (s *gateSigns) none(use *nativeUse) analyze.Outcome {
	server := s.p.Cluster.Server
	gate, ok, basis := s.p.Know.SidecarGate(server.V)
	on := setting(s.p.Cluster, "kube-apiserver")
	switch {
	case server.Known && ok && gate.Locked:
		return analyze.RuleOut(say("in %s native sidecars cannot be switched off", server.V.Raw), server.From...).From(basis)
	case on != nil:
		return analyze.RuleOut(say("kube-apiserver has SidecarContainers=true"), on.Evidence).From(basis)
	case len(s.struck()) > 0:
		return s.lost().From(basis)
	case len(use.stored) > 0:
		return analyze.RuleOut(say("the API server kept restartPolicy Always of an init container, so its gate was on"), some(use.stored)...).From(basis)
	case server.Known && ok && gate.Default:
		o := analyze.RuleOut(say("in %s the gate is on unless switched off, and no component in the bundle has it off", server.V.Raw), server.From...).From(basis)
		o.Assumes = append(o.Assumes, say("no flag of a component that the bundle does not show switches the gate off"))
		return o
	}
	return analyze.Skip() // an API server without the field has no gate; see SidecarsUnsupported
}

// lost: the field went on its way and the API server may be the one that dropped it. A mutating webhook that was built
// before the field existed leaves the same traces; see RestartPolicyStripped.
func (s *gateSigns) lost() analyze.Outcome {
	refused, hit := refusedPods(s.p, true)
	stripped, more := strippedPods(s.p)
	o := analyze.Undecide(say("restartPolicy Always of an init container was lost on the way to the pod: the API server's gate may be off, or a mutating webhook took the field away"),
		analyze.Missing{What: say("the flags of the API server"), Command: "kubectl get pods -n kube-system -l component=kube-apiserver -o yaml"},
		analyze.Missing{What: say("the state of the gate, where its metrics may be read"), Command: "kubectl get --raw /metrics | grep SidecarContainers"},
		analyze.Missing{What: say("the mutating webhooks"), Command: "kubectl get mutatingwebhookconfigurations -o yaml"}).About(hit...).About(more...)
	if !s.p.Cluster.Server.Known {
		o = o.Lacking(serverMissing())
	}
	o.Because = append(append(some(refused), some(stripped)...), s.p.Cluster.Server.From...)
	return o
}

func gateAdvice(p *analyze.Pass) *analyze.Advice {
	on := say("remove SidecarContainers=false where it stands, on every control-plane node and in the configuration of every kubelet")
	if gate, ok, _ := p.Know.SidecarGate(p.Cluster.Server.V); ok && !gate.Default {
		on = say("set SidecarContainers=true for every component, on every control-plane node and in the configuration of every kubelet: in this release it is off without that")
	}
	return &analyze.Advice{
		Summary: say("switch the gate SidecarContainers on in API server, scheduler and kubelets alike"),
		Steps: []analyze.Text{
			on,
			say("or upgrade to a release that has it on by default (Kubernetes %s and newer), without a setting that switches it off: where the gate is locked on, a component that is told to switch it off does not start", featureSince(p.Know, "apiserver-sidecars-by-default")),
			say("then make new Jobs: those stored while the gate was off have lost the field"),
			say("until then keep proxies ordinary: a native one ends in a refused pod, a failed pod or one that hangs in Init")},
		Verify: []analyze.Text{
			say("kubectl apply of a pod with a native sidecar, then kubectl get -o yaml: restartPolicy Always is still there")},
		Rollback: []analyze.Text{say("switching the gate off again strips Jobs that are made later; pods and Jobs that exist keep the field")},
		Avoid:    []analyze.Text{say("forcing native sidecars (ENABLE_NATIVE_SIDECARS=true, the pod annotation) before every component has the gate on")}}
}
