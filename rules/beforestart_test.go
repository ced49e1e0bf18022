package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// TestSuspendedTemplate: the annotations of a pod template can be changed in a Job that is suspended and has never started, and
// in no other (validationOptionsForJob; KEP-2926, beta in 1.23).
func TestSuspendedTemplate(t *testing.T) {
	for _, tt := range []struct {
		name    string
		change  func(*kube.Job)
		server  string
		inPlace bool
	}{
		{"never started", func(*kube.Job) {}, "v1.33.4", true},
		{"it had started", func(j *kube.Job) { j.Status.StartTime = stampOf(began) }, "v1.33.4", false},
		{"not suspended", func(j *kube.Job) { j.Spec.Suspend = yesno(false) }, "v1.33.4", false},
		{"an API server before that", func(*kube.Job) {}, "v1.22.17", false},
		{"the manifest holds the proxy", func(j *kube.Job) {
			j.Spec.Template.Meta.Annotations = kube.Pairs{{Key: facts.StatusAnnotation, Value: `{"containers":["istio-proxy"]}`}}
			j.Spec.Template.Spec.Containers = append(j.Spec.Template.Spec.Containers, proxy().spec)
		}, "v1.33.4", false},
	} {
		c := fixtureCluster(t, "rules", "AutoBlockedByNode", "fires-one-of-three")
		w := c.Workloads[0]
		w.Pods, w.Job.Status.StartTime, w.Job.Status.Active, w.Job.Spec.Suspend = nil, kube.Time{}, nil, yesno(true)
		ns := &kube.Namespace{}
		ns.Meta.Name, ns.Meta.Labels = w.Ref.Namespace, kube.Pairs{{Key: namespaceSwitch, Value: "enabled"}}
		if tt.name != "the manifest holds the proxy" {
			c.Namespaces[w.Ref.Namespace] = ns
		}
		c.Server = evidence.Fact[version.Version]{V: version.Parse(tt.server), Known: true}
		tt.change(w.Job)
		k := base(t)
		j := Judge(c, w)
		p := &analyze.Pass{Cluster: c, Know: k, Workload: w, Verdict: &j, Next: Next(c, k, w)}
		step := inTemplate(p, annotationStep(p)).String()
		if got := strings.Contains(step, "it takes no new Job"); got != tt.inPlace || got == strings.Contains(step, "this takes a new Job") {
			t.Errorf("%s: %s", tt.name, step)
		}
		now := ""
		if a := Now(p); a != nil {
			now = adviceText(a)
		}
		if strings.Contains(now, `sidecar.istio.io/nativeSidecar":"true"`) != (tt.inPlace && j.Code == Suspended) {
			t.Errorf("%s: %s: %s", tt.name, j.Code, now)
		}
	}
}
