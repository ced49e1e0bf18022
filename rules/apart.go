package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// otherCause says that a verdict has a cause of its own, which no placement of the proxy cures: the program fails, the pod
// cannot start, or nobody makes it.
func otherCause(code analyze.Code) bool {
	switch code {
	case AppCrashLooping, AppFailed, Failed, ImagePullFailing, ContainerCannotStart, Unschedulable, InitNotFinished,
		PodCreationRejected, PodFinishedJobNot, PodTerminating, NodeLost, Suspended, ManagedElsewhere:
		return true
	}
	return false
}

// curedNatively are findings about such verdicts whose cure is a native sidecar.
func curedNatively() []analyze.Code {
	return []analyze.Code{"SidecarFailedThePod", "InitBeforeProxy", "SidecarRestartsCountAgainstBackoff"}
}

// Apart says that a rule, which tells why a sidecar would hold a finished pod, has nothing to do with the verdict of a
// workload: what it advises comes later. So does it for a pod whose proxy is native already, and in trouble as such.
func Apart(w *analyze.Workload, rule *analyze.Rule) bool {
	switch {
	case !otherCause(w.Verdict) && !slices.Contains(nativeTroubles(), w.Verdict), slices.Contains(rule.Explains, w.Verdict), !slices.Contains(rule.Explains, HeldBySidecar):
		return false
	}
	return !slices.ContainsFunc(curedNatively(), func(c analyze.Code) bool { return slices.Contains(w.Findings, c) })
}
