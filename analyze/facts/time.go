package facts

import (
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// referenceTime finds the moment that the bundle speaks of. The collector's own word is best; else it is the newest
// time found in the objects, for nothing later was known to anyone when they were read. deletionTimestamp of pods is left
// out: it lies in the future of a pod that is being deleted.
func referenceTime(set *kube.Set, opt Options) (evidence.Fact[time.Time], string) {
	switch {
	case !opt.At.IsZero():
		if n, _ := newestTime(set); n.Known && n.V.After(opt.At) {
			return evidence.Know(opt.At.UTC(), n.From...), sentence.Fixed("the --at flag, which lies before the newest time in the objects")
		}
		return evidence.Know(opt.At.UTC()), sentence.Fixed("the --at flag")
	case !opt.CollectedAt.IsZero():
		return evidence.Know(opt.CollectedAt.UTC()), sentence.Fixed("the collector's manifest")
	}
	return newestTime(set)
}

// newestTime finds the newest time in the objects that can be one, and says what it did not count.
func newestTime(set *kube.Set) (evidence.Fact[time.Time], string) {
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
		return evidence.Know(n.t.UTC(), n.evidence()), sentence.Fixed("the newest time in the objects, but for events of kubelets, which tell later times than the states do")
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
		n.see(&o.Object, "metadata.deletionTimestamp", o.Meta.Deleted)
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
