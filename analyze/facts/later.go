package facts

import (
	"strconv"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// later says which of two copies of an object shows the later moment, by what can only move forward: positive for a,
// negative for b, zero where nothing tells or the signs contradict each other.
func later(a, b object) int {
	va, vb := a.Base().Meta.ResourceVersion, b.Base().Meta.ResourceVersion
	if va == vb && va != "" {
		return 0
	}
	var s signs
	switch a := a.(type) {
	case *kube.Pod:
		s = podSigns(a, b.(*kube.Pod))
	case *kube.Job:
		s = jobSigns(a, b.(*kube.Job))
	}
	if s.a != s.b {
		return one(s.a, s.b)
	}
	if n := laterVersion(va, vb); n != 0 {
		return n
	}
	if s.a { // and s.b: they contradict each other
		return 0
	}
	var ta, tb newest
	ta.of(a)
	tb.of(b)
	return ta.t.Compare(tb.t)
}

// laterVersion compares resourceVersions. They are opaque by contract; in practice they are growing numbers, unless etcd
// was restored: good enough to prefer one of two captures of the same object and never used to prove anything.
func laterVersion(a, b string) int {
	x, errX := strconv.ParseUint(a, 10, 64)
	y, errY := strconv.ParseUint(b, 10, 64)
	if errX != nil || errY != nil {
		return 0
	}
	return one(x > y, y > x)
}

// one turns a yes for one of two into its number.
func one(a, b bool) int {
	switch {
	case a && !b:
		return 1
	case b && !a:
		return -1
	}
	return 0
}

// signs tell for which of two copies something speaks that only moves forward.
type signs struct{ a, b bool }

func (s *signs) see(n int) {
	s.a = s.a || n > 0
	s.b = s.b || n < 0
}

// decided says that one sign settles it, so that what else differs need not be looked at.
func (s *signs) decided(n int) bool {
	s.see(n)
	return n != 0
}

// podSigns: the kubelet takes a pod up once, so that another start is that of the next pod of the name; a phase that is
// final stays; containers go from waiting to running to terminated, and begin again with a larger restartCount.
func podSigns(a, b *kube.Pod) (s signs) {
	x, y := &a.Status, &b.Status
	if s.decided(laterStart(begin(a), begin(b))) || x.Phase != "" && y.Phase != "" && s.decided(one(final(x.Phase), final(y.Phase))) {
		return s
	}
	s.see(one(a.Meta.Deleted.Raw != "", b.Meta.Deleted.Raw != ""))
	s.see(one(a.Spec.NodeName != "", b.Spec.NodeName != ""))
	s.see(one(len(x.ContainerStatuses) > 0, len(y.ContainerStatuses) > 0))
	for _, lists := range [][2][]kube.ContainerStatus{{x.InitContainerStatuses, y.InitContainerStatuses}, {x.ContainerStatuses, y.ContainerStatuses}} {
		byName := index(len(lists[1]), func(i int) string { return lists[1][i].Name })
		for i := range lists[0] {
			if j, ok := byName(lists[0][i].Name); ok {
				s.see(furtherOn(&lists[0][i], &lists[1][j]))
			}
		}
	}
	return s
}

// begin is when the kubelet took a pod up, or when it was made.
func begin(p *kube.Pod) kube.Time {
	if p.Status.StartTime.IsZero() {
		return p.Meta.Created
	}
	return p.Status.StartTime
}

func final(phase string) bool { return phase == "Succeeded" || phase == "Failed" }

// jobSigns: a Job starts anew when it is resumed, or made again; it ends once; and what was counted stays counted.
func jobSigns(a, b *kube.Job) (s signs) {
	x, y := &a.Status, &b.Status
	if s.decided(laterStart(x.StartTime, y.StartTime)) || s.decided(one(ending(a) != unfinished, ending(b) != unfinished)) {
		return s
	}
	s.see(one(a.Meta.Deleted.Raw != "", b.Meta.Deleted.Raw != ""))
	s.see(laterCount(x.Succeeded, y.Succeeded))
	s.see(laterCount(x.Failed, y.Failed))
	return s
}

// laterCount compares counters, which are not set while they are 0.
func laterCount(a, b *int64) int {
	var x, y int64
	if a != nil {
		x = *a
	}
	if b != nil {
		y = *b
	}
	return one(x > y, y > x)
}

// laterStart compares times of which one may have been printed without fractions of a second.
func laterStart(a, b kube.Time) int {
	if a.IsZero() || b.IsZero() || a.Sub(b.Time).Abs() < 2*time.Second {
		return 0
	}
	return a.Compare(b.Time)
}

// furtherOn says which of two states of a container comes after the other.
func furtherOn(a, b *kube.ContainerStatus) int {
	x, y := stage(a), stage(b)
	switch {
	case x == unknownStage || y == unknownStage:
		return 0
	case a.RestartCount != b.RestartCount:
		return one(a.RestartCount > b.RestartCount, b.RestartCount > a.RestartCount)
	case x != y:
		return one(x > y, y > x)
	case x == runs:
		return laterStart(a.State.Running.StartedAt, b.State.Running.StartedAt)
	case x == hasEnded:
		return laterStart(a.State.Terminated.FinishedAt, b.State.Terminated.FinishedAt)
	}
	return 0
}

// The stages of one run of a container, in their order.
const (
	unknownStage = iota
	waitsToBegin
	runs
	hasEnded
	waitsForNext
)

func stage(c *kube.ContainerStatus) int {
	switch s := c.State; {
	case s.Terminated != nil:
		return hasEnded
	case s.Running != nil:
		return runs
	case s.Waiting == nil:
		return unknownStage
	case c.LastState.Terminated != nil:
		return waitsForNext
	}
	return waitsToBegin
}
