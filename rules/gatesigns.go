package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

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
// told to switch it off does not start at all, so the setting cannot be in force.
func (s *gateSigns) settings(use *nativeUse) {
	for _, g := range s.p.Cluster.Gates {
		if g.Enabled || !readsGate(g.Component) {
			continue
		}
		severity := analyze.Warning
		hit := s.struck()
		if len(hit) > 0 && g.Component == "kube-apiserver" {
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

// readsGate says that a component acts on the gate; others take the flag as well, for all gates are in one list.
func readsGate(component string) bool {
	switch component {
	case "kube-apiserver", "kube-scheduler", "kube-controller-manager", "kubelet":
		return true
	}
	return false
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

// struck gives the workloads on which a dropped field shows: a pod refused for what was left without it, or a pod that
// lacks what its Job's template has.
func (s *gateSigns) struck() []evidence.Ref {
	_, refused := refusedPods(s.p, true)
	_, stripped := strippedPods(s.p)
	return append(refused, stripped...)
}

// strippedPods finds stored pods whose init container lost the restartPolicy Always that the Job's template has, and Jobs
// whose own template lost what was applied.
func strippedPods(p *analyze.Pass) (list []evidence.Evidence, workloads []evidence.Ref) {
	for _, j := range p.Judged {
		job := j.Workload.Job
		if job == nil {
			continue
		}
		if name, because := appliedNative(job, ""); name != "" {
			list, workloads = append(list, because...), append(workloads, j.Workload.Ref)
			continue
		}
		for _, t := range job.Spec.Template.Spec.InitContainers {
			for _, pod := range j.Workload.Pods {
				c := pod.Container(t.Name)
				if t.RestartPolicy != "Always" || pod.Described() || c == nil || c.Placement != facts.InitContainer {
					continue
				}
				list = append(list, job.Ev("spec.template.spec.initContainers[name="+t.Name+"].restartPolicy", "Always"), c.EvPlacement())
				workloads = append(workloads, j.Workload.Ref)
			}
		}
	}
	return list, workloads
}

// byDefault: in one release the API server knows the field and drops it unless told otherwise.
func (s *gateSigns) byDefault(use *nativeUse) {
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
	s.basis.Assumes = append(s.basis.Assumes, say("no flag of the API server that the bundle does not show switches the gate on"))
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
