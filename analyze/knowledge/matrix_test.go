package knowledge

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestMatrixGolden makes a change of data visible as changed cells.
func TestMatrixGolden(t *testing.T) {
	const golden = "testdata/matrix.golden"
	got := matrixText(base(t).Matrix())
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the matrix changed; look at the difference and run with -update if it is meant:\n%s", got)
	}
}

// matrixText is all of the matrix on lines that a review can compare.
func matrixText(m Matrix) string {
	var out strings.Builder
	for _, t := range m.Tables {
		fmt.Fprintf(&out, "%s\n\n", t.Title)
		fmt.Fprint(&out, row("Istio", m.Kubernetes, "K8s "))
		for i, cells := range t.Cells {
			var words []string
			for _, c := range cells {
				words = append(words, c.Word())
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
