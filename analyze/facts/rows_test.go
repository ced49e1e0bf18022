package facts

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

func TestRowsFindTheirWorkload(t *testing.T) {
	pod := func(ns, name string) *Pod {
		p := &Pod{Pod: &kube.Pod{}}
		p.Meta.Namespace, p.Meta.Name = ns, name
		return p
	}
	job := func(ns, name string, pods ...*Pod) *Workload {
		return &Workload{Ref: evidence.Ref{Kind: "Job", Namespace: ns, Name: name}, Pods: pods}
	}
	list := []*Workload{job("a", "report", pod("a", "report-x")), job("b", "report", pod("b", "report-x")), job("", "sync", pod("", "sync-x")), job("b", "sync")}
	for _, tc := range []struct {
		kind, ns, name string
		want           int
	}{
		{"Job", "a", "report", 0}, {"Job", "b", "report", 1}, {"Job", "", "report", 0}, {"Job", "c", "report", -1},
		{"Pod", "b", "report-x", 1}, {"Pod", "", "report-x", 0}, {"Job", "b", "report-x", -1}, {"Pod", "b", "report", -1},
		{"Job", "b", "sync", 2}, {"Job", "z", "sync", 2}, {"Pod", "z", "sync-x", 2},
	} {
		got, _ := namesIn(list).of(evidence.Ref{Kind: tc.kind, Namespace: tc.ns, Name: tc.name})
		if tc.want < 0 && got != nil || tc.want >= 0 && got != list[tc.want] {
			t.Errorf("%s %s/%s: %+v", tc.kind, tc.ns, tc.name, got)
		}
	}
}

// TestManyRowsTakeNoLongerEach: a table of a large cluster is joined in one look at each row.
func TestManyRowsTakeNoLongerEach(t *testing.T) {
	c := &Cluster{}
	for i := range 60000 {
		c.Rows = append(c.Rows, kube.Row{Kind: "Pod", Cells: map[string]string{"NAMESPACE": "batch", "NAME": fmt.Sprint("p-", i), "READY": "1/2"}})
	}
	start := time.Now()
	c.addRows()
	if took := time.Since(start); len(c.Workloads) != len(c.Rows) || took > 5*time.Second {
		t.Errorf("%d of %d rows in %s", len(c.Workloads), len(c.Rows), took)
	}
}

// TestTheLastRowOfAText: a watch prints a row for each change, and a transcript may hold two listings.
func TestTheLastRowOfAText(t *testing.T) {
	row := func(file string, table, line int, namespace, name, status, age string) kube.Row {
		r := kube.Row{Kind: "Job", File: file, Table: table, Line: line, Cells: map[string]string{"NAME": name, "STATUS": status, "AGE": age}}
		if namespace != "" {
			r.Cells["NAMESPACE"] = namespace
		}
		return r
	}
	for name, tc := range map[string]struct {
		rows []kube.Row
		want string
	}{
		"a watch":                       {[]kube.Row{row("a", 1, 2, "", "x", "Suspended", "0s"), row("a", 1, 3, "", "x", "Running", "4s"), row("a", 1, 4, "", "x", "Failed", "65s")}, "x Failed +2"},
		"a watch of several":            {[]kube.Row{row("a", 1, 2, "", "x", "Running", "1s"), row("a", 1, 3, "", "y", "Running", "1s"), row("a", 1, 4, "", "x", "Failed", "9s")}, "x Failed +1, y Running +0"},
		"one that was made again":       {[]kube.Row{row("a", 1, 2, "", "x", "Failed", "3h"), row("a", 1, 3, "", "x", "Running", "0s")}, "x Running +1"},
		"two listings":                  {[]kube.Row{row("a", 1, 2, "", "x", "Suspended", "10s"), row("a", 5, 6, "", "x", "Running", "60m")}, "x Running +1"},
		"two listings of one namespace": {[]kube.Row{row("a", 1, 2, "t", "x", "Failed", "3h"), row("a", 5, 6, "t", "x", "Running", "1m")}, "x Running +1"},
		"two listings, perhaps of two":  {[]kube.Row{row("a", 1, 2, "", "x", "Failed", "3h"), row("a", 5, 6, "", "x", "Running", "1m")}, "x Failed +0, x Running +0"},
		"two namespaces":                {[]kube.Row{row("a", 1, 2, "s", "x", "Failed", "1m"), row("a", 1, 3, "t", "x", "Running", "2m")}, "x Failed +0, x Running +0"},
		"two texts":                     {[]kube.Row{row("a", 1, 2, "t", "x", "Failed", "1m"), row("b", 1, 3, "t", "x", "Running", "2m")}, "x Failed +0, x Running +0"},
	} {
		var got []string
		for _, r := range newestRows(tc.rows) {
			got = append(got, fmt.Sprintf("%s %s +%d", r.Cells["NAME"], r.Cells["STATUS"], r.Earlier))
		}
		if s := strings.Join(got, ", "); s != tc.want {
			t.Errorf("%s: %s, want %s", name, s, tc.want)
		}
	}
}
