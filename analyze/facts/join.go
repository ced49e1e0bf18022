package facts

import (
	"strconv"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
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
	if x.Origin.Truncated != y.Origin.Truncated {
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

// buildPods joins the copies of each pod and keeps the second witness beside the first.
func (c *Cluster) buildPods(list []*kube.Pod) []*Pod {
	second := map[evidence.Ref]*kube.Pod{}
	kept := latest(list, func(k *kube.Pod, others []*kube.Pod) {
		ref := k.Ref()
		for _, d := range others {
			if d.Manifest() || d == k {
				continue
			}
			if second[ref] == nil || d.Described() && k.Later == nil {
				second[ref] = d
			}
			c.podConflict(k, d)
		}
	})
	out := make([]*Pod, 0, len(kept))
	records := map[string]*Injection{}
	for _, k := range kept {
		p := &Pod{Pod: k, Node: c.nodeByName[k.Spec.NodeName], Second: second[k.Ref()], Injection: readInjection(k.Meta, records)}
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
	c.Conflicts = append(c.Conflicts, Conflict{Object: k.Ref(), What: path + ": " + a + " and " + b, Later: shown,
		From: []evidence.Evidence{k.Ev(path, a), d.Ev(path, b)}})
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

// referenceTime finds the moment that the bundle speaks of. The collector's own word is best; else it is the newest
// time found in the objects, for nothing later was known to anyone when they were read. deletionTimestamp is left out:
// it lies in the future of a pod that is being deleted.
func referenceTime(set *kube.Set, opt Options) (evidence.Fact[time.Time], string) {
	if !opt.At.IsZero() {
		return evidence.Know(opt.At.UTC()), sentence.Fixed("the --at flag")
	}
	if !opt.CollectedAt.IsZero() {
		return evidence.Know(opt.CollectedAt.UTC()), sentence.Fixed("the collector's manifest")
	}
	n := newest{}
	seeAll(&n, set.Pods)
	for _, s := range set.Services {
		n.moment(s.Newest)
	}
	seeAll(&n, set.Jobs)
	seeAll(&n, set.CronJobs)
	seeAll(&n, set.Nodes)
	seeAll(&n, set.Leases)
	seeAll(&n, set.Namespaces)
	seeAll(&n, set.Controllers)
	for _, e := range set.Events {
		if !ofKubelet(e) {
			n.event(e)
		}
	}
	all := n
	for _, e := range set.Events {
		if ofKubelet(e) {
			all.event(e)
		}
	}
	if sane, lone := all.withoutLone(); lone {
		return evidence.Know(sane.t.UTC(), sane.evidence(), all.evidence()), sentence.Fixed("the newest time in the objects but one, whose times lie more than a year after all others")
	}
	if all.t.After(n.t) && !n.t.IsZero() && kubeletsLate(set) {
		return evidence.Know(n.t.UTC(), n.evidence()), sentence.Fixed("the newest time in the objects beside the kubelets' events, which are late")
	}
	if n = all; n.t.IsZero() {
		return evidence.Unknown[time.Time]("no time in any object of the bundle"), "unknown"
	}
	return evidence.Know(n.t.UTC(), n.evidence()), sentence.Fixed("the newest time in the objects")
}

// newest is the newest time so far, with the object and path it is from, or its evidence.
type newest struct {
	t    time.Time
	o    *kube.Object
	path string
	from evidence.Evidence
	// before is the newest time of any other object.
	before *newest
}

// loneAfter is how far the times of one object may lie after those of all others before they are taken for a mistake: of a
// clock, or of who wrote them.
const loneAfter = 365 * 24 * time.Hour

// withoutLone leaves out an object that alone has times far after all others.
func (n newest) withoutLone() (newest, bool) {
	if b := n.before; b != nil && n.t.Sub(b.t) > loneAfter {
		return *b, true
	}
	return n, false
}

// take makes a later time the newest, or the newest beside those of the object that has it.
func (n *newest) take(t newest) {
	same := n.o == t.o && n.from.Object == t.from.Object
	switch {
	case !t.t.After(n.t):
		if !same && (n.before == nil || t.t.After(n.before.t)) {
			n.before = &t
		}
		return
	case !same && !n.t.IsZero():
		last := *n
		last.before = nil
		t.before = &last
	default:
		t.before = n.before
	}
	*n = t
}

func (n *newest) evidence() evidence.Evidence {
	if n.o == nil {
		return n.from
	}
	return n.o.Ev(n.path, n.t.UTC().Format(time.RFC3339))
}

func seeAll[T object](n *newest, list []T) {
	for _, o := range list {
		n.of(o)
	}
}

// of sees the times of an object that tell how late it was read.
func (n *newest) of(o object) {
	n.see(o.Base(), "metadata.creationTimestamp", o.Base().Meta.Created)
	switch o := o.(type) {
	case *kube.Pod:
		n.pod(o)
	case *kube.Job:
		n.see(&o.Object, "status.startTime", o.Status.StartTime)
		n.see(&o.Object, "status.completionTime", o.Status.CompletionTime)
		n.conditions(&o.Object, o.Status.Conditions)
	case *kube.CronJob:
		n.see(&o.Object, "status.lastScheduleTime", o.Status.LastScheduleTime)
		n.see(&o.Object, "status.lastSuccessfulTime", o.Status.LastSuccessfulTime)
	case *kube.Node:
		n.conditions(&o.Object, o.Status.Conditions)
	case *kube.Lease:
		n.see(&o.Object, "spec.renewTime", o.Spec.RenewTime)
	}
}

func (n *newest) moment(m *kube.Moment) {
	if m != nil {
		n.take(newest{t: m.Time.Time, from: m.Evidence})
	}
}

func (n *newest) see(o *kube.Object, path string, t kube.Time) {
	if n.mayTake(t.Time) {
		n.take(newest{t: t.Time, o: o, path: path})
	}
}

// mayTake says that a time is late enough to matter: most are not, and cost nothing.
func (n *newest) mayTake(t time.Time) bool {
	return t.After(n.t) || !t.IsZero() && (n.before == nil || t.After(n.before.t))
}

// event sees when an event happened and when the API server stored it, which is later where its reporter was slow.
func (n *newest) event(e *kube.Event) {
	n.see(&e.Object, "lastTimestamp", e.Last())
	n.see(&e.Object, "metadata.creationTimestamp", e.Meta.Created)
}

func (n *newest) conditions(o *kube.Object, list []kube.Condition) {
	for _, c := range list {
		n.see(o, "status.conditions[type="+c.Type+"].lastTransitionTime", c.LastTransitionTime)
		n.see(o, "status.conditions[type="+c.Type+"].lastHeartbeatTime", c.LastHeartbeatTime)
	}
}

func (n *newest) pod(p *kube.Pod) {
	p.EachTime(func(before, name, after string, t kube.Time) {
		if n.mayTake(t.Time) {
			n.see(&p.Object, before+name+after, t)
		}
	})
}
