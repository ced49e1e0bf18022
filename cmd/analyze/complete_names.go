package main

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
)

// named is one name that can be completed, with what it is.
type named struct{ name, is string }

// lister gives the names of one kind in a bundle.
type lister func(c *facts.Cluster, namespace string) []named

// sorted orders names, joins what is named twice, and keeps those only that Kubernetes would allow: names end up in a
// shell, and whoever made the bundle may have chosen them for that.
func sorted(all []named) []named {
	all = slices.DeleteFunc(all, func(n named) bool { return !plain(n.name) || !plain(strings.ReplaceAll(n.is, " ", "-")) })
	slices.SortFunc(all, func(a, b named) int {
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return strings.Compare(a.is, b.is)
	})
	return slices.CompactFunc(all, func(a, b named) bool { return a.name == b.name })
}

// plain says that a word is made of letters, digits, dots and dashes, and begins with a letter or digit.
func plain(word string) bool {
	for i, r := range word {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		case i > 0 && (r == '.' || r == '-'):
		default:
			return false
		}
	}
	return word != "" && len(word) <= 253+len("CronJob in ")
}

// listWorkloads gives the workloads and the CronJobs above them, which stand for their latest run.
func listWorkloads(c *facts.Cluster, namespace string) []named {
	var all []named
	for _, w := range c.Workloads {
		if namespace != "" && w.Ref.Namespace != namespace {
			continue
		}
		all = append(all, named{w.Ref.Name, w.Ref.Kind + " in " + w.Ref.Namespace})
		if w.ParentName != "" {
			all = append(all, named{w.ParentName, w.ParentKind + " in " + w.Ref.Namespace})
		}
	}
	return all
}

// listPods gives the pods, and the workloads, which stand for theirs.
func listPods(c *facts.Cluster, namespace string) []named {
	var all []named
	for _, p := range rules.FindPods(c, "", namespace) {
		all = append(all, named{p.Meta.Name, "Pod in " + p.Meta.Namespace})
	}
	for _, w := range c.Workloads {
		if len(w.Pods) > 0 && (namespace == "" || w.Ref.Namespace == namespace) {
			all = append(all, named{w.Ref.Name, w.Ref.Kind + " in " + w.Ref.Namespace})
		}
	}
	return all
}

func listNamespaces(c *facts.Cluster, _ string) []named {
	var all []named
	for _, w := range c.Workloads {
		all = append(all, named{w.Ref.Namespace, "namespace"})
	}
	return all
}
