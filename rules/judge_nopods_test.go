package rules

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
)

// TestEventsThatAreThereAreNotAskedFor: describe text of a Job ends with its events.
func TestEventsThatAreThereAreNotAskedFor(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(fixtures.Root(t), "bundles", "*", "describe-jobs.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	noPods := 0
	for _, file := range files {
		c := clusterIn(t, file)
		for _, w := range c.Workloads {
			j := Judge(c, w)
			if j.Code == NoPods {
				noPods++
			}
			for _, m := range j.Missing {
				if strings.Contains(m.Command, "describe job") {
					t.Errorf("%s: %s asks for %s", file, w.Ref, m.What)
				}
			}
		}
	}
	if noPods == 0 {
		t.Error("no Job without pods among them")
	}
}

// TestStatusColumnOfJobs: kubectl get jobs prints the conditions of a Job, where the API server does so.
func TestStatusColumnOfJobs(t *testing.T) {
	row := func(status string) kube.Row {
		return kube.Row{Kind: "Job", Cells: map[string]string{"NAMESPACE": "team-app", "NAME": "report", "STATUS": status, "COMPLETIONS": "0/1", "AGE": "2d"}}
	}
	in := func(file string, r kube.Row) kube.Row {
		r.File = file
		return r
	}
	for _, c := range []struct {
		want analyze.Code
		rows []kube.Row
	}{
		{Completed, []kube.Row{row("Complete")}},
		{Failed, []kube.Row{row("Failed"), row("Failed")}},
		{Suspended, []kube.Row{row("Suspended")}},
		{InsufficientEvidence, []kube.Row{row("Running")}},
		{Completed, []kube.Row{in("watch.txt", row("Running")), in("watch.txt", row("Complete"))}},
		{InsufficientEvidence, []kube.Row{in("watch.txt", row("Suspended")), in("watch.txt", row("Running"))}},
		{InsufficientEvidence, []kube.Row{in("a.txt", row("Complete")), in("b.txt", row("Running"))}},
	} {
		if j := judged(t, &kube.Set{Rows: c.rows}); j.Code != c.want {
			t.Errorf("%v: %s (%s), want %s", c.rows, j.Code, j.Summary, c.want)
		}
	}
}

// TestFinishedMomentsAgo: the Job controller takes a moment to count a pod.
func TestFinishedMomentsAgo(t *testing.T) {
	k := base(t)
	pod := podOf("Never", "Succeeded", app().exits(0), proxy().exits(0))
	pod.Meta.Finalizers = []string{trackingFinalizer}
	for at, want := range map[time.Duration]analyze.Code{10 * time.Second: InsufficientEvidence, time.Hour: PodFinishedJobNot, 0: PodFinishedJobNot} {
		opt := facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k)}
		if at > 0 {
			opt.CollectedAt = ended.Add(at)
		}
		c := facts.Build(&kube.Set{Pods: []*kube.Pod{pod}, Jobs: []*kube.Job{jobOf()}}, opt)
		j := Judge(c, c.Workloads[0])
		if j.Code != want || strings.Contains(j.Summary.String(), "may not have looked") != (at < time.Minute) {
			t.Errorf("%s after: %s (%s), want %s", at, j.Code, j.Summary, want)
		}
	}
}

// TestDeadlineThatPassed: a Job that is past its deadline and not failed has a controller that does not act.
func TestDeadlineThatPassed(t *testing.T) {
	for deadline, want := range map[time.Duration]string{time.Hour: "had not acted on it", 10 * time.Hour: "fails the Job at"} {
		job := jobOf()
		seconds := int64(deadline / time.Second)
		job.Spec.ActiveDeadlineSeconds, job.Status.StartTime = &seconds, stampOf(began)
		j := judged(t, &kube.Set{Pods: []*kube.Pod{podOf("Never", "Running", app().exits(0), proxy())}, Jobs: []*kube.Job{job}})
		if j.Code != HeldBySidecar || !strings.Contains(j.Summary.String(), want) {
			t.Errorf("deadline %s: %s (%s), want %q in it", deadline, j.Code, j.Summary, want)
		}
	}
}
