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

// endNow ends what holds the pods, looks whether that was enough, and says what remains where it is not to be had.
func endNow(p *analyze.Pass, held []analyze.PodJudgement) []act {
	const shown = 3
	var out []act
	ahead := failureAhead(p, held)
	if !ahead.what.IsZero() {
		out = append(out, do(ahead.what))
	}
	tried := false
	for i, h := range held {
		for _, name := range h.Culprits {
			c := h.Pod.Container(name)
			if c == nil {
				continue
			}
			if i < shown {
				end := endOne(p.Know, c)
				end.runs = ahead.runs // by what the Job controller makes of it
				out = append(out, end)
			}
			tried = tried || c.Running() != nil && !endsNever(c)
		}
	}
	if rest := len(held) - shown; rest > 0 {
		out = append(out, do(say("do the same in the held pods that are not named here: %d", rest)))
	}
	if tried {
		check := nowVerify(p, held)
		out = append(out, do(say("see whether that was enough: %s", check.what), check.cmds...))
	}
	return append(out, giveUp(p, tried))
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
	hold := heldBy(held)
	sure, never := true, false
	for _, h := range held {
		for _, name := range h.Culprits {
			c := h.Pod.Container(name)
			never = never || c != nil && endsNever(c)
			sure = sure && c != nil && c.Running() != nil && isIstioProxy(c) && callOf(p.Know, c).can != version.No
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
	case p.Workload.Job != nil && more(p.Workload.Job.Spec.Completions) || len(atWorkBeside(p)) > 0:
		return say("%s: save what it left, then end %s, and the pod counts as one of the Job's completions without running the program again", state, list(hold))
	}
	return say("%s: save what it left, then end %s, and the Job completes without running the program again", state, list(hold))
}

// heldBy names what holds the pods, each once.
func heldBy(held []analyze.PodJudgement) []string {
	var out []string
	for _, h := range held {
		for _, name := range h.Culprits {
			if !contains(out, name) {
				out = append(out, name)
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
	cmds := saveCommands(p.Workload, podsToSave(p, held))
	if ttl := ttlOf(p.Workload); ttl != "" {
		return do(say("save the manifests, the events and the logs: ttlSecondsAfterFinished is %s, so that Job and pods are deleted that many seconds after the Job ends", ttl), cmds...)
	}
	return do(say("save the manifests, the events and the logs, which go with the pod when it is deleted"), cmds...)
}

// saveCommands saves a workload whole: what made it, its pods, their logs from the first line on, and the events. With a
// selector kubectl gives the last lines of a log only, unless it is told. One or two pods that are known are asked for by name.
func saveCommands(w *facts.Workload, pods []*facts.Pod) []string {
	const byName, logs = 2, " --all-containers --prefix --timestamps"
	ns, name := w.Ref.Namespace, w.Ref.Name
	var cmds []string
	if w.ParentKind == "CronJob" {
		cmds = append(cmds, command("kubectl get cronjob %s -n %s -o yaml > "+fileName(w.ParentName)+"-cronjob.yaml", w.ParentName, ns))
	}
	if w.IsJob() {
		cmds = append(cmds, command("kubectl get job %s -n %s -o yaml > "+fileName(name)+"-job.yaml", name, ns))
	}
	if w.IsJob() && (len(pods) == 0 || len(pods) > byName) {
		cmds = append(cmds, command("kubectl get pod -n %s -l job-name=%s -o yaml > "+fileName(name)+"-pods.yaml", ns, name),
			command("kubectl logs -n %s -l job-name=%s"+logs+" --tail=-1 > "+fileName(name)+".log", ns, name))
		return append(cmds, command("kubectl get events -n %s -o yaml > "+fileName(name)+"-events.yaml", ns))
	}
	for _, pod := range savedPods(w, pods) {
		cmds = append(cmds, command("kubectl get pod %s -n %s -o yaml > "+fileName(pod)+"-pod.yaml", pod, ns),
			command("kubectl logs %s -n %s"+logs+" > "+fileName(pod)+".log", pod, ns))
	}
	return append(cmds, command("kubectl get events -n %s -o yaml > "+fileName(name)+"-events.yaml", ns))
}

// podsToSave are the held pods, or all of the Job (nil) where others are open that may end with it.
func podsToSave(p *analyze.Pass, held []analyze.PodJudgement) []*facts.Pod {
	if len(atWorkBeside(p)) > 0 {
		return nil
	}
	return podsIn(held)
}

func podsIn(held []analyze.PodJudgement) []*facts.Pod {
	var out []*facts.Pod
	for _, h := range held {
		out = append(out, h.Pod)
	}
	return out
}

func savedPods(w *facts.Workload, pods []*facts.Pod) []string {
	if len(pods) == 0 {
		return []string{w.Ref.Name}
	}
	return namesOfPods(pods)
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

// endOne says how a container that holds its pod is ended: by a call that is known to work in this pod, else by a stop
// signal from within, of which the exit code is not known beforehand.
func endOne(k *knowledge.Base, c *facts.Container) act {
	if c.Running() == nil {
		return do(say("%s of pod %s does not run at the moment (%s): it cannot be asked to end", c.Name, c.Pod.Meta.Name, c.State()))
	}
	return endRunning(k, c)
}

// endsNever says that a container is started again also after exit code 0, so that ending it lets no pod end.
func endsNever(c *facts.Container) bool {
	return c.Spec != nil && c.Spec.RestartPolicy != "" && c.RestartsAfter(0) == version.Yes
}

// endRunning is endOne for a container that runs, or will.
func endRunning(k *knowledge.Base, c *facts.Container) act {
	if endsNever(c) {
		return do(say("%s of pod %s has restartPolicy Always of its own and is started again after every end: only the end of the pod ends it", c.Name, c.Pod.Meta.Name))
	}
	h, known := entryOf(k, c)
	call := callOf(k, c)
	if call.can == version.No {
		if known && h.EndedByOthers() {
			return do(say("see why %s (%s) of pod %s was not ended by what is to do that: %s", c.Name, h.Product, c.Pod.Meta.Name, h.Stop))
		}
		return endBySignal(c, call.why, h.Signal)
	}
	if !isIstioProxy(c) {
		return do(say("end %s (%s) of pod %s from within the pod, as far as its setup has it: %s", c.Name, h.Product, c.Pod.Meta.Name, h.Stop))
	}
	in := "kubectl exec %s -n %s -c %s -- "
	cmd := command(in+"pilot-agent request POST quitquitquit", c.Pod.Meta.Name, c.Pod.Meta.Namespace, c.Name)
	switch {
	case call.port != envoyPort && noShell(c):
		return endBySignal(c, say("its agent answers a call on port %s, and its image has no curl to make one with", call.port), "")
	case call.port != envoyPort:
		return do(say("end %s of pod %s from within by a call to its agent, which of this release does not end with Envoy: it drains and ends with exit code 0 (it takes the right to exec into the pod, and curl in the image)", c.Name, c.Pod.Meta.Name),
			command(in+"curl -sS -X POST http://localhost:"+call.port+"/quitquitquit", c.Pod.Meta.Name, c.Pod.Meta.Namespace, c.Name))
	case call.can == version.Yes:
		return do(say("end %s of pod %s from within: Envoy quits, the agent ends with it, and the container's exit code is 0 (it takes the right to exec into the pod)", c.Name, c.Pod.Meta.Name), cmd)
	}
	return do(say("end %s of pod %s from within: Envoy quits, and from Istio %s on, which its image does not tell, the agent ends with it and with exit code 0 (it takes the right to exec into the pod)",
		c.Name, c.Pod.Meta.Name, featureSince(k, agentEndsWithEnvoy)), cmd)
}

// endBySignal is what is left without a call: a program that is asked to stop may end with exit code 0, and what follows
// if it does not is up to the pod's restartPolicy. In a pod whose containers share their processes, number 1 is another's.
func endBySignal(c *facts.Container, why analyze.Text, known string) act {
	pod, in := c.Pod, "kubectl exec %s -n %s -c %s -- "
	none := say("no call is known that ends %s of pod %s (%s)", c.Name, pod.Meta.Name, why)
	if noShell(c) {
		return do(say("%s, and its image has no shell to give it a stop signal from within", none))
	}
	text := say("%s. What is left is a stop signal from within (it takes the right to exec into the pod, and a shell in the image). Whether it ends with exit code 0 then is up to the program; with another code %s", none, badEnd(pod))
	if known != "" {
		text = say("%s. What is left is a stop signal from within (it takes the right to exec into the pod, and a shell in the image); %s. With an exit code other than 0 %s", none, known, badEnd(pod))
	}
	if _, fails := failsAlready(pod); fails == version.Yes {
		text = say("%s. What is left is a stop signal from within (it takes the right to exec into the pod, and a shell in the image). The pod fails then, whatever its exit code", none)
	}
	if s := pod.Spec.ShareProcessNamespace; s != nil && *s {
		return do(say("%s. The containers of this pod share their processes: find its number first", text), command(in+"ps -ef", pod.Meta.Name, pod.Meta.Namespace, c.Name))
	}
	return do(text, command(in+"sh -c 'kill -TERM 1'", pod.Meta.Name, pod.Meta.Namespace, c.Name))
}

// badEnd says what an exit code other than 0 of an ordinary container does to its pod.
func badEnd(p *facts.Pod) analyze.Text {
	switch policy, _ := p.RestartPolicy(); policy {
	case "OnFailure", "Always":
		return say("the kubelet starts it again (restartPolicy %s), and it holds the pod as before", policy)
	case "Never":
		return say("the pod fails, though the program succeeded, and what made the pod may run it again: only where that does no harm")
	}
	return say("the pod fails under restartPolicy Never, and under OnFailure the kubelet starts it again; the bundle does not show which it is")
}

// failureAhead warns that a failure which begins to count has consequences of its own, with whether the program runs again by
// that; nothing where none does.
func failureAhead(p *analyze.Pass, held []analyze.PodJudgement) act {
	bad, fails := failsAtEnd(held)
	hidden := podsIn(hiddenIn(held))
	switch {
	case len(hidden) == 0 && fails == version.No:
		return act{}
	case len(hidden) == 0 && fails == version.Maybe:
		return do(say("know what may follow: %s. With an exit code other than 0 %s", endedBeside(bad), badEnd(bad.Pod)))
	case !p.Workload.IsJob():
		return do(say("know what follows: the pod becomes Failed, and whatever waits for it acts on that"))
	case len(hidden) > 0:
		text, again := onceFailed(p.Workload, hidden)
		return act{what: say("know what follows: %s becomes Failed; %s", list(namesOfPods(hidden)), text), runs: again}
	}
	text, again := onceFailed(p.Workload, []*facts.Pod{bad.Pod})
	text = say("know what follows: %s exited %d, and under restartPolicy Never that fails the pod once %s has ended, though the program succeeded; %s",
		bad.Name, bad.Terminated().ExitCode, list(heldBy(held)), text)
	if again {
		text = say("%s. Where that must not be, leave out the next steps and delete the Job", text)
	}
	return act{what: text, runs: again}
}

// hiddenIn are those of the held pods whose program has failed.
func hiddenIn(held []analyze.PodJudgement) []analyze.PodJudgement {
	return slices.DeleteFunc(slices.Clone(held), func(h analyze.PodJudgement) bool { return h.Code != FailureHiddenBySidecar })
}

func namesOfPods(pods []*facts.Pod) []string {
	var out []string
	for _, p := range pods {
		out = append(out, p.Meta.Name)
	}
	return out
}

// giveUp is what remains where a held pod cannot be ended from within.
func giveUp(p *analyze.Pass, tried bool) act {
	w := p.Workload
	when := say("only where that is refused or has no effect")
	if !tried {
		when = say("what remains")
	}
	if !w.IsJob() {
		return do(say("%s: delete the pod. It does not end as Succeeded then, its logs are gone, and what made it may take that for a failure and run the program again", when),
			command("kubectl delete pod %s -n %s", w.Ref.Name, w.Ref.Namespace))
	}
	return deleteJob(p, say("%s: delete the Job. It never becomes complete then, its pods and their logs are gone, and whoever makes it again runs the program once more, which has ended already", when), nil, nil)
}

// nowVerify is how each pod has ended once what held it has, or that the Job is complete by that.
func nowVerify(p *analyze.Pass, held []analyze.PodJudgement) act {
	w, ns := p.Workload, p.Workload.Ref.Namespace
	look := command("kubectl get pod %s -n %s -o jsonpath='{.status.phase}{\"\\n\"}'", held[0].Pod.Meta.Name, ns)
	_, fails := failsAtEnd(held)
	hidden := hiddenIn(held)
	switch {
	case len(held) > 1 && len(hidden) > 0 && len(hidden) < len(held):
		return do(say("the phase of each pod is Succeeded, but Failed of %s", list(fewOf(namesOfPods(podsIn(hidden))))), command("kubectl get pod -n %s -l job-name=%s", ns, w.Ref.Name))
	case len(hidden) > 0 || fails == version.Yes:
		return do(say("the pod's phase is Failed"), look)
	case fails == version.Maybe || !w.IsJob() || w.Job != nil && more(w.Job.Spec.Completions) || len(atWorkBeside(p)) > 0:
		return do(say("the pod's phase is Succeeded"), look)
	}
	return do(say("the Job gets the condition Complete=True"), command("kubectl wait --for=condition=complete job/%s -n %s --timeout=2m", w.Ref.Name, ns))
}

func nowAvoid(p *analyze.Pass, held []analyze.PodJudgement) []analyze.Text {
	var out []analyze.Text
	never := slices.ContainsFunc(culpritsOf(p), endsNever)
	if _, fails := failsAtEnd(held); p.Verdict.Code != FailureHiddenBySidecar && fails != version.Yes && !never {
		out = append(out, endingBadly(heldBy(held), held[0].Pod))
	}
	if p.Workload.IsJob() {
		out = append(out, say("deleting the pod alone: where the Job does not count it as succeeded, it makes another, which runs the program again"))
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
