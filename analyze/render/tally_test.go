package render

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// TestAllWellIsNotNothing: a bundle whose workloads are all well must not read like one in which none was found.
func TestAllWellIsNotNothing(t *testing.T) {
	r := load(t, "healthy")
	r.Workloads = nil
	for _, format := range []string{"table", "wide", "markdown", "html"} {
		out := string(render(t, format, []*analyze.Report{r}, Options{}))
		if !strings.Contains(out, "Nothing is wrong with the 2 workloads") || strings.Contains(out, "No Job") {
			t.Errorf("%s: %s", format, out)
		}
		r.Hidden, out = nil, string(render(t, format, []*analyze.Report{load(t, "nothing")}, Options{}))
		if !strings.Contains(out, "No Job") {
			t.Errorf("%s: %s", format, out)
		}
		r.Hidden = load(t, "healthy").Hidden
	}
}

// TestNodesThatAreCountedAreListedSomewhere: where only a few nodes of a version are named, the number of the others is
// true, and what is said to list them does.
func TestNodesThatAreCountedAreListedSomewhere(t *testing.T) {
	r := load(t, "healthy")
	r.Cluster.Kubelets = []analyze.KubeletGroup{{Version: "v1.32.9", Nodes: []string{"n1", "n2", "n3", "n4", "n5", "n6"}}}
	for _, format := range []string{"table", "markdown", "html"} {
		if out := string(render(t, format, []*analyze.Report{r}, Options{})); !strings.Contains(out, "n3 and 3 more, all with -o wide") {
			t.Errorf("%s does not say what lists the other nodes: %s", format, out)
		}
	}
	if out := string(render(t, "wide", []*analyze.Report{r}, Options{})); !strings.Contains(out, "n1, n2, n3, n4, n5, n6") {
		t.Errorf("wide does not list all nodes: %s", out)
	}
}

// TestUnchosenIsNotNothing: a bundle of which a filter chooses nothing must not read like one in which none was found.
func TestUnchosenIsNotNothing(t *testing.T) {
	r := load(t, "nothing")
	r.Hidden = &analyze.Hidden{Unchosen: 3}
	for _, format := range []string{"table", "wide", "markdown", "html"} {
		out := string(render(t, format, []*analyze.Report{r}, Options{}))
		if !strings.Contains(out, "choose none of the 3 workloads") || strings.Contains(out, "No Job") {
			t.Errorf("%s: %s", format, out)
		}
	}
}
