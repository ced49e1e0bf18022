package rules

import (
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Predicates about the regular containers, the phase and the events of a pod.

func seesRestartPolicyNever(v *issueView) sighting {
	if v.pod == nil {
		return notSeen()
	}
	policy, at := v.pod.RestartPolicy()
	if policy != "Never" {
		return notSeen()
	}
	return saw(at)
}

func seesAppNotRestarted(v *issueView) sighting {
	if v.pod == nil || finished(v.pod.Status.Phase) {
		return notSeen()
	}
	for _, c := range append(append([]*facts.Container{}, v.apps...), v.helpers...) {
		t := c.Terminated()
		if t == nil || t.ExitCode == 0 || c.Status.RestartCount > 0 || c.RestartsAfter(t.ExitCode) != version.Yes {
			continue
		}
		if age, ok := v.lasted(t.FinishedAt); ok && age > longestBackOff {
			_, policy := c.Policy()
			return saw(c.EvState(), v.pod.Ev(c.StatusPath("state.terminated.finishedAt"), t.FinishedAt.String()),
				v.pod.Ev(c.StatusPath("restartCount"), "0"), policy)
		}
	}
	return notSeen()
}

func seesAppPodInitializing(v *issueView) sighting {
	for _, c := range v.apps {
		if w := c.Waiting(); w != nil && w.Reason == "PodInitializing" {
			return saw(c.EvState())
		}
	}
	return notSeen()
}

func seesDeletingNeverInitialized(v *issueView) sighting {
	if v.pod == nil || v.pod.Meta.Deleted.Raw == "" || finished(v.pod.Status.Phase) {
		return notSeen()
	}
	c := v.pod.Condition("Initialized")
	if c == nil || c.Status == "True" || len(running(v.natives)) == 0 {
		return notSeen()
	}
	return saw(v.pod.Ev("metadata.deletionTimestamp", v.pod.Meta.Deleted.String()), v.pod.Ev("status.conditions[type=Initialized].status", c.Status),
		running(v.natives)[0].EvState())
}

func seesFailedThoughSucceeded(v *issueView) sighting {
	if v.pod == nil || v.pod.Status.Phase != "Failed" {
		return notSeen()
	}
	all := append(append([]*facts.Container{}, v.apps...), v.helpers...)
	if _, ok := allExitedZero(all); !ok {
		return notSeen()
	}
	return saw(append([]evidence.Evidence{v.pod.Ev("status.phase", "Failed")}, exits(v.pod)...)...)
}

// admissionReasons are the reasons with which a kubelet refuses a pod that it is given (pkg/kubelet/lifecycle).
var admissionReasons = []string{"OutOfcpu", "OutOfmemory", "OutOfpods", "NodeAffinity", "UnexpectedAdmissionError", "PodOSNotSupported",
	"NodePorts", "TopologyAffinityError", "NodeShutdown", "InvalidNodeInfo"}

func seesRejectedByKubelet(v *issueView) sighting {
	switch {
	case v.pod == nil:
		return notSeen()
	case strings.HasPrefix(v.pod.Status.Message, "Pod was rejected"):
		return saw(v.pod.Ev("status.message", v.pod.Status.Message))
	case contains(admissionReasons, v.pod.Status.Reason):
		return saw(v.pod.Ev("status.reason", v.pod.Status.Reason))
	}
	return notSeen()
}

func seesSandboxChanged(v *issueView) sighting {
	if v.pod == nil {
		return notSeen()
	}
	for _, e := range v.pod.Events {
		if e.Reason == "SandboxChanged" {
			return saw(evEvent(e))
		}
	}
	return notSeen()
}

func seesStaticPod(v *issueView) sighting {
	const mirror = "kubernetes.io/config.mirror"
	if v.pod == nil || v.pod.Meta.Annotations.Get(mirror) == "" {
		return notSeen()
	}
	return saw(v.pod.Ev("metadata.annotations["+mirror+"]", v.pod.Meta.Annotations.Get(mirror)))
}

// countingTakes is how long the Job controller may need to count a finished pod before its finalizer is called stuck.
const countingTakes = 5 * time.Minute

func seesFinalizerKept(v *issueView) sighting {
	if v.pod == nil || !finished(v.pod.Status.Phase) || !contains(v.pod.Meta.Finalizers, trackingFinalizer) || !v.finishedFor(countingTakes) {
		return notSeen()
	}
	return saw(v.pod.Ev("status.phase", v.pod.Status.Phase), v.pod.Ev("metadata.finalizers", trackingFinalizer))
}

// finishedFor says that the last container of the pod ended at least so long before the reference time.
func (v *issueView) finishedFor(d time.Duration) bool {
	last, ended := lastEnd(v.pod.Of(facts.IsPlaced(facts.Ordinary)))
	return ended && !last.IsZero() && v.p.Cluster.At.Known && v.p.Cluster.At.V.Sub(last) >= d
}

func seesNoStartupProbeOnVirtualNode(v *issueView) sighting {
	if v.pod == nil {
		return notSeen()
	}
	for _, e := range v.pod.Events {
		if e.Reason == "ProviderCreateFailed" && strings.Contains(strings.ToLower(e.Text()), "startupprobe") {
			return saw(evEvent(e))
		}
	}
	return notSeen()
}
