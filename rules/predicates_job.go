package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Predicates about the Job and its counting.

func (v *issueView) job() *kube.Job { return v.p.Workload.Job }

// refusal gives the newest FailedCreate of a Job without pods that passes a test.
func (v *issueView) refusal(test func(string) bool) *kube.Event {
	if v.pod != nil || !stillRefused(v.p) {
		return nil
	}
	for i := len(v.p.Workload.Events) - 1; i >= 0; i-- {
		if e := v.p.Workload.Events[i]; e.Reason == "FailedCreate" && test(e.Text()) {
			return e
		}
	}
	return nil
}

func seesDuplicateRefused(v *issueView) sighting {
	e := v.refusal(func(text string) bool {
		m := duplicateName.FindStringSubmatch(text)
		return m != nil && m[1] == istioProxy
	})
	if e == nil {
		return notSeen()
	}
	return saw(evEvent(e))
}

func seesLinkerdRefused(v *issueView) sighting {
	e := v.refusal(func(text string) bool {
		text = strings.ToLower(text)
		return strings.Contains(text, "waitbeforeexitseconds") && strings.Contains(text, "native")
	})
	if e == nil {
		return notSeen()
	}
	return saw(evEvent(e))
}

// seesBackingOff: a pod of the Job failed within the longest time that the Job controller waits before the next one.
func seesBackingOff(v *issueView) sighting {
	j := v.p.Workload.Live()
	if j == nil || trueCondition(j.Status.Conditions, "Complete") != nil || trueCondition(j.Status.Conditions, "Failed") != nil {
		return notSeen()
	}
	return v.ofAllPods("backing-off", func() sighting {
		for _, p := range v.p.Workload.Pods {
			if p.Status.Phase != "Failed" {
				continue
			}
			last, ended := lastEnd(p.Of(facts.IsPlaced(facts.Ordinary)))
			if at := v.p.Cluster.At; ended && !last.IsZero() && at.Known && at.V.Sub(last) < longestBackOff {
				return saw(p.Ev("status.phase", "Failed"))
			}
		}
		return notSeen()
	})
}

func seesUncounted(v *issueView) sighting {
	if v.p.Workload.Live() == nil || v.pod == nil || !finished(v.pod.Status.Phase) || !contains(v.pod.Meta.Finalizers, trackingFinalizer) || !v.finishedFor(killMargin) {
		return notSeen()
	}
	return saw(v.pod.Ev("metadata.finalizers", trackingFinalizer), v.pod.Ev("status.phase", v.pod.Status.Phase))
}

func seesOnFailure(v *issueView) sighting {
	j := v.job()
	if j == nil || j.Spec.Template.Spec.RestartPolicy != "OnFailure" {
		return notSeen()
	}
	return saw(j.Ev("spec.template.spec.restartPolicy", "OnFailure"))
}

func seesBackoffLimit(v *issueView) sighting {
	j := v.job()
	if j == nil {
		return notSeen()
	}
	reason, at := failure(j)
	if reason != "BackoffLimitExceeded" {
		return notSeen()
	}
	return saw(at)
}

// seesSidecarRestartsReachLimit needs the pods, whose restarts the controller summed up (pastBackoffLimitOnFailure).
func seesSidecarRestartsReachLimit(v *issueView) sighting {
	j := v.job()
	if j == nil || j.Spec.BackoffLimit == nil || v.pod == nil {
		return notSeen()
	}
	return v.ofAllPods("restarts-reach-limit", func() sighting { return restartsReachLimit(v.p.Workload) })
}

func restartsReachLimit(w *facts.Workload) sighting {
	sum := sumRestarts(w, isHelping)
	if !sum.reachesOnlyTogether(*w.Job.Spec.BackoffLimit) {
		return notSeen()
	}
	return saw(append([]evidence.Evidence{w.Job.Ev("spec.backoffLimit", count(w.Job.Spec.BackoffLimit))}, sum.because()...)...)
}

// isHelping says that a container is a sidecar, native or ordinary.
func isHelping(c *facts.Container) bool {
	return c.Placement == facts.Native || c.Role == facts.Sidecar
}

func countOf(n int64) string { return count(&n) }

func seesPolicyWithoutContainer(v *issueView) sighting {
	j := v.job()
	if j == nil || j.Spec.PodFailurePolicy == nil {
		return notSeen()
	}
	for _, r := range j.Spec.PodFailurePolicy.Rules {
		if r.OnExitCodes != nil && r.OnExitCodes.ContainerName == "" {
			return saw(j.Ev("spec.podFailurePolicy", r.Action+" on exit codes of any container"))
		}
	}
	return notSeen()
}

func seesSidecarExitMatches(v *issueView) sighting {
	j := v.job()
	if j == nil || j.Spec.PodFailurePolicy == nil || v.pod == nil || v.pod.Status.Phase != "Failed" {
		return notSeen()
	}
	for _, r := range j.Spec.PodFailurePolicy.Rules {
		if r.OnExitCodes == nil || r.OnExitCodes.ContainerName != "" || slices.ContainsFunc(v.apps, func(c *facts.Container) bool { return matchesRule(r, c) }) {
			continue
		}
		for _, c := range append(append([]*facts.Container{}, v.natives...), v.helpers...) {
			if matchesRule(r, c) {
				return saw(c.EvState())
			}
		}
	}
	return notSeen()
}

// matchesRule follows isOnExitCodesOperatorMatching: exit code 0 never matches.
func matchesRule(r kube.PodFailureRule, c *facts.Container) bool {
	t := c.Terminated()
	if t == nil || t.ExitCode == 0 {
		return false
	}
	return slices.Contains(r.OnExitCodes.Values, t.ExitCode) == (r.OnExitCodes.Operator == "In")
}

func seesJobWithoutPods(v *issueView) sighting {
	j := v.job()
	if j == nil || v.pod != nil || j.Status.Active == nil || *j.Status.Active == 0 {
		return notSeen()
	}
	return saw(j.Ev("status.active", count(j.Status.Active)))
}
