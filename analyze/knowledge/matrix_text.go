package knowledge

import (
	"fmt"
	"strings"
)

// Text prints the matrix as a table for terminals of 130 columns, with footnotes and sources.
func (m Matrix) Text() string {
	var out strings.Builder
	for _, t := range m.Tables {
		fmt.Fprintf(&out, "%s\n\n", t.Title)
		fmt.Fprint(&out, row("Istio", m.Kubernetes, "K8s "))
		for i, cells := range t.Cells {
			var words []string
			for _, c := range cells {
				words = append(words, c.word())
			}
			fmt.Fprint(&out, row(m.Istio[i], words, ""))
		}
		fmt.Fprintln(&out)
	}
	for _, n := range m.Notes {
		fmt.Fprintf(&out, "- %s\n", n)
	}
	fmt.Fprint(&out, "\nSources\n")
	for _, s := range m.Sources {
		fmt.Fprintf(&out, "- %s\n", s)
	}
	return out.String()
}

func row(head string, cells []string, prefix string) string {
	var line strings.Builder
	fmt.Fprintf(&line, "%-6s", head)
	for _, c := range cells {
		fmt.Fprintf(&line, "  %-9s", prefix+c)
	}
	return strings.TrimRight(line.String(), " ") + "\n"
}

// word is what a cell prints: the placement, or how it is broken.
func (c Cell) word() string {
	w := c.Placement
	if c.Placement == Broken {
		w = map[string]string{
			RefusedByAPIServer: "refused",
			StuckInInit:        "stuck",
			RejectedByKubelet:  "rejected",
			InjectorFails:      "fails",
		}[c.Broken]
	}
	if !c.Supported {
		w += "~"
	}
	return w
}
