package render

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// htmlKubelet is the nodes of one kubelet version.
type htmlKubelet struct {
	Version string
	Nodes   []htmlNode
}

type htmlNode struct {
	Name string
	// Named are findings that name the node as evidence.
	Named []analyze.Code
}

// proofRun is a run of observations about one object, counted through the whole argument.
type proofRun struct {
	Object   string
	Start    int
	Evidence []evidence.Evidence
}

// proofRuns parts an argument wherever its object changes, so that a reader sees which pod it goes on with. What is of no
// object stands under the file that it was read in.
func proofRuns(es []evidence.Evidence) []proofRun {
	var out []proofRun
	for i, e := range es {
		of := cmp.Or(e.Object, e.File)
		if n := len(out); n == 0 || of != out[n-1].Object {
			out = append(out, proofRun{Object: of, Start: i + 1})
		}
		last := &out[len(out)-1]
		last.Evidence = append(last.Evidence, e)
	}
	return out
}

// kubelets marks the nodes that a fired finding points at, so that the one that blocks is seen at once.
func kubelets(r *analyze.Report) []htmlKubelet {
	named := map[string][]analyze.Code{}
	for _, f := range r.Findings {
		if f.Status == analyze.Undecided {
			continue
		}
		refs := []string{f.Object.String()}
		for _, e := range f.Evidence {
			refs = append(refs, e.Object)
		}
		for _, ref := range refs {
			if strings.HasPrefix(ref, "Node/") && !slices.Contains(named[ref], f.Code) {
				named[ref] = append(named[ref], f.Code)
			}
		}
	}
	var out []htmlKubelet
	for _, g := range r.Cluster.Kubelets {
		k := htmlKubelet{Version: g.Version}
		for _, n := range g.Nodes {
			k.Nodes = append(k.Nodes, htmlNode{n, named[evidence.Ref{Kind: "Node", Name: n}.String()]})
		}
		out = append(out, k)
	}
	return out
}

// eventList is a table of events with what they are of.
type eventList struct {
	Of     struct{ Title, Name string }
	Events []analyze.Event
}

// eventsOf makes one; title is the catalogue's id of its caption.
func eventsOf(title, name string, events []analyze.Event) eventList {
	return eventList{Of: struct{ Title, Name string }{title, name}, Events: events}
}

// breakable lets a long field path break at its joints, so that a narrow page breaks no word. Its parts are escaped here.
func breakable(path string) template.HTML {
	var b strings.Builder
	for _, part := range strings.SplitAfter(path, ".") {
		before, selector, _ := strings.Cut(part, "[")
		b.WriteString(template.HTMLEscapeString(before))
		if selector != "" {
			b.WriteString("<wbr>" + template.HTMLEscapeString("["+selector))
		}
		b.WriteString("<wbr>")
	}
	return template.HTML(strings.TrimSuffix(b.String(), "<wbr>")) //nolint:gosec // escaped above
}
