package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
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
	acts = append(append(acts, suspendFirst(p)...), saveNow(p, held))
	acts = append(acts, endNow(p, held)...)
	if len(suspendFirst(p)) > 0 {
		acts = append(acts, resumeLater(p))
	}
	a := &analyze.Advice{Summary: nowSummary(p, held), Steps: stepsOf(acts), Avoid: nowAvoid(p)}
	if !canEnd(p.Know, held) {
		a.Verify = []analyze.Text{nowVerify(p, held).text()}
	}
	return a
}

// act is one thing to do, with the commands that do it.
type act struct {
	what analyze.Text
	cmds []string
}

func do(what analyze.Text, cmds ...string) act { return act{what, cmds} }

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

// endNow ends what holds the pods, and says what remains where that is not to be had.
func endNow(p *analyze.Pass, held []analyze.PodJudgement) []act {
	const shown = 3
	var out []act
	if p.Verdict.Code == FailureHiddenBySidecar {
		out = append(out, failureAhead(p))
	}
	for _, h := range held[:min(len(held), shown)] {
		for _, name := range h.Culprits {
			if c := h.Pod.Container(name); c != nil {
				out = append(out, endOne(p.Know, c))
			}
		}
	}
	if rest := len(held) - shown; rest > 0 {
		out = append(out, do(say("do the same in the held pods that are not named here: %d", rest)))
	}
	if canEnd(p.Know, held) {
		check := nowVerify(p, held)
		out = append(out, do(say("see whether that was enough: %s", check.what), check.cmds...))
	}
	return append(out, giveUp(p))
}

// canEnd says that a call is known which may end one of the containers that hold the pods. Whether it did decides about
// the steps after it.
func canEnd(k *knowledge.Base, held []analyze.PodJudgement) bool {
	for _, h := range held {
		for _, name := range h.Culprits {
			c := h.Pod.Container(name)
			if c == nil || c.Running() == nil {
				continue
			}
			if helper, known := entryOf(k, c); endable(k, c) != version.No || known && !isIstioProxy(c) && helper.Stop != "" && !helper.HasNoStop() && !helper.EndedByOthers() {
				return true
			}
		}
	}
	return false
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
		cmd = command("kubectl get pod -n %s -l job-name=%s", ns, p.Workload.Ref.Name)
	}
	return do(say("see that it is still as the bundle shows it"), cmd)
}

func nowSummary(p *analyze.Pass, held []analyze.PodJudgement) analyze.Text {
	var hold []string
	callable := true
	for _, h := range held {
		for _, name := range h.Culprits {
			c := h.Pod.Container(name)
			callable = callable && c != nil && endable(p.Know, c) != version.No
			if !contains(hold, name) {
				hold = append(hold, name)
			}
		}
	}
	switch {
	case p.Verdict.Code == FailureHiddenBySidecar:
		return say("the program has failed and nobody counts it: save what it left, then end %s, and the failure shows", list(hold))
	case !callable:
		return say("the program has done its work: save what it left, then end %s, or delete the %s", list(hold), p.Workload.Ref.Kind)
	case !p.Workload.IsJob():
		return say("the program has done its work: save what it left, then end %s, and the pod ends as Succeeded without running the program again", list(hold))
	case p.Workload.Job != nil && more(p.Workload.Job.Spec.Completions):
		return say("the program has done its work: save what it left, then end %s, and the pod counts as one of the Job's completions without running the program again", list(hold))
	}
	return say("the program has done its work: save what it left, then end %s, and the Job completes without running the program again", list(hold))
}

// suspendFirst keeps a CronJob from making the next run of the same template while this one is dealt with.
func suspendFirst(p *analyze.Pass) []act {
	ref, ok := cronRef(p.Workload)
	if !ok || suspended(p.Workload.CronJob) {
		return nil
	}
	cmd := suspendCommand(ref)
	policy, _ := policyOf(p.Workload.CronJob)
	if byHand(p.Workload) {
		policy = "" // its CronJob neither waits for it nor deletes it
	}
	native := p.Next != nil && p.Next.Placement == knowledge.Native
	fate := say("may be held again")
	if p.Next != nil && p.Next.Placement == knowledge.Ordinary {
		fate = say("is held again")
	}
	switch {
	case native && policy == forbid:
		return []act{do(say("suspend CronJob %s until this moment suits a run: once this run is over the controller starts the newest missed one at once, %s", ref.Name, dueStill(p.Workload.CronJob)), cmd)}
	case native:
		return nil
	case policy == forbid:
		return []act{do(say("suspend CronJob %s before anything else: once this run is over the controller starts the newest missed one at once, %s, and that run is made from the same template and %s", ref.Name, dueStill(p.Workload.CronJob), fate), cmd)}
	case policy == replace:
		return []act{do(say("suspend CronJob %s before anything else: its next run deletes this one, with its pod and its logs", ref.Name), cmd)}
	}
	return []act{do(say("suspend CronJob %s before anything else: each further run is made from the same template and %s", ref.Name, fate), cmd)}
}

// resumeLater ends what suspendFirst began.
func resumeLater(p *analyze.Pass) act {
	ref, _ := cronRef(p.Workload)
	if p.Next != nil && p.Next.Placement == knowledge.Native {
		return do(say("resume the CronJob when a run suits"), resumeCommand(ref))
	}
	for _, run := range []func(*analyze.Pass) analyze.Outcome{runCronJobBlocked, runCronJobReplaced, runCronJobPileUp} {
		o := run(p)
		if o.Status == analyze.Fired && o.Remedy != nil && slices.ContainsFunc(o.Remedy.Steps, func(t analyze.Text) bool { return strings.Contains(t.String(), resumeCommand(ref)) }) {
			return do(say("leave the CronJob suspended: it is resumed behind the change for the next run, see below"))
		}
	}
	return do(say("leave the CronJob suspended until the change for the next run is made, see below; then resume it"), resumeCommand(ref))
}

// saveNow saves what goes with the pods.
func saveNow(p *analyze.Pass, held []analyze.PodJudgement) act {
	w := p.Workload
	ns, name := w.Ref.Namespace, w.Ref.Name
	var cmds []string
	if w.IsJob() {
		cmds = append(cmds, command("kubectl get job %s -n %s -o yaml > "+fileName(name)+"-job.yaml", name, ns))
	}
	for _, h := range held {
		pod := h.Pod.Meta.Name
		cmds = append(cmds, command("kubectl get pod %s -n %s -o yaml > "+fileName(pod)+"-pod.yaml", pod, ns),
			command("kubectl logs %s -n %s --all-containers --prefix --timestamps > "+fileName(pod)+".log", pod, ns))
		if len(cmds) > 4 && w.IsJob() {
			cmds = append(cmds[:1], command("kubectl get pod -n %s -l job-name=%s -o yaml > "+fileName(name)+"-pods.yaml", ns, name),
				command("kubectl logs -n %s -l job-name=%s --all-containers --prefix --timestamps --tail=-1 > "+fileName(name)+".log", ns, name))
			break
		}
	}
	cmds = append(cmds, command("kubectl get events -n %s -o yaml > "+fileName(name)+"-events.yaml", ns))
	if ttl := ttlOf(w); ttl != "" {
		return do(say("save the manifests, the events and the logs: ttlSecondsAfterFinished is %s, so that Job and pods are deleted that many seconds after the Job ends", ttl), cmds...)
	}
	return do(say("save the manifests, the events and the logs, which go with the pod when it is deleted"), cmds...)
}

func ttlOf(w *facts.Workload) string {
	if w.Job == nil || w.Job.Spec.TTLSecondsAfterFinished == nil {
		return ""
	}
	return count(w.Job.Spec.TTLSecondsAfterFinished)
}

// fileName makes a name that a shell takes as it is.
func fileName(name string) string {
	if quoteShell(name) != name || strings.Contains(name, "/") {
		return "held"
	}
	return name
}

// endable says whether a container that holds its pod can be ended by a call that is known to leave exit code 0: Istio's
// agent ends with its Envoy, or where it is too old for that by a call of its own.
func endable(k *knowledge.Base, c *facts.Container) version.Answer {
	follows := istioHas(k, c, agentEndsWithEnvoy)
	if follows == version.No && istioHas(k, c, agentQuits) == version.Yes {
		return version.Yes
	}
	return follows
}

const agentEndsWithEnvoy, agentQuits = "agent-exits-with-envoy", "quit-endpoint"

// istioHas says whether a running proxy of Istio's has a feature, by its image.
func istioHas(k *knowledge.Base, c *facts.Container, feature string) version.Answer {
	if !isIstioProxy(c) || c.Running() == nil {
		return version.No
	}
	answer, _ := k.Has(feature, version.FromImage(c.Image()))
	return answer
}

// endOne says how a container that holds its pod is ended without failing the pod.
func endOne(k *knowledge.Base, c *facts.Container) act {
	in := "kubectl exec %s -n %s -c %s -- "
	cmd := command(in+"pilot-agent request POST quitquitquit", c.Pod.Meta.Name, c.Pod.Meta.Namespace, c.Name)
	switch istioHas(k, c, agentEndsWithEnvoy) {
	case version.Yes:
		return do(say("end %s of pod %s from within: Envoy quits, the agent ends with it, and the container's exit code is 0 (it takes the right to exec into the pod)", c.Name, c.Pod.Meta.Name), cmd)
	case version.Maybe:
		return do(say("end %s of pod %s from within: Envoy quits, and from Istio %s on, which its image does not tell, the agent ends with it and with exit code 0 (it takes the right to exec into the pod)",
			c.Name, c.Pod.Meta.Name, featureSince(k, agentEndsWithEnvoy)), cmd)
	}
	if istioHas(k, c, agentQuits) == version.Yes {
		return do(say("end %s of pod %s from within by a call to its agent, which of this release does not end with Envoy: it drains and ends with exit code 0 (it takes the right to exec into the pod, and curl in the image)", c.Name, c.Pod.Meta.Name),
			command(in+"curl -sS -X POST http://localhost:15020/quitquitquit", c.Pod.Meta.Name, c.Pod.Meta.Namespace, c.Name))
	}
	if isIstioProxy(c) && c.Running() != nil {
		return do(say("no call is known that ends %s of pod %s: before Istio %s the agent has none, and it runs on when Envoy ends", c.Name, c.Pod.Meta.Name, featureSince(k, agentQuits)))
	}
	h, known := entryOf(k, c)
	switch {
	case c.Running() == nil:
		return do(say("%s of pod %s does not run at the moment (%s): it cannot be asked to end", c.Name, c.Pod.Meta.Name, c.State()))
	case !known || h.Stop == "":
		return do(say("no call is known here that ends %s of pod %s: see whether its product has one", c.Name, c.Pod.Meta.Name))
	case h.HasNoStop():
		return do(say("%s (%s) of pod %s has no call that ends it: %s", c.Name, h.Product, c.Pod.Meta.Name, h.Stop))
	case h.EndedByOthers():
		return do(say("see why %s (%s) of pod %s was not ended by what is to do that: %s", c.Name, h.Product, c.Pod.Meta.Name, h.Stop))
	}
	return do(say("end %s (%s) of pod %s from within the pod, as far as its setup has it: %s", c.Name, h.Product, c.Pod.Meta.Name, h.Stop))
}

// failureAhead warns that a failure which begins to count has consequences of its own.
func failureAhead(p *analyze.Pass) act {
	if !p.Workload.IsJob() {
		return do(say("know what follows: the pod becomes Failed, and whatever waits for it acts on that"))
	}
	limit := sayCount(p.Workload)
	return do(say("know what follows: the pod becomes Failed and the Job counts it; unless that reaches backoffLimit (%s), the Job makes another pod, which runs the program again", limit))
}

func sayCount(w *facts.Workload) string {
	if w.Job == nil {
		return orNone("")
	}
	return count(w.Job.Spec.BackoffLimit)
}

// giveUp is what remains where a held pod cannot be ended from within.
func giveUp(p *analyze.Pass) act {
	w := p.Workload
	if !w.IsJob() {
		return do(say("only where that is refused or has no effect: delete the pod. It does not end as Succeeded then, its logs are gone, and what made it may take that for a failure and run the program again"),
			command("kubectl delete pod %s -n %s", w.Ref.Name, w.Ref.Namespace))
	}
	return do(say("only where that is refused or has no effect: delete the Job. It never becomes complete then, its pods and their logs are gone, and whoever makes it again runs the program once more, which has ended already"),
		command("kubectl delete job %s -n %s", w.Ref.Name, w.Ref.Namespace))
}

func nowVerify(p *analyze.Pass, held []analyze.PodJudgement) act {
	w := p.Workload
	pod := held[0].Pod.Meta.Name
	ns := w.Ref.Namespace
	switch {
	case p.Verdict.Code == FailureHiddenBySidecar:
		return do(say("the pod's phase is Failed"), command("kubectl get pod %s -n %s -o jsonpath='{.status.phase}{\"\\n\"}'", pod, ns))
	case !w.IsJob() || w.Job != nil && more(w.Job.Spec.Completions):
		return do(say("the pod's phase is Succeeded"), command("kubectl get pod %s -n %s -o jsonpath='{.status.phase}{\"\\n\"}'", pod, ns))
	}
	return do(say("the Job gets the condition Complete=True"), command("kubectl wait --for=condition=complete job/%s -n %s --timeout=2m", w.Ref.Name, ns))
}

func nowAvoid(p *analyze.Pass) []analyze.Text {
	out := []analyze.Text{say("a signal to the sidecar, or ending it from outside: an exit code other than 0 fails the pod, though the program succeeded")}
	if p.Verdict.Code == FailureHiddenBySidecar {
		out = nil
	}
	if p.Workload.IsJob() {
		out = append(out, say("deleting the pod alone: where the Job does not count it as succeeded, it makes another, which runs the program again"))
	}
	return out
}
