package facts

import (
	"fmt"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Printer is how an API server computes the columns of kubectl get pods; the server does it, not kubectl, and it
// changed between versions. The caller knows which version does what.
type Printer struct {
	// CountsSidecars: native sidecars count in READY and RESTARTS, and Initialized overrides Init:*.
	CountsSidecars bool
	// HidesTerminating: a finished pod that is being deleted keeps its reason.
	HidesTerminating bool
	// ShowsErrorReason: a failed container's reason replaces Completed.
	ShowsErrorReason bool
	// PlainRunning: a pod of which one container has ended and another is ready is Running, whatever its condition Ready says.
	PlainRunning bool
}

// Columns are READY, STATUS and RESTARTS as kubectl get pods prints them, without the age behind RESTARTS.
type Columns struct {
	Ready, Total int
	Status       string
	Restarts     int64
	// StatusFrom is the container that STATUS was taken from, empty when it is the pod's own phase or reason.
	StatusFrom string
	// Until is the init container at which counting stopped, for it is not done: none behind it counts in READY. NoRegular
	// says that the regular containers do not count either, for the pod is not initialised. Empty: all are counted.
	Until     string
	NoRegular bool
}

// ReadyText gives READY as printed.
func (c Columns) ReadyText() string { return fmt.Sprintf("%d/%d", c.Ready, c.Total) }

// columnsState carries the steps of ColumnsOf.
type columnsState struct {
	Columns
	pr           Printer
	p            *kube.Pod
	initializing bool
	sidecars     int64 // restarts of native sidecars
	inits        int64 // restarts of all init containers
}

// ColumnsOf computes the columns of a pod. It follows printPod of Kubernetes' pkg/printers/internalversion/printers.go
// step by step, the order of lists included: of regular containers the first in the status list wins, which the
// kubelet sorts by name.
func ColumnsOf(p *kube.Pod, pr Printer) Columns {
	s := &columnsState{pr: pr, p: p}
	s.Total = len(p.Spec.Containers)
	if pr.CountsSidecars {
		s.Total += len(nativeNames(p))
	}
	s.Status = p.Status.Phase
	if p.Status.Reason != "" {
		s.Status = p.Status.Reason
	}
	for _, c := range p.Status.Conditions {
		if c.Type == "PodScheduled" && c.Reason == "SchedulingGated" {
			s.Status = "SchedulingGated"
		}
	}
	s.initContainers()
	if !s.initializing || pr.CountsSidecars && isTrue(p.Status.Conditions, "Initialized") {
		s.Restarts = s.sidecars
		s.regularContainers()
	} else {
		s.Restarts, s.NoRegular = s.inits, true
	}
	if p.Meta.Deleted.Raw != "" {
		switch {
		case p.Status.Reason == "NodeLost":
			s.Status, s.StatusFrom = "Unknown", ""
		case !pr.HidesTerminating || p.Status.Phase != "Succeeded" && p.Status.Phase != "Failed":
			s.Status, s.StatusFrom = "Terminating", ""
		}
	}
	return s.Columns
}

func nativeNames(p *kube.Pod) map[string]bool {
	out := map[string]bool{}
	for _, c := range p.Spec.InitContainers {
		if c.RestartPolicy == "Always" {
			out[c.Name] = true
		}
	}
	return out
}

func isTrue(list []kube.Condition, typ string) bool {
	c := kube.FindCondition(list, typ)
	return c != nil && c.Status == "True"
}

func (s *columnsState) initContainers() {
	native := nativeNames(s.p)
	for i, c := range s.p.Status.InitContainerStatuses {
		s.inits += c.RestartCount
		sidecar := s.pr.CountsSidecars && native[c.Name]
		if sidecar {
			s.sidecars += c.RestartCount
		}
		t, w, u := c.State.Terminated, c.State.Waiting, c.State.Uncoded
		switch {
		case t != nil && t.ExitCode == 0, u != nil && u.Reason == "Completed": // which runtimes give for exit code 0
			continue
		case sidecar && c.Started != nil && *c.Started:
			if c.Ready {
				s.Ready++
			}
			continue
		case t != nil:
			s.Status = "Init:" + terminatedReason(t)
		case u != nil && u.Reason != "":
			s.Status = "Init:" + u.Reason
		case w != nil && w.Reason != "" && w.Reason != "PodInitializing":
			s.Status = "Init:" + w.Reason
		default:
			s.Status = fmt.Sprintf("Init:%d/%d", i, len(s.p.Spec.InitContainers))
		}
		s.initializing, s.StatusFrom, s.Until = true, c.Name, c.Name
		return
	}
}

func terminatedReason(t *kube.Terminated) string {
	switch {
	case t.Reason != "":
		return t.Reason
	case t.Signal != 0:
		return fmt.Sprintf("Signal:%d", t.Signal)
	default:
		return fmt.Sprintf("ExitCode:%d", t.ExitCode)
	}
}

func (s *columnsState) regularContainers() {
	hasRunning, errorReason := false, ""
	list := s.p.Status.ContainerStatuses
	for i := len(list) - 1; i >= 0; i-- {
		c := list[i]
		s.Restarts += c.RestartCount
		switch t, w := c.State.Terminated, c.State.Waiting; {
		case w != nil && w.Reason != "":
			s.Status, s.StatusFrom = w.Reason, c.Name
		case t != nil:
			s.Status, s.StatusFrom = terminatedReason(t), c.Name
			if s.pr.ShowsErrorReason && t.ExitCode != 0 {
				errorReason = s.Status
			}
		case c.State.Uncoded != nil && c.State.Uncoded.Reason != "":
			s.Status, s.StatusFrom = c.State.Uncoded.Reason, c.Name
			if s.pr.ShowsErrorReason && s.Status != "Completed" {
				errorReason = s.Status
			}
		case c.Ready && c.State.Running != nil:
			hasRunning = true
			s.Ready++
		}
	}
	if s.Status != "Completed" {
		return
	}
	ready := isTrue(s.p.Status.Conditions, "Ready")
	switch {
	case hasRunning && (ready || s.pr.PlainRunning):
		s.Status = "Running"
	case s.pr.ShowsErrorReason && errorReason != "":
		s.Status = errorReason
	case hasRunning:
		s.Status = "NotReady"
	}
}
