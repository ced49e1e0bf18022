package facts

import (
	"strconv"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// madeFrom is the stored pod template that a pod was made from. It stands in for what a copy of the pod does not show:
// describe prints neither restartPolicy nor the grace period.
type madeFrom struct {
	owner *kube.Object
	path  string
	spec  *kube.PodSpec
}

// findTemplates gives each pod the template of the Job that controls it. A Job's template cannot be changed, so it is what
// the pod was made from. Where the bundle has no stored copy of the Job, that of its CronJob is taken, which can.
func (c *Cluster) findTemplates() {
	for _, w := range c.Workloads {
		for _, p := range w.Pods {
			if w.controls(p) {
				p.made = w.template()
			}
		}
	}
}

// controls says that the pod names the Job as its controller, and no uid speaks against it. A label alone anybody may have
// put there.
func (w *Workload) controls(p *Pod) bool {
	o, ok := p.Meta.Controller()
	if !ok || o.Kind != "Job" || o.Name != w.Ref.Name {
		return false
	}
	uid := o.UID
	for _, label := range []string{"batch.kubernetes.io/controller-uid", "controller-uid"} {
		if uid == "" {
			uid = p.Meta.Labels.Get(label) // describe prints no uids of owners
		}
	}
	return w.Job == nil || uid == "" || w.Job.Meta.UID == "" || w.Job.Meta.UID == uid
}

func (w *Workload) template() *madeFrom {
	if j := w.Job; j != nil && storedWhole(&j.Object) && j.Spec.Template.Spec.RestartPolicy != "" {
		return &madeFrom{owner: &j.Object, path: "spec.template.spec.", spec: &j.Spec.Template.Spec}
	}
	if cj := w.CronJob; cj != nil && storedWhole(&cj.Object) && cj.Spec.JobTemplate.Spec.Template.Spec.RestartPolicy != "" {
		return &madeFrom{owner: &cj.Object, path: "spec.jobTemplate.spec.template.spec.", spec: &cj.Spec.JobTemplate.Spec.Template.Spec}
	}
	return nil
}

func storedWhole(o *kube.Object) bool { return o.Origin.Strength == evidence.Stored }

// RestartPolicy gives the pod's restartPolicy and where it stands: in the pod, or in the template that it was made from.
// Empty with the evidence of its absence where neither shows it.
func (p *Pod) RestartPolicy() (string, evidence.Evidence) {
	switch policy := p.Spec.RestartPolicy; {
	case policy != "":
		return policy, p.Ev("spec.restartPolicy", policy)
	case p.made != nil:
		return p.made.spec.RestartPolicy, p.made.owner.Ev(p.made.path+"restartPolicy", p.made.spec.RestartPolicy)
	}
	return "", p.EvAbsent("spec.restartPolicy")
}

// MadeFrom names the kind of the owner, Job or CronJob, whose template tells what the pod itself does not show; empty when
// the pod shows its restartPolicy, or nothing does.
func (p *Pod) MadeFrom() string {
	if p.Spec.RestartPolicy != "" || p.made == nil {
		return ""
	}
	return p.made.owner.Kind
}

// GracePeriod is terminationGracePeriodSeconds, or Kubernetes' default of 30 s when a stored pod does not set it. Of
// describe text, which does not print it, it is that of the template that the pod was made from; known is false where the
// bundle has none.
func (p *Pod) GracePeriod() (d time.Duration, known bool) {
	switch s := p.Spec.TerminationGracePeriodSeconds; {
	case s != nil:
		return time.Duration(*s) * time.Second, true
	case p.templateGrace() != nil:
		return time.Duration(*p.templateGrace()) * time.Second, true
	}
	return defaultGrace, !p.Described()
}

// defaultGrace is the grace period of a pod that sets none.
const defaultGrace = 30 * time.Second

// templateGrace is the grace period of the template where the pod's own is not to be seen.
func (p *Pod) templateGrace() *int64 {
	if p.Spec.TerminationGracePeriodSeconds != nil || p.made == nil || !p.Described() {
		return nil
	}
	return p.made.spec.TerminationGracePeriodSeconds
}

// GraceFrom names the kind of the owner whose template gave the grace period, with the evidence; empty for the pod's own.
func (p *Pod) GraceFrom() (kind string, at evidence.Evidence) {
	s := p.templateGrace()
	if s == nil {
		return "", evidence.Evidence{}
	}
	return p.made.owner.Kind, p.made.owner.Ev(p.made.path+"terminationGracePeriodSeconds", strconv.FormatInt(*s, 10))
}
