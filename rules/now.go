package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Now is what can be done about the pods at hand, as apart from the change that spares the next ones: what to save, how
// to let a held pod end without running its program again, and what to do where that is refused. Where nothing is held it
// is where to look next; nil where all is well, or where ending something may cut off work.
func Now(p *analyze.Pass) *analyze.Advice {
	held := heldPods(p.Verdict)
	if len(held) == 0 {
		return lookNow(p)
	}
	acts := []act{lookFirst(p, held)}
	if over := settled(p); !over.IsZero() {
		return &analyze.Advice{Summary: say("%s: save what its pods left before they go", over), Steps: stepsOf(append(acts, saveNow(p, held)))}
	}
	acts = append(append(acts, suspendFirst(p)...), saveNow(p, held))
	acts = append(acts, endNow(p, held)...)
	if len(suspendFirst(p)) > 0 {
		acts = append(acts, resumeLater(p))
	}
	return &analyze.Advice{Summary: nowSummary(p, held), Steps: stepsOf(acts), Avoid: nowAvoid(p, held)}
}

// act is one thing to do, with the commands that do it, and whether they run the program.
type act struct {
	what analyze.Text
	cmds []string
	runs bool
}

func do(what analyze.Text, cmds ...string) act { return act{what: what, cmds: cmds} }

// doRun is do for what runs the program.
func doRun(what analyze.Text, cmds ...string) act { return act{what, cmds, true} }

// text is the act as a step: its commands stand on lines of their own.
func (a act) text() analyze.Text {
	out := a.what
	for _, c := range a.cmds {
		out = say("%s\n%s", out, c)
	}
	return out
}

func stepsOf(acts []act) []analyze.Text {
	var out []analyze.Text
	for _, a := range acts {
		out = append(out, a.text())
	}
	return out
}

// settled says of a Job that it is gone, or goes its way whatever becomes of its pods: nothing that is done about these helps it any more.
func settled(p *analyze.Pass) analyze.Text {
	job := p.Workload.Live()
	if namesAnother(p) {
		return say("the Job that made these pods is gone, and the Job of its name is another, made later")
	}
	if job != nil && job.Meta.Deleted.Raw != "" {
		return say("the Job is being deleted, and does not complete any more")
	}
	if becomes, _ := outcome(job); becomes != "" {
		return say("the Job becomes %s whatever its pods do", becomes)
	}
	return analyze.Text{}
}

// heldPods gives the pods of a workload that a sidecar holds though their work is done.
func heldPods(j *analyze.Judgement) []analyze.PodJudgement {
	var out []analyze.PodJudgement
	if j.Code != HeldBySidecar && j.Code != FailureHiddenBySidecar {
		return nil
	}
	for _, p := range j.Pods {
		if p.Code == HeldBySidecar || p.Code == FailureHiddenBySidecar {
			out = append(out, p)
		}
	}
	return out
}

// lookFirst: a bundle is about the past.
func lookFirst(p *analyze.Pass, held []analyze.PodJudgement) act {
	ns := p.Workload.Ref.Namespace
	cmd := command("kubectl get pod %s -n %s", held[0].Pod.Meta.Name, ns)
	if len(held) > 1 && p.Workload.IsJob() {
		cmd = command("kubectl get pod -n %s ", ns) + podsOfJob(p.Workload)
	}
	return do(say("see that it is still as the bundle shows it"), cmd)
}

func nowSummary(p *analyze.Pass, held []analyze.PodJudgement) analyze.Text {
	hold := heldBy(held)
	sure, never := true, false
	for _, h := range held {
		found := named(h.Culprits, h.Pod)
		sure = sure && len(found) == len(h.Culprits)
		for _, c := range found {
			never = never || endsNever(c)
			sure = sure && c.Running() != nil && isIstioProxy(c) && callOf(p.Know, c).can != version.No
		}
	}
	state := nowState(p, held)
	bad, fails := failsAtEnd(held)
	switch {
	case never:
		return say("%s: save what it left; %s is started again after every end, so that nothing but deleting the %s ends the pod", state, list(hold), p.Workload.Ref.Kind)
	case !sure && len(atWorkBeside(p)) > 0:
		return say("%s: save what it left, then end %s", state, list(hold))
	case !sure:
		return say("%s: save what it left, then end %s, or delete the %s", state, list(hold), p.Workload.Ref.Kind)
	case p.Verdict.Code == FailureHiddenBySidecar:
		return say("%s: save what it left, then end %s, and the failure shows", state, list(hold))
	case len(hiddenIn(held)) > 0:
		return say("%s, but in %s, where it has failed: save what it left, then end %s, and each pod ends as its program did", state, list(fewOf(namesOfPods(podsIn(hiddenIn(held))))), list(hold))
	case fails == version.Maybe:
		return say("%s: save what it left, then end %s, and see how the pod ends: %s", state, list(hold), endedBeside(bad))
	case fails == version.Yes && p.Workload.IsJob():
		return say("%s: save what it left; once %s has ended the Job counts a failure, and it may run the program again", state, list(hold))
	case fails == version.Yes:
		return say("%s: save what it left, then end %s, and whatever waits for the pod sees that", state, list(hold))
	case !p.Workload.IsJob():
		return say("%s: save what it left, then end %s, and the pod ends as Succeeded without running the program again", state, list(hold))
	case !completesByThat(p):
		return say("%s: save what it left, then end %s, and the pod counts as one of the Job's completions without running the program again", state, list(hold))
	}
	return say("%s: save what it left, then end %s, and the Job completes without running the program again", state, list(hold))
}

// completesByThat says that a Job completes when its held pods end as Succeeded: no other pod of it is open, and no further
// success is wanted. Of a Job that the bundle lacks nothing is promised.
func completesByThat(p *analyze.Pass) bool {
	job, held := p.Workload.Live(), int64(len(heldPods(p.Verdict)))
	switch {
	case job == nil || len(atWorkBeside(p)) > 0 || job.Status.FailedIndexes != "":
		return false
	case job.Spec.Completions == nil:
		return job.Status.Active == nil || *job.Status.Active <= held
	}
	return endsOf(p.Workload, "Succeeded")+held >= *job.Spec.Completions
}

// heldBy names what holds the pods, each once.
func heldBy(held []analyze.PodJudgement) []string {
	var out []string
	seen := map[string]bool{}
	for _, h := range held {
		for _, name := range h.Culprits {
			if !seen[name] {
				seen[name], out = true, append(out, name)
			}
		}
	}
	return out
}

// nowState is what is known of the work. Where the container that failed also calls a proxy's end, its exit code may be that
// of the call.
func nowState(p *analyze.Pass, held []analyze.PodJudgement) analyze.Text {
	if p.Verdict.Code != FailureHiddenBySidecar {
		if bad, fails := failsAtEnd(held); fails == version.Yes {
			return say("the program has done its work, and %s exited %d beside it, so that the pod ends Failed", bad.Name, bad.Terminated().ExitCode)
		}
		return say("the program has done its work")
	}
	attempts, _ := attemptsIn(p)
	for _, a := range attempts {
		if t := a.by.Terminated(); a.by.Role == facts.App && t != nil && t.ExitCode != 0 && a.call.Kind == "call" {
			return say("%s exited %d and nobody counts it; whether its work failed, or only its call that is to end the sidecar, is in its log", a.by.Name, t.ExitCode)
		}
	}
	if slices.ContainsFunc(podsIn(held), func(p *facts.Pod) bool {
		return slices.ContainsFunc(p.Of(facts.IsRole(facts.App)), func(c *facts.Container) bool { return c.Terminated() != nil && c.Terminated().Reason == lostState })
	}) {
		return say("how the program ended is not known, and nobody counts it as failed yet")
	}
	return say("the program has failed and nobody counts it")
}

func nowAvoid(p *analyze.Pass, held []analyze.PodJudgement) []analyze.Text {
	var out []analyze.Text
	never := slices.ContainsFunc(culpritsOf(p), endsNever)
	if _, fails := failsAtEnd(held); p.Verdict.Code != FailureHiddenBySidecar && fails != version.Yes && !never {
		out = append(out, endingBadly(heldBy(held), held[0].Pod))
	}
	if p.Workload.IsJob() {
		out = append(out, say("deleting the pod alone: %s", deletionCounts(p.Workload, podsIn(held))))
	}
	return out
}

// endingBadly advises against ends that give an exit code other than 0 for certain.
func endingBadly(names []string, p *facts.Pod) analyze.Text {
	text := say("killing %s (SIGKILL), or an end from outside: that gives an exit code other than 0", list(names))
	switch policy, _ := p.RestartPolicy(); policy {
	case "OnFailure", "Always":
		return say("%s, with which the kubelet starts it again (restartPolicy %s)", text, policy)
	case "Never":
		return say("%s, which fails the pod, though the program succeeded", text)
	}
	return say("%s, which fails the pod under restartPolicy Never, and has the kubelet start it again under OnFailure", text)
}
