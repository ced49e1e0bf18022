package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestStrayEnvCosts: what a variable where nothing reads it costs is what the same value on istiod would have changed
// (facts/istio.md 1.1, 1.2). The fixture is Istio 1.26 with nothing set, on nodes that can run native sidecars.
func TestStrayEnvCosts(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		init        bool
		parent      string
		annotation  string
		severity    analyze.Severity
		has         string
	}{
		{"would have made it native", "true", false, "", "", analyze.Error, "in the manifest of Job nightly-report"},
		{"an init container's", "true", true, "", "", analyze.Error, "take it off container setup"},
		{"an init container's of a CronJob", "true", true, "nightly", "", analyze.Error, "kubectl set env cronjob/nightly -n team-app -c setup ENABLE_NATIVE_SIDECARS-"},
		{"asks for what it has", "false", false, "", "", analyze.Info, "take it off container report"},
		{"would count as off on istiod too", "1", false, "", "", analyze.Info, "take it off container report"},
		{"the annotation decides before it", "true", false, "", "false", analyze.Info, "take it off container report"},
		{"a value from elsewhere", "", false, "", "", analyze.Warning, "set it on istiod"},
	} {
		c := fixtureCluster(t, "rules", "EnvInWrongPlace", "fires-on-the-application")
		w := c.Workloads[0]
		if tt.parent != "" {
			w.ParentKind, w.ParentGroup, w.ParentName = "CronJob", "batch", tt.parent
		}
		if tt.annotation != "" {
			w.Job.Spec.Template.Meta.Annotations = kube.Pairs{{Key: facts.NativeAnnotation, Value: tt.annotation}}
		}
		for _, f := range w.Pods[0].Containers {
			if f.Spec == nil || f.Name == istioProxy {
				continue
			}
			f.Spec.Env = slices.DeleteFunc(f.Spec.Env, func(e kube.EnvVar) bool { return e.Name == facts.NativeEnv })
			if tt.init == (f.Placement == facts.InitContainer) {
				if tt.init {
					f.Name = "setup"
				}
				e := kube.EnvVar{Name: facts.NativeEnv, Value: kube.Scalar(tt.value)}
				if tt.value == "" {
					e.ValueFrom = "configMapKeyRef"
				}
				f.Spec.Env = append(f.Spec.Env, e)
			}
		}
		found := false
		for _, f := range Engine().Run(c, base(t), analyze.Options{}).Findings {
			if f.Code != "EnvInWrongPlace" {
				continue
			}
			found = true
			if text := strings.Join(append([]string{f.Remedy.Summary}, f.Remedy.Steps...), "\n"); f.Severity != tt.severity || !strings.Contains(text, tt.has) {
				t.Errorf("%s: %s, want %s with %q in\n%s", tt.name, f.Severity, tt.severity, tt.has, text)
			}
		}
		if !found {
			t.Errorf("%s: not seen", tt.name)
		}
	}
}
