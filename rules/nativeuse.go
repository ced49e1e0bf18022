package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// enoughEvidence is how many examples of one thing a finding about the cluster shows.
const enoughEvidence = 3

// nativeUse is what a bundle shows of native sidecars in use, whoever wrote or injected them, with a few examples: the
// line of a field is looked up when evidence is made, which is too slow for every pod of a large cluster.
type nativeUse struct {
	// stored are fields of stored pods: an API server that kept them has the feature.
	stored []evidence.Evidence
	// asked are fields of templates and manifests: somebody wants it.
	asked []evidence.Evidence
	// workloads are those that use or want them.
	workloads []evidence.Ref
}

func (u *nativeUse) any() bool { return len(u.stored)+len(u.asked) > 0 }

// usesNative looks for restartPolicy Always in initContainers of every pod and every pod template.
func usesNative(p *analyze.Pass) *nativeUse {
	u := &nativeUse{}
	for _, j := range p.Judged {
		w, seen := j.Workload, false
		for _, pod := range w.Pods {
			seen = u.pod(pod) || seen
		}
		if w.Job != nil {
			seen = u.template(&w.Job.Object, "spec.template.spec.", w.Job.Spec.Template) || seen
		}
		if t, ok := decidingTemplate(w); ok && t.meta.Annotations.Get(facts.NativeAnnotation) == "true" {
			seen = true
			if len(u.asked) < enoughEvidence {
				u.asked = append(u.asked, t.annotation(facts.NativeAnnotation))
			}
		}
		if seen {
			u.workloads = append(u.workloads, w.Ref)
		}
	}
	for _, pod := range p.Cluster.Services {
		u.pod(pod)
	}
	for _, cj := range p.Cluster.CronJobs {
		u.template(&cj.Object, "spec.jobTemplate.spec.template.spec.", cj.Spec.JobTemplate.Spec.Template)
	}
	return u
}

func (u *nativeUse) pod(p *facts.Pod) (seen bool) {
	for _, c := range p.Containers {
		if c.Placement != facts.Native {
			continue
		}
		examples := &u.stored
		if p.Described() || p.Meta.UID == "" || !c.SaysAlways() {
			examples = &u.asked
		}
		seen = true
		if len(*examples) < enoughEvidence {
			*examples = append(*examples, c.EvPlacement())
		}
	}
	return seen
}

func (u *nativeUse) template(o *kube.Object, prefix string, t kube.PodTemplate) (seen bool) {
	for _, c := range t.Spec.InitContainers {
		if c.RestartPolicy != "Always" {
			continue
		}
		seen = true
		if len(u.asked) < enoughEvidence {
			u.asked = append(u.asked, o.Ev(prefix+"initContainers[name="+c.Name+"].restartPolicy", "Always"))
		}
	}
	return seen
}

// some shows the first few pieces of evidence.
func some(list []evidence.Evidence) []evidence.Evidence {
	return list[:min(len(list), enoughEvidence)]
}

// heldByOrdinary gives the workloads that an ordinary sidecar holds or failed: those for which it matters whether this
// cluster can run native ones.
func heldByOrdinary(p *analyze.Pass) []evidence.Ref {
	return judgedAs(p, HeldBySidecar, FailureHiddenBySidecar, DeadlineHitWhileHeld)
}

func judgedAs(p *analyze.Pass, codes ...analyze.Code) []evidence.Ref {
	var out []evidence.Ref
	for _, j := range p.Judged {
		for _, code := range codes {
			if j.Verdict.Code == code {
				out = append(out, j.Workload.Ref)
			}
		}
	}
	return out
}

// emitsNative says that the only control plane in the bundle would place the next proxy natively.
func emitsNative(p *analyze.Pass) bool {
	return p.Next != nil && p.Next.Applies && p.Next.Emitted == knowledge.Native
}

// strictRefusal finds the words of an API server that does not know restartPolicy of containers at all.
func strictRefusal(notes []kube.Note) (evidence.Evidence, bool) {
	for _, n := range notes {
		if strings.Contains(n.Text, "unknown field") && strings.Contains(n.Text, "initContainers[") && strings.Contains(n.Text, ".restartPolicy") {
			return evidence.Evidence{Field: "message", Value: n.Text, File: n.File, Line: n.Line, Strength: evidence.Text}, true
		}
	}
	return evidence.Evidence{}, false
}

// The refusal of probes and hooks on an init container without restartPolicy Always. API servers that know the field
// name it; older ones end after the first half.
const (
	refusedInInit     = "may not be set for init containers"
	refusedForLackOff = refusedInInit + " without restartPolicy=Always"
)

// refusedPods gives events in which the API server refused a pod for its init containers, knowing the field or not.
func refusedPods(p *analyze.Pass, knowing bool) (list []evidence.Evidence, workloads []evidence.Ref) {
	for _, j := range p.Judged {
		for _, e := range j.Workload.Events {
			text := e.Text()
			if e.Reason != "FailedCreate" || !strings.Contains(text, refusedInInit) || strings.Contains(text, refusedForLackOff) != knowing {
				continue
			}
			list = append(list, evEvent(e))
			if n := len(workloads); n == 0 || workloads[n-1] != j.Workload.Ref {
				workloads = append(workloads, j.Workload.Ref)
			}
		}
	}
	return list, workloads
}

// serverMissing is what tells the API server's version.
func serverMissing() analyze.Missing {
	return analyze.Missing{What: say("the API server's version"), Command: "kubectl version -o yaml"}
}
