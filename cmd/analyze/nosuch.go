package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
)

// noMatch is the error of a --namespace or --job that selects nothing: an empty report would read as "all is well".
func (a *app) noMatch(e *engine, reports []*analyze.Report) error {
	if a.global.job == "" && a.global.namespace == "" || slices.ContainsFunc(reports, showsAny) {
		return nil
	}
	var has []evidence.Ref
	var in []*opened
	for _, r := range e.ran {
		in = append(in, r.opened)
		for _, w := range rules.Runs(r.cluster) {
			if a.selects(w) {
				return nil
			}
			has = append(has, w.Ref)
		}
	}
	return a.noSuch("workload", a.global.job, has, in...)
}

func showsAny(r *analyze.Report) bool {
	return len(r.Workloads) > 0 || r.Hidden != nil && r.Hidden.Workloads > 0
}

// selects says whether --namespace and --job choose a workload.
func (a *app) selects(w *facts.Workload) bool {
	return analyze.Options{Namespace: a.global.namespace, Job: a.global.job}.Selects(w)
}

// namesShown bounds the list of names in an error.
const namesShown = 10

// noSuch is the error of a name that the bundle does not have: it lists those it has, of the namespace asked for if that
// has any, and says what to do next. The bundles are searched for the namespace and for a pod of the name only.
func (a *app) noSuch(what, name string, has []evidence.Ref, in ...*opened) error {
	return fmt.Errorf("%s\n%s", a.missing(what, name, has, in), a.insteadOfMissing(what, name, has, in))
}

func (a *app) missing(what, name string, has []evidence.Ref, in []*opened) string {
	namespace := a.global.namespace
	var there, namespaces []string
	for _, ref := range has {
		if namespace == "" || ref.Namespace == namespace {
			there = append(there, ref.String())
		}
		namespaces = append(namespaces, ref.Namespace)
	}
	switch {
	case namespace != "" && len(there) == 0 && !slices.ContainsFunc(in, func(o *opened) bool { return holds(o.read.Set, namespace) }):
		return fmt.Sprintf("the bundle holds nothing in the namespace %s%s", quote(namespace), elsewhere(what, namespaces))
	case len(has) == 0:
		return fmt.Sprintf("the bundle has no %s at all", what)
	case len(there) == 0:
		return fmt.Sprintf("the bundle has no %s in the namespace %s%s", what, quote(namespace), elsewhere(what, namespaces))
	case namespace != "":
		return fmt.Sprintf("the bundle has no %s %s in the namespace %s; it has %s", what, quote(name), quote(namespace), joinSome(there))
	}
	return fmt.Sprintf("the bundle has no %s %s; it has %s", what, quote(name), joinSome(there))
}

// insteadOfMissing says what to do: give the name that was meant, or have the rest collected.
func (a *app) insteadOfMissing(what, name string, has []evidence.Ref, in []*opened) string {
	if what != "pod" {
		for _, o := range in {
			if s := a.otherThanRun(o.cluster, name); s != "" {
				return s
			}
		}
	}
	const collect = "supplied by: kubectl get job,cronjob,pod,event -n NAMESPACE -o yaml"
	if len(has) == 0 {
		return fmt.Sprintf("see what '%s BUNDLE' lists as its problems; what was not collected is %s", a.name(), collect)
	}
	return "choose one that it has; what was not collected is " + collect
}

// otherThanRun says what has the name where a run of it is asked for: a pod, or a CronJob of which the bundle has no run.
func (a *app) otherThanRun(c *facts.Cluster, name string) string {
	for _, w := range c.Workloads {
		for _, p := range w.Pods {
			if p.Meta.Name == name {
				return fmt.Sprintf("%s is a pod of %s: choose that", quote(name), render.Text(w.Ref.String()))
			}
		}
	}
	if slices.ContainsFunc(c.Services, func(p *facts.Pod) bool { return p.Meta.Name == name }) ||
		slices.ContainsFunc(c.Reduced, func(p kube.ServicePod) bool { return p.Name == name }) {
		return fmt.Sprintf("%s is a pod of a service, which is not to end; its columns are told by: %s explain BUNDLE %[1]s", quote(name), a.name())
	}
	if slices.ContainsFunc(c.CronJobs, func(cj *kube.CronJob) bool { return cj.Meta.Name == name }) {
		return fmt.Sprintf("%s is a CronJob of which the bundle has no run; where its next pod's proxy goes is told by: %s predict BUNDLE --job %[1]s", quote(name), a.name())
	}
	return ""
}

func elsewhere(what string, namespaces []string) string {
	slices.Sort(namespaces)
	if namespaces = slices.Compact(namespaces); len(namespaces) == 0 {
		return ", and no " + what + " anywhere"
	}
	return "; it has " + what + "s in " + joinSome(namespaces)
}

// joinSome lists names in order, not too many.
func joinSome(names []string) string {
	slices.Sort(names)
	names = slices.Clone(names)
	for i, name := range names {
		names[i] = render.Text(name) // a line break in one must not begin a line
	}
	if more := len(names) - namesShown; more > 0 {
		names = append(names[:namesShown:namesShown], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// holds says that a bundle holds something of a namespace.
func holds(s *kube.Set, namespace string) bool {
	in := func(m kube.Meta) bool { return m.Namespace == namespace }
	return slices.ContainsFunc(s.Pods, func(o *kube.Pod) bool { return in(o.Meta) }) ||
		slices.ContainsFunc(s.Services, func(o kube.ServicePod) bool { return o.Namespace == namespace }) ||
		slices.ContainsFunc(s.Jobs, func(o *kube.Job) bool { return in(o.Meta) }) ||
		slices.ContainsFunc(s.CronJobs, func(o *kube.CronJob) bool { return in(o.Meta) }) ||
		slices.ContainsFunc(s.Controllers, func(o *kube.Controller) bool { return in(o.Meta) }) ||
		slices.ContainsFunc(s.ConfigMaps, func(o *kube.ConfigMap) bool { return in(o.Meta) }) ||
		slices.ContainsFunc(s.Others, func(o *kube.Object) bool { return in(o.Meta) }) ||
		slices.ContainsFunc(s.Events, func(o *kube.Event) bool { return in(o.Meta) }) ||
		slices.ContainsFunc(s.Namespaces, func(o *kube.Namespace) bool { return o.Meta.Name == namespace }) ||
		slices.ContainsFunc(s.Rows, func(r kube.Row) bool { return r.Cells["NAMESPACE"] == namespace })
}

func refsOf(workloads []*facts.Workload) []evidence.Ref {
	var refs []evidence.Ref
	for _, w := range workloads {
		refs = append(refs, w.Ref)
	}
	return refs
}
