package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// failsAtEnd gives the container that fails its pod, or may, as soon as what holds that has ended.
func failsAtEnd(held []analyze.PodJudgement) (by *facts.Container, fails version.Answer) {
	for _, h := range held {
		if c, f := failsAlready(h.Pod); f > fails && h.Code != FailureHiddenBySidecar {
			by, fails = c, f
		}
	}
	return by, fails
}

// failsAlready says whether another container keeps its pod from ending as Succeeded. Under restartPolicy Never the kubelet
// starts no container again, and one exit code other than 0 is enough. With another policy, or one that the bundle lacks,
// and where it has no exit code or no state at all, how the pod ends is open. Reason Completed stands for exit code 0.
func failsAlready(p *facts.Pod) (by *facts.Container, fails version.Answer) {
	for _, c := range p.Of(facts.IsPlaced(facts.Ordinary)) {
		t, dark := c.Terminated(), c.Uncoded()
		bad := t != nil && t.ExitCode != 0
		unseen := dark != nil && dark.Reason != "Completed" || stateless(c)
		switch {
		case bad && c.RestartsAfter(t.ExitCode) == version.No:
			return c, version.Yes
		case fails == version.No && (bad || unseen):
			by, fails = c, version.Maybe
		}
	}
	return by, fails
}

// endedBeside says what is known of a container that has a part in how its pod ends.
func endedBeside(c *facts.Container) analyze.Text {
	switch t := c.Terminated(); {
	case t != nil:
		return say("%s exited %d beside it", c.Name, t.ExitCode)
	case c.Uncoded() == nil:
		return say("the bundle does not show whether %s has ended beside it, and how", c.Name)
	}
	return say("%s ended beside it with an exit code that cannot be read in the bundle (%s)", c.Name, c.State())
}

// badEnd says what an exit code other than 0 of an ordinary container does to its pod.
func badEnd(p *analyze.Pass, pod *facts.Pod) analyze.Text {
	switch policy, _ := pod.RestartPolicy(); policy {
	case "OnFailure", "Always":
		return say("the kubelet starts it again (restartPolicy %s), and it holds the pod as before", policy)
	case "Never":
		if p.Workload.IsJob() {
			return say("the pod fails, though the program succeeded: %s", onceFailed(p.Workload, []*facts.Pod{pod}).text)
		}
		return say("the pod fails, though the program succeeded, and what made the pod may run it again: only where that does no harm")
	}
	return say("the pod fails under restartPolicy Never, and under OnFailure the kubelet starts it again; the bundle does not show which it is")
}

// failureAhead warns that a failure which begins to count has consequences of its own, with the pods in whose place the program
// may run again by that; nothing where none does.
func failureAhead(p *analyze.Pass, held []analyze.PodJudgement) (warn analyze.Text, again []*facts.Pod) {
	bad, fails := failsAtEnd(held)
	pods := failing(held)
	switch {
	case len(pods) == 0 && fails == version.No:
		return analyze.Text{}, nil
	case len(pods) == 0:
		return say("know what may follow: %s. With an exit code other than 0 %s", endedBeside(bad), badEnd(p, bad.Pod)), nil
	case !p.Workload.IsJob():
		return say("know what follows: the pod becomes Failed, and whatever waits for it acts on that"), nil
	}
	after := onceFailed(p.Workload, pods)
	warn = say("know what follows: %s becomes Failed; %s", list(fewOf(namesOfPods(pods))), after.text)
	if len(hiddenIn(held)) == 0 {
		warn = say("know what follows: %s exited %d, and under restartPolicy Never that fails its pod (%s) once %s has ended, though the program succeeded; %s",
			bad.Name, bad.Terminated().ExitCode, list(fewOf(namesOfPods(pods))), list(heldBy(held)), after.text)
	}
	if len(after.again) > 0 {
		warn = say("%s. Pods that it makes from its own template %s: end what holds them in the same way", warn, heldAgain(p))
	}
	others := atWorkBeside(p)
	switch {
	case after.ends && len(others) > 0:
		warn = say("%s. A Job that becomes Failed ends its other pods, of which these may still work: %s. Where that must not be, leave out the next steps until they have ended", warn, list(fewOf(others)))
	case len(after.again) > 0 && len(hiddenIn(held)) == 0 && len(others) == 0:
		warn = say("%s. Where that must not be, leave out the next steps and delete the Job", warn)
	}
	return warn, after.again
}

// succeedingFirst puts the held pods that become Failed behind the others: a Job that becomes Failed by one of them ends the rest,
// before they could count as succeeded.
func succeedingFirst(held []analyze.PodJudgement) []analyze.PodJudgement {
	bad := failing(held)
	out := slices.Clone(held)
	slices.SortStableFunc(out, func(a, b analyze.PodJudgement) int {
		switch worse, better := slices.Contains(bad, a.Pod), slices.Contains(bad, b.Pod); {
		case worse && !better:
			return 1
		case better && !worse:
			return -1
		}
		return 0
	})
	return out
}

// successAhead warns of what the Job does when held pods succeed: it makes further pods where it wants more successes, and ends
// those that are left where a rule of its successPolicy is met.
func successAhead(p *analyze.Pass, held []analyze.PodJudgement) analyze.Text {
	job := p.Workload.Live()
	if job == nil {
		return analyze.Text{}
	}
	if others := atWorkBeside(p); job.Spec.SuccessPolicy != nil && len(others) > 0 {
		return say("know what may follow: the Job has a successPolicy, and where a success meets it the controller ends the Job's other pods, of which these may still work: %s", list(fewOf(others)))
	}
	if failed := job.Status.FailedIndexes; failed != "" {
		return say("know what follows: indexes of the Job have failed (%s), so that it becomes Failed when every index has ended", failed)
	}
	if wantsMore(p, held) {
		return say("know what follows: the Job wants more successes than these (completions %s) and makes further pods, which run the program for what is left and %s", count(job.Spec.Completions), heldAgain(p))
	}
	return analyze.Text{}
}

// wantsMore says that a Job makes further pods when those that are held have ended: they and the ones before are fewer than the
// successes that it wants, and no other pod of it is open.
func wantsMore(p *analyze.Pass, held []analyze.PodJudgement) bool {
	job := p.Workload.Live()
	return job != nil && job.Spec.Completions != nil && len(atWorkBeside(p)) == 0 &&
		endsOf(p.Workload, "Succeeded")+int64(len(held)-len(failing(held))) < *job.Spec.Completions
}

// makesMore says that a Job goes on by itself when what holds its pods has been ended: with another try, or for further successes.
func makesMore(p *analyze.Pass) bool {
	held := heldPods(p.Verdict)
	_, again := failureAhead(p, held)
	return len(held) > 0 && (len(again) > 0 || wantsMore(p, held))
}

// heldAgain is what becomes of a further pod of the same Job. Its template is the Job's own; that of the next run may be another.
func heldAgain(p *analyze.Pass) analyze.Text {
	if loneJob(p.Workload) && p.Next != nil && p.Next.Placement == knowledge.Ordinary {
		return say("are held again")
	}
	return say("may be held again")
}

// failing are the held pods that become Failed once what holds them has ended.
func failing(held []analyze.PodJudgement) []*facts.Pod {
	return podsIn(slices.DeleteFunc(slices.Clone(held), func(h analyze.PodJudgement) bool {
		_, fails := failsAlready(h.Pod)
		return h.Code != FailureHiddenBySidecar && fails != version.Yes
	}))
}

// hiddenIn are those of the held pods whose program has failed.
func hiddenIn(held []analyze.PodJudgement) []analyze.PodJudgement {
	return slices.DeleteFunc(slices.Clone(held), func(h analyze.PodJudgement) bool { return h.Code != FailureHiddenBySidecar })
}
