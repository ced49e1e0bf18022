package facts

import (
	"strconv"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// object is any kind of package kube.
type object interface{ Base() *kube.Object }

// latest joins objects that stand in the bundle more than once: one per namespace and name, a stored one before a described
// one and both before what somebody wrote, then the later one. A stored one gets the state that describe text of a later
// moment prints. report is called with what is kept and the other copies, where there are any; nil to ignore them.
func latest[T object](list []T, report func(kept T, others []T)) []T {
	at := map[evidence.Ref]int{}
	others := map[int][]T{}
	var out []T
	for _, o := range list {
		ref := o.Base().Ref()
		i, ok := at[ref]
		if !ok {
			at[ref] = len(out)
			out = append(out, o)
			continue
		}
		if preferred(o, out[i]) {
			out[i], o = o, out[i]
		}
		others[i] = append(others[i], o)
	}
	if len(others) == 0 {
		return out
	}
	for i := range out {
		if rest := others[i]; rest != nil {
			kept := out[i]
			if now, ok := broughtUp(kept, described(rest)).(T); ok {
				out[i], rest = now, append([]T{kept}, rest...)
			}
			if report != nil {
				report(out[i], rest)
			}
		}
	}
	return out
}

// described gives the latest copy that was read from describe text, nil for none.
func described[T object](list []T) object {
	var best object
	for _, o := range list {
		if o.Base().Described() && (best == nil || preferred(o, best)) {
			best = o
		}
	}
	return best
}

// preferred says that a should be kept rather than b, which was read before it.
func preferred(a, b object) bool {
	x, y := a.Base(), b.Base()
	if rx, ry := rankStrength(x.Origin.Strength), rankStrength(y.Origin.Strength); rx != ry {
		return rx < ry
	}
	// The whole one, unless both are texts and one is later: what an earlier text shows whole may be so no longer.
	if x.Origin.Truncated != y.Origin.Truncated && !(x.Described() && later(a, b) != 0) {
		return y.Origin.Truncated
	}
	if x.Origin.Forgeable || y.Origin.Forgeable {
		return !x.Origin.Forgeable
	}
	if x.Meta.UID != y.Meta.UID && !x.Meta.Created.IsZero() && !y.Meta.Created.IsZero() {
		return x.Meta.Created.After(y.Meta.Created.Time)
	}
	if n := later(a, b); n != 0 {
		return n > 0
	}
	// What stands further down in one file, as in a terminal's transcript, was printed later.
	return x.Origin.File == y.Origin.File && x.Origin.Line > y.Origin.Line && (x.Meta.ResourceVersion == "" || x.Meta.ResourceVersion != y.Meta.ResourceVersion)
}

func rankStrength(s evidence.Strength) int {
	switch s {
	case evidence.Stored:
		return 0
	case evidence.Described:
		return 1
	case evidence.Manifest:
		return 3
	default:
		return 2
	}
}

// jobConflicts notes copies of a Job that disagree on how it ended, or on whether it is suspended.
func (c *Cluster) jobConflicts(kept *kube.Job, others []*kube.Job) {
	for _, d := range others {
		if d.Manifest() || d == kept {
			continue
		}
		if a, b := ending(kept), ending(d); a != b && !d.Described() {
			c.conflict(kept, d, "status.conditions", a, b)
		} else if a, b := kept.Spec.Suspend, d.Spec.Suspend; a != nil && b != nil && *a != *b {
			c.conflict(kept, d, "spec.suspend", strconv.FormatBool(*a), strconv.FormatBool(*b))
		}
	}
}

// unfinished stands for the ending of a Job that has none.
const unfinished = "not finished"

// ending names how a Job ended. The time of its completion is set together with the condition Complete, and printed by
// describe, which prints no condition.
func ending(j *kube.Job) string {
	for _, typ := range []string{"Complete", "Failed"} {
		if c := kube.FindCondition(j.Status.Conditions, typ); c != nil && c.Status == "True" {
			return typ
		}
	}
	if !j.Status.CompletionTime.IsZero() {
		return "Complete"
	}
	return unfinished
}

// buildPods joins the copies of each pod.
func (c *Cluster) buildPods(list []*kube.Pod) []*Pod {
	kept := latest(list, func(k *kube.Pod, others []*kube.Pod) {
		for _, d := range others {
			if !d.Manifest() && d != k {
				c.podConflict(k, d)
			}
		}
	})
	out := make([]*Pod, 0, len(kept))
	records := map[string]*Injection{}
	for _, k := range kept {
		p := &Pod{Pod: k, Node: c.nodeByName[k.Spec.NodeName], Injection: readInjection(k.Meta, records)}
		p.Events = c.EventsOf(k.Ref())
		out = append(out, p)
	}
	return out
}

// podConflict notes copies of a pod that cannot both describe one moment. Copies of different moments are normal in a
// bundle that took a while; what matters is a difference that would change a verdict.
func (c *Cluster) podConflict(kept, dropped *kube.Pod) {
	if kept.Meta.UID != "" && dropped.Meta.UID != "" && kept.Meta.UID != dropped.Meta.UID {
		c.conflict(kept, dropped, "metadata.uid", kept.Meta.UID, dropped.Meta.UID)
		return
	}
	if a, b := kept.Status.StartTime, dropped.Status.StartTime; laterStart(a, b) != 0 {
		c.conflict(kept, dropped, "status.startTime", a.String(), b.String())
		return
	}
	if a, b := kept.Status.Phase, dropped.Status.Phase; a != "" && b != "" && a != b && b != "Terminating" {
		c.conflict(kept, dropped, "status.phase", a, b)
		return
	}
	for _, s := range kept.Status.ContainerStatuses {
		for _, d := range dropped.Status.ContainerStatuses {
			if s.Name == d.Name && stateName(s.State) != stateName(d.State) && stateName(d.State) != "" && stateName(s.State) != "" {
				path := "status.containerStatuses[name=" + s.Name + "].state"
				c.conflict(kept, dropped, path, stateName(s.State), stateName(d.State))
				return
			}
		}
	}
}

func (c *Cluster) conflict(kept, dropped object, path, a, b string) {
	k, d := kept.Base(), dropped.Base()
	shown := (k.Later != nil || later(kept, dropped) > 0) && laterVersion(k.Meta.ResourceVersion, d.Meta.ResourceVersion) >= 0
	x := Conflict{Object: k.Ref(), What: path + ": " + a + " and " + b, Later: shown, From: []evidence.Evidence{k.Ev(path, a), d.Ev(path, b)}}
	if other, ok := dropped.(*kube.Pod); ok {
		x.Other = other
	}
	c.Conflicts = append(c.Conflicts, x)
}

func stateName(s kube.ContainerState) string {
	switch {
	case s.Running != nil:
		return "running"
	case s.Terminated != nil:
		return "terminated"
	case s.Waiting != nil:
		return "waiting"
	}
	return ""
}
