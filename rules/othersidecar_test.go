package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// remedyOf gives the remedy of the first workload with a verdict, in one text.
func remedyOf(t *testing.T, code analyze.Code, path ...string) string {
	t.Helper()
	c := fixtureCluster(t, path...)
	for _, w := range c.Workloads {
		j := Judge(c, w)
		if j.Code != code {
			continue
		}
		return adviceText(Remedy(&analyze.Pass{Cluster: c, Know: base(t), Workload: w, Verdict: &j, Next: Next(c, base(t), w)}))
	}
	t.Fatalf("%v: no %s", path, code)
	return ""
}

// TestRemedyOfOtherSidecars: a sidecar that is not Istio's has a remedy from the catalogue; Istio's own has the findings'.
func TestRemedyOfOtherSidecars(t *testing.T) {
	for _, c := range []struct {
		name string
		code analyze.Code
		path []string
		has  []string
		not  []string
	}{
		{"declared", HeldBySidecar, []string{"cases", "06-cloud-sql-proxy-notready"},
			[]string{"as a native sidecar, where API server and kubelets can run them, which the bundle does not show",
				"cloud-sql-proxy stands in the pod template itself: move it from containers to initContainers at spec.template.spec of Job", "--quitquitquit"}, []string{"istio", "Istio"}},
		{"injected by another mesh", HeldBySidecar, []string{"cases", "15-linkerd-helm-hook"},
			[]string{"linkerd-proxy is not in the pod template", "config.linkerd.io/proxy-enable-native-sidecar", "turning injection off"}, []string{"istio", "Istio"}},
		{"no native way", HeldBySidecar, []string{"cases", "04-vault-agent-cron-forbid"},
			[]string{"have the application end vault-agent when its work is done", "agent-enable-quit"}, []string{"as a native sidecar", "istio", "Istio"}},
		{"not known to be a helper", OtherContainerRunning, []string{"cases", "17-metrics-exporter-support-bundle"},
			[]string{"find out whether", "if it only helps", "kubectl logs"}, []string{"istio", "Istio"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := remedyOf(t, c.code, c.path...)
			for _, want := range c.has {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not in\n%s", want, text)
				}
			}
			for _, never := range c.not {
				if strings.Contains(text, never) {
					t.Errorf("%q is in\n%s", never, text)
				}
			}
		})
	}
	c := fixtureCluster(t, "cases", "15-linkerd-helm-hook")
	w := c.Workloads[0]
	key := "config.beta.linkerd.io/proxy-enable-native-sidecar"
	w.Job.Spec.Template.Meta.Annotations = kube.Pairs{{Key: key, Value: "true"}}
	j := Judge(c, w)
	if text := adviceText(Remedy(&analyze.Pass{Cluster: c, Know: base(t), Workload: w, Verdict: &j, Next: Next(c, base(t), w)})); !strings.Contains(text, key+`: "true" is set at spec.template.metadata.annotations`) || strings.Contains(text, "what injects it places it") {
		t.Errorf("the template has it already:\n%s", text)
	}
	if text := remedyOf(t, HeldBySidecar, "rules", "NativeDefaultOff", "fires-1-26-nothing-set"); text != "" {
		t.Errorf("the findings have the remedy for Istio's proxy, and the verdict has\n%s", text)
	}
	if text := remedyOf(t, HeldBySidecar, "rules", "NativeDefaultOff", "fires-namespace-no-longer-injects"); !strings.Contains(text, "nothing is to be changed for the next run") {
		t.Errorf("the next pod gets no proxy, and the remedy is\n%s", text)
	}
}

// TestFixOfOtherSidecars: the plan for a Job that another sidecar holds is its remedy.
func TestFixOfOtherSidecars(t *testing.T) {
	p, _ := planOf(t, "cases", "06-cloud-sql-proxy-notready")
	if s := p.Summary.String(); strings.Contains(s, "no change to Istio") || stepWith(p, "make the change") == nil {
		t.Errorf("%s, %d steps", s, len(p.Steps))
	}
}
