package rules

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestRowSettlesColumns: what kubectl printed is known where a row of the pod shows one of the ways in which API servers print
// it, and the version of this one does not say which.
func TestRowSettlesColumns(t *testing.T) {
	row := func(ready, status, restarts, age string) kube.Row {
		return kube.Row{Kind: "Pod", File: "pods.txt", Line: 2, Cells: map[string]string{"NAMESPACE": "team-app", "NAME": "report-x7", "READY": ready, "STATUS": status, "RESTARTS": restarts, "AGE": age}}
	}
	held := heldPod()
	held.Meta.Created = stampOf(began)
	for i := range held.Status.ContainerStatuses {
		c := &held.Status.ContainerStatuses[i]
		if c.Ready = c.State.Running != nil; c.State.Terminated != nil {
			c.State.Terminated.Reason = "Completed"
		}
	}
	for name, tc := range map[string]struct {
		server string
		rows   []kube.Row
		want   string
		row    bool
	}{
		"no row":                           {"", nil, "NotReady", false},
		"as present servers do":            {"", []kube.Row{row("1/2", "NotReady", "0", "9h")}, "NotReady", true},
		"as older servers did":             {"", []kube.Row{row("1/2", "Running", "0", "9h")}, "Running", true},
		"without READY and RESTARTS":       {"", []kube.Row{row("", "Running", "", "9h")}, "Running", true},
		"when the application still ran":   {"", []kube.Row{row("2/2", "Running", "0", "9h")}, "NotReady", false},
		"before the application had ended": {"", []kube.Row{row("1/2", "Running", "0", "1s")}, "NotReady", false},
		"after another restart":            {"", []kube.Row{row("1/2", "Running", "1 (5m ago)", "9h")}, "NotReady", false},
		"a word of another moment":         {"", []kube.Row{row("1/2", "Terminating", "0", "9h")}, "NotReady", false},
		"the second of two rows":           {"", []kube.Row{row("2/2", "Running", "0", "1s"), row("1/2", "Running", "0", "9h")}, "Running", true},
		"a version that is known":          {"v1.30.2", []kube.Row{row("1/2", "Running", "0", "9h")}, "NotReady", false},
		"an old version that is known":     {"v1.17.3", nil, "Running", false},
		"one that is older than known":     {"v1.12.3", nil, "Running", false},
		"older than known, and a row":      {"v1.12.3", []kube.Row{row("1/2", "Running", "0", "9h")}, "Running", true},
	} {
		k := base(t)
		set := &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{held}, Rows: tc.rows}
		for i := range set.Rows {
			set.Rows[i].File = string(rune('a' + i)) // of several texts
		}
		if tc.server != "" {
			set.Servers = []kube.ServerVersion{{GitVersion: tc.server, Evidence: evidence.Evidence{File: "version.yaml"}}}
		}
		c := facts.Build(set, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		x := Explain(c, k, c.Workloads[0].Pods[0])
		if x.Columns.Status != tc.want || (x.Row != nil) != tc.row {
			t.Errorf("%s: STATUS %s, row %v; want %s", name, x.Columns.Status, x.Row, tc.want)
		}
		if in := columnsIn(c, k)(c.Workloads[0].Pods[0]); in.Status != x.Columns.Status {
			t.Errorf("%s: the report says %s", name, in.Status)
		}
		if known := tc.server == "v1.30.2" || tc.server == "v1.17.3"; x.PrinterKnown != known {
			t.Errorf("%s: the way it prints is known: %v", name, x.PrinterKnown)
		}
	}
}
