package rules

import (
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// sideOf judges the only workload of a set as one side of a comparison.
func sideOf(t *testing.T, set *kube.Set) *Side {
	t.Helper()
	k := base(t)
	c := facts.Build(set, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
	if len(c.Workloads) != 1 {
		t.Fatalf("%d workloads", len(c.Workloads))
	}
	return NewSide(c, c.Workloads[0])
}

func resultOf(c Comparison, id string) Result {
	for _, x := range c.Criteria {
		if x.ID == id {
			return x.Result
		}
	}
	return "no such criterion"
}

// completeJob is a Job that the controller has called complete.
func completeJob() *kube.Job {
	j := jobOf()
	j.Status.Active = nil
	j.Status.Conditions = []kube.Condition{{Type: "Complete", Status: "True", LastTransitionTime: stampOf(ended)}}
	return j
}

func revised(p *kube.Pod, revision string) *kube.Pod {
	p.Meta.Annotations = kube.Pairs{{Key: facts.RevisionLabel, Value: revision}}
	return p
}

// earlier is the pod of the run before.
func earlier(p *kube.Pod) *kube.Pod {
	p.Meta.Name, p.Meta.UID = "report-w6", "pod-0"
	if at := p.Meta.Created; !at.IsZero() {
		p.Meta.Created = stampOf(at.Add(-24 * time.Hour))
	}
	return p
}

// accepted is a run as it should be: the application between a native proxy's start and end.
func accepted() *kube.Pod {
	return revised(podOf("Never", "Succeeded", proxy().exits(0).native(), app().exits(0)), "default")
}

func TestCompareCriteria(t *testing.T) {
	before := sideOf(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{revised(earlier(heldPod()), "default")}})
	late, gone := accepted(), accepted()
	late.Status.InitContainerStatuses[0].State.Terminated.StartedAt = stampOf(ended)
	gone.Status.InitContainerStatuses[0].State.Terminated.FinishedAt = stampOf(began)
	restarted := accepted()
	restarted.Status.ContainerStatuses[0].RestartCount = 2
	stateless := accepted()
	stateless.Status.ContainerStatuses = nil
	tests := []struct {
		name string
		set  *kube.Set
		id   string
		want Result
	}{
		{"exited 0", &kube.Set{Pods: []*kube.Pod{accepted()}}, "AppExitedZero", Passed},
		{"exited 3", &kube.Set{Pods: []*kube.Pod{podOf("Never", "Failed", proxy().exits(0).native(), app().exits(3))}}, "AppExitedZero", NotPassed},
		{"still runs", &kube.Set{Pods: []*kube.Pod{podOf("Never", "Running", proxy().native(), app())}}, "AppExitedZero", NotPassed},
		{"no state", &kube.Set{Pods: []*kube.Pod{stateless}}, "AppExitedZero", NotProvable},
		{"no pod", &kube.Set{Jobs: []*kube.Job{completeJob()}}, "AppExitedZero", NotProvable},
		{"native", &kube.Set{Pods: []*kube.Pod{accepted()}}, "ProxyNative", Passed},
		{"ordinary", &kube.Set{Pods: []*kube.Pod{heldPod()}}, "ProxyNative", NotPassed},
		{"without restartPolicy", &kube.Set{Pods: []*kube.Pod{podOf("Never", "Pending", proxy().inInit(), app())}}, "ProxyNative", NotPassed},
		{"no proxy", &kube.Set{Pods: []*kube.Pod{podOf("Never", "Succeeded", app().exits(0))}}, "ProxyNative", NotPassed},
		{"covers", &kube.Set{Pods: []*kube.Pod{accepted()}}, "ProxyCoversApp", Passed},
		{"started late", &kube.Set{Pods: []*kube.Pod{late}}, "ProxyCoversApp", NotPassed},
		{"gone early", &kube.Set{Pods: []*kube.Pod{gone}}, "ProxyCoversApp", NotPassed},
		{"still runs", &kube.Set{Pods: []*kube.Pod{heldPod()}}, "ProxyCoversApp", NotProvable},
		{"complete", &kube.Set{Jobs: []*kube.Job{completeJob()}, Pods: []*kube.Pod{accepted()}}, "JobComplete", Passed},
		{"not complete", &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{heldPod()}}, "JobComplete", NotPassed},
		{"no Job", &kube.Set{Pods: []*kube.Pod{accepted()}}, "JobComplete", NotProvable},
		{"same revision", &kube.Set{Pods: []*kube.Pod{accepted()}}, "ExpectedRevision", Passed},
		{"other revision", &kube.Set{Pods: []*kube.Pod{revised(accepted(), "1-28")}}, "ExpectedRevision", NotProvable},
		{"no revision", &kube.Set{Pods: []*kube.Pod{revised(accepted(), "")}}, "ExpectedRevision", NotProvable},
		{"no restarts", &kube.Set{Pods: []*kube.Pod{accepted()}}, "NoAppRestarts", Passed},
		{"restarts", &kube.Set{Pods: []*kube.Pod{restarted}}, "NoAppRestarts", NotPassed},
		{"no state", &kube.Set{Pods: []*kube.Pod{stateless}}, "NoAppRestarts", NotProvable},
		{"the operator's", &kube.Set{Pods: []*kube.Pod{accepted()}}, "Artefact", NotProvable},
		{"the operator's", &kube.Set{Pods: []*kube.Pod{accepted()}}, "MutualTLS", NotProvable},
	}
	for _, tc := range tests {
		if got := resultOf(Compare(before, sideOf(t, tc.set)), tc.id); got != tc.want {
			t.Errorf("%s, %s: %s, want %s", tc.id, tc.name, got, tc.want)
		}
	}
}

func TestCompareAccepted(t *testing.T) {
	before := sideOf(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{revised(earlier(heldPod()), "default")}})
	if c := Compare(before, sideOf(t, &kube.Set{Jobs: []*kube.Job{completeJob()}, Pods: []*kube.Pod{accepted()}})); !c.Accepted {
		t.Errorf("%+v", c.Criteria)
	}
	if c := Compare(before, before); c.Accepted {
		t.Error("a held run must not be accepted")
	}
}

// TestCompareAfterFailedTries: what a failed try was is told of the run that completed after it, and an application that
// began in both has run twice.
func TestCompareAfterFailedTries(t *testing.T) {
	try := func(name string, make func() *kube.Pod) *kube.Pod {
		p := make()
		p.Meta.Name, p.Meta.UID, p.Status.Phase = name, name, "Failed"
		p.Meta.Created = stampOf(began.Add(-2 * time.Minute))
		return p
	}
	failed := func(proxy, app told) func() *kube.Pod {
		return func() *kube.Pod { return revised(podOf("Never", "Failed", proxy, app), "default") }
	}
	before := sideOf(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{revised(earlier(heldPod()), "default")}})
	for _, tc := range []struct {
		name              string
		counted           int64
		tries             []*kube.Pod
		native, ranOnce   Result
		exited, completed Result
	}{
		{"none", 0, nil, Passed, Passed, Passed, Passed},
		{"the application failed", 1, []*kube.Pod{try("a", failed(proxy().exits(0).native(), app().exits(1)))}, Passed, NotPassed, Passed, Passed},
		{"the application never began", 1, []*kube.Pod{try("a", failed(proxy().exits(0).native(), app().waits("PodInitializing")))}, Passed, Passed, Passed, Passed},
		{"beside an ordinary proxy", 1, []*kube.Pod{try("a", failed(proxy().exits(0), app().exits(1)))}, NotPassed, NotPassed, Passed, Passed},
		{"without a proxy", 1, []*kube.Pod{try("a", func() *kube.Pod { return podOf("Never", "Failed", app().exits(1)) })}, NotPassed, NotPassed, Passed, Passed},
		{"not in the bundle", 1, nil, NotProvable, NotProvable, Passed, Passed},
		{"one of two not in the bundle", 2, []*kube.Pod{try("a", failed(proxy().exits(0).native(), app().waits("PodInitializing")))}, NotProvable, NotProvable, Passed, Passed},
	} {
		job := completeJob()
		if tc.counted > 0 {
			job.Status.Failed = &tc.counted
		}
		c := Compare(before, sideOf(t, &kube.Set{Jobs: []*kube.Job{job}, Pods: append(tc.tries, accepted())}))
		for id, want := range map[string]Result{"ProxyNative": tc.native, "NoAppRestarts": tc.ranOnce, "AppExitedZero": tc.exited, "JobComplete": tc.completed} {
			if got := resultOf(c, id); got != want {
				t.Errorf("%s: %s is %s, want %s", tc.name, id, got, want)
			}
		}
		if want := tc.native == Passed && tc.ranOnce == Passed; c.Accepted != want {
			t.Errorf("%s: accepted is %v", tc.name, c.Accepted)
		}
		for _, x := range c.Criteria {
			if got := x.Because.String(); tc.counted == 1 && x.ID == "JobComplete" && (got != "it has, after pods that failed: 1" || len(x.Evidence) != 2) {
				t.Errorf("%s: %q by %v", tc.name, got, x.Evidence)
			}
		}
	}
}

// TestCompareWithPodsMissing: where the Job counts more pods that succeeded than the bundle has, those that it has do not
// speak for the others, and one that fails still decides.
func TestCompareWithPodsMissing(t *testing.T) {
	before := sideOf(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{revised(earlier(heldPod()), "default")}})
	ofPods := []string{"AppExitedZero", "ProxyNative", "ProxyCoversApp", "ExpectedRevision", "NoAppRestarts"}
	for _, tc := range []struct {
		name      string
		succeeded int64
		pod       *kube.Pod
		want      Result
	}{
		{"all are there", 1, accepted(), Passed},
		{"one of two", 2, accepted(), NotProvable},
		{"one of two, and it is bad", 2, revised(podOf("Never", "Succeeded", app().exits(0)), "default"), NotPassed},
	} {
		job := completeJob()
		job.Status.Succeeded = &tc.succeeded
		c := Compare(before, sideOf(t, &kube.Set{Jobs: []*kube.Job{job}, Pods: []*kube.Pod{tc.pod}}))
		for _, id := range ofPods {
			if got := resultOf(c, id); tc.want != NotPassed && got != tc.want {
				t.Errorf("%s: %s is %s, want %s", tc.name, id, got, tc.want)
			}
		}
		if got := resultOf(c, "ProxyNative"); got != tc.want || c.Accepted != (tc.want == Passed) || resultOf(c, "JobComplete") != Passed {
			t.Errorf("%s: ProxyNative is %s, accepted %v", tc.name, got, c.Accepted)
		}
	}
}

// TestCompareEveryPod: one ordinary proxy among several pods is enough against acceptance.
func TestCompareEveryPod(t *testing.T) {
	second := accepted()
	second.Meta.Name = "report-2"
	held := revised(heldPod(), "default")
	c := Compare(nil, sideOf(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{held, second}}))
	if got := resultOf(c, "ProxyNative"); got != NotPassed {
		t.Errorf("one of two is ordinary: %s", got)
	}
	first := revised(podOf("Never", "Failed", proxy().exits(0).native(), app().exits(1)), "default")
	first.Meta.Name = "report-1"
	c = Compare(nil, sideOf(t, &kube.Set{Jobs: []*kube.Job{completeJob()}, Pods: []*kube.Pod{first, second}}))
	if got := resultOf(c, "AppExitedZero"); got != Passed {
		t.Errorf("the first try failed, the second did not: %s", got)
	}
}

// TestCompareOtherRuns: only a later run of what was held proves a fix.
func TestCompareOtherRuns(t *testing.T) {
	run := func(job, cron string, made time.Duration, p *kube.Pod) *kube.Set {
		j := completeJob()
		j.Meta.Name, j.Meta.UID = job, job
		if cron != "" {
			j.Meta.Owners = []kube.Owner{{APIVersion: "batch/v1", Kind: "CronJob", Name: cron, UID: cron, Controller: yesno(true)}}
		}
		p.Meta.Name, p.Meta.UID, p.Meta.Created = job+"-x", job+"-x", stampOf(began.Add(made))
		p.Meta.Owners[0].Name, p.Meta.Owners[0].UID = job, job
		return &kube.Set{Jobs: []*kube.Job{j}, Pods: []*kube.Pod{revised(p, "default")}}
	}
	podsOnly := func(s *kube.Set) *kube.Set { return &kube.Set{Pods: s.Pods} }
	elsewhere := run("report-29934600", "report", time.Hour, accepted())
	elsewhere.Jobs[0].Meta.Namespace, elsewhere.Pods[0].Meta.Namespace = "batch", "batch"
	for name, c := range map[string]struct {
		before, after *kube.Set
		named, want   bool
	}{
		"two runs of a CronJob":         {run("report-29933160", "report", 0, heldPod()), run("report-29934600", "report", time.Hour, accepted()), false, true},
		"the first from its pods alone": {podsOnly(run("report-29933160", "report", 0, heldPod())), run("report-29934600", "report", time.Hour, accepted()), false, true},
		"two CronJobs":                  {run("report-29933160", "report", 0, heldPod()), run("ledger-29934600", "ledger", time.Hour, accepted()), false, false},
		"two namespaces":                {run("report-29933160", "report", 0, heldPod()), elsewhere, false, false},
		"two Jobs":                      {run("report", "", 0, heldPod()), run("report-native-test", "", time.Hour, accepted()), false, false},
		"two Jobs, named":               {run("report", "", 0, heldPod()), run("report-native-test", "", time.Hour, accepted()), true, true},
		"one CronJob, older":            {run("report-29934600", "report", time.Hour, heldPod()), run("report-29933160", "report", 0, accepted()), false, false},
		"named, older":                  {run("report", "", time.Hour, heldPod()), run("report-native-test", "", 0, accepted()), true, false},
		"made in the same second":       {run("report-29934600", "report", 0, heldPod()), run("report-29933160", "report", 0, accepted()), false, false},
	} {
		before, after := sideOf(t, c.before), sideOf(t, c.after)
		before.Named, after.Named = c.named, c.named
		got := Compare(before, after)
		if got.Compared != c.want || got.SameRun {
			t.Errorf("%s: Compared is %v, SameRun %v", name, got.Compared, got.SameRun)
		}
		for _, x := range got.Criteria {
			if !c.want && (got.Accepted || x.Result != NotProvable) {
				t.Errorf("%s: %s is %s (%s)", name, x.ID, x.Result, x.Because)
			}
		}
	}
}

// TestCompareWithItself: one run seen twice proves nothing, whether it is good or bad.
func TestCompareWithItself(t *testing.T) {
	named := func(p *kube.Pod, uid string) *kube.Pod {
		p.Meta.UID = uid
		return p
	}
	for name, c := range map[string]struct {
		before, after *kube.Set
		same          bool
	}{
		"the same, complete":         {&kube.Set{Jobs: []*kube.Job{completeJob()}, Pods: []*kube.Pod{accepted()}}, &kube.Set{Jobs: []*kube.Job{completeJob()}, Pods: []*kube.Pod{accepted()}}, true},
		"the same, held":             {&kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{heldPod()}}, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{heldPod()}}, true},
		"the same pod later":         {&kube.Set{Pods: []*kube.Pod{named(heldPod(), "a")}}, &kube.Set{Pods: []*kube.Pod{named(accepted(), "a")}}, true},
		"another pod of that name":   {&kube.Set{Pods: []*kube.Pod{named(heldPod(), "a")}}, &kube.Set{Pods: []*kube.Pod{named(accepted(), "b")}}, false},
		"no pods":                    {&kube.Set{Jobs: []*kube.Job{jobOf()}}, &kube.Set{Jobs: []*kube.Job{jobOf()}}, true},
		"no pods, complete later on": {&kube.Set{Jobs: []*kube.Job{jobOf()}}, &kube.Set{Jobs: []*kube.Job{completeJob()}, Pods: []*kube.Pod{accepted()}}, false},
	} {
		got := Compare(sideOf(t, c.before), sideOf(t, c.after))
		if got.SameRun != c.same {
			t.Errorf("%s: SameRun is %v", name, got.SameRun)
		}
		for _, x := range got.Criteria {
			if c.same && (got.Accepted || x.Result != NotProvable) {
				t.Errorf("%s: %s is %s (%s)", name, x.ID, x.Result, x.Because)
			}
		}
	}
}

// TestFindRunInSeveralNamespaces: of Jobs of one name in two namespaces none is picked for a person.
func TestFindRunInSeveralNamespaces(t *testing.T) {
	run := func(namespace, name, parent string) *facts.Workload {
		return &facts.Workload{Ref: evidence.Ref{Kind: "Job", Namespace: namespace, Name: name}, ParentKind: "CronJob", ParentName: parent}
	}
	c := &facts.Cluster{Workloads: []*facts.Workload{run("a", "nightly-1", "nightly"), run("a", "nightly-2", "nightly"), run("b", "nightly-1", "nightly"), run("", "other-1", "other"), run("a", "other-1", "other")}}
	for _, tt := range []struct {
		name, namespace string
		found           bool
		refs            int
	}{
		{"nightly", "", false, 3}, {"nightly-1", "", false, 2}, {"nightly-2", "", true, 1}, {"nightly", "a", true, 2}, {"nightly-1", "b", true, 1},
		{"other", "", true, 2}, {"none", "", false, 0}, {"", "b", true, 1}, {"", "", false, 5},
	} {
		w, refs := FindRun(c, tt.name, tt.namespace)
		if (w != nil) != tt.found || len(refs) != tt.refs {
			t.Errorf("%q in %q: %v of %d", tt.name, tt.namespace, w, len(refs))
		}
	}
}
