package render

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// TestWhatToDoComesBeforeTheProof: remedies of own findings and of those told elsewhere, each once, then the command.
func TestWhatToDoComesBeforeTheProof(t *testing.T) {
	for _, format := range []string{"table", "markdown", "html"} {
		out := string(render(t, format, []*analyze.Report{load(t, "held")}, Options{}))
		_, rest, _ := strings.Cut(out, "What to do")
		before, _, ok := strings.Cut(rest, "Because")
		if !ok || !strings.Contains(before, "put the annotation on the pod template") {
			t.Errorf("%s: no remedy before the proof: %q", format, before)
		}
		if !strings.Contains(before, "analyze fix ticket-4711.tar.gz report-task-29934720 -n team-app") {
			t.Errorf("%s: no command before the proof: %q", format, before)
		}
	}
	v := newView(load(t, "many"))
	for _, g := range v.groups[:2] {
		if list := v.todos(g); len(list) != 1 {
			t.Errorf("%s: %v", g.lead.Name, list)
		}
	}
}

func TestCommandsArePasteable(t *testing.T) {
	r := load(t, "held")
	for source, want := range map[string]string{
		"ticket 1.tgz": "analyze fix BUNDLE report-task-29934720 -n team-app",
		"$(reboot)":    "analyze fix BUNDLE report-task-29934720 -n team-app",
		"-":            "analyze fix BUNDLE report-task-29934720 -n team-app",
		"stdin":        "analyze fix BUNDLE report-task-29934720 -n team-app",
		"/dev/fd/63":   "analyze fix BUNDLE report-task-29934720 -n team-app",
		"-rules":       "analyze fix BUNDLE report-task-29934720 -n team-app",
		"a/b.tgz":      "analyze fix a/b.tgz report-task-29934720 -n team-app",
	} {
		r.Bundle.Source = source
		if got := fixCommand(newView(r), r.Workloads[0]); got != want {
			t.Errorf("%s: %s", source, got)
		}
	}
	w := r.Workloads[0]
	w.Name = "x; reboot"
	if got := fixCommand(newView(r), w); got != "" {
		t.Errorf("got %s", got)
	}
	w = r.Workloads[0]
	w.Namespace = ""
	if got := fixCommand(newView(r), w); !strings.HasSuffix(got, " report-task-29934720") {
		t.Errorf("no namespace: %s", got)
	}
	w = r.Workloads[0]
	w.NextPod.Placement = "native"
	if got := fixCommand(newView(r), w); got != "" {
		t.Errorf("no change of placement helps: %s", got)
	}
}

// TestWhatIsNoCauseComesLater: a remedy that does not bear on the verdict stands last, below a title of its own.
func TestWhatIsNoCauseComesLater(t *testing.T) {
	r := load(t, "held")
	r.Workloads = r.Workloads[:1]
	w := &r.Workloads[0]
	w.Apart = w.Findings
	for _, format := range []string{"table", "markdown", "html"} {
		out := string(render(t, format, []*analyze.Report{r}, Options{}))
		_, rest, _ := strings.Cut(out, "What to do")
		before, _, _ := strings.Cut(rest, "Because")
		_, later, ok := strings.Cut(before, "Later, for it is not the cause here:")
		if !ok || !strings.Contains(later, "put the annotation on the pod template") || !strings.Contains(later, "analyze fix") {
			t.Errorf("%s: %q", format, before)
		}
	}
}
