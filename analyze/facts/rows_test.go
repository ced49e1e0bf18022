package facts

import (
	"fmt"
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
		got := namesIn(list).of(evidence.Ref{Kind: tc.kind, Namespace: tc.ns, Name: tc.name})
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
