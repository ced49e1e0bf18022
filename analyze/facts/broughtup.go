package facts

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// broughtUp gives a stored object with what describe text of a later moment prints of its state, and its spec as it is
// stored: describe prints no restartPolicy. nil where there is no such text. Text that the workload may have written
// itself changes nothing.
func broughtUp(stored, described object) object {
	if described == nil {
		return nil
	}
	s, d := stored.Base(), described.Base()
	if s.Origin.Strength != evidence.Stored || s.Origin.Truncated || !d.Described() || d.Origin.Forgeable || later(described, stored) <= 0 {
		return nil
	}
	switch now := described.(type) {
	case *kube.Pod:
		return podNow(stored.(*kube.Pod), now)
	case *kube.Job:
		return jobNow(stored.(*kube.Job), now)
	case *kube.CronJob:
		out := *stored.(*kube.CronJob)
		out.Status, out.Spec.Suspend = now.Status, now.Spec.Suspend
		out.Later = &kube.Later{Origin: d.Origin, Fields: []string{"status", "spec.suspend"}}
		return &out
	case *kube.Node:
		out := *stored.(*kube.Node)
		out.Status.Conditions, out.Spec.Taints, out.Spec.Unschedulable = now.Status.Conditions, now.Spec.Taints, now.Spec.Unschedulable
		out.Later = &kube.Later{Origin: d.Origin, Fields: []string{"status.conditions", "spec.taints", "spec.unschedulable"}}
		return &out
	}
	return nil
}

func podNow(was, now *kube.Pod) object {
	if laterStart(was.Status.StartTime, now.Status.StartTime) != 0 {
		return now // the next pod of the name
	}
	out := *was
	out.Later = &kube.Later{Origin: now.Origin, Fields: []string{"status"}}
	out.Status = now.Status
	if now.Status.Phase == "" && final(was.Status.Phase) {
		out.Status.Phase = was.Status.Phase // which describe does not print of a pod that is being deleted
	}
	out.Status.Conditions = slices.Clone(now.Status.Conditions)
	for i := range out.Status.Conditions {
		c := &out.Status.Conditions[i]
		if old := kube.FindCondition(was.Status.Conditions, c.Type); old != nil && old.Status == c.Status {
			*c = *old // describe prints neither reason nor time
		}
	}
	out.Status.InitContainerStatuses = slices.Clone(now.Status.InitContainerStatuses)
	began := slices.ContainsFunc(now.Status.ContainerStatuses, func(c kube.ContainerStatus) bool { return stage(&c) >= runs })
	for i := range out.Status.InitContainerStatuses {
		// describe does not print it of a native sidecar, for which the others waited.
		if c := &out.Status.InitContainerStatuses[i]; c.State.Running != nil && (c.Ready || began) {
			started := true
			c.Started = &started
		}
	}
	out.Status.ContainerStatuses = slices.Clone(now.Status.ContainerStatuses)
	slices.SortStableFunc(out.Status.ContainerStatuses, func(a, b kube.ContainerStatus) int { return strings.Compare(a.Name, b.Name) })
	if was.Spec.NodeName == "" {
		out.Spec.NodeName, out.Spec.SchedulingGates = now.Spec.NodeName, nil
		out.Later.Fields = append(out.Later.Fields, "spec.nodeName", "spec.schedulingGates")
	}
	if was.Meta.Deleted.Raw == "" {
		out.Meta.Deleted, out.Meta.DeletionGracePeriodSeconds = now.Meta.Deleted, now.Meta.DeletionGracePeriodSeconds
		out.Later.Fields = append(out.Later.Fields, "metadata.deletion")
	}
	return &out
}

func jobNow(was, now *kube.Job) object {
	if was.Meta.UID != "" && now.Meta.UID != "" && was.Meta.UID != now.Meta.UID {
		return now // it was made again
	}
	out := *was
	out.Status, out.Spec.Suspend = now.Status, now.Spec.Suspend
	out.Later = &kube.Later{Origin: now.Origin, Fields: []string{"status", "spec.suspend"}}
	if now.Spec.Parallelism != nil {
		out.Spec.Parallelism = now.Spec.Parallelism
		out.Later.Fields = append(out.Later.Fields, "spec.parallelism")
	}
	return &out
}
