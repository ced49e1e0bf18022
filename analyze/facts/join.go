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

// latest joins objects that stand in the bundle more than once: one per namespace and name, a stored one before a described one
// and both before what somebody wrote, then the newer one. report is called with each pair that was joined (kept, dropped); nil to ignore them.
func latest[T object](list []T, report func(kept, dropped T)) []T {
	at := map[evidence.Ref]int{}
	var out []T
	for _, o := range list {
		ref := o.Base().Ref()
		i, ok := at[ref]
		if !ok {
			at[ref] = len(out)
			out = append(out, o)
			continue
		}
		kept, dropped := out[i], o
		if newer(dropped.Base(), kept.Base()) {
			kept, dropped = dropped, kept
			out[i] = kept
		}
		if report != nil {
			report(kept, dropped)
		}
	}
	return out
}

// newer says that a should be kept rather than b.
func newer(a, b *kube.Object) bool {
	if sa, sb := rankStrength(a.Origin.Strength), rankStrength(b.Origin.Strength); sa != sb {
		return sa < sb
	}
	if a.Origin.Truncated != b.Origin.Truncated {
		return b.Origin.Truncated
	}
	if a.Meta.UID != b.Meta.UID && a.Meta.UID != "" && b.Meta.UID != "" {
		return a.Meta.Created.After(b.Meta.Created.Time)
	}
	// resourceVersion is opaque by contract; in practice it is a growing number, good enough to prefer one of two
	// captures of the same object and never used to prove anything.
	na, ea := strconv.ParseUint(a.Meta.ResourceVersion, 10, 64)
	nb, eb := strconv.ParseUint(b.Meta.ResourceVersion, 10, 64)
	return ea == nil && eb == nil && na > nb
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

// jobConflict notes two stored copies of a Job that disagree on how it ended.
func (c *Cluster) jobConflict(kept, dropped *kube.Job) {
	a, b := ending(kept.Status.Conditions), ending(dropped.Status.Conditions)
	if a == b || dropped.Described() || dropped.Manifest() {
		return
	}
	c.Conflicts = append(c.Conflicts, Conflict{Object: kept.Ref(), What: "status.conditions: " + a + " and " + b,
		From: []evidence.Evidence{kept.Ev("status.conditions", a), dropped.Ev("status.conditions", b)}})
}

// ending names the terminal condition of a Job.
func ending(list []kube.Condition) string {
	for _, typ := range []string{"Complete", "Failed"} {
		if c := kube.FindCondition(list, typ); c != nil && c.Status == "True" {
			return typ
		}
	}
	return "not finished"
}

// buildPods joins the copies of each pod and keeps the second witness beside the first.
func (c *Cluster) buildPods(list []*kube.Pod) []*Pod {
	second := map[evidence.Ref]*kube.Pod{}
	kept := latest(list, func(k, d *kube.Pod) {
		if d.Manifest() {
			return
		}
		ref := k.Ref()
		if second[ref] == nil || d.Described() {
			second[ref] = d
		}
		c.podConflict(k, d)
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

func (c *Cluster) conflict(kept, dropped *kube.Pod, path, a, b string) {
	c.Conflicts = append(c.Conflicts, Conflict{Object: kept.Ref(), What: path + ": " + a + " and " + b,
		From: []evidence.Evidence{kept.Ev(path, a), dropped.Ev(path, b)}})
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
	for _, p := range set.Pods {
		n.pod(p)
	}
	for _, s := range set.Services {
		n.moment(s.Newest)
	}
	for _, j := range set.Jobs {
		n.see(&j.Object, "metadata.creationTimestamp", j.Meta.Created)
		n.see(&j.Object, "status.startTime", j.Status.StartTime)
		n.see(&j.Object, "status.completionTime", j.Status.CompletionTime)
		n.conditions(&j.Object, j.Status.Conditions)
	}
	for _, cj := range set.CronJobs {
		n.see(&cj.Object, "metadata.creationTimestamp", cj.Meta.Created)
		n.see(&cj.Object, "status.lastScheduleTime", cj.Status.LastScheduleTime)
		n.see(&cj.Object, "status.lastSuccessfulTime", cj.Status.LastSuccessfulTime)
	}
	for _, d := range set.Nodes {
		n.see(&d.Object, "metadata.creationTimestamp", d.Meta.Created)
		n.conditions(&d.Object, d.Status.Conditions)
	}
	for _, l := range set.Leases {
		n.see(&l.Object, "spec.renewTime", l.Spec.RenewTime)
	}
	for _, o := range set.Namespaces {
		n.see(&o.Object, "metadata.creationTimestamp", o.Meta.Created)
	}
	for _, d := range set.Controllers {
		n.see(&d.Object, "metadata.creationTimestamp", d.Meta.Created)
	}
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
