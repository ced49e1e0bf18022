// Package podgen makes up a cluster of any size, as kubectl prints it: lists of pods, of the Jobs that own them and of
// the nodes that they run on, and an archive of all three. The same number of pods gives the same bytes, and the first
// pods of a longer list are those of a shorter one.
//
// Half of the pods are of Deployments in a mesh, a fifth of Jobs, and of the Jobs whose proxy is an ordinary container
// three in five are stuck; mixture (pod.go) has the rest. Each pod is of a workload of its own: a real cluster repeats
// more. Every style that kubectl's YAML has occurs.
//
// It is for benchmarks and tests alone; the analyzer does not contain it.
package podgen

import (
	"bufio"
	"embed"
	"fmt"
	"io"
	"text/template"
)

//go:embed *.tmpl
var files embed.FS

var templates = template.Must(template.ParseFS(files, "*.tmpl"))

// Pods writes a list of the first n pods, 13 kB each.
func Pods(w io.Writer, n int) error { return PodsFrom(w, 0, n) }

// PodsFrom writes a list of n pods that leaves out the first ones.
func PodsFrom(w io.Writer, first, n int) error {
	return list(w, "pod.yaml.tmpl", first, n, func(i int) any { return newPod(i) })
}

// Jobs writes the Jobs that own pods among the first n.
func Jobs(w io.Writer, n int) error {
	return list(w, "job.yaml.tmpl", 0, n, func(i int) any {
		if p := newPod(i); p.Owner == "Job" {
			return p
		}
		return nil
	})
}

// perNode is how many pods run on a node.
const perNode = 50

// Nodes writes the nodes that the first n pods run on.
func Nodes(w io.Writer, n int) error {
	return list(w, "node.yaml.tmpl", 0, (n+perNode-1)/perNode, func(i int) any { return newNode(i) })
}

const head, tail = "apiVersion: v1\nitems:\n", "kind: List\nmetadata:\n  resourceVersion: \"\"\n"

// list writes a list of what an item's number gives, without those that give nil. Errors of a bufio.Writer stick, so
// the last Flush gives the first of them.
func list(w io.Writer, form string, first, n int, item func(int) any) error {
	b := bufio.NewWriterSize(w, 64<<10)
	_, _ = b.WriteString(head)
	t := templates.Lookup(form)
	for i := first; i < first+n; i++ {
		it := item(i)
		if it == nil {
			continue
		}
		if err := t.Execute(b, it); err != nil {
			return fmt.Errorf("writing item %d of a list: %w", i, err)
		}
	}
	_, _ = b.WriteString(tail)
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing a list: %w", err)
	}
	return nil
}
