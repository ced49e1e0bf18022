package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// row makes a row of a table out of TITLE=cell words.
func row(kind string, words ...string) kube.Row {
	r := kube.Row{Kind: kind, Cells: map[string]string{}, File: "table.txt", Line: 2}
	for _, w := range words {
		title, cell, _ := strings.Cut(w, "=")
		r.Cells[title] = cell
	}
	return r
}

// TestTableAgainstObjects: a table that can only be the later word, or may be, opens the verdict again; one that can be of
// an earlier moment, or of the same, changes nothing.
func TestTableAgainstObjects(t *testing.T) {
	held := podOf("Never", "Running", app().exits(0), proxy())
	unready := podOf("Never", "Running", app().exits(0), proxy().unready())
	working := podOf("Never", "Running", app(), proxy())
	restarted := podOf("OnFailure", "Running", app().restarted(1, 1), proxy())
	succeeded := podOf("Never", "Succeeded", app().exits(0), proxy().exits(0))
	complete := jobOf()
	complete.Status.Conditions = []kube.Condition{{Type: "Complete", Status: "True"}}
	queue := jobOf()
	queue.Spec.Completions = nil
	job := func(words ...string) kube.Row { return row("Job", append([]string{"NAME=report"}, words...)...) }
	pod := func(words ...string) kube.Row { return row("Pod", append([]string{"NAME=report-x7"}, words...)...) }
	for _, tt := range []struct {
		name string
		pod  *kube.Pod
		job  *kube.Job
		row  kube.Row
		want analyze.Code
	}{
		{"the Job is Complete", held, jobOf(), job("STATUS=Complete", "COMPLETIONS=1/1"), InsufficientEvidence},
		{"the Job is Failed", held, jobOf(), job("STATUS=Failed", "COMPLETIONS=0/1"), InsufficientEvidence},
		{"the Job is Complete, and not in the bundle", held, nil, job("STATUS=Complete", "COMPLETIONS=1/1"), InsufficientEvidence},
		{"all completions, without STATUS", held, jobOf(), job("COMPLETIONS=1/1"), InsufficientEvidence},
		{"the Job is Complete while its application ran", working, jobOf(), job("STATUS=Complete", "COMPLETIONS=1/1"), InsufficientEvidence},
		{"the Job is Complete, and its pods had finished", succeeded, jobOf(), job("STATUS=Complete", "COMPLETIONS=1/1"), InsufficientEvidence},
		{"the Job was over before this pod's containers started", held, jobOf(), job("STATUS=Complete", "COMPLETIONS=1/1", "AGE=1s"), HeldBySidecar},
		{"one success of a work queue", held, queue, job("COMPLETIONS=1/1 of 3"), HeldBySidecar},
		{"the Job runs", held, jobOf(), job("STATUS=Running", "COMPLETIONS=0/1"), HeldBySidecar},
		{"no completion", held, jobOf(), job("COMPLETIONS=0/1"), HeldBySidecar},
		{"the table is the earlier", held, complete, job("STATUS=Running", "COMPLETIONS=0/1"), Completed},
		{"another namespace's Job", held, jobOf(), job("NAMESPACE=other", "STATUS=Complete", "COMPLETIONS=1/1"), HeldBySidecar},
		{"the pod shows no ready container", held, jobOf(), pod("READY=0/2", "STATUS=Completed", "RESTARTS=0", "AGE=20m"), InsufficientEvidence},
		{"which fits an unready proxy", unready, jobOf(), pod("READY=0/2", "STATUS=Completed", "RESTARTS=0", "AGE=20m"), HeldBySidecar},
		{"the pod as it is", held, jobOf(), pod("READY=1/2", "STATUS=NotReady", "RESTARTS=0", "AGE=20m"), HeldBySidecar},
		{"the pod before that", held, jobOf(), pod("READY=2/2", "STATUS=Running", "RESTARTS=0", "AGE=2m"), HeldBySidecar},
		{"its application ended since", working, jobOf(), pod("READY=1/2", "STATUS=NotReady", "RESTARTS=0", "AGE=20m"), InsufficientEvidence},
		{"its application failed since", working, jobOf(), pod("READY=1/2", "STATUS=Error", "RESTARTS=0", "AGE=20m"), InsufficientEvidence},
		{"its application had failed, and ran again", restarted, jobOf(), pod("READY=1/2", "STATUS=Error", "RESTARTS=0", "AGE=1m"), AppRunning},
		{"its application runs", working, jobOf(), pod("READY=1/2", "STATUS=Running", "RESTARTS=0", "AGE=20m"), AppRunning},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := &kube.Set{Pods: []*kube.Pod{tt.pod}, Rows: []kube.Row{tt.row}}
			if tt.job != nil {
				set.Jobs = append(set.Jobs, tt.job)
			}
			k := base(t)
			c := facts.Build(set, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
			j := Judge(c, c.Workloads[0])
			if j.Code != tt.want {
				t.Fatalf("verdict %s (%s), want %s", j.Code, j.Summary, tt.want)
			}
			opened := tt.want == InsufficientEvidence
			if signs := rowsAgainst(c, c.Workloads[0]); len(signs) > 0 != opened {
				t.Errorf("%d signs", len(signs))
			}
			cites := false
			for _, e := range j.Evidence {
				cites = cites || e.Field == "row"
			}
			if cites != opened || opened && (len(j.Culprits) > 0 || j.Held > 0) {
				t.Errorf("cites the row %t, culprits %v, held for %s", cites, j.Culprits, j.Held)
			}
		})
	}
}
