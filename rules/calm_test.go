package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestFindingsAgainstCalm: a run at work is to be left alone, unless a finding says what is to be done for it.
func TestFindingsAgainstCalm(t *testing.T) {
	onFailure := jobOf()
	six := int64(6)
	onFailure.Spec.BackoffLimit, onFailure.Spec.Template.Spec.RestartPolicy = &six, "OnFailure"
	going := jobOf()
	going.Meta.Deleted = stampOf(ended)
	const calm = "Nothing is to be done"
	for _, tt := range []struct {
		name, says, not string
		job             *kube.Job
		pod             *kube.Pod
	}{
		{"alone", calm + ": it will complete when report ends", "findings", jobOf(), podOf("Never", "Running", app())},
		{"beside an ordinary proxy", calm + " for this run before report ends", "findings", jobOf(), podOf("Never", "Running", app(), proxy())},
		{"restarts of the proxy that count", "told with these findings: SidecarRestartsCountAgainstBackoff", calm, onFailure,
			podOf("OnFailure", "Running", app(), proxy().waits("CrashLoopBackOff").restarted(5, 1))},
		{"the proxy is not ready", calm + " for this run before report ends", "findings", jobOf(), podOf("Never", "Running", app(), proxy().unready())},
		{"the proxy has ended", "told with these findings: ProxyEndedBeforeApp", calm, jobOf(), podOf("Never", "Running", app(), proxy().exits(0))},
		{"another container has failed", "container helper", calm, jobOf(), nil},
		{"the Job was being deleted", "The Job itself was being deleted", calm, going, podOf("Never", "Running", app())},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pod := tt.pod
			if pod == nil {
				tt.says = "But helper had exited 2 already"
				pod = podOf("Never", "Running", app(), container("helper", "registry.example.com/helper:1").exits(2))
			}
			k := base(t)
			c := facts.Build(&kube.Set{Jobs: []*kube.Job{tt.job}, Pods: []*kube.Pod{pod}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
			r := Engine().Run(c, k, analyze.Options{All: true})
			if got := r.Workloads[0]; got.Verdict != AppRunning || !strings.Contains(got.Summary, tt.says) || strings.Contains(got.Summary, tt.not) {
				t.Errorf("%s: %s\nwant %q and not %q", got.Verdict, got.Summary, tt.says, tt.not)
			}
		})
	}
}
