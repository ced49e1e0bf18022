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
