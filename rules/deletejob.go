package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// deleteJob is the step that deletes the Job of a workload and does what comes with it. Where that would cut off work, or would
// not do what is wanted of it, the step says so and has no command that ends the Job.
func deleteJob(p *analyze.Pass, what analyze.Text, before, after []string) act {
	ref := p.Workload.Ref
	if why, look := keptJob(p); !why.IsZero() {
		if look == "" {
			return do(say("nothing is to be deleted for that: %s", why), before...)
		}
		return do(say("%s. But %s", what, why), append(before, look)...)
	}
	return do(what, append(append(before, command("kubectl delete job %s -n %s", ref.Name, ref.Namespace)), after...)...)
}

// keptJob says why no step deletes a Job, with the command that shows what has to be seen first: its name means another, it goes
// already, a controller would make it again, or another of its pods may still work and ends with it. Zero where nothing of that
// is so.
func keptJob(p *analyze.Pass) (why analyze.Text, look string) {
	w := p.Workload
	if namesAnother(p) {
		return say("the Job of that name is another by now, made later"), ""
	}
	if job := w.Live(); job != nil && job.Meta.Deleted.Raw != "" {
		return say("the Job is being deleted already"), ""
	}
	if !loneJob(w) && w.ParentKind != "CronJob" {
		return say("what made it (%s %s) may make it again at once, from a template that is the same until it is changed there: begin there", w.ParentKind, w.ParentName),
			command("kubectl get %s %s -n %s -o yaml", parentResource(w), w.ParentName, w.Ref.Namespace)
	}
	if others := atWorkBeside(p); len(others) > 0 {
		return say("not before these pods of the Job have ended, which may still work and end with it: %s", list(fewOf(others))),
			command("kubectl get pod -n %s ", w.Ref.Namespace) + podsOfJob(w)
	}
	return analyze.Text{}, ""
}

// deletionCounts says what the deletion of pods that have not finished brings on their Job: each counts as a failure, whatever had
// ended in it (isPodFailed). A Job with podReplacementPolicy Failed or a podFailurePolicy goes by the phase that the pod ends in
// (onlyReplaceFailedPods), which can be Succeeded where no container has failed.
func deletionCounts(w *facts.Workload, pods []*facts.Pod) analyze.Text {
	if !w.IsJob() {
		return say("what made the pod may take its deletion for a failure")
	}
	after := onceFailed(w, pods).text
	if waitsForEnd(w) && !slices.ContainsFunc(pods, hasFailed) {
		return say("the Job goes by the phase that the pod ends in (podReplacementPolicy, podFailurePolicy): if that is Succeeded, nothing runs again; if it is Failed, %s", after)
	}
	return say("a pod that is deleted before it has finished counts as failed: %s", after)
}

// waitsForEnd says that a Job counts a deleted pod only when that has really ended.
func waitsForEnd(w *facts.Workload) bool {
	j := w.Live()
	return j != nil && (j.Spec.PodReplacementPolicy == "Failed" || j.Spec.PodFailurePolicy != nil)
}

// hasFailed says that a regular container of a pod has exited with another code than 0.
func hasFailed(p *facts.Pod) bool {
	return slices.ContainsFunc(p.Of(facts.IsPlaced(facts.Ordinary)), func(c *facts.Container) bool { return c.Terminated() != nil && c.Terminated().ExitCode != 0 })
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
