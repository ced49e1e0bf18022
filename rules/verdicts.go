// Package rules holds the judgements: the verdicts with their order, and the rules with their remedies, one file each.
// It is the only place where facts and knowledge meet. It reads no file and prints nothing.
package rules

import "github.com/sidecar-must-gather/sidecar-must-gather/analyze"

// The verdict codes, as SPEC'd: exactly one per workload. They are never renamed.
const (
	HeldBySidecar          analyze.Code = "HeldBySidecar"
	FailureHiddenBySidecar analyze.Code = "FailureHiddenBySidecar"
	DeadlineHitWhileHeld   analyze.Code = "DeadlineHitWhileHeld"
	AppRunning             analyze.Code = "AppRunning"
	OtherContainerRunning  analyze.Code = "OtherContainerRunning"
	AppCrashLooping        analyze.Code = "AppCrashLooping"
	AppFailed              analyze.Code = "AppFailed"
	ImagePullFailing       analyze.Code = "ImagePullFailing"
	ContainerCannotStart   analyze.Code = "ContainerCannotStart"
	Unschedulable          analyze.Code = "Unschedulable"
	InitNotFinished        analyze.Code = "InitNotFinished"
	SidecarBlocksInit      analyze.Code = "SidecarBlocksInit"
	SidecarNotStarted      analyze.Code = "SidecarNotStarted"
	NodeRejectedSidecar    analyze.Code = "NodeRejectedSidecar"
	NativeSidecarStopping  analyze.Code = "NativeSidecarStopping"
	NativeSidecarStuck     analyze.Code = "NativeSidecarStuck"
	PodFinishedJobNot      analyze.Code = "PodFinishedJobNot"
	PodTerminating         analyze.Code = "PodTerminating"
	NodeLost               analyze.Code = "NodeLost"
	Suspended              analyze.Code = "Suspended"
	Completed              analyze.Code = "Completed"
	Failed                 analyze.Code = "Failed"
	PodCreationRejected    analyze.Code = "PodCreationRejected"
	NoPods                 analyze.Code = analyze.NoPods
	ManagedElsewhere       analyze.Code = "ManagedElsewhere"
	InsufficientEvidence   analyze.Code = analyze.InsufficientEvidence
)

// Verdicts lists every verdict with its severity, in the order in which they are tried for a workload; see judge.go and
// judge_pod.go for the tests themselves.
func Verdicts() []analyze.Verdict {
	return []analyze.Verdict{
		{Code: Completed, Severity: analyze.Info, Title: "The Job has completed"},
		{Code: DeadlineHitWhileHeld, Severity: analyze.Error, Title: "The deadline hit a finished application that a sidecar held open"},
		{Code: Failed, Severity: analyze.Error, Title: "The Job has failed for good"},
		{Code: ManagedElsewhere, Severity: analyze.Warning, Title: "Another controller manages the Job"},
		{Code: Suspended, Severity: analyze.Info, Title: "The Job is suspended"},
		{Code: PodCreationRejected, Severity: analyze.Error, Title: "The API server or a webhook refuses the pod"},
		{Code: NoPods, Severity: analyze.Warning, Title: "The Job wants pods and the bundle has none"},
		{Code: NodeRejectedSidecar, Severity: analyze.Error, Title: "The kubelet cannot run native sidecars"},
		{Code: NodeLost, Severity: analyze.Warning, Title: "The node stopped reporting"},
		{Code: PodTerminating, Severity: analyze.Warning, Title: "The pod is being deleted"},
		{Code: PodFinishedJobNot, Severity: analyze.Error, Title: "The pods have finished and the Job has not"},
		{Code: Unschedulable, Severity: analyze.Warning, Title: "No node was found for the pod"},
		{Code: SidecarNotStarted, Severity: analyze.Error, Title: "A native sidecar has not started"},
		{Code: SidecarBlocksInit, Severity: analyze.Error, Title: "A long-running proxy blocks initialisation"},
		{Code: InitNotFinished, Severity: analyze.Warning, Title: "An init container has not finished"},
		{Code: ImagePullFailing, Severity: analyze.Error, Title: "An image cannot be pulled"},
		{Code: ContainerCannotStart, Severity: analyze.Error, Title: "A container cannot be created or started"},
		{Code: AppCrashLooping, Severity: analyze.Error, Title: "The application crashes again and again"},
		{Code: AppFailed, Severity: analyze.Error, Title: "The application failed in the open"},
		{Code: AppRunning, Severity: analyze.Info, Title: "The application is still running"},
		{Code: OtherContainerRunning, Severity: analyze.Warning, Title: "Another container is still running"},
		{Code: FailureHiddenBySidecar, Severity: analyze.Error, Title: "A sidecar hides the application's failure"},
		{Code: HeldBySidecar, Severity: analyze.Error, Title: "A sidecar holds the finished Job open"},
		{Code: NativeSidecarStopping, Severity: analyze.Info, Title: "The native sidecar is stopping"},
		{Code: NativeSidecarStuck, Severity: analyze.Error, Title: "The native sidecar did not stop"},
		{Code: InsufficientEvidence, Severity: analyze.Warning, Title: "The bundle does not hold enough to judge"},
	}
}

// SeverityOf gives the severity of a verdict.
func SeverityOf(code analyze.Code) analyze.Severity {
	for _, v := range Verdicts() {
		if v.Code == code {
			return v.Severity
		}
	}
	return analyze.Warning
}
