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
	var read []*kube.Set
	for _, r := range e.ran {
		read = append(read, r.read.Set)
		for _, w := range rules.Runs(r.cluster) {
			if a.selects(w) {
				return nil
			}
			has = append(has, w.Ref)
		}
	}
	return a.noSuch("workload", a.global.job, has, read...)
}

func showsAny(r *analyze.Report) bool {
	return len(r.Workloads) > 0 || r.Hidden != nil && r.Hidden.Workloads > 0
}

// selects says whether --namespace and --job choose a workload.
func (a *app) selects(w *facts.Workload) bool {
	g := a.global
	return (g.namespace == "" || w.Ref.Namespace == g.namespace) && (g.job == "" || w.Ref.Name == g.job || w.ParentName == g.job)
}

// namesShown bounds the list of names in an error.
const namesShown = 10

// noSuch is the error of a name that the bundle does not have; it lists those it has, of the namespace asked for if that
// has any. The sets are searched for the namespace only.
func (a *app) noSuch(what, name string, has []evidence.Ref, read ...*kube.Set) error {
	namespace := a.global.namespace
	var there, namespaces []string
	for _, ref := range has {
		if namespace == "" || ref.Namespace == namespace {
			there = append(there, ref.String())
		}
		namespaces = append(namespaces, ref.Namespace)
	}
	switch {
	case namespace != "" && len(there) == 0 && !slices.ContainsFunc(read, func(s *kube.Set) bool { return holds(s, namespace) }):
		return fmt.Errorf("the bundle holds nothing in the namespace %s%s", quote(namespace), elsewhere(what, namespaces))
	case len(has) == 0:
		return fmt.Errorf("the bundle has no %s at all", what)
	case len(there) == 0:
		return fmt.Errorf("the bundle has no %s in the namespace %s%s", what, quote(namespace), elsewhere(what, namespaces))
	case namespace != "":
		return fmt.Errorf("the bundle has no %s %s in the namespace %s; it has %s", what, quote(name), quote(namespace), joinSome(there))
	}
	return fmt.Errorf("the bundle has no %s %s; it has %s", what, quote(name), joinSome(there))
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
