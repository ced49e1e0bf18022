package rules

import (
	"strconv"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// failing: a container fails, or an init container is still at it.
func (l *looker) failing() *analyze.Advice {
	if l.pod != nil {
		if e := cutOff(l.pod); e != nil {
			return l.cutOff(e, do(say("the Job controller makes another pod by itself after a while, as long as backoffLimit (%s) leaves a try", limitOf(l.w))))
		}
	}
	if l.c == nil {
		l.c = failedContainer(l.pod)
	}
	if l.c == nil {
		return nil
	}
	end := endOf(l.c)
	if end == nil {
		return l.advice(say("see what %s is doing", l.c.Name), l.log(), l.describe(say("and the events of its pod")))
	}
	if end.ExitCode == 0 {
		return l.advice(say("see what starts %s again although it ends with exit code 0", l.c.Name), do(say("restartPolicy of the pod and of the container"), podYAML(l.pod)))
	}
	acts := append([]act{l.log()}, l.meaning(end)...)
	return l.advice(say("read why %s failed", l.c.Name), append(acts, l.mend()...)...)
}

// failed: nothing tries again.
func (l *looker) failed() *analyze.Advice {
	if last, _ := lastFailed(l.p.Verdict.Pods); heldWhenEnded(last) != nil {
		l.pod = last
		summary, acts := l.whoEnded(heldWhenEnded(last))
		done := do(say("the program had exited 0 by then, and an ordinary sidecar kept the pod open: see what it left before it is run again"))
		return l.advice(summary, append(append([]act{done}, acts...), l.again()...)...)
	}
	ends, other := triesCutOff(l.p.Verdict.Pods)
	if len(ends) > 0 && other == nil {
		return l.cutOff(ends[len(ends)-1], l.again()...)
	}
	l.pod, l.c = lastFailed(l.p.Verdict.Pods)
	if other != nil && cutOff(l.pod) != nil {
		l.pod, l.c = other, failedContainer(other)
	}
	if l.struckByDeadline() {
		return l.advice(say("see how far %s had come when the deadline ended it", l.c.Name), append([]act{l.log(), l.compareDeadline()}, l.again()...)...)
	}
	var acts []act
	if l.c != nil {
		acts = append(append(acts, l.log()), l.meaning(endOf(l.c))...)
	}
	if l.pod != nil && l.pod.Status.Reason != "" && l.pod.Status.Reason != deadlineExceeded {
		acts = append(acts, l.onNode(say("see what its node lacked"))...)
	}
	for _, e := range ends[:min(len(ends), 1)] {
		acts = append(acts, do(say("leave out of it what was ended from outside: %s", list(fewOf(podsOfEnds(ends)))), command("kubectl describe pod %s -n %s", e.pod.Meta.Name, e.pod.Meta.Namespace)))
	}
	if j := l.w.Job; j != nil && failedReason(j) == deadlineExceeded {
		acts = append(acts, l.compareDeadline())
	}
	if l.w.IsJob() && l.pod == nil {
		acts = append(acts, l.describeJob(l.eventsLeft()))
	}
	acts = append(acts, l.again()...)
	if len(acts) == 0 {
		return nil
	}
	if l.c != nil {
		return l.advice(say("read why %s failed", l.c.Name), acts...)
	}
	return l.advice(say("read why it failed"), acts...)
}

// struckByDeadline says that the container at hand still ran when the Job's deadline came, so that its exit code is of that.
func (l *looker) struckByDeadline() bool {
	if l.c == nil || l.w.Live() == nil || failedReason(l.w.Live()) != deadlineExceeded {
		return false
	}
	ends, _ := (&view{c: l.p.Cluster, w: l.w}).deadlineOf(l.pod)
	end := l.c.Terminated()
	return end != nil && !ends.IsZero() && !end.FinishedAt.IsZero() && !end.FinishedAt.Before(ends)
}

// eventsLeft says why the events are looked at: no pod tells why the Job failed. A pod that is there may tell nothing of it.
func (l *looker) eventsLeft() analyze.Text {
	if len(l.w.Pods) > 0 {
		return say("see the events that are left, for the pods in the bundle do not tell why")
	}
	return say("see the events that are left, for its pods are not in the bundle")
}

func (l *looker) compareDeadline() act {
	return do(say("compare activeDeadlineSeconds (%s) with how long the program takes", count(l.w.Job.Spec.ActiveDeadlineSeconds)))
}

// again: a Job that has failed stays so.
func (l *looker) again() []act {
	switch {
	case !l.w.IsJob():
		return nil
	case l.w.ParentKind == "CronJob":
		return []act{do(say("this Job is not tried again; CronJob %s makes the next one by its schedule", l.w.ParentName))}
	}
	return []act{do(say("this Job is not tried again: once the reason is dealt with, it takes a new one"))}
}

func (l *looker) deadlineHit() *analyze.Advice {
	var done, open []string
	var acts []act
	for _, h := range l.p.Verdict.Pods {
		apps := h.Pod.Of(facts.IsRole(facts.App))
		if _, zero := allExitedZero(apps); !zero {
			open = append(open, h.Pod.Meta.Name)
			continue
		}
		done = append(done, h.Pod.Meta.Name)
		l.pod, l.c = h.Pod, apps[0]
		acts = []act{l.log()}
	}
	summary := say("the program has done its work, though it counts as failed: see what it left before it is run again")
	if len(open) > 0 {
		summary = say("the program has done its work in %s, though it counts as failed, and not in %s: see what it left before it is run again", list(fewOf(done)), list(fewOf(open)))
	}
	job := l.w.Live()
	if becomes, _ := outcome(job); job != nil && ending(job) == "" && becomes == "" {
		return l.advice(summary, append([]act{do(say("only this try is over, by the deadline of the pod itself: the Job has not failed, and its controller makes another pod, which runs the program again. Where that must not be, suspend the Job"),
			command("kubectl patch job %s -n %s --type merge -p '{\"spec\":{\"suspend\":true}}'", l.w.Ref.Name, l.w.Ref.Namespace))}, acts...)...)
	}
	return l.advice(summary, append(acts, l.again()...)...)
}

// log reads the end of a container's log: that of the try before, where a new one has begun or is waited for.
func (l *looker) log() act {
	cmd := "kubectl logs %s -n %s -c %s --tail=100"
	if l.c.Terminated() == nil && l.c.Status != nil && l.c.Status.LastState.Terminated != nil {
		cmd += " --previous"
	}
	return do(say("read the end of the log of %s, while the pod is there", l.c.Name), command(cmd, l.c.Pod.Meta.Name, l.c.Pod.Meta.Namespace, l.c.Name))
}

// meaning is what Kubernetes, or the way in which Unix counts, says of an exit code and its reason.
func (l *looker) meaning(t *kube.Terminated) []act {
	signal := t.ExitCode - killedBy
	switch {
	case t.Reason == lostState:
		return []act{l.describe(say("%s: the kubelet no longer found the container, and put exit code %d in place of one that it does not know; the pod's events and the log may tell", t.Reason, t.ExitCode))}
	case t.Reason == oomKilled:
		return []act{do(say("OOMKilled: the kernel ended it for want of memory; the memory limit of %s: %s", l.c.Name, memoryLimit(l.c)))}
	case t.Reason == "StartError" || t.Reason == "ContainerCannotRun":
		return []act{do(say("%s: the program could not be started at all (%s); look at its command and image", t.Reason, orNone(t.Message)))}
	case signal > 0 && signal < lastSignal:
		return []act{l.describe(say("exit code %d: an end by signal %s, unless the program gives that code itself; the pod's events tell whether the kubelet sent it", t.ExitCode, signalName(signal)))}
	case t.ExitCode != 0:
		return []act{do(say("exit code %d: from the program, or a shell that runs it, and not from Kubernetes", t.ExitCode))}
	}
	return nil
}

// killedBy is what is added to a signal's number to make an exit code; signals end below lastSignal.
const (
	killedBy   = 128
	lastSignal = 65
)

func signalName(n int64) string {
	names := map[int64]string{1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM"}
	if name, ok := names[n]; ok {
		return strconv.FormatInt(n, 10) + " (" + name + ")"
	}
	return strconv.FormatInt(n, 10)
}

func memoryLimit(c *facts.Container) string {
	switch {
	case c.Spec == nil:
		return orNone("")
	case c.Spec.Resources.Limits["memory"] == "":
		return count(nil)
	}
	return string(c.Spec.Resources.Limits["memory"])
}

// endOf is how a container ended last, nil for one that never did.
func endOf(c *facts.Container) *kube.Terminated {
	if t := c.Terminated(); t != nil || c.Status == nil {
		return t
	}
	return c.Status.LastState.Terminated
}

// failedContainer gives the container whose exit code failed a pod: an init container that let no other begin, else the
// application's before any other.
func failedContainer(p *facts.Pod) *facts.Container {
	if p == nil {
		return nil
	}
	if c := failedInit(p); c != nil {
		return c
	}
	var other *facts.Container
	for _, c := range p.Of(facts.IsPlaced(facts.Ordinary)) {
		if t := c.Terminated(); t != nil && t.ExitCode != 0 {
			if c.Role != facts.Sidecar {
				return c
			}
			other = c
		}
	}
	return other
}

// lastFailed gives the newest pod that failed, and the container that did it, nil where no exit code tells.
func lastFailed(pods []analyze.PodJudgement) (*facts.Pod, *facts.Container) {
	var failed []*analyze.PodJudgement
	for i := range pods {
		if pods[i].Pod.Status.Phase == "Failed" || failedContainer(pods[i].Pod) != nil {
			failed = append(failed, &pods[i])
		}
	}
	if len(failed) == 0 {
		return nil, nil
	}
	pod := newestPod(failed).Pod
	return pod, failedContainer(pod)
}

// limitOf is the Job's backoffLimit, as far as it is known.
func limitOf(w *facts.Workload) string {
	if w.Job == nil {
		return orNone("")
	}
	return count(w.Job.Spec.BackoffLimit)
}
