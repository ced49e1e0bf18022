package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// pull: the registry's answer stands in the events, and the kubelet goes on asking.
func (l *looker) pull() *analyze.Advice {
	if l.c == nil || l.c.Waiting() == nil {
		return nil
	}
	image := l.c.Image()
	acts := []act{l.describe(say("read the registry's answer in the pod's newest events"))}
	if said := registrySaid(l.c); said != "" {
		acts = []act{l.describe(say("read the registry's answer, which was %q, and in the pod's newest events what it is by now", said))}
	}
	switch l.c.Waiting().Reason {
	case "InvalidImageName":
		acts = append(acts, do(say("%s is no name that an image can have", image)))
	case "ErrImageNeverPull":
		acts = append(acts, do(say("with imagePullPolicy Never %s has to be on node %s already", image, orNone(l.pod.Spec.NodeName))))
	default:
		acts = append(acts, do(say("see whether the registry has %s under that name and tag, whether node %s reaches it, and whether the pod may pull it (imagePullSecrets)", image, orNone(l.pod.Spec.NodeName))),
			do(say("the kubelet goes on trying: once the image can be had %s, without a new Job", l.goesOn())))
	}
	acts = append(acts, l.holdsThen()...)
	return l.advice(say("see why the image of %s cannot be had", l.c.Name), append(acts, l.mend()...)...)
}

// registrySaid gives what a registry answered, as far as the pod or its events tell: that the kubelet waits before it asks
// again is no answer.
func registrySaid(c *facts.Container) string {
	answer := func(text string) string {
		if rest, ok := strings.CutPrefix(text, "Back-off pulling image "); ok {
			_, rest, _ = strings.Cut(rest, ": ")
			return rest
		}
		return text
	}
	if said := answer(c.Waiting().Message); said != "" {
		return said
	}
	said := ""
	for _, e := range c.Pod.Events {
		path := e.About().FieldPath
		if e.Reason == "Failed" && strings.HasPrefix(e.Text(), "Failed to pull image") && (path == "" || strings.Contains(path, "{"+c.Name+"}")) {
			said = e.Text()
		}
	}
	return said
}

// goesOn is what the kubelet does with a pod as soon as the container that it waits for can be made.
func (l *looker) goesOn() analyze.Text {
	switch {
	case l.late():
		return say("%s starts", l.c.Name)
	case l.c != nil && l.c.Pod.Status.Phase == "Running":
		return say("%s begins", l.c.Name)
	}
	return say("the pod begins")
}

// late says that a container is an ordinary sidecar of a program that has ended already: nothing begins with it, and it
// holds the pod from then on.
func (l *looker) late() bool {
	if l.c == nil || l.c.Role != facts.Sidecar || l.c.Placement != facts.Ordinary || endless(l.w, l.pod) {
		return false
	}
	apps := 0
	for _, c := range l.pod.Of(facts.IsPlaced(facts.Ordinary)) {
		switch {
		case c.Role == facts.Sidecar:
		case c.Terminated() == nil:
			return false
		default:
			apps++
		}
	}
	return apps > 0
}

// holdsThen says what comes after such a sidecar has started, and how it is ended; also what spares the next run.
func (l *looker) holdsThen() []act {
	if !l.late() {
		return nil
	}
	end := endRunning(l.p, l.c)
	out := []act{do(say("that alone does not let the %s end: the program has ended already, and %s, as an ordinary container, holds the pod open from then on", l.w.Ref.Kind, l.c.Name)),
		do(say("once it runs: %s", end.what), end.cmds...)}
	for _, c := range l.pod.Of(facts.IsPlaced(facts.Ordinary), facts.IsRole(facts.Sidecar)) {
		if c != l.c && c.Running() != nil {
			out = append(out, endOne(l.p, c))
		}
	}
	if isIstioProxy(l.c) {
		if istioJob(l.p) {
			out = append(out, do(say("so that the next run is not held: %s", nativeAdvice(l.p).Summary)))
		}
		return out
	}
	return append(out, do(say("so that the next run is not held: %s", sidecarAdvice(l.p, []*facts.Container{l.c}).Summary)))
}

func (l *looker) start() *analyze.Advice {
	acts := []act{l.describe(say("read the message of the container and the pod's newest events: they name what is missing")),
		do(say("the kubelet goes on trying: once what is missing is there %s, without a new Job", l.goesOn()))}
	acts = append(acts, l.holdsThen()...)
	return l.advice(say("see what the pod lacks to begin"), append(acts, l.mend()...)...)
}

func (l *looker) schedule() *analyze.Advice {
	if gates := l.pod.Spec.SchedulingGates; len(gates) > 0 {
		return l.advice(say("see what keeps scheduling gate %s on the pod: whoever set it takes it off", gates[0].Name), l.describe(say("see the pod's events")))
	}
	return l.advice(say("see what stands against each node"), l.describe(say("read the newest FailedScheduling event, which counts the nodes by what stands against them")),
		do(say("see what the nodes have left, and their taints"), "kubectl describe nodes"),
		do(say("the scheduler tries again by itself when a pod ends or a node changes")))
}

// sidecar: the application begins as soon as the sidecar counts as started.
func (l *looker) sidecar() *analyze.Advice {
	if l.c == nil {
		return nil
	}
	if w := l.c.Waiting(); w != nil && contains(pullReasons, w.Reason) {
		return l.pull()
	}
	if w := l.c.Waiting(); w != nil && contains(startReasons, w.Reason) {
		return l.start()
	}
	acts := []act{l.log(), l.describe(say("read the answers to its startup probe in the pod's events"))}
	if end := endOf(l.c); end != nil {
		acts = append(acts, l.meaning(end)...)
	}
	return l.advice(say("read why %s does not start: the application begins as soon as it has", l.c.Name), acts...)
}

// blocked: no field of the pod that would help can be changed.
func (l *looker) blocked() *analyze.Advice {
	if l.c == nil || l.c.PlacementDoubt != "" {
		return nil
	}
	acts := []act{do(say("save the pod, which shows what came of its template, and what belongs to it"), saveCommands(l.w, nil)...),
		do(say("mend what places %s, the template or what injects it: the init containers of a pod that exists cannot be changed", l.c.Name))}
	if l.w.IsJob() {
		acts = append(acts, deleteJob(l.p, say("then delete the Job, whose program has not begun in this pod, and make it again"), nil, nil))
	}
	return l.advice(say("this pod never begins: mend what places %s, and make a new one", l.c.Name), acts...)
}

func (l *looker) stuck() *analyze.Advice {
	acts := append([]act{l.describe(say("see that it is still as the bundle shows it"))}, l.onNode(say("see whether its node is well, and read the kubelet's log there"))...)
	a := l.advice(say("see why the kubelet did not stop the sidecar"), acts...)
	if l.w.IsJob() {
		a.Avoid = []analyze.Text{say("deleting the pod alone without this in mind: %s", deletionCounts(l.w, []*facts.Pod{l.pod}))}
	}
	return a
}

func (l *looker) terminating() *analyze.Advice {
	acts := []act{l.describe(say("see whether it is still there, and what its events say"))}
	if f := l.pod.Meta.Finalizers; len(f) > 0 {
		acts = append(acts, do(say("whoever set the finalizer (%s) takes it off once its work is done: see that this is at work", list(f))))
	}
	a := l.advice(say("see what keeps the pod from going"), append(acts, l.onNode(say("see whether its node is well: the kubelet ends the containers"))...)...)
	a.Avoid = []analyze.Text{byForce()}
	return a
}

func (l *looker) lost() *analyze.Advice {
	acts := append(l.onNode(say("see whether the node reports again: then the pod's status says how its containers really stand")),
		do(say("where the node does not come back, find out from what the program leaves whether its work is done, before another pod runs it again")))
	a := l.advice(say("see to the node first: what the pod's status says is old"), acts...)
	a.Avoid = []analyze.Text{byForce()}
	return a
}

// byForce quotes what the documentation of kubectl delete warns of.
func byForce() analyze.Text {
	return say("kubectl delete --force: it does not wait for the node, where the program may run on while another pod runs it again")
}
