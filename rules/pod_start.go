package rules

import (
	"strconv"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// podImagePull: a regular container waits for an image that cannot be had. An ordinary sidecar without its image
// matters only once every application container has ended; before that the application is the story.
func podImagePull(v *podView) answer {
	for _, c := range v.apps {
		if w := c.Waiting(); w != nil && contains(pullReasons, w.Reason) {
			return v.pullAnswer(c, say("the image of container %s could not be pulled (%s)", c.Name, w.Reason))
		}
	}
	if anyRunning(v.apps) {
		return no()
	}
	for _, c := range v.helpers {
		w := c.Waiting()
		if w == nil || !contains(pullReasons, w.Reason) {
			continue
		}
		a := v.pullAnswer(c, say("the image of sidecar %s could not be pulled (%s)", c.Name, w.Reason))
		if _, done := allExitedZero(v.apps); done {
			a.summary = say("the application had exited 0; the image of the ordinary sidecar %s could not be pulled (%s), so the pod stays Pending", c.Name, w.Reason)
			a.evidence = append(exits(v.p), a.evidence...)
		}
		if still := running(v.helpers); len(still) > 0 {
			a.summary = say("%s. Also running: the ordinary sidecar %s, which holds the pod open even when the image is there", a.summary, list(names(still)))
			for _, s := range still {
				a.evidence = append(a.evidence, s.EvState())
			}
		}
		return a
	}
	return no()
}

func (v *podView) pullAnswer(c *facts.Container, summary analyze.Text) answer {
	a := yes(summary, append(evWaiting(c), c.EvImage())...)
	a.evidence = append(a.evidence, podEventsAbout(v.p, c.Name, "Failed", "BackOff")...)
	a.culprits = []string{c.Name}
	a.summary = say("%s; %s", a.summary, deadlineNote(v, &a))
	return a
}

// deadlineNote says whether a deadline will end the wait.
func deadlineNote(v *podView, a *answer) analyze.Text {
	if j := v.w.Job; j != nil && j.Spec.ActiveDeadlineSeconds != nil {
		a.evidence = append(a.evidence, j.Ev("spec.activeDeadlineSeconds", count(j.Spec.ActiveDeadlineSeconds)))
		if ends, _ := v.deadline(); !ends.IsZero() && v.c.At.Known && v.c.At.V.After(ends) {
			return v.deadlineText(ends)
		}
		return say("activeDeadlineSeconds (%d) will fail the Job", *j.Spec.ActiveDeadlineSeconds)
	}
	if d := v.p.Spec.ActiveDeadlineSeconds; d != nil {
		a.evidence = append(a.evidence, v.p.Ev("spec.activeDeadlineSeconds", count(d)))
		return say("the pod's activeDeadlineSeconds (%d) will end it", *d)
	}
	return say("no activeDeadlineSeconds is set, so nothing ends the wait")
}

// setupReasons are events that tell why a pod's containers cannot even be created.
var setupReasons = []string{"FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "FailedCreatePodContainer", "FailedMapVolume",
	"NetworkNotReady", "FailedPodSandBoxStatus"}

// patience is how long a container may be "creating" before that is called a failure without an event that says why.
const patience = 10 * time.Minute

func podCannotStart(v *podView) answer {
	for _, c := range v.regular() {
		w := c.Waiting()
		if w == nil || !contains(startReasons, w.Reason) {
			continue
		}
		if c.Role == facts.Sidecar && anyRunning(v.apps) {
			continue
		}
		a := yes(say("container %s could not be created or started (%s): %s", c.Name, w.Reason, w.Message), evWaiting(c)...)
		a.culprits = []string{c.Name}
		return a
	}
	if appBegan(v) {
		return no()
	}
	return podSetup(v)
}

// podSetup judges a pod of which a container has not been created yet, and no application has begun.
func podSetup(v *podView) answer {
	if e := v.setupFailure(); e != nil {
		return yes(say("the pod's containers could not be created (%s): %s", e.Reason, e.Text()), evEvent(e))
	}
	var first *facts.Container
	for _, c := range v.p.Containers {
		if w := c.Waiting(); w != nil && (w.Reason == "ContainerCreating" || w.Reason == "PodInitializing") {
			first = c
			break
		}
	}
	if first == nil {
		return no()
	}
	look := analyze.Missing{What: say("a later look at the pod, with its events"),
		Command: command("kubectl describe pod %s -n %s", v.p.Meta.Name, v.p.Meta.Namespace)}
	if e := v.pulling(first); e != nil {
		a := yes(say("the image of container %s was being pulled when the bundle was taken; nothing in the bundle says that it failed", first.Name), first.EvState(), evEvent(e))
		a.code, a.missing = InsufficientEvidence, []analyze.Missing{look}
		return a
	}
	if from, what, ev := v.couldBegin(); v.c.At.Known && !from.IsZero() && v.c.At.V.Sub(from) > patience {
		return yes(say("container %s had not been created %s after %s, and no event in the bundle says why", first.Name, span(v.c.At.V.Sub(from)), what), first.EvState(), ev)
	}
	a := yes(say("the pod was just starting when the bundle was taken"), first.EvState())
	a.code, a.missing = InsufficientEvidence, []analyze.Missing{look}
	return a
}

// couldBegin is the newest moment from which on a kubelet could make the containers that still wait: the pod is there, has
// its node, and what stands in its initContainers has ended or, as a native sidecar, started. what says which it is.
func (v *podView) couldBegin() (from time.Time, what analyze.Text, ev evidence.Evidence) {
	later := func(t kube.Time, happened analyze.Text, e evidence.Evidence) {
		if t.After(from) {
			from, what, ev = t.Time, happened, e
		}
	}
	created := v.p.Meta.Created
	later(created, say("the pod was created"), v.p.Ev("metadata.creationTimestamp", created.String()))
	if c := trueCondition(v.p.Status.Conditions, "PodScheduled"); c != nil {
		later(c.LastTransitionTime, say("the pod was scheduled"), v.p.Ev("status.conditions[type=PodScheduled].lastTransitionTime", c.LastTransitionTime.String()))
	}
	for _, c := range v.p.Containers {
		if c.Placement == facts.Ordinary {
			continue
		}
		if t := c.Terminated(); t != nil {
			later(t.FinishedAt, say("init container %s had ended", c.Name), v.p.Ev(c.StatusPath("state.terminated.finishedAt"), t.FinishedAt.String()))
		}
		if r := c.Running(); r != nil {
			later(r.StartedAt, say("%s had started", c.Name), v.p.Ev(c.StatusPath("state.running.startedAt"), r.StartedAt.String()))
		}
	}
	return from, what, ev
}

// setUp are events that a kubelet sends of a container once the pod has its volumes and its sandbox.
var setUp = []string{"Pulling", "Pulled", "Created", "Started"}

// setupFailure gives the newest event that tells why a pod's containers cannot be created, nil where later ones show that
// this was overcome: a volume whose ConfigMap comes a moment late leaves such an event too.
func (v *podView) setupFailure() *kube.Event {
	var later *kube.Event
	for i := len(v.p.Events) - 1; i >= 0; i-- {
		e := v.p.Events[i]
		switch {
		case contains(setUp, e.Reason) && later == nil:
			later = e
		case contains(setupReasons, e.Reason) && later != nil && cameLater(later, e):
			return nil
		case contains(setupReasons, e.Reason):
			return e
		}
	}
	return nil
}

// cameLater says that one event of a pod came after another that stands before it in the list: by their times, or by their
// order in one text, which has ages only.
func cameLater(later, e *kube.Event) bool {
	if later.Last().IsZero() || e.Last().IsZero() {
		return later.Last().IsZero() && e.Last().IsZero() && later.Origin.File == e.Origin.File
	}
	return later.Last().After(e.Last().Time)
}

// pulling gives the event that says that a container's image is being pulled, if nothing later is said of it.
func (v *podView) pulling(c *facts.Container) *kube.Event {
	for i := len(v.p.Events) - 1; i >= 0; i-- {
		e := v.p.Events[i]
		if !strings.Contains(e.About().FieldPath, "{"+c.Name+"}") && !strings.Contains(e.Text(), strconv.Quote(c.Image())) {
			continue
		}
		if e.Reason == "Pulling" {
			return e
		}
		return nil
	}
	return nil
}

func anyRunning(cs []*facts.Container) bool { return len(running(cs)) > 0 }

func running(cs []*facts.Container) []*facts.Container {
	var out []*facts.Container
	for _, c := range cs {
		if c.Running() != nil {
			out = append(out, c)
		}
	}
	return out
}

// crashRestarts and crashWindow make "restarts again and again" of a container that happens to be up: it came back at
// least so often after failures, and the present try is younger than the kubelet's longest back-off.
const (
	crashRestarts = 3
	crashWindow   = 10 * time.Minute
)

func podCrashLooping(v *podView) answer {
	for _, c := range v.apps {
		if c.Status == nil {
			continue
		}
		last, path := c.Status.LastState.Terminated, "lastState.terminated"
		switch w := c.Waiting(); {
		case w != nil && w.Reason == "CrashLoopBackOff":
		case c.Running() != nil && c.Status.RestartCount >= crashRestarts && last != nil && last.ExitCode != 0 && v.young(c):
		case endsAgain(c):
			last, path = c.Terminated(), "state.terminated"
		default:
			continue
		}
		ev := []evidence.Evidence{c.EvState(), v.p.Ev(c.StatusPath("restartCount"), count(&c.Status.RestartCount))}
		exit := sentence.Fixed("an unknown code")
		if last != nil {
			exit = count(&last.ExitCode)
			ev = append(append(ev, v.p.Ev(c.StatusPath(path+".exitCode"), exit)), evReason(c, path, last)...)
			if last.Message != "" {
				ev = append(ev, v.p.Ev(c.StatusPath(path+".message"), last.Message))
			}
		}
		a := yes(say("container %s crashes again and again (%s, last exit %s)", c.Name, restartsOf(c.Status.RestartCount), exit), ev...)
		if last != nil && last.ExitCode == 0 {
			a.summary = say("container %s ends with exit code 0 and is started again each time (%s)", c.Name, restartsOf(c.Status.RestartCount))
		}
		a.culprits = []string{c.Name}
		return a
	}
	return no()
}

func (v *podView) young(c *facts.Container) bool {
	return v.c.At.Known && v.c.At.V.Sub(c.Running().StartedAt.Time) < crashWindow
}

// endsAgain says that a container has ended and is to be started again, not for the first time where it failed.
func endsAgain(c *facts.Container) bool {
	t := c.Terminated()
	return t != nil && c.RestartsAfter(t.ExitCode) == version.Yes && (t.ExitCode == 0 && c.Spec != nil && c.Spec.RestartPolicy != "" || t.ExitCode != 0 && c.Status.RestartCount > 0)
}
