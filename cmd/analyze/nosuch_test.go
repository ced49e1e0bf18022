package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// chosen is a bundle with a CronJob that has no run, a Job with its pod, one without, and a pod of a service.
const chosen = `apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: team-a}
spec: {schedule: "0 1 * * *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app}]}}}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: report, namespace: team-a, uid: j1}
status: {succeeded: 1, conditions: [{type: Complete, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: report-x7, namespace: team-a, ownerReferences: [{kind: Job, name: report, uid: j1, controller: true}]}
spec: {restartPolicy: Never, containers: [{name: app}]}
status: {phase: Succeeded}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: team-a, ownerReferences: [{kind: ReplicaSet, name: web, uid: r1, controller: true}]}
spec: {restartPolicy: Always, containers: [{name: app}]}
status: {phase: Running}
`

// A filter that chooses nothing is an error that names what there is and says what to do; a report about it that says
// nothing of what was left out would read as "all is well".
func TestFiltersThatChooseNothing(t *testing.T) {
	bundle := filepath.Join(t.TempDir(), "chosen.yaml")
	if err := os.WriteFile(bundle, []byte(chosen), 0o600); err != nil {
		t.Fatal(err)
	}
	const next = "choose one that it has; what was not collected is supplied by: kubectl get"
	for name, c := range map[string]struct {
		args []string
		want []string
	}{
		"no such job":             {[]string{bundle, "--job", "zz"}, []string{`no workload "zz"; it has CronJob/team-a/nightly, Job/team-a/report`, next}},
		"no such job, json":       {[]string{bundle, "--job", "zz", "-o", "json"}, []string{`no workload "zz"`, next}},
		"no such namespace":       {[]string{bundle, "-n", "zz"}, []string{`nothing in the namespace "zz"; it has workloads in team-a`, next}},
		"the name of a pod":       {[]string{bundle, "--job", "report-x7"}, []string{`"report-x7" is a pod of Job/team-a/report: choose that`}},
		"the name of a service":   {[]string{bundle, "--job", "web-1"}, []string{`"web-1" is a pod of a service`, "explain BUNDLE"}},
		"predict":                 {[]string{"predict", bundle, "--job", "zz"}, []string{`no workload "zz"`, next}},
		"predict, of a namespace": {[]string{"predict", bundle, "-n", "zz"}, []string{`nothing in the namespace "zz"`, next}},
		"compare":                 {[]string{"compare", bundle, bundle, "--job", "zz"}, []string{`no run "zz"; it has Job/team-a/report`, next}},
		"compare, one side":       {[]string{"compare", bundle, bundle, "--job", "report", "--after-job", "zz"}, []string{`no run "zz"`, next}},
		"compare, a CronJob":      {[]string{"compare", bundle, bundle, "--job", "nightly"}, []string{`"nightly" is a CronJob of which the bundle has no run`}},
		"fix":                     {[]string{"fix", bundle, "zz"}, []string{`no workload "zz"; it has Job/team-a/report`, next}},
		"fix, a pod":              {[]string{"fix", bundle, "report-x7"}, []string{`"report-x7" is a pod of Job/team-a/report: choose that`}},
		"fix, a namespace":        {[]string{"fix", bundle, "report", "-n", "zz"}, []string{`nothing in the namespace "zz"`, next}},
		"explain":                 {[]string{"explain", bundle, "zz"}, []string{`no pod "zz"; it has Pod/team-a/report-x7, Pod/team-a/web-1`, next}},
		"explain, a namespace":    {[]string{"explain", bundle, "-n", "zz"}, []string{`nothing in the namespace "zz"; it has pods in team-a`, next}},
	} {
		r := run(c.args...)
		if r.Exit != 2 {
			t.Errorf("%s: exit status %d, want 2", name, r.Exit)
		}
		for _, want := range c.want {
			if !strings.Contains(string(r.Stderr), want) {
				t.Errorf("%s: %q is not in %q", name, want, r.Stderr)
			}
		}
	}
}

// What a filter leaves out is said, and is never "not found"; a CronJob that is chosen and has no run is not judged.
func TestFiltersSayWhatTheyLeaveOut(t *testing.T) {
	dir := t.TempDir()
	bundle, other := filepath.Join(dir, "chosen.yaml"), filepath.Join(dir, "other.yaml")
	for file, text := range map[string]string{bundle: chosen, other: strings.ReplaceAll(chosen, "report", "export")} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		args []string
		exit int
		want string
	}{
		"a CronJob without a run": {[]string{bundle, "--job", "nightly"}, 3, "do not choose the 1 workload of this bundle"},
		"one of two bundles":      {[]string{bundle, other, "--job", "export"}, 0, "do not choose the 1 workload of this bundle"},
		"in Markdown":             {[]string{bundle, other, "--job", "export", "-o", "markdown"}, 0, `do not choose the 1 workload of this bundle`},
		"in JSON":                 {[]string{bundle, "--job", "nightly", "-o", "json"}, 3, `"unchosen": 1`},
		"by reference":            {[]string{bundle, "--job", "Job/team-a/report"}, 0, "Completed"},
	} {
		r := run(c.args...)
		if r.Exit != c.exit {
			t.Errorf("%s: exit status %d, want %d", name, r.Exit, c.exit)
		}
		if out := string(r.Stdout); !strings.Contains(out, c.want) || strings.Contains(out, "No Job and no run-to-completion pod") {
			t.Errorf("%s: %q is not in %q", name, c.want, out)
		}
	}
}
