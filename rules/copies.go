package rules

import (
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// What two copies of an object can be to each other.
type relation int

const (
	contrary relation = iota
	// goesOn: the copy that was kept can follow from the other.
	goesOn
	// outdated: the copy that was set aside can only be the later one, so the verdict speaks of the earlier moment.
	outdated
)

// keptPod is a pod with the workload that it belongs to; a pod of a service has none.
type keptPod struct {
	pod  *facts.Pod
	work *facts.Workload
}

func podIndex(p *analyze.Pass) map[evidence.Ref]keptPod {
	out := map[evidence.Ref]keptPod{}
	for _, j := range p.Judged {
		for _, pod := range j.Workload.Pods {
			out[pod.Ref()] = keptPod{pod, j.Workload}
		}
	}
	for _, pod := range p.Cluster.Services {
		out[pod.Ref()] = keptPod{pod: pod}
	}
	return out
}

// conflicting judges one pair of copies.
func conflicting(pods map[evidence.Ref]keptPod, c facts.Conflict) (contradiction, relation) {
	x := contradiction{text: say("%s: %s", c.Object.String(), c.What), because: c.From}
	if c.Object.Kind == "Job" {
		x.about = []evidence.Ref{c.Object}
		if c.Later {
			return x, goesOn
		}
		return x, contrary
	}
	k, ok := pods[c.Object]
	if !ok {
		return x, contrary
	}
	r := copies(k.pod, c)
	if k.work != nil {
		x.about = []evidence.Ref{k.work.Ref}
	} else if r == outdated {
		r = goesOn // no verdict rests on it
	}
	return x, r
}

// copies relates the two copies of a pod that a conflict is about: of the several that a bundle may hold (a must-gather has
// each pod twice) another may go well with the one that was kept. A conflict with another object, as with a Job of the
// same name and another uid, is none of copies.
func copies(pod *facts.Pod, c facts.Conflict) relation {
	switch {
	case c.Other == nil:
		return contrary
	case sameStory(pod.Pod, c.Other):
		return goesOn
	case sameStory(c.Other, pod.Pod):
		return outdated
	}
	return contrary
}

// sameStory says that one copy of a pod can be a later moment of another.
func sameStory(after, before *kube.Pod) bool {
	if after.Meta.UID != "" && before.Meta.UID != "" && after.Meta.UID != before.Meta.UID {
		return false
	}
	if !near(after.Status.StartTime.Time, before.Status.StartTime.Time) || finished(before.Status.Phase) && before.Status.Phase != after.Status.Phase {
		return false
	}
	for _, b := range before.Status.ContainerStatuses {
		for _, a := range after.Status.ContainerStatuses {
			if a.Name == b.Name && !follows(b, a) {
				return false
			}
		}
	}
	return true
}

// follows says that a container can have come from one state to the other.
func follows(before, after kube.ContainerStatus) bool {
	if before.RestartCount != after.RestartCount {
		return after.RestartCount > before.RestartCount
	}
	switch b, a := before.State, after.State; {
	case b.Terminated != nil:
		return a.Terminated != nil || a.Waiting != nil
	case b.Running != nil:
		return a.Running != nil && near(a.Running.StartedAt.Time, b.Running.StartedAt.Time) || a.Terminated != nil || a.Waiting != nil
	}
	return true
}

// near compares times of which one may have been printed without fractions of a second, or not at all.
func near(a, b time.Time) bool {
	return a.IsZero() || b.IsZero() || a.Sub(b).Abs() < 2*time.Second
}
