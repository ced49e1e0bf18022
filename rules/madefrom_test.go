package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// asDescribed makes a pod what describe text shows of it: no restartPolicy, no grace period, no uid of its owner.
func asDescribed(p *kube.Pod) *kube.Pod {
	p.Origin = kube.Origin{File: "describe.txt", Strength: evidence.Described}
	p.Spec.RestartPolicy, p.Spec.TerminationGracePeriodSeconds = "", nil
	for i := range p.Spec.InitContainers {
		p.Spec.InitContainers[i].RestartPolicy = ""
	}
	p.Meta.Owners[0].UID, p.Meta.UID = "", ""
	return p
}

// TestPolicyOfTheTemplate: what describe text of a pod does not print is what the template of its Job has, which cannot be
// changed; that of a CronJob can.
func TestPolicyOfTheTemplate(t *testing.T) {
	hidden := func() *kube.Pod { return asDescribed(podOf("", "Running", app().exits(1), proxy())) }
	labelled := func(uid string) *kube.Pod {
		p := hidden()
		p.Meta.Labels = kube.PairsOf(map[string]string{"batch.kubernetes.io/controller-uid": uid})
		return p
	}
	with := func(policy string) *kube.Job {
		j := jobOf()
		j.Spec.Template.Spec.RestartPolicy = policy
		return j
	}
	manifest := with("Never")
	manifest.Origin.Strength, manifest.Meta.UID = evidence.Manifest, ""
	described := with("")
	described.Origin.Strength = evidence.Described
	described.Meta.Owners = []kube.Owner{{APIVersion: "batch/v1", Kind: "CronJob", Name: "reports", Controller: yesno(true)}}
	cron := &kube.CronJob{}
	cron.Kind, cron.APIVersion, cron.Meta = "CronJob", "batch/v1", kube.Meta{Name: "reports", Namespace: "team-app", UID: "cron-1", Created: stampOf(began)}
	cron.Spec.JobTemplate.Spec.Template.Spec.RestartPolicy = "Never"
	noOwner := hidden()
	noOwner.Meta.Owners = nil
	noOwner.Meta.Labels = kube.PairsOf(map[string]string{"job-name": "report"})
	for _, tt := range []struct {
		name     string
		pod      *kube.Pod
		job      *kube.Job
		cron     *kube.CronJob
		want     analyze.Code
		at, text string
	}{
		{"the Job's template has Never", hidden(), with("Never"), nil, FailureHiddenBySidecar, "Job/team-app/report spec.template.spec.restartPolicy", "by the template of the Job"},
		{"and the pod's label names its uid", labelled("job-1"), with("Never"), nil, FailureHiddenBySidecar, "Job/team-app/report spec.template.spec.restartPolicy", ""},
		{"it has OnFailure", hidden(), with("OnFailure"), nil, AppFailed, "Job/team-app/report spec.template.spec.restartPolicy", "OnFailure"},
		{"it shows none", hidden(), with(""), nil, AppFailed, "", "does not show"},
		{"the pod is of another Job of that name", labelled("job-0"), with("Never"), nil, AppFailed, "", "does not show"},
		{"a label alone joins them", noOwner, with("Never"), nil, AppFailed, "", "does not show"},
		{"the manifest of the Job has Never", hidden(), manifest, nil, AppFailed, "", "does not show"},
		{"the CronJob's template has Never", hidden(), described, cron, FailureHiddenBySidecar, "CronJob/team-app/reports spec.jobTemplate.spec.template.spec.restartPolicy", "if that was the same when the Job was made"},
		{"a pod that shows its own", podOf("Never", "Running", app().exits(1), proxy()), with("OnFailure"), nil, FailureHiddenBySidecar, "Pod/team-app/report-x7 spec.restartPolicy", ""},
		{"the application exited 0", asDescribed(podOf("", "Running", app().exits(0), proxy())), with("Never"), nil, HeldBySidecar, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := &kube.Set{Pods: []*kube.Pod{tt.pod}, Jobs: []*kube.Job{tt.job}}
			if tt.cron != nil {
				set.CronJobs = append(set.CronJobs, tt.cron)
			}
			j := judged(t, set)
			if text := j.Summary.String(); j.Code != tt.want || !strings.Contains(text, tt.text) {
				t.Fatalf("verdict %s (%s), want %s", j.Code, text, tt.want)
			}
			var at []string
			for _, e := range j.Evidence {
				if strings.HasSuffix(e.Field, "restartPolicy") && !e.Absent {
					at = append(at, e.Object+" "+e.Field)
				}
			}
			if got := strings.Join(at, ", "); got != tt.at {
				t.Errorf("evidence %q, want %q", got, tt.at)
			}
		})
	}
}

// TestGraceOfTheTemplate: the grace period is judged by the template's where describe text hides the pod's.
func TestGraceOfTheTemplate(t *testing.T) {
	for name, tt := range map[string]struct {
		seconds int64
		want    analyze.Code
	}{"not shown": {0, InsufficientEvidence}, "long over": {30, NativeSidecarStuck}, "not over": {6 * 3600, NativeSidecarStopping}} {
		t.Run(name, func(t *testing.T) {
			job := jobOf()
			job.Spec.Template.Spec.RestartPolicy = "Never"
			if tt.seconds > 0 {
				job.Spec.Template.Spec.TerminationGracePeriodSeconds = &tt.seconds
			}
			j := judged(t, &kube.Set{Pods: []*kube.Pod{asDescribed(podOf("", "Running", proxy().native(), app().exits(0)))}, Jobs: []*kube.Job{job}})
			if j.Code != tt.want {
				t.Fatalf("verdict %s (%s), want %s", j.Code, j.Summary, tt.want)
			}
			cites := false
			for _, e := range j.Evidence {
				cites = cites || e.Field == "spec.template.spec.terminationGracePeriodSeconds" && e.Value == "30"
			}
			if cites != (tt.want == NativeSidecarStuck) {
				t.Errorf("evidence %v", j.Evidence)
			}
		})
	}
}

// TestExitCodeNotRead: a container that has ended is told as ended where the bundle has no exit code of it, and nothing is
// concluded from how it ended.
func TestExitCodeNotRead(t *testing.T) {
	init := container("migrate", "registry.example.com/m:1").inInit()
	for name, tt := range map[string]struct {
		pod     *kube.Pod
		want    analyze.Code
		missing bool
	}{
		"proxy runs":              {podOf("Never", "Running", uncoded(app(), "Completed"), proxy()), InsufficientEvidence, true},
		"without a reason":        {podOf("Never", "Running", uncoded(app(), ""), proxy()), InsufficientEvidence, true},
		"native proxy runs":       {podOf("Never", "Running", proxy().native(), uncoded(app(), "Completed")), InsufficientEvidence, true},
		"companion runs":          {podOf("Never", "Running", uncoded(app(), "Error"), container("helper", "x:1")), InsufficientEvidence, true},
		"init container":          {podOf("Never", "Pending", uncoded(init, "Error"), app().waits("PodInitializing")), InsufficientEvidence, true},
		"application still runs":  {podOf("Never", "Running", uncoded(init, "Completed"), app(), proxy()), AppRunning, false},
		"of another sidecar only": {podOf("Never", "Running", app().exits(0), uncoded(container("vault-agent", "hashicorp/vault:1.17"), "Completed"), proxy()), HeldBySidecar, false},
	} {
		t.Run(name, func(t *testing.T) {
			j := judged(t, &kube.Set{Pods: []*kube.Pod{tt.pod}, Jobs: []*kube.Job{jobOf()}})
			if j.Code != tt.want {
				t.Fatalf("verdict %s (%s), want %s", j.Code, j.Summary, tt.want)
			}
			for _, e := range j.Evidence {
				if strings.Contains(e.Field, "waiting") && e.Value == "" {
					t.Errorf("invented: %+v", e)
				}
			}
			asked := false
			for _, m := range j.Missing {
				asked = asked || strings.Contains(m.What.String(), "the exit code of container")
			}
			if asked != tt.missing {
				t.Errorf("missing %v", j.Missing)
			}
		})
	}
}

// TestPolicyOfDescribedPod: describe prints no restartPolicy, and what its Job's template says of it holds for what to do now
// as it does for the verdict: with a container that failed under Never, ending the sidecar completes no Job.
func TestPolicyOfDescribedPod(t *testing.T) {
	describe := fixtureText(t, "bundles", "ordinary-sidecar-holding-job", "describe-pods.txt")
	job := fixtureText(t, "bundles", "ordinary-sidecar-holding-job", "jobs.yaml")
	if !strings.Contains(job, "restartPolicy: Never") || strings.Contains(describe, "Never") {
		t.Fatal("the fixture is another one now")
	}
	c := clusterOf(t, map[string]string{"describe-pods.txt": describe, "jobs.yaml": job})
	pod := c.Workloads[0].Pods[0]
	if policy, at := pod.RestartPolicy(); policy != "Never" || at.Object != c.Workloads[0].Ref.String() {
		t.Fatalf("%q at %+v", policy, at)
	}
	end := pod.Container("main").Terminated()
	if _, fails := failsAlready(pod); fails != version.No {
		t.Error("no container has failed yet")
	}
	end.ExitCode = 1
	if _, fails := failsAlready(pod); fails != version.Yes {
		t.Error("a failed container is not seen")
	}
	if got := badEnd(&analyze.Pass{Workload: c.Workloads[0]}, pod).String(); !strings.Contains(got, "the pod fails") {
		t.Errorf("%q", got)
	}
}
