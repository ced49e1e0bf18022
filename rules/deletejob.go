package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// deleteJob is the step that deletes the Job of a workload and does what comes with it. Deleting a Job ends all of its pods:
// where another of them may still work, or the Job goes already, or its name means another, the step says so and has no
// command that ends it.
func deleteJob(p *analyze.Pass, what analyze.Text, before, after []string) act {
	ref := p.Workload.Ref
	if namesAnother(p) {
		return do(say("nothing is to be deleted for that: the Job of that name is another by now, made later"), before...)
	}
	if job := p.Workload.Live(); job != nil && job.Meta.Deleted.Raw != "" {
		return do(say("nothing is to be deleted for that: the Job is being deleted already"), before...)
	}
	if others := atWorkBeside(p); len(others) > 0 {
		return do(say("%s. But not before these pods of the Job have ended, which may still work and end with it: %s", what, list(fewOf(others))),
			append(before, command("kubectl get pod -n %s -l job-name=%s", ref.Namespace, ref.Name))...)
	}
	if kind := ownerKind(p.Workload); kind != "Job" && kind != "CronJob" {
		what = say("%s. What made it (%s %s) may make it again at once, from a template that is the same until it is changed there", what, kind, p.Workload.ParentName)
	}
	return do(what, append(append(before, command("kubectl delete job %s -n %s", ref.Name, ref.Namespace)), after...)...)
}

// atWorkBeside gives the open pods of a Job that are in another state than those that the verdict is about, and that no sidecar
// holds: they work, have not begun, or nobody knows.
func atWorkBeside(p *analyze.Pass) []string {
	var out []string
	for _, j := range p.Verdict.Pods {
		switch {
		case finished(j.Pod.Status.Phase), j.Code == p.Verdict.Code, j.Code == NativeSidecarStuck:
		case j.Code == HeldBySidecar, j.Code == FailureHiddenBySidecar:
		default:
			out = append(out, j.Pod.Meta.Name)
		}
	}
	return out
}

// namesAnother says that the name of a workload's Job is by now that of another Job, made after the one of its pods: what is
// done to a Job of that name is done to the later one.
func namesAnother(p *analyze.Pass) bool {
	return p.Workload.IsJob() && p.Workload.Job == nil && facts.Once(p.Cluster, "jobs-by-name", jobsByName)[p.Workload.Ref]
}

func jobsByName(c *facts.Cluster) map[evidence.Ref]bool {
	out := map[evidence.Ref]bool{}
	for _, w := range c.Workloads {
		if w.Job != nil {
			out[w.Ref] = true
		}
	}
	return out
}
