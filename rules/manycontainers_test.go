package rules

import (
	"fmt"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestManyContainers: a stranger's pod may list as many containers as fit into a file. Whatever they are and do, they cost in
// proportion to their number: with its square this would take many minutes.
func TestManyContainers(t *testing.T) {
	const many = 40000
	k := base(t)
	for name, make := range map[string]func(told) told{
		"running":      func(c told) told { return c },
		"ended":        func(c told) told { return c.exits(0) },
		"failed":       func(c told) told { return c.exits(1) },
		"waiting":      func(c told) told { return c.waits("CrashLoopBackOff") },
		"not reported": told.lost,
		"init, ended":  func(c told) told { return c.exits(0).inInit() },
		"init, failed": func(c told) told { return c.exits(1).inInit() },
		"init, lost":   func(c told) told { return c.lost().inInit() },
		"native":       told.native,
	} {
		list := []told{app().exits(0), proxy()}
		for i := range many {
			c := container(fmt.Sprint("c", i), "otel/opentelemetry-collector:0.90")
			c.spec.Args = []string{"curl -X POST localhost:15020/quitquitquit"}
			list = append(list, make(c))
		}
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{podOf("Never", "Running", list...)}},
			facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		start := time.Now()
		report := Engine().Run(c, k, analyze.Options{})
		if took := time.Since(start); took > 60*time.Second || len(report.Workloads) != 1 {
			t.Errorf("%s: %d workloads in %s", name, len(report.Workloads), took)
		}
	}
}
