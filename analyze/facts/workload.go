package facts

import (
	"sort"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// addWorkloads joins Jobs, their parents and their pods. Owner references decide, by uid where both sides have one;
// names and labels are hints for pods that carry no owner reference at all.
func (c *Cluster) addWorkloads(jobs []*kube.Job, pods []*Pod) {
	byRef := map[evidence.Ref]*Workload{}
	for _, j := range jobs {
		w := &Workload{Ref: j.Ref(), Job: j, Events: c.EventsOf(j.Ref())}
		w.Refusals = refusalsOf(j, c.Notes)
		c.setParent(w)
		byRef[w.Ref] = w
		c.Workloads = append(c.Workloads, w)
	}
	for _, p := range pods {
		ref, byLabel, ok := jobOf(p.Pod)
		switch {
		case ok:
			c.attach(byRef, ref, p, byLabel)
		case runsToCompletion(p):
			w := &Workload{Ref: p.Ref(), Pods: []*Pod{p}}
			if o, ok := p.Meta.Controller(); ok {
				w.ParentKind, w.ParentName, w.ParentGroup = o.Kind, o.Name, o.Group()
			}
			c.Workloads = append(c.Workloads, w)
		default:
			c.Services = append(c.Services, p)
		}
	}
	c.addFromEvents(byRef)
	c.addFromCronJobs(byRef, jobs)
	c.findTemplates()
	for _, w := range c.Workloads {
		sort.SliceStable(w.Pods, func(i, j int) bool { return w.Pods[i].Meta.Name < w.Pods[j].Meta.Name })
	}
	sort.SliceStable(c.Workloads, func(i, j int) bool { return c.Workloads[i].Ref.Less(c.Workloads[j].Ref) })
	sort.SliceStable(c.Services, func(i, j int) bool { return c.Services[i].Ref().Less(c.Services[j].Ref()) })
	sort.SliceStable(c.CronJobs, func(i, j int) bool { return c.CronJobs[i].Ref().Less(c.CronJobs[j].Ref()) })
}

// attach adds a pod to the Job it names. A Job of the same name and another uid is another Job (it was deleted and made
// again): the pod then stands as a Job of its own that the bundle does not hold.
func (c *Cluster) attach(byRef map[evidence.Ref]*Workload, ref evidence.Ref, p *Pod, byLabel bool) {
	w := byRef[ref]
	if w != nil && w.Job != nil {
		if o, ok := p.Meta.Controller(); ok && o.UID != "" && w.Job.Meta.UID != "" && o.UID != w.Job.Meta.UID {
			c.Conflicts = append(c.Conflicts, Conflict{Object: p.Ref(),
				What: sentence.Fixed("the pod's owner and the Job of that name have different uids"),
				From: []evidence.Evidence{p.Ev("metadata.ownerReferences", o.UID), w.Job.Ev("metadata.uid", w.Job.Meta.UID)}})
			ref.Name += "@" + o.UID
			w = byRef[ref]
		}
	}
	if w == nil {
		w = &Workload{Ref: ref}
		w.Ref.Name, _, _ = strings.Cut(ref.Name, "@")
		w.ByLabel = byLabel
		w.Events = c.EventsOf(w.Ref)
		c.setParent(w)
		byRef[ref] = w
		c.Workloads = append(c.Workloads, w)
	}
	w.Pods = append(w.Pods, p)
}

// JobNameLabels are the labels with the name of its Job on a pod, the newer first.
func JobNameLabels() []string { return []string{"batch.kubernetes.io/job-name", "job-name"} }

// jobOf names the Job of a pod.
func jobOf(p *kube.Pod) (ref evidence.Ref, byLabel, ok bool) {
	if o, has := p.Meta.Controller(); has {
		if o.Kind == "Job" && o.Name != "" && (o.Group() == "batch" || o.APIVersion == "") {
			return evidence.Ref{Kind: "Job", Namespace: p.Meta.Namespace, Name: o.Name}, false, true
		}
		return evidence.Ref{}, false, false
	}
	for _, label := range JobNameLabels() {
		if name := p.Meta.Labels.Get(label); name != "" {
			return evidence.Ref{Kind: "Job", Namespace: p.Meta.Namespace, Name: name}, true, true
		}
	}
	return evidence.Ref{}, false, false
}

// setParent finds the object above a Job: its owner reference, which kubectl create job --from sets too, else the CronJob
// that lists it as active.
func (c *Cluster) setParent(w *Workload) {
	if w.Job != nil {
		if o, ok := w.Job.Meta.Controller(); ok {
			w.ParentKind, w.ParentName, w.ParentGroup = o.Kind, o.Name, o.Group()
		}
	}
	for _, cj := range c.CronJobs {
		if cj.Meta.Namespace != w.Ref.Namespace {
			continue
		}
		if w.ParentKind == "CronJob" && w.ParentName == cj.Meta.Name || w.ParentKind == "" && cj.ListsActive(w.Ref.Name) {
			w.CronJob = cj
			w.ParentKind, w.ParentName, w.ParentGroup = "CronJob", cj.Meta.Name, "batch"
			return
		}
	}
}

// refusalsOf gives the messages with which the API server refused this very manifest, where the message names it.
func refusalsOf(j *kube.Job, notes []kube.Note) []kube.Note {
	if !j.Manifest() {
		return nil
	}
	var out []kube.Note
	for _, n := range notes {
		named := strings.Contains(n.Text, `"`+j.Meta.Name+`"`) || strings.Contains(n.Text, `"`+base(j.Origin.File)+`"`)
		if n.Class == "invalid" && named {
			out = append(out, n)
		}
	}
	return out
}

func base(path string) string { return path[strings.LastIndexAny(path, "/!")+1:] }

// addFromEvents makes a workload of each Job that is known from events alone, so that a bundle that holds nothing but
// an event list is answered and not called empty.
func (c *Cluster) addFromEvents(byRef map[evidence.Ref]*Workload) {
	refs := make([]evidence.Ref, 0, len(c.events))
	for ref := range c.events {
		if ref.Kind == "Job" && ref.Name != "" {
			refs = append(refs, ref)
		}
	}
	sort.Slice(refs, func(i, j int) bool { return refs[i].Less(refs[j]) })
	for _, ref := range refs {
		if byRef[ref] != nil || ref.Namespace == "" && c.hasJobNamed(ref.Name) {
			continue
		}
		w := &Workload{Ref: ref, Events: c.events[ref]}
		c.setParent(w)
		byRef[ref] = w
		c.Workloads = append(c.Workloads, w)
	}
}

// addFromCronJobs adds the Jobs that a CronJob counts as active where no Job of its namespace is in the bundle: they were
// not collected, and what they do to the CronJob shows in its own status and events.
func (c *Cluster) addFromCronJobs(byRef map[evidence.Ref]*Workload, jobs []*kube.Job) {
	collected := map[string]bool{}
	for _, j := range jobs {
		collected[j.Meta.Namespace] = collected[j.Meta.Namespace] || !j.Manifest()
	}
	for _, cj := range c.CronJobs {
		if collected[cj.Meta.Namespace] {
			continue
		}
		for _, a := range cj.Status.Active {
			ref := evidence.Ref{Kind: "Job", Namespace: cj.Meta.Namespace, Name: a.Name}
			if a.Name == "" || byRef[ref] != nil {
				continue
			}
			w := &Workload{Ref: ref, Events: c.EventsOf(ref)}
			c.setParent(w)
			byRef[ref] = w
			c.Workloads = append(c.Workloads, w)
		}
	}
}

func (c *Cluster) hasJobNamed(name string) bool {
	for _, w := range c.Workloads {
		if w.Ref.Kind == "Job" && w.Ref.Name == name {
			return true
		}
	}
	return false
}

// addRows joins rows of kubectl get tables to the workloads they are about. Rows about pods and Jobs that are nowhere
// else become workloads only in a bundle that holds no pod and no Job at all: there they are all there is.
func (c *Cluster) addRows() {
	bare := true
	for _, w := range c.Workloads {
		bare = bare && len(w.Pods) == 0 && w.Job == nil
	}
	bare = bare && len(c.Services)+len(c.Reduced) == 0
	named := namesIn(c.Workloads)
	for _, r := range c.Rows {
		name := r.Cells["NAME"]
		if r.Kind != "Pod" && r.Kind != "Job" || name == "" {
			continue
		}
		ref := evidence.Ref{Kind: r.Kind, Namespace: r.Cells["NAMESPACE"], Name: name}
		if w, p := named.of(ref); w != nil {
			w.Rows = append(w.Rows, r)
			if p != nil {
				p.Rows = append(p.Rows, r)
			}
			continue
		}
		if bare && !(r.Kind == "Pod" && servicesRow(r)) || r.Kind == "Job" && unfinishedRow(r) {
			w := &Workload{Ref: ref, Rows: []kube.Row{r}}
			c.Workloads = append(c.Workloads, w)
			named.add(ref, w, nil)
		}
	}
}

// unfinishedRow says that a row of Jobs shows one that has not all its completions: it is a workload, though the bundle
// has nothing else of it.
func unfinishedRow(r kube.Row) bool {
	done, wanted, ok := strings.Cut(r.Cells["COMPLETIONS"], "/")
	wanted, _, _ = strings.Cut(wanted, " ")
	return ok && done != wanted
}

// nameIndex finds a workload by its name or that of one of its pods. A table may lack the column NAMESPACE, and so may
// what else tells of a workload: no namespace is any. Of several the first is meant.
type nameIndex struct {
	exact, anywhere map[evidence.Ref]indexed
	n               int
}

type indexed struct {
	at int
	w  *Workload
	p  *Pod
}

func namesIn(list []*Workload) *nameIndex {
	x := &nameIndex{exact: map[evidence.Ref]indexed{}, anywhere: map[evidence.Ref]indexed{}}
	for _, w := range list {
		x.add(w.Ref, w, nil)
		for _, p := range w.Pods {
			x.add(evidence.Ref{Kind: "Pod", Namespace: w.Ref.Namespace, Name: p.Meta.Name}, w, p)
		}
	}
	return x
}

func (x *nameIndex) add(ref evidence.Ref, w *Workload, p *Pod) {
	x.n++
	if _, ok := x.exact[ref]; !ok {
		x.exact[ref] = indexed{x.n, w, p}
	}
	ref.Namespace = ""
	if _, ok := x.anywhere[ref]; !ok {
		x.anywhere[ref] = indexed{x.n, w, p}
	}
}

func (x *nameIndex) of(ref evidence.Ref) (*Workload, *Pod) {
	if ref.Namespace == "" {
		return x.anywhere[ref].w, x.anywhere[ref].p
	}
	found, ok := x.exact[ref]
	ref.Namespace = ""
	if nowhere, has := x.exact[ref]; has && (!ok || nowhere.at < found.at) {
		found = nowhere
	}
	return found.w, found.p
}

// servicesRow is a pod row that shows nothing to judge: running with every container ready.
func servicesRow(r kube.Row) bool {
	a, b, ok := strings.Cut(r.Cells["READY"], "/")
	return ok && a == b && r.Cells["STATUS"] == "Running"
}
