package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// endNow ends what holds the pods, looks whether that was enough, and says what remains where it is not to be had.
func endNow(p *analyze.Pass, held []analyze.PodJudgement) []act {
	const shown, shownIn = 3, 10 // pods, and containers of each
	var out []act
	held = succeedingFirst(held)
	warn, again := failureAhead(p, held)
	for _, text := range []analyze.Text{warn, successAhead(p, held)} {
		if !text.IsZero() {
			out = append(out, do(text))
		}
	}
	tried := false
	for i, h := range held {
		culprits := named(h.Culprits, h.Pod)
		for n, c := range culprits {
			if i < shown && n < shownIn {
				end := endOne(p, c)
				end.runs = end.runs || slices.Contains(again, h.Pod) // by what the Job controller makes of it
				out = append(out, end)
			}
			tried = tried || c.Running() != nil && !endsNever(c)
		}
		if rest := len(culprits) - shownIn; i < shown && rest > 0 {
			out = append(out, do(say("do the same with the containers of pod %s that are not named here: %d", h.Pod.Meta.Name, rest)))
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

// endOne says how a container that holds its pod is ended: by a call that is known to work in this pod, else by a stop
// signal from within, of which the exit code is not known beforehand.
func endOne(p *analyze.Pass, c *facts.Container) act {
	if c.Running() == nil {
		return do(say("%s of pod %s does not run at the moment (%s): it cannot be asked to end", c.Name, c.Pod.Meta.Name, c.State()))
	}
	return endRunning(p, c)
}

// endsNever says that a container is started again also after exit code 0, so that ending it lets no pod end.
func endsNever(c *facts.Container) bool {
	return c.Spec != nil && c.Spec.RestartPolicy != "" && c.RestartsAfter(0) == version.Yes
}

// endRunning is endOne for a container that runs, or will.
func endRunning(p *analyze.Pass, c *facts.Container) act {
	k := p.Know
	if endsNever(c) {
		return do(say("%s of pod %s has restartPolicy Always of its own and is started again after every end: only the end of the pod ends it", c.Name, c.Pod.Meta.Name))
	}
	h, known := entryOf(k, c)
	call := callOf(k, c)
	if call.can == version.No {
		if known && h.EndedByOthers() {
			return do(say("see why %s (%s) of pod %s was not ended by what is to do that: %s", c.Name, h.Product, c.Pod.Meta.Name, h.Stop))
		}
		return endBySignal(p, c, call.why, h)
	}
	if !isIstioProxy(c) {
		return do(say("end %s (%s) of pod %s from within the pod, as far as its setup has it: %s", c.Name, h.Product, c.Pod.Meta.Name, h.Stop))
	}
	in := "kubectl exec %s -n %s -c %s -- "
	cmd := command(in+"pilot-agent request POST quitquitquit", c.Pod.Meta.Name, c.Pod.Meta.Namespace, c.Name)
	switch {
	case call.port != envoyPort && noShell(c):
		return endBySignal(p, c, say("its agent answers a call on port %s, and its image has no curl to make one with", call.port), h)
	case call.port != envoyPort:
		return do(say("end %s of pod %s from within by a call to its agent, which ends with exit code 0, of some releases after draining (it takes the right to exec into the pod, and curl in the image)", c.Name, c.Pod.Meta.Name),
			command(in+"curl -sS -X POST http://localhost:"+call.port+"/quitquitquit", c.Pod.Meta.Name, c.Pod.Meta.Namespace, c.Name))
	case call.can == version.Yes:
		return do(say("end %s of pod %s from within: Envoy quits, the agent ends with it, and the container's exit code is 0 (it takes the right to exec into the pod)", c.Name, c.Pod.Meta.Name), cmd)
	}
	return do(say("end %s of pod %s from within: Envoy quits, and from Istio %s on, which its image does not tell, the agent ends with it and with exit code 0 (it takes the right to exec into the pod)",
		c.Name, c.Pod.Meta.Name, featureSince(k, agentEndsWithEnvoy)), cmd)
}

// endBySignal is what is left without a call: a program that is asked to stop may end with exit code 0, and what follows
// if it does not is up to the pod's restartPolicy. In a pod whose containers share their processes, number 1 is another's.
func endBySignal(p *analyze.Pass, c *facts.Container, why analyze.Text, h knowledge.Helper) act {
	pod, in := c.Pod, "kubectl exec %s -n %s -c %s -- "
	none := say("no call is known that ends %s of pod %s (%s)", c.Name, pod.Meta.Name, why)
	if noShell(c) {
		return do(say("%s, and its image has no shell to give it a stop signal from within", none))
	}
	text := say("%s. What is left is a stop signal from within (it takes the right to exec into the pod, and a shell in the image). Whether it ends with exit code 0 then is up to the program; with another code %s", none, badEnd(p, pod))
	if h.Signal != "" {
		text = say("%s. What is left is a stop signal from within (it takes the right to exec into the pod, and a shell in the image); %s. With an exit code other than 0 %s", none, h.Signal, badEnd(p, pod))
	}
	if fails, because := signalFails(c, h); fails {
		return do(say("%s. A stop signal is no way either: %s, and nothing in its container asks for another (%s). With that %s", none, h.Signal, because, badEnd(p, pod)))
	}
	if _, fails := failsAlready(pod); fails == version.Yes {
		text = say("%s. What is left is a stop signal from within (it takes the right to exec into the pod, and a shell in the image). The pod fails then, whatever its exit code", none)
	}
	if s := pod.Spec.ShareProcessNamespace; s != nil && *s {
		return do(say("%s. The containers of this pod share their processes: find its number first", text), command(in+"ps -ef", pod.Meta.Name, pod.Meta.Namespace, c.Name))
	}
	return do(text, command(in+"sh -c 'kill -TERM 1'", pod.Meta.Name, pod.Meta.Namespace, c.Name))
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

// signalFails says that a program ends with another exit code than 0 when it is asked to stop, as its product is known to do where
// nothing tells it otherwise; because names what would.
func signalFails(c *facts.Container, h knowledge.Helper) (fails bool, because sentence.List) {
	need := h.SignalNeeds
	if need.None() || version.FromImage(c.Image()).AtLeast(version.Parse(h.SignalSince)) != version.Yes {
		return false, sentence.List{}
	}
	off, _ := notSet(c, need)
	return off, listOr(need.Words())
}

// nowVerify is how each pod has ended once what held it has, or that the Job is complete by that.
func nowVerify(p *analyze.Pass, held []analyze.PodJudgement) act {
	w, ns := p.Workload, p.Workload.Ref.Namespace
	look := command("kubectl get pod %s -n %s -o jsonpath='{.status.phase}{\"\\n\"}'", held[0].Pod.Meta.Name, ns)
	if len(held) > 1 {
		look = command("kubectl get pod -n %s ", ns) + podsOfJob(w) + " -o custom-columns=NAME:.metadata.name,PHASE:.status.phase"
	}
	_, fails := failsAtEnd(held)
	bad := failing(held)
	switch {
	case len(bad) > 0 && len(bad) < len(held):
		return do(say("the phase of each pod is Succeeded, but Failed of %s", list(fewOf(namesOfPods(bad)))), look)
	case len(bad) > 1:
		return do(say("the phase of each pod is Failed"), look)
	case len(bad) > 0:
		return do(say("the pod's phase is Failed"), look)
	case fails != version.Maybe && completesByThat(p):
		return do(say("the Job gets the condition Complete=True"), command("kubectl wait --for=condition=complete job/%s -n %s --timeout=2m", w.Ref.Name, ns))
	case len(held) > 1:
		return do(say("the phase of each pod is Succeeded"), look)
	}
	return do(say("the pod's phase is Succeeded"), look)
}
