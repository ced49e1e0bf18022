package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// TestNoSupport: an Istio without native sidecars is known by the tag of its proxy, and no setting of it is waited for.
func TestNoSupport(t *testing.T) {
	for _, tc := range []struct {
		name, release string
		has           []string
	}{
		{"01-digits-proxy-still-running", "1.0.5", []string{"is not known for this release", "spec.template.metadata.annotations of Job digits"}},
		{"10-argo-pod-proxy-left", "1.11.4", []string{"localhost:15020/quitquitquit", "spec.podMetadata.annotations of Workflow"}},
		{"36-cron-optout-two-wrong-levels", "1.4.3", []string{"localhost:15020/quitquitquit", "spec.jobTemplate.spec.template.metadata.annotations of CronJob sync"}},
		{"78-status-port-zero-quit-call-fails", "1.3.3", []string{"once the agent answers"}},
	} {
		c := fixtureCluster(t, "cases", tc.name)
		r := Engine().Run(c, base(t), analyze.Options{})
		if len(r.Workloads) != 1 || r.Workloads[0].Remedy == nil {
			t.Errorf("%s: no remedy with the workload", tc.name)
			continue
		}
		a := r.Workloads[0].Remedy
		text := strings.Join(append([]string{a.Summary}, a.Steps...), "\n")
		for _, want := range append(tc.has, "no setting is enough with Istio "+tc.release) {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", tc.name, want, text)
			}
		}
		for _, never := range []string{"depends on the control plane", "QuitWorkaround"} {
			if strings.Contains(text, never) {
				t.Errorf("%s: %q is in\n%s", tc.name, never, text)
			}
		}
	}
}

// TestAsideLeavesTheRemedy: a finding that mends a setting without effect does not stand for what ends the hold.
func TestAsideLeavesTheRemedy(t *testing.T) {
	for _, path := range [][]string{
		{"rules", "AnnotationMisplaced", "fires-inject-false-above-the-pod"},
		{"rules", "AnnotationMisplaced", "fires-where-moving-is-not-enough"},
		{"rules", "AnnotationMisplaced", "fires-label-beats-annotation"},
		{"cases", "36-cron-optout-two-wrong-levels"},
	} {
		r := Engine().Run(fixtureCluster(t, path...), base(t), analyze.Options{})
		for _, w := range r.Workloads {
			if w.Verdict != HeldBySidecar || w.Remedy != nil {
				continue
			}
			if !slices.ContainsFunc(r.Findings, func(f analyze.Finding) bool {
				return slices.Contains(w.Findings, f.Code) && f.Code != "AnnotationMisplaced" && f.Remedy != nil && f.Severity != analyze.Info
			}) {
				t.Errorf("%v: nothing says what ends the hold of the next run", path)
			}
		}
	}
}
