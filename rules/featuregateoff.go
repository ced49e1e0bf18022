package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// featureGateOff: the gate SidecarContainers is read by each component for itself. The API server drops the field, the
// scheduler places no such pod, the kubelet refuses it.
func featureGateOff() *analyze.Rule {
	return &analyze.Rule{Code: "FeatureGateOff", Title: "The feature gate SidecarContainers is off",
		Severity: analyze.Warning, Scope: analyze.PerCluster,
		Explains: []analyze.Code{NodeRejectedSidecar, PodCreationRejected, SidecarBlocksInit, Unschedulable, HeldBySidecar}, Run: runFeatureGateOff}
}

// schedulerRefuses are the words of a scheduler whose gate is off.
const schedulerRefuses = "SidecarContainers feature is disabled"

// gateSigns collects what speaks for the gate being off, worst first.
type gateSigns struct {
	p        *analyze.Pass
	messages []analyze.Text
	because  []evidence.Evidence
	hit      []evidence.Ref
	severity analyze.Severity
	basis    knowledge.Basis
}

func (s *gateSigns) add(severity analyze.Severity, message analyze.Text, because []evidence.Evidence, hit ...evidence.Ref) {
	s.messages = append(s.messages, message)
	s.because = append(s.because, because...)
	s.hit = append(s.hit, hit...)
	if s.severity == "" || severity.Worse(s.severity) {
		s.severity = severity
	}
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
	return analyze.Fire(message, s.because...).As(s.severity).From(s.basis).About(s.hit...).With(gateAdvice())
}

// kubelets finds pods that a kubelet refused in the words that only a gate switched off brings.
func (s *gateSigns) kubelets() {
	var nodes []string
	var because []evidence.Evidence
	var hit []evidence.Ref
	for _, j := range s.p.Judged {
		for _, pod := range j.Workload.Pods {
			ev, ok := rejection(pod)
			if !ok {
				continue
			}
			if name := orNone(pod.Spec.NodeName); !contains(nodes, name) {
				nodes = append(nodes, name)
				because = append(because, ev)
			}
			hit = append(hit, j.Workload.Ref)
		}
	}
	if len(nodes) > 0 {
		s.add(analyze.Error, say("the kubelet of %s refused a pod because its gate SidecarContainers is off", list(nodes)), because, hit...)
	}
}

func rejection(pod *facts.Pod) (evidence.Evidence, bool) {
	if pod.Status.Reason == rejectReason {
		return pod.Ev("status.reason", rejectReason), true
	}
	for _, e := range pod.Events {
		if e.Reason == rejectReason {
			return evEvent(e), true
		}
	}
	return evidence.Evidence{}, false
}

func (s *gateSigns) scheduler() {
	var because []evidence.Evidence
	var hit []evidence.Ref
	for _, j := range s.p.Judged {
		for _, pod := range j.Workload.Pods {
			if ev, ok := unplaced(pod); ok {
				because, hit = append(because, ev), append(hit, j.Workload.Ref)
			}
		}
	}
	if len(because) > 0 {
		_, basis := s.p.Know.Has("scheduler-refuses-sidecars", s.p.Cluster.Server.V)
		s.basis = basis
		s.add(analyze.Error, say("the scheduler placed no pod with a native sidecar because its gate SidecarContainers is off"), some(because), hit...)
	}
}

func unplaced(pod *facts.Pod) (evidence.Evidence, bool) {
	if c := pod.Condition("PodScheduled"); c != nil && strings.Contains(c.Message, schedulerRefuses) {
		return pod.Ev("status.conditions[type=PodScheduled].message", c.Message), true
	}
	for _, e := range pod.Events {
		if e.Reason == "FailedScheduling" && strings.Contains(e.Text(), schedulerRefuses) {
			return evEvent(e), true
		}
	}
	return evidence.Evidence{}, false
}

// settings reads what control-plane pods and the kubelets' ConfigMap say. Where the gate is locked, a component that is
// told to switch it off does not start at all, so the setting can not be in force.
func (s *gateSigns) settings(use nativeUse) {
	for _, g := range s.p.Cluster.Gates {
		if g.Enabled {
			continue
		}
		severity := analyze.Warning
		hit := s.struck()
		if len(hit) > 0 && g.Component != "kube-scheduler" {
			severity = analyze.Error
		}
		if gate, ok, basis := s.p.Know.SidecarGate(s.versionOf(g)); ok && gate.Locked {
			s.basis = basis
			s.add(analyze.Warning, say("%s is told SidecarContainers=false, which its version does not start with; the setting is not what runs", g.Component), []evidence.Evidence{g.Evidence})
			continue
		}
		s.add(severity, say("%s has SidecarContainers=false", g.Component), []evidence.Evidence{g.Evidence}, append(hit, use.workloads...)...)
	}
}

// versionOf is the version of the component that a setting is about; the kubelets' ConfigMap is for nodes of several.
func (s *gateSigns) versionOf(g facts.Gate) version.Version {
	if g.Component != "kubelet" {
		return s.p.Cluster.Server.V
	}
	for _, n := range s.p.Cluster.Nodes {
		if gate, ok, _ := s.p.Know.SidecarGate(n.Kubelet); !ok || !gate.Locked {
			return n.Kubelet
		}
	}
	if len(s.p.Cluster.Nodes) > 0 {
		return s.p.Cluster.Nodes[0].Kubelet
	}
	return version.Version{}
}

// struck gives the workloads on which a dropped field shows.
func (s *gateSigns) struck() []evidence.Ref {
	_, refused := refusedPods(s.p, true)
	return append(refused, judgedAs(s.p, SidecarBlocksInit)...)
}

// byDefault: in one release the API server knows the field and drops it unless told otherwise.
func (s *gateSigns) byDefault(use nativeUse) {
	server := s.p.Cluster.Server
	gate, ok, basis := s.p.Know.SidecarGate(server.V)
	if !server.Known || !ok || !gate.Exists || gate.Default || gate.Locked || len(use.stored) > 0 || setting(s.p.Cluster, "kube-apiserver") != nil {
		return
	}
	severity, hit := analyze.Info, append(s.struck(), heldByOrdinary(s.p)...)
	switch {
	case len(s.struck()) > 0:
		severity = analyze.Error
	case len(hit) > 0 || use.any() || emitsNative(s.p):
		severity = analyze.Warning
	}
	s.basis = basis
	s.basis.Assumes = append(s.basis.Assumes, "no flag of the API server that the bundle does not show switches the gate on")
	s.add(severity, say("API server %s has the gate SidecarContainers (%s), off unless switched on, and nothing in the bundle switches it on: it drops restartPolicy of init containers without a word",
		server.V.Raw, gate.Stage), server.From, append(hit, use.workloads...)...)
}

func setting(c *facts.Cluster, component string) *facts.Gate {
	for i := range c.Gates {
		if c.Gates[i].Component == component {
			return &c.Gates[i]
		}
	}
	return nil
}

// none says why no sign of a gate switched off is good news, or that it is none.
func (s *gateSigns) none(use nativeUse) analyze.Outcome {
	server := s.p.Cluster.Server
	gate, ok, basis := s.p.Know.SidecarGate(server.V)
	if on := setting(s.p.Cluster, "kube-apiserver"); on != nil {
		return analyze.RuleOut(say("kube-apiserver has SidecarContainers=true"), on.Evidence).From(basis)
	}
	if len(use.stored) > 0 {
		return analyze.RuleOut(say("the API server kept restartPolicy Always of an init container, so its gate was on"), some(use.stored)...).From(basis)
	}
	switch {
	case server.Known && ok && gate.Locked:
		return analyze.RuleOut(say("in %s native sidecars can not be switched off", server.V.Raw), server.From...).From(basis)
	case server.Known && ok && gate.Default:
		o := analyze.RuleOut(say("in %s the gate is on unless switched off, and no component in the bundle has it off", server.V.Raw), server.From...).From(basis)
		o.Assumes = append(o.Assumes, "no flag of a component that the bundle does not show switches the gate off")
		return o
	}
	refused, hit := refusedPods(s.p, true)
	if server.Known || len(refused) == 0 {
		return analyze.Skip() // an API server without the field has no gate; see SidecarsUnsupported
	}
	o := analyze.Undecide(say("the API server refused a pod whose init container had lost restartPolicy; whether its gate is off or a webhook took the field away depends on its version and flags"),
		serverMissing(), analyze.Missing{What: say("the flags of the API server"), Command: "kubectl get pods -n kube-system -l component=kube-apiserver -o yaml"}).About(hit...)
	o.Because = some(refused)
	return o
}

func gateAdvice() *analyze.Advice {
	return &analyze.Advice{
		Summary: say("switch the gate SidecarContainers on in API server, scheduler and kubelets alike, or upgrade to a version in which it is locked on"),
		Steps: []analyze.Text{
			say("remove SidecarContainers=false where it stands, on every control-plane node and in the configuration of every kubelet"),
			say("then make new Jobs: those stored while the gate was off have lost the field"),
			say("until then keep proxies ordinary: a native one ends in a refused pod, a failed pod or one that hangs in Init")},
		Verify: []analyze.Text{
			say("kubectl apply of a pod with a native sidecar, then kubectl get -o yaml: restartPolicy Always is still there")},
		Rollback: []analyze.Text{say("switching the gate off again strips Jobs that are made later; pods and Jobs that exist keep the field")},
		Avoid:    []analyze.Text{say("forcing native sidecars (ENABLE_NATIVE_SIDECARS=true, the pod annotation) before every component has the gate on")}}
}
