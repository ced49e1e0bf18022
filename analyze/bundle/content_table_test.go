package bundle

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// Every cell of a real table must come back: put together at the header's columns, the rows are the file again.
func TestRealTables(t *testing.T) {
	files, _ := filepath.Glob("../../fixtures/bundles/*/get-wide.txt")
	if len(files) < 10 {
		t.Fatal(files)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		set, problems := readText(string(b))
		if len(problems) > 0 {
			t.Errorf("%s: %v", file, problems)
		}
		lines := strings.Split(string(b), "\n")
		rows := 0
		for _, l := range lines {
			if l != "" && !strings.HasPrefix(l, "NAME") {
				rows++
			}
		}
		if len(set.Rows) != rows {
			t.Errorf("%s: %d rows of %d", file, len(set.Rows), rows)
		}
		for _, r := range set.Rows {
			line := lines[r.Line-1]
			for title, cell := range r.Cells {
				if !strings.Contains(line, cell) {
					t.Errorf("%s:%d: %s %q", file, r.Line, title, cell)
				}
			}
			prefix := map[string]string{"Pod": "pod/", "Job": "job.batch/", "CronJob": "cronjob.batch/", "Node": "node/"}[r.Kind]
			if prefix == "" || !strings.Contains(line, prefix+r.Cells["NAME"]+" ") {
				t.Errorf("%s:%d: %s %s", file, r.Line, r.Kind, r.Cells["NAME"])
			}
		}
	}
}

func TestTables(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"pods": {"NAME              READY   STATUS                  RESTARTS       AGE\nresize-07-mj5zl   0/3     Init:CrashLoopBackOff   3 (119s ago)   15m\n",
			"Pod resize-07-mj5zl 0/3 Init:CrashLoopBackOff 3 (119s ago) 15m"},
		"all namespaces":  {"NAMESPACE   NAME   READY   STATUS    RESTARTS   AGE\nbatch       p      1/2     NotReady  0          5m\n", "Pod p 1/2 NotReady 0 5m"},
		"jobs, old":       {"NAME    COMPLETIONS   DURATION   AGE\nsleep   0/1           21m        21m\n", "Job sleep    "},
		"jobs, new":       {"NAME         STATUS   COMPLETIONS   DURATION   AGE\nsimulate-7   Failed   0/1           66m        66m\n", "Job simulate-7  Failed  66m"},
		"squeezed":        {"NAME READY STATUS RESTARTS AGE\nx 1/1 Running 0 5m\n", ""},
		"tabs":            {"NAME\tREADY\tSTATUS\tRESTARTS\tAGE\np\t1/2\tNotReady\t0\t5m\n", "Pod p 1/2 NotReady 0 5m"},
		"wide characters": {"NAME   READY   STATUS   RESTARTS   AGE\nü      1/1     Läuft    0          5m\n", "Pod ü 1/1 Läuft 0 5m"},
	} {
		set, _ := readText(c.text)
		got := ""
		for _, r := range set.Rows {
			got = fmt.Sprintf("%s %s %s %s %s %s", r.Kind, r.Cells["NAME"], r.Cells["READY"], r.Cells["STATUS"], r.Cells["RESTARTS"], r.Cells["AGE"])
		}
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(c.want), " ") {
			if name == "jobs, old" && strings.HasPrefix(got, "Job sleep") {
				continue
			}
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestUnalignedEventRows: cells that stand apart are read wherever they stand; a row that cannot be cut is told of.
func TestUnalignedEventRows(t *testing.T) {
	const header = "NAMESPACE  LAST SEEN   TYPE      REASON         OBJECT      MESSAGE\n"
	for name, c := range map[string]struct {
		row              string
		events, problems int
	}{
		"apart":         {"team  2m          Warning   FailedCreate   job/rep     Error creating: a  b\n", 1, 0},
		"not to be cut": {"team 2m Warning FailedCreate job/rep Error creating: a b\n", 0, 1},
	} {
		set, problems := readText(header + c.row)
		if len(set.Events) != c.events || len(problems) != c.problems {
			t.Errorf("%s: %d events, %v", name, len(set.Events), problems)
		}
		if c.events == 1 && (set.Events[0].Message != "Error creating: a  b" || set.Events[0].Involved.Name != "rep") {
			t.Errorf("%s: %+v", name, set.Events[0])
		}
	}
}

func TestEventTables(t *testing.T) {
	for name, text := range map[string]string{
		"plain":          "LAST SEEN             TYPE      REASON         OBJECT        MESSAGE\n6m40s (x6 over 24m)   Warning   FailedCreate   job/seed-db   Error creating: a  b\n",
		"all namespaces": "NAMESPACE   LAST SEEN             TYPE      REASON         OBJECT        MESSAGE\nshop        6m40s (x6 over 24m)   Warning   FailedCreate   job/seed-db   Error creating: a  b\n",
		"CRLF":           "LAST SEEN             TYPE      REASON         OBJECT        MESSAGE\r\n6m40s (x6 over 24m)   Warning   FailedCreate   job/seed-db   Error creating: a  b\r\n",
		"wide":           "LAST SEEN             TYPE      REASON         OBJECT        SUBOBJECT   SOURCE           MESSAGE                FIRST SEEN   COUNT   NAME\n6m40s (x6 over 24m)   Warning   FailedCreate   job/seed-db               job-controller   Error creating: a  b   24m          6       seed-db.17\n",
		"session":        "$ kubectl get events -n shop\nLAST SEEN             TYPE      REASON         OBJECT        MESSAGE\n6m40s (x6 over 24m)   Warning   FailedCreate   job/seed-db   Error creating: a  b\n$ \n",
	} {
		set, problems := readText(text)
		if len(set.Events) != 1 || len(problems) > 0 {
			t.Errorf("%s: %v, %d events", name, problems, len(set.Events))
			continue
		}
		e := set.Events[0]
		if e.Type != "Warning" || e.Reason != "FailedCreate" || e.Message != "Error creating: a  b" || e.Age != "6m40s (x6 over 24m)" || e.Count != 6 ||
			e.Involved.Kind != "Job" || e.Involved.Name != "seed-db" || e.Origin.Strength != evidence.Table || e.Origin.Line == 0 {
			t.Errorf("%s: %+v", name, e)
		}
		if ns := e.Involved.Namespace; ns != "shop" && (name == "all namespaces" || name == "session") {
			t.Errorf("%s: namespace %q", name, ns)
		}
	}
}
