package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestEndlessPod: with restartPolicy Always a pod never ends, so that nothing holds it. What the pod itself says decides;
// the Job's template speaks only where the pod shows nothing.
func TestEndlessPod(t *testing.T) {
	done, failed := app().exits(0), app().exits(3)
	deadline := []kube.Condition{{Type: "Failed", Status: "True", Reason: deadlineExceeded, LastTransitionTime: stampOf(taken)}}
	tests := []struct {
		name     string
		pod      *kube.Pod
		template string
		job      []kube.Condition
		want     analyze.Code
		missing  string
	}{
		{"application done, proxy runs", podOf(always, "Running", done, proxy()), "Never", nil, InsufficientEvidence, "kubectl get pod report-x7"},
		{"application failed, proxy runs", podOf(always, "Running", failed, proxy()), "", nil, InsufficientEvidence, "kubectl get pod report-x7"},
		{"application done, native proxy runs", podOf(always, "Running", proxy().native(), done), "", nil, InsufficientEvidence, "kubectl get pod report-x7"},
		{"application done, companion runs", podOf(always, "Running", done, container("helper", "registry.example.com/helper:1")), "", nil, InsufficientEvidence, "kubectl get pod report-x7"},
		{"application runs", podOf(always, "Running", app(), proxy()), "", nil, AppRunning, "kubectl get pod report-x7"},
		{"started again and again", podOf(always, "Running", app().waits("CrashLoopBackOff").restarted(5, 0), proxy()), "", nil, AppCrashLooping, "kubectl get pod report-x7"},
		{"the deadline struck", podOf(always, "Failed", done, proxy()), "", deadline, Failed, ""},
		{"the template alone, the pod shows none", podOf("", "Running", done, proxy()), always, nil, InsufficientEvidence, "kubectl get job report"},
		{"the template alone, the pod has another", podOf("Never", "Running", done, proxy()), always, nil, HeldBySidecar, "kubectl get job report"},
		{"neither shows one", podOf("", "Running", done, proxy()), "", nil, HeldBySidecar, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			job := jobOf()
			job.Spec.Template.Spec.RestartPolicy, job.Status.Conditions = tt.template, tt.job
			j := judged(t, &kube.Set{Pods: []*kube.Pod{tt.pod}, Jobs: []*kube.Job{job}})
			if j.Code != tt.want {
				t.Fatalf("verdict %s (%s), want %s", j.Code, j.Summary, tt.want)
			}
			var asked []string
			for _, m := range j.Missing {
				asked = append(asked, m.Command)
			}
			if got := strings.Join(asked, "\n"); !strings.Contains(got, tt.missing) || tt.missing == "" && got != "" {
				t.Errorf("asks for %q, want %q", got, tt.missing)
			}
			if text := j.Summary.String(); tt.pod.Spec.RestartPolicy == always && (strings.Contains(text, "will complete") || strings.Contains(text, "crashes")) {
				t.Errorf("%s", text)
			}
		})
	}
}
