package rules

import (
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// costOf is the cost of the first workload of a set.
func costOf(t *testing.T, set *kube.Set, at time.Time) *analyze.Cost {
	t.Helper()
	k := base(t)
	c := facts.Build(set, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: at})
	j := Judge(c, c.Workloads[0])
	return Cost(c, c.Workloads[0], &j)
}

func (c told) requests(cpu, memory string) told {
	c.spec.Resources.Requests = kube.Quantities{"cpu": kube.Scalar(cpu), "memory": kube.Scalar(memory)}
	return c
}

// heldPod is a pod of the Job report whose work was done and whose proxy ran on.
func heldPod() *kube.Pod {
	return podOf("Never", "Running", app().exits(0).requests("1", "512Mi"), proxy().requests("100m", "128Mi"))
}

// cronOf is the CronJob of the Job report.
func cronOf(policy, schedule, zone string) *kube.CronJob {
	cj := &kube.CronJob{}
	cj.Kind, cj.APIVersion = "CronJob", "batch/v1"
	cj.Meta = kube.Meta{Name: "reports", Namespace: "team-app", UID: "cron-1"}
	cj.Spec.ConcurrencyPolicy, cj.Spec.Schedule, cj.Spec.TimeZone = policy, schedule, zone
	cj.Status.Active = []kube.ActiveJob{{Name: "report"}}
	cj.Status.LastScheduleTime = stampOf(began)
	return cj
}

func scheduled(cj *kube.CronJob) *kube.Job {
	j := jobOf()
	j.Meta.Owners = []kube.Owner{{APIVersion: "batch/v1", Kind: "CronJob", Name: cj.Meta.Name, UID: cj.Meta.UID, Controller: yesno(true)}}
	return j
}

func TestCostOfAHeldPod(t *testing.T) {
	got := costOf(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{heldPod()}}, taken)
	want := analyze.Cost{HeldSince: stamp(ended), Pods: 1, PodHours: 4.83, PodTime: "4h50m", CPU: "1.1", Memory: "640Mi"}
	if got == nil || *got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestNoCostWithoutAHold(t *testing.T) {
	if got := costOf(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{podOf("Never", "Running", app(), proxy())}}, taken); got != nil {
		t.Errorf("an application that works costs nothing: %+v", got)
	}
}

// TestWhatIsNotKnownIsAbsent: no time in the bundle, no requests that can be read.
func TestWhatIsNotKnownIsAbsent(t *testing.T) {
	p := podOf("Never", "Running", app().exits(0).requests("REDACTED", "1Gi"), proxy())
	got := costOf(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{p}}, taken)
	if got == nil || got.CPU != "" || got.Memory != "" || got.UnreadPods != 1 || got.PodHours == 0 {
		t.Errorf("got %+v", got)
	}
	short := heldPod()
	short.Meta.Created = kube.Time{Time: ended.Add(54 * time.Second), Raw: "set"} // the newest time, 0.015 hours after the end
	if got := costOf(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{short}}, time.Time{}); got == nil || !got.AtLeast || got.PodHours != 0.01 || got.PodTime != "54s" {
		t.Errorf("without a manifest the newest time in the objects is a minimum, and no minimum is rounded up: %+v", got)
	}
}

func TestCostOfSkippedRuns(t *testing.T) {
	for name, c := range map[string]struct {
		cj   *kube.CronJob
		want analyze.CronRuns
	}{
		"hourly, no zone": {cronOf("Forbid", "0 * * * *", ""), analyze.CronRuns{Skipped: 5, First: "2026-03-01T03:00:00Z",
			Last: "2026-03-01T07:00:00Z", Schedule: "0 * * * *", TimeZone: "UTC", TimeZoneAssumed: true}},
		"daily in a zone": {cronOf("Forbid", "30 4 * * *", "Europe/Berlin"), analyze.CronRuns{Skipped: 1, First: "2026-03-01T03:30:00Z",
			Last: "2026-03-01T03:30:00Z", Schedule: "30 4 * * *", TimeZone: "Europe/Berlin"}},
		"none due yet": {cronOf("Forbid", "0 0 1 1 *", ""), analyze.CronRuns{}},
		"unreadable":   {cronOf("Forbid", "every now and then", ""), analyze.CronRuns{}},
		"allowed":      {cronOf("Allow", "0 * * * *", ""), analyze.CronRuns{}},
	} {
		got := costOf(t, &kube.Set{CronJobs: []*kube.CronJob{c.cj}, Jobs: []*kube.Job{scheduled(c.cj)}, Pods: []*kube.Pod{heldPod()}}, taken)
		switch {
		case got == nil:
			t.Errorf("%s: no cost", name)
		case got.Runs == nil:
			if c.want != (analyze.CronRuns{}) {
				t.Errorf("%s: no runs", name)
			}
		case *got.Runs != c.want:
			t.Errorf("%s: got  %+v\nwant %+v", name, *got.Runs, c.want)
		}
	}
}

func TestCostOfAPile(t *testing.T) {
	cj := cronOf("Allow", "0 * * * *", "")
	set := &kube.Set{CronJobs: []*kube.CronJob{cj}}
	for _, name := range []string{"report", "report-2", "report-3"} {
		j, p := scheduled(cj), heldPod()
		j.Meta.Name, j.Meta.UID = name, "job-"+name
		p.Meta.Name, p.Meta.UID = name+"-x7", "pod-"+name
		p.Meta.Owners[0].Name, p.Meta.Owners[0].UID = name, j.Meta.UID
		set.Jobs, set.Pods = append(set.Jobs, j), append(set.Pods, p)
	}
	got := costOf(t, set, taken)
	if got == nil || got.Runs == nil || *got.Runs != (analyze.CronRuns{PiledUp: 3}) {
		t.Errorf("got %+v", got)
	}
}

// TestRunsAreLostOnlyToTheJobThatCounts: a Job made by hand from a CronJob is not one that the controller waits for, and
// of several open ones it is the one that the CronJob lists.
func TestRunsAreLostOnlyToTheJobThatCounts(t *testing.T) {
	skipped := &kube.Event{Reason: "JobAlreadyActive", Involved: kube.ObjectRef{Kind: "CronJob", Namespace: "team-app", Name: "reports"}, Count: 2}
	cases := []struct {
		name   string
		active []kube.ActiveJob
		hand   bool
		second bool
		want   bool
	}{
		{name: "listed", active: []kube.ActiveJob{{Name: "report"}}, want: true},
		{name: "another is listed", active: []kube.ActiveJob{{Name: "report-2"}}},
		{name: "none is listed, and it is the only one open", want: true},
		{name: "none is listed, and another is open", second: true},
		{name: "made by hand", hand: true},
		{name: "made by hand and listed", active: []kube.ActiveJob{{Name: "report"}}, hand: true, want: true},
	}
	for _, tc := range cases {
		cj := cronOf(forbid, "0 * * * *", "Etc/UTC")
		cj.Status.Active = tc.active
		j := scheduled(cj)
		if tc.hand {
			j.Meta.Annotations = kube.PairsOf(map[string]string{byHandAnnotation: "manual"})
		}
		set := &kube.Set{Jobs: []*kube.Job{j}, CronJobs: []*kube.CronJob{cj}, Pods: []*kube.Pod{heldPod()}, Events: []*kube.Event{skipped}}
		if tc.second {
			other := scheduled(cj)
			other.Meta.Name, other.Meta.UID = "report-2", "job-2"
			set.Jobs = append(set.Jobs, other)
		}
		if got := costOf(t, set, taken); got == nil || (got.Runs != nil && got.Runs.Skipped > 0) != tc.want {
			t.Errorf("%s: %+v", tc.name, got)
		}
	}
}
