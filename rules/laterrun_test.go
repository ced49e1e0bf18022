package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestLaterRun: what a later run of the same CronJob got is what the next one gets, if nothing is known to differ.
func TestLaterRun(t *testing.T) {
	const native, unknown = knowledge.Native, knowledge.Unknown
	for _, tc := range []struct {
		name   string
		change func(c *facts.Cluster, later *facts.Pod)
		want   string
	}{
		{"as it is", func(*facts.Cluster, *facts.Pod) {}, native},
		{"istiod not in the bundle", func(c *facts.Cluster, _ *facts.Pod) { c.Mesh.ControlPlanes = nil }, native},
		{"it still runs", func(_ *facts.Cluster, p *facts.Pod) { p.Status.Phase = "Running" }, unknown},
		{"it failed", func(_ *facts.Cluster, p *facts.Pod) { p.Status.Phase = "Failed" }, unknown},
		{"it is the older one", func(_ *facts.Cluster, p *facts.Pod) {
			p.Meta.Created.Time = p.Meta.Created.Add(-48 * time.Hour)
		}, unknown},
		{"it asked for something else", func(_ *facts.Cluster, p *facts.Pod) {
			p.Meta.Annotations = kube.PairsOf(map[string]string{facts.NativeAnnotation: "true"})
		}, unknown},
		{"nobody injected it", func(_ *facts.Cluster, p *facts.Pod) { p.Injection = nil }, unknown},
		{"its proxy is ordinary", func(_ *facts.Cluster, p *facts.Pod) { proxyOf(p).Placement = facts.Ordinary }, unknown},
	} {
		c := fixtureCluster(t, "cases", "40-old-pod-before-switch")
		var held *facts.Workload
		var later *facts.Pod
		for _, w := range c.Workloads {
			if w.Ref.Name == "summaries-29303040" {
				held = w
			} else {
				later = w.Pods[0]
			}
		}
		tc.change(c, later)
		n := Next(c, base(t), held)
		if n.Placement != tc.want {
			t.Errorf("%s: the next pod is %s, want %s", tc.name, n.Placement, tc.want)
		}
		j := Judge(c, held)
		now := adviceText(Now(&analyze.Pass{Cluster: c, Know: base(t), Workload: held, Verdict: &j, Next: n}))
		if suspends := strings.Contains(now, `"suspend":true`); suspends != (tc.want == unknown) {
			t.Errorf("%s: told to suspend the CronJob: %v\n%s", tc.name, suspends, now)
		}
	}
}

// TestLaterRunBeforeRollout: what was injected before istiod's last rollout proves of the nodes, and not of istiod.
func TestLaterRunBeforeRollout(t *testing.T) {
	ran := knowledge.Ran{Pod: "x", Where: "pods.yaml:1"}
	unseen := knowledge.Inputs{Annotation: knowledge.Unset(""), Gate: knowledge.Given("true", ""), Ran: ran}
	if d := base(t).Decide(unseen); d.Placement != knowledge.Unknown {
		t.Errorf("istiod is not known, and a pod from before it gives %s", d.Placement)
	}
	unseen.Ran.Emitted = true
	if d := base(t).Decide(unseen); d.Placement != knowledge.Native || d.Reason != knowledge.ReasonSeenNative {
		t.Errorf("a pod of today's istiod gives %s (%s)", d.Placement, d.Reason)
	}
	off := unseen
	off.TemplateEra, off.Env = "B", knowledge.Given("false", "")
	if d := base(t).Decide(off); d.Placement != knowledge.Ordinary {
		t.Errorf("istiod is set to false, and the pod outranks it: %s", d.Placement)
	}
}
