package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// planText is a plan as one text: titles, notes and commands.
func planText(p Plan) string {
	text := p.Summary.String()
	for _, s := range p.Steps {
		text += "\n" + s.Title.String()
		for _, n := range s.Notes {
			text += "\n" + n.String()
		}
		text += "\n" + strings.Join(s.Commands, "\n")
	}
	return text
}

func single(limit int64) func(*kube.Job) {
	return func(j *kube.Job) {
		one := int64(1)
		j.Spec.Completions, j.Spec.Parallelism, j.Spec.BackoffLimit = &one, &one, &limit
	}
}

// TestEverythingIsSaved: what an earlier try left goes with the Job as well; a Job with a selector of its own has no label by
// which its pods are found, for its controller sets that label with the selector (jobStrategy.PrepareForCreate).
func TestEverythingIsSaved(t *testing.T) {
	failed := podOf("Never", "Failed", app().exits(1), proxy().exits(0))
	if text := planText(planWithout(heldWith(t, single(6), failed))); !strings.Contains(text, "kubectl logs -n team-app -l job-name=report --all-containers") {
		t.Errorf("the log of the try before is not saved:\n%s", text)
	}
	gone := func(j *kube.Job) {
		one := int64(1)
		single(6)(j)
		j.Status.Failed = &one
	}
	if text := planText(planWithout(heldWith(t, gone))); !strings.Contains(text, "kubectl logs -n team-app -l job-name=report --all-containers") {
		t.Errorf("the bundle need not have that pod:\n%s", text)
	}
	own := func(j *kube.Job) {
		yes := true
		single(6)(j)
		j.Spec.ManualSelector = &yes
		j.Spec.Selector = &struct {
			MatchLabels kube.Pairs `json:"matchLabels,omitempty"`
		}{kube.Pairs{{Key: "app", Value: "report"}}}
	}
	if text := planText(planWithout(heldWith(t, own, failed))); strings.Contains(text, "job-name=") || !strings.Contains(text, "-l 'app=report'") {
		t.Errorf("its pods have no such label:\n%s", text)
	}
}

// TestWhatTheJobMakesIsLeft: pods that the Job makes itself once the held ones have ended are not deleted at work.
func TestWhatTheJobMakesIsLeft(t *testing.T) {
	for name, p := range map[string]*analyze.Pass{
		"another try":       heldWith(t, single(6)),
		"further successes": heldWith(t, func(*kube.Job) {}),
	} {
		if name == "another try" {
			p.Workload.Pods[0].Container("report").Terminated().ExitCode = 3
			j := Judge(p.Cluster, p.Workload)
			p.Verdict = &j
		}
		p.Next.Placement = knowledge.Ordinary
		var last string
		for _, s := range rerunSteps(p) {
			last += s.Title.String() + strings.Join(s.Commands, "\n")
		}
		if strings.Contains(last, "kubectl delete") || !strings.Contains(last, "not before the pods that the Job itself makes") {
			t.Errorf("%s: %s", name, last)
		}
		inOrder(t, adviceText(Now(p)), "are held again")
	}
	if steps := rerunSteps(heldWith(t, single(6))); !strings.Contains(strings.Join(steps[0].Commands, ""), "kubectl delete job") {
		t.Errorf("nothing else is made: %+v", steps)
	}
}

// TestSuccessesComeFirst: a Job that becomes Failed by one pod ends the others, so that those which succeed are ended before.
func TestSuccessesComeFirst(t *testing.T) {
	none := func(j *kube.Job) { *j.Spec.BackoffLimit = 0 }
	inOrder(t, adviceText(Now(heldWith(t, none, podOf("Never", "Running", app().exits(4), proxy())))), "exceeds backoffLimit (0)", "kubectl exec report-x7", "kubectl exec report-o0")
	policy := func(j *kube.Job) { j.Spec.SuccessPolicy = &kube.SuccessPolicy{} }
	inOrder(t, adviceText(Now(heldWith(t, policy, podOf("Never", "Running", app(), proxy())))), "the Job has a successPolicy", "may still work: report-o0")
	indexes := func(j *kube.Job) {
		single(6)(j)
		j.Status.FailedIndexes = "1"
	}
	if text := adviceText(Now(heldWith(t, indexes))); strings.Contains(text, "the Job completes") || !strings.Contains(text, "indexes of the Job have failed (1)") {
		t.Error(text)
	}
}

// TestSignalThatFails: where a program is known to end with another code than 0 on a signal no signal is offered.
func TestSignalThatFails(t *testing.T) {
	of := func(tag string, args ...string) string {
		c := aProxy("1.0", nil)
		c.Name, c.Helper = "cloud-sql-proxy", &facts.Helper{ID: "cloud-sql-proxy", ByName: true, ByImage: true}
		c.Spec = &kube.Container{Name: c.Name, Image: "gcr.io/cloud-sql-connectors/cloud-sql-proxy:" + tag, Args: args}
		return endOne(passOf(t, c), c).text().String()
	}
	for name, tt := range map[string]struct {
		text   string
		signal bool
	}{
		"without the flag":    {of("2.6.1", "p:r:i"), false},
		"with it":             {of("2.6.1", "--exit-zero-on-sigterm", "p:r:i"), true},
		"of a release before": {of("1.33.2", "p:r:i"), true},
		"a tag without one":   {of("latest", "p:r:i"), true},
	} {
		if strings.Contains(tt.text, "kill -TERM 1") != tt.signal {
			t.Errorf("%s: %s", name, tt.text)
		}
	}
}

// TestDeletionCounts: a pod that is deleted before it has finished is a failure to its Job (isPodFailed).
func TestDeletionCounts(t *testing.T) {
	p := heldWith(t, single(0))
	if text := deletionCounts(p.Workload, p.Workload.Pods).String(); !strings.Contains(text, "exceeds backoffLimit (0)") {
		t.Error(text)
	}
	for _, tt := range []struct {
		name   string
		pod    *kube.Pod
		change func(*kube.Job)
		want   string
	}{
		{"the native sidecar hangs", podOf("Never", "Running", app().exits(0), proxy().native()), func(*kube.Job) {}, "counts as failed: the Job counts that, which makes 1"},
		{"and the Job waits for the end", podOf("Never", "Running", app().exits(0), proxy().native()), func(j *kube.Job) { j.Spec.PodReplacementPolicy = "Failed" }, "if that is Succeeded, nothing runs again; if it is Failed, the Job counts that"},
		{"and an ordinary one holds the pod", podOf("Never", "Running", app().exits(0), proxy()), func(j *kube.Job) { j.Spec.PodReplacementPolicy = "Failed" }, "if that is Succeeded, nothing runs again; if it is Failed, the Job counts that"},
		{"by its podFailurePolicy", podOf("Never", "Running", app().exits(0), proxy().native()), func(j *kube.Job) { j.Spec.PodFailurePolicy = &kube.PodFailurePolicy{} }, "if that is Succeeded, nothing runs again"},
		{"and the program has failed", podOf("Never", "Running", app().exits(1), proxy().native()), func(j *kube.Job) { j.Spec.PodReplacementPolicy = "Failed" }, "counts as failed"},
	} {
		job, six := jobOf(), int64(6)
		job.Spec.BackoffLimit = &six
		tt.change(job)
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{job}, Pods: []*kube.Pod{tt.pod}}, facts.Options{CollectedAt: taken})
		if text := deletionCounts(c.Workloads[0], c.Workloads[0].Pods).String(); !strings.Contains(text, tt.want) {
			t.Errorf("%s: %s", tt.name, text)
		}
	}
}

// TestUpgradeOfNodes: no kubelet is newer than its API server, and none starts with a locked gate switched off (kubernetes.md §1.1,
// §7.1).
func TestUpgradeOfNodes(t *testing.T) {
	in := knowledge.Inputs{APIServer: version.Parse("v1.32.4"), KubeletGate: "false"}
	text := upgradeText(base(t), in, 33).String()
	if !strings.Contains(text, "after the API server (v1.32.4)") || !strings.Contains(text, "SidecarContainers=false taken out of its configuration first") {
		t.Error(text)
	}
	in = knowledge.Inputs{APIServer: version.Parse("v1.34.1")}
	if text := upgradeText(base(t), in, 33).String(); strings.Contains(text, "after the API server") || strings.Contains(text, "SidecarContainers") {
		t.Error(text)
	}
}

// TestDeadlineOfWhatRuns: that a run completes is not promised past a deadline.
func TestDeadlineOfWhatRuns(t *testing.T) {
	long := int64(86400)
	job := jobOf()
	job.Spec.ActiveDeadlineSeconds, job.Status.StartTime = &long, stampOf(began)
	k := base(t)
	c := facts.Build(&kube.Set{Jobs: []*kube.Job{job}, Pods: []*kube.Pod{podOf("Never", "Running", app(), proxy())}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
	j := Judge(c, c.Workloads[0])
	if j.Code != AppRunning || !strings.Contains(j.Summary.String(), "activeDeadlineSeconds fails the Job at") || !strings.Contains(j.Calm.String(), "before the deadline") {
		t.Errorf("%s: %s %s", j.Code, j.Summary, j.Calm)
	}
}

// TestSuspendedIsAsked: whoever suspended a Job is asked before it goes on, and a queue is not passed by.
func TestSuspendedIsAsked(t *testing.T) {
	yes := true
	job := jobOf()
	job.Spec.Suspend = &yes
	job.Meta.Labels = kube.Pairs{{Key: queueLabel, Value: "team"}}
	k := base(t)
	c := facts.Build(&kube.Set{Jobs: []*kube.Job{job}, Pods: []*kube.Pod{heldPod()}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
	j := Judge(c, c.Workloads[0])
	a := Now(&analyze.Pass{Cluster: c, Know: k, Workload: c.Workloads[0], Verdict: &j, Next: Next(c, k, c.Workloads[0])})
	if j.Code != Suspended || !slices.ContainsFunc(a.Avoid, func(s analyze.Text) bool { return strings.Contains(s.String(), "a new pod runs it again") }) {
		t.Errorf("%s %v", j.Code, a)
	}
	inOrder(t, adviceText(a), "who suspended", "queue team", "Kueue suspends a Job")
}
