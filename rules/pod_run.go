package rules

import (
	"slices"
	"strconv"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// podAppRunning: the application itself still runs. The readiness of the proxy says nothing about that.
func podAppRunning(v *podView) answer {
	for _, c := range v.apps {
		if c.Role != facts.App || c.Running() == nil {
			continue
		}
		if !c.RoleProven && anyEndedWell(v.apps) {
			return v.firstRunning(c)
		}
		a := yes(say("the application container %s was still running (since %s), so the %s was not due to complete", c.Name,
			atTime(c.Running().StartedAt), v.w.Ref.Kind), c.EvState())
		a = v.whatNow(a, c)
		for _, o := range v.apps {
			if t := o.Terminated(); t != nil && t.ExitCode != 0 {
				a.evidence = append(a.evidence, o.EvState())
			}
		}
		return v.hedged(a, c)
	}
	for _, c := range v.apps {
		if c.Role == facts.App && c.Running() == nil {
			return notSo(say("the application container %s was not running (%s)", c.Name, c.State()), c.EvState())
		}
	}
	return no()
}

// firstRunning: the first container still runs and another has exited 0. It is the application by its place alone; were it
// the other's helper, it would hold the pod.
func (v *podView) firstRunning(c *facts.Container) answer {
	a := yes(say("container %s, the first of the pod and so taken for its application, was still running (since %s), while %s; nothing in the bundle tells which of them does the work. If %s only helps, it holds the %s open",
		c.Name, atTime(c.Running().StartedAt), v.endings(), c.Name, v.w.Ref.Kind), c.EvState())
	for _, o := range v.apps {
		if o.Terminated() != nil {
			a.evidence = append(a.evidence, v.stateAndEnd(o)...)
		}
	}
	a.missing = []analyze.Missing{{What: say("what container %s was doing", c.Name),
		Command: command("kubectl logs %s -n %s -c %s --tail=20 --timestamps", v.p.Meta.Name, v.p.Meta.Namespace, c.Name)}}
	return a
}

// whatNow says that the run is to be left alone and what ends it, or what stands against that.
func (v *podView) whatNow(a answer, app *facts.Container) answer {
	if endless(v.w, v.p) {
		a.summary = say("%s. By the bundle restartPolicy of the pod is Always, with which the kubelet starts it again after every end and the pod never ends", a.summary)
		return a
	}
	alone := v.w.Job == nil || !more(v.w.Job.Spec.Completions) && !more(v.w.Job.Spec.Parallelism)
	for _, c := range v.p.Of(facts.IsPlaced(facts.Ordinary)) {
		ended := c.Terminated()
		if ended != nil && ended.ExitCode != 0 && c.RestartsAfter(ended.ExitCode) == version.No {
			a.summary = say("%s. But %s had exited %d already, so that the pod ends Failed when %s ends, even if %s succeeds", a.summary, c.Name, ended.ExitCode, app.Name, app.Name)
			return a
		}
		alone = alone && (c == app || ended != nil && ended.ExitCode == 0) && c.Spec != nil && c.Spec.RestartPolicy == ""
	}
	a.calm = say("Nothing is to be done for this run before %s ends", app.Name)
	if alone {
		a.calm = say("Nothing is to be done: it will complete when %s ends with exit code 0", app.Name)
	}
	if before := len(a.evidence); len(v.withDeadlines(a).evidence) > before {
		a = v.withDeadlines(a)
		a.calm = say("%s before the deadline", a.calm)
	}
	return a
}

// hedged doubts a status that cannot last: beside a running application the kubelet starts a native sidecar again within
// minutes, so one that has stood as ended for longer tells that the stored status stands still.
func (v *podView) hedged(a answer, app *facts.Container) answer {
	if !v.c.At.Known || v.p.StatusDescribed() {
		return a
	}
	for _, n := range v.natives {
		t := n.Terminated()
		if t == nil || t.FinishedAt.IsZero() || v.c.At.V.Sub(t.FinishedAt.Time) < longestBackOff {
			continue
		}
		a.summary = say("by its stored status the application container %s was still running (since %s); but native sidecar %s had stood as ended since %s, which does not last beside a running application: the status may have stood still since then, and the application may have ended",
			app.Name, atTime(app.Running().StartedAt), n.Name, stamp(t.FinishedAt.Time))
		a.calm = analyze.Text{}
		a.evidence = append(a.evidence, n.EvState(), v.p.Ev(n.StatusPath("state.terminated.finishedAt"), t.FinishedAt.String()))
		a.missing = append(a.missing, analyze.Missing{What: say("whether container %s was really still at work", app.Name),
			Command: command("kubectl logs %s -n %s -c %s --tail=20 --timestamps", v.p.Meta.Name, v.p.Meta.Namespace, app.Name)})
		return a
	}
	return a
}

// anyEndedWell says that one of several candidates for the application has exited 0: the one that still runs may then
// be its helper as well as the application.
func anyEndedWell(cs []*facts.Container) bool {
	for _, c := range cs {
		if t := c.Terminated(); t != nil && t.ExitCode == 0 {
			return true
		}
	}
	return false
}

// podExitUnknown: a container of the application has ended, and the bundle does not have its exit code. Whether the pod is
// held, hides a failure or was to be started again depends on that.
func podExitUnknown(v *podView) answer {
	var dark []*facts.Container
	for _, c := range v.apps {
		if c.Uncoded() != nil {
			dark = append(dark, c)
		}
	}
	if len(dark) == 0 {
		return no()
	}
	a := yes(say("container %s had terminated, and its exit code cannot be read in the bundle: whether it succeeded is not known", list(names(dark))), v.states(dark)...)
	if still := append(running(v.apps), v.holders()...); len(still) > 0 {
		a.summary = say("%s; %s still ran", a.summary, list(names(still)))
		for _, c := range still {
			a.evidence = append(a.evidence, c.EvState(), c.EvPlacement())
		}
	}
	for _, c := range dark {
		a.missing = append(a.missing, analyze.Missing{What: say("the exit code of container %s", c.Name), Command: podYAML(v.p)})
	}
	return a
}

// podOtherRunning: the application has ended and a container runs of which it is not proven that it is a helper, or a
// helper that is made to end by itself and has not.
func podOtherRunning(v *podView) answer {
	still := running(v.apps)
	if len(still) == 0 {
		return no()
	}
	a := yes(say("%s while %s was still running, and the bundle does not show whether that is a sidecar or does work of its own",
		v.endings(), list(names(still))))
	if len(still) > 1 {
		a.summary = say("%s while %s were still running, and the bundle does not show whether they are sidecars or do work of their own",
			v.endings(), list(names(still)))
	}
	if h := still[0].Helper; h != nil && h.EndsItself && len(still) == 1 {
		a.summary = say("the application container had ended (%s); %s (%s) was still running: it is made to end by itself after the application and had not",
			v.endings(), list(names(still)), h.Product)
	}
	for _, c := range v.apps {
		if t := c.Terminated(); t != nil {
			a.evidence = append(a.evidence, v.stateAndEnd(c)...)
		}
	}
	for _, c := range still {
		a.evidence = append(a.evidence, c.EvState(), c.EvPlacement())
	}
	if s := running(v.helpers); len(s) > 0 {
		a.summary = say("%s. The ordinary sidecar %s runs too and would hold the pod after that", a.summary, list(names(s)))
		for _, c := range s {
			a.evidence = append(a.evidence, c.EvState(), c.EvPlacement())
		}
	}
	a.evidence = append(a.evidence, v.p.Ev("status.phase", v.p.Status.Phase), v.p.EvAbsent("metadata.deletionTimestamp"))
	a.culprits = names(still)
	a.since, a.held = v.sinceLastApp()
	return a
}

// endings lists how the application's containers ended: "main exited 0, helper exited 2".
func (v *podView) endings() sentence.List {
	var parts []analyze.Text
	for _, c := range v.apps {
		if t := c.Terminated(); t != nil {
			parts = append(parts, say("%s exited %d", c.Name, t.ExitCode))
		}
	}
	return sentence.ListOf(parts)
}

// sinceLastApp is when the last application container ended, and how long before the reference time.
func (v *podView) sinceLastApp() (since time.Time, held time.Duration) {
	for _, c := range v.apps {
		if t := c.Terminated(); t != nil && t.FinishedAt.After(since) {
			since = t.FinishedAt.Time
		}
	}
	if since.IsZero() || !v.c.At.Known {
		return since, 0
	}
	return since, max(v.c.At.V.Sub(since), 0)
}

// podWaitsForRestart: the application exited non-zero and the kubelet is to start it again, but had not.
func podWaitsForRestart(v *podView) answer {
	for _, c := range v.apps {
		t := c.Terminated()
		if t == nil || t.ExitCode == 0 || c.RestartsAfter(t.ExitCode) != version.Yes {
			continue
		}
		policy, at := c.Policy()
		since, _ := v.sinceLastApp()
		because := say("restartPolicy is %s", policy)
		if c.RuleFor(t.ExitCode) {
			because = say("a rule of its restartPolicyRules has it started again")
		}
		a := yes(say("container %s exited %d at %s and had not been started again, although %s", c.Name, t.ExitCode, stamp(since), because),
			c.EvState(), at, v.p.Ev(c.StatusPath("restartCount"), count(&c.Status.RestartCount)))
		a.culprits = []string{c.Name}
		a.since = since
		return a
	}
	return no()
}

// ended says that every application container has terminated; the sidecar verdicts below all need it.
func (v *podView) ended() bool {
	for _, c := range v.apps {
		if c.Terminated() == nil {
			return false
		}
	}
	return len(v.apps) > 0
}

// holders are the ordinary sidecars that keep the pod from ending: running ones, and those that the kubelet starts
// again and again.
func (v *podView) holders() []*facts.Container {
	out := running(v.helpers)
	for _, c := range v.helpers {
		w, t := c.Waiting(), c.Terminated()
		if w != nil && w.Reason == "CrashLoopBackOff" || t != nil && c.Status.RestartCount > 0 && c.RestartsAfter(t.ExitCode) == version.Yes {
			out = append(out, c)
		}
	}
	return out
}

func podFailureHidden(v *podView) answer {
	hold := v.holders()
	if !v.ended() || len(hold) == 0 {
		return no()
	}
	for _, c := range v.apps {
		t := c.Terminated()
		if t.ExitCode == 0 {
			continue
		}
		policy, at := c.Policy()
		if policy == "" {
			a := yes(say("container %s exited %d while the ordinary sidecar %s runs on; whether the kubelet restarts it depends on restartPolicy, which the bundle does not show",
				c.Name, t.ExitCode, list(names(hold))), c.EvState(), at)
			a.code = AppFailed
			a.missing = []analyze.Missing{{What: say("restartPolicy of the pod"),
				Command: command("kubectl get pod %s -n %s -o yaml", v.p.Meta.Name, v.p.Meta.Namespace)}}
			return a
		}
		unseen := say("backoffLimit, retries and alerts do not see it")
		if !v.w.IsJob() {
			unseen = say("whatever waits for the pod does not see it")
		}
		summary := say("container %s exited %d, and the ordinary sidecar %s keeps the pod from failing: %s", c.Name, t.ExitCode, list(names(hold)), unseen)
		return v.heldAnswer(hold, v.byTemplate(lostEnd(summary, t), policy), at)
	}
	return notSo(say("every application container exited 0"), exits(v.p)...)
}

// byTemplate says of a verdict that rests on restartPolicy where that stands when the pod's copy does not show it. A Job's
// template cannot be changed; a CronJob's can, after the Job was made.
func (v *podView) byTemplate(summary analyze.Text, policy string) analyze.Text {
	switch v.p.MadeFrom() {
	case "Job":
		return say("%s (restartPolicy %s by the template of the Job)", summary, policy)
	case "CronJob":
		return say("%s (restartPolicy %s by the template of the CronJob, if that was the same when the Job was made)", summary, policy)
	}
	return summary
}

// podStateMissing: the bundle has no state of a container that is none of the known sidecars. It may be at work.
func podStateMissing(v *podView) answer {
	hold := v.holders()
	if !v.ended() || len(hold) == 0 {
		return no()
	}
	for _, c := range unreported(v.helpers) {
		if c.Helper != nil && !c.Helper.Conflict {
			continue
		}
		a := yes(say("%s and %s still ran, and the bundle has no state of container %s, which may be at work as well", v.endings(), list(names(hold)), c.Name),
			append(exits(v.p), c.EvState())...)
		for _, h := range hold {
			a.evidence = append(a.evidence, h.EvState(), h.EvPlacement())
		}
		a.missing = []analyze.Missing{{What: say("the state of container %s", c.Name), Command: podYAML(v.p)}}
		return a
	}
	return no()
}

// unreported gives those of some containers of which the bundle has no state.
func unreported(cs []*facts.Container) []*facts.Container {
	var out []*facts.Container
	for _, c := range cs {
		if stateless(c) {
			out = append(out, c)
		}
	}
	return out
}

// stateless says that the bundle has no state of a container.
func stateless(c *facts.Container) bool {
	w := c.Waiting()
	return c.Status == nil || w != nil && w.Reason == ""
}

func podHeld(v *podView) answer {
	hold := v.holders()
	if !v.ended() {
		return no()
	}
	if len(hold) == 0 {
		if len(v.helpers) == 0 {
			return notSo(say("the pod has no ordinary sidecar that could hold it"), v.placements()...)
		}
		if len(unreported(v.helpers)) > 0 {
			return no()
		}
		return notSo(say("no ordinary sidecar was running any more"), v.states(v.helpers)...)
	}
	if _, zero := allExitedZero(v.apps); !zero {
		return no()
	}
	since, held := v.sinceLastApp()
	if dark := unreported(v.helpers); len(dark) > 0 {
		a := v.heldAnswer(hold, say("%s; %s, in spec.containers, still ran and held the pod open; of %s, which is there too, the bundle has no state",
			v.exited(since), list(names(hold)), list(names(dark))), v.states(dark)...)
		a.missing = []analyze.Missing{{What: say("the state of container %s", dark[0].Name), Command: podYAML(v.p)}}
		return a
	}
	if len(running(hold)) < len(hold) {
		return v.heldByRestarts(hold, since)
	}
	if held > 0 && held < brief && !v.c.AtFloor {
		a := v.heldAnswer(hold, say("%s; %s, in spec.containers, still ran %s later, which is short: look again",
			v.exited(since), list(names(hold)), span(held)))
		a.missing = []analyze.Missing{v.laterLook()}
		return a
	}
	if held > 0 && v.c.AtFloor {
		return v.heldAnswer(hold, say("%s; only %s, in spec.containers, still ran and held the pod open for at least %s",
			v.exited(since), list(names(hold)), span(held)))
	}
	if held > 0 {
		return v.heldAnswer(hold, say("%s; only %s, in spec.containers, still ran and held the pod open for %s",
			v.exited(since), list(names(hold)), span(held)))
	}
	return v.heldAnswer(hold, say("%s; only %s, in spec.containers, still ran and held the pod open",
		v.exited(since), list(names(hold))))
}

// exited says that all that had to end by itself has ended well, and when. A known helper among it is not the application.
func (v *podView) exited(last time.Time) analyze.Text {
	var apps, helpers []*facts.Container
	for _, c := range v.apps {
		if c.Role == facts.Sidecar {
			helpers = append(helpers, c)
		} else {
			apps = append(apps, c)
		}
	}
	if len(helpers) == 0 || len(apps) == 0 {
		return say("the application (%s) exited 0 at %s", list(names(v.apps)), stamp(last))
	}
	return say("the application (%s) and beside it %s exited 0, the last of them at %s", list(names(apps)), list(names(helpers)), stamp(last))
}

// heldByRestarts speaks of sidecars some of which do not run at the moment: the kubelet starts them again and again, and
// the Job controller counts that.
func (v *podView) heldByRestarts(hold []*facts.Container, since time.Time) answer {
	var doing []analyze.Text
	var more []evidence.Evidence
	for _, c := range hold {
		if c.Running() != nil {
			doing = append(doing, say("%s ran", c.Name))
			continue
		}
		more = append(more, v.p.Ev(c.StatusPath("restartCount"), countOf(restarts(c))))
		exit := sentence.Fixed("an unknown code")
		if t := c.Status.LastState.Terminated; t != nil {
			exit = count(&t.ExitCode)
			more = append(more, v.p.Ev(c.StatusPath("lastState.terminated.exitCode"), exit))
		}
		doing = append(doing, say("%s waited to be started again (%s, %s, last exit %s)", c.Name, c.State(), restartsOf(restarts(c)), exit))
	}
	a := v.heldAnswer(hold, say("%s; what held the pod open stands in spec.containers: %s", v.exited(since), list(doing)), more...)
	if policy, at := v.p.RestartPolicy(); v.w.Job != nil && policy == "OnFailure" {
		j := v.w.Job
		a.summary = say("%s. Under restartPolicy OnFailure these restarts count against backoffLimit (%s): when they reach it the Job becomes Failed, though the application exited 0", a.summary, count(j.Spec.BackoffLimit))
		a.evidence = append(a.evidence, at, evCount(j, "spec.backoffLimit", j.Spec.BackoffLimit))
	}
	return a
}

// brief is a hold too short to tell a sidecar that never ends from one that ends a moment after the application.
const brief = 30 * time.Second

// stateAndEnd is a container's state, and when it ended.
func (v *podView) stateAndEnd(c *facts.Container) []evidence.Evidence {
	out := []evidence.Evidence{c.EvState()}
	if t := c.Terminated(); t != nil && !t.FinishedAt.IsZero() {
		out = append(out, v.p.Ev(c.StatusPath("state.terminated.finishedAt"), t.FinishedAt.String()))
	}
	return out
}

// heldAnswer makes the argument of a held pod: how the application ended, what still runs and where it stands.
func (v *podView) heldAnswer(hold []*facts.Container, summary analyze.Text, more ...evidence.Evidence) answer {
	a := yes(summary)
	for _, c := range v.apps {
		a.evidence = append(a.evidence, v.stateAndEnd(c)...)
	}
	for _, c := range hold {
		a.evidence = append(a.evidence, c.EvState(), c.EvPlacement())
	}
	a.evidence = append(a.evidence, more...)
	a.evidence = append(a.evidence, v.p.Ev("status.phase", v.p.Status.Phase), v.p.EvAbsent("metadata.deletionTimestamp"))
	a.culprits = names(hold)
	a.since, a.held = v.sinceLastApp()
	return v.withDeadlines(a)
}

// withDeadlines adds what ends a pod that goes on: the deadline of the Job, and one of the pod's own.
func (v *podView) withDeadlines(a answer) answer {
	if ends, at := v.deadline(); !ends.IsZero() {
		a.evidence = append(a.evidence, at)
		a.summary = say("%s; %s", a.summary, v.deadlineText(ends))
	}
	if ends, at := v.ownDeadline(); !ends.IsZero() {
		a.evidence = append(a.evidence, at)
		a.summary = say("%s; activeDeadlineSeconds of the pod's own fails the pod at %s", a.summary, stamp(ends))
	}
	return a
}

// ownDeadline is when the kubelet ends the pod by an activeDeadlineSeconds of the pod's own, which counts from the pod's
// start (activeDeadlineHandler); zero where there is none, or where the moment is over and says nothing of what comes.
func (v *podView) ownDeadline() (time.Time, evidence.Evidence) {
	d := v.p.Spec.ActiveDeadlineSeconds
	if d == nil || v.p.Status.StartTime.IsZero() {
		return time.Time{}, evidence.Evidence{}
	}
	ends := v.p.Status.StartTime.Add(time.Duration(*d) * time.Second)
	if v.c.At.Known && !ends.After(v.c.At.V) {
		return time.Time{}, evidence.Evidence{}
	}
	return ends, v.p.Ev("spec.activeDeadlineSeconds", count(d))
}

// deadlineText says what a deadline does, or that it is over: the Job controller acts within moments, unless it does not
// act at all. describe prints no conditions.
func (v *podView) deadlineText(ends time.Time) analyze.Text {
	switch {
	case !v.c.At.Known || v.c.At.V.Sub(ends) < killMargin:
		return say("activeDeadlineSeconds fails the Job at %s", stamp(ends))
	case v.w.Job.Described() || failedReason(v.w.Job) != "":
		return say("activeDeadlineSeconds had run out at %s", stamp(ends))
	}
	return say("activeDeadlineSeconds had run out at %s, and the Job has no condition Failed: the Job controller had not acted on it", stamp(ends))
}

// deadline is when the Job's activeDeadlineSeconds runs out; zero when it has none or has not started.
func (v *podView) deadline() (time.Time, evidence.Evidence) {
	j := v.w.Job
	if j == nil || j.Spec.ActiveDeadlineSeconds == nil || j.Status.StartTime.IsZero() {
		return time.Time{}, evidence.Evidence{}
	}
	return j.Status.StartTime.Add(time.Duration(*j.Spec.ActiveDeadlineSeconds) * time.Second),
		j.Ev("spec.activeDeadlineSeconds", count(j.Spec.ActiveDeadlineSeconds))
}

func (v *podView) placements() []evidence.Evidence {
	var out []evidence.Evidence
	for _, c := range v.natives {
		out = append(out, c.EvPlacement())
	}
	return out
}

func (v *podView) states(cs []*facts.Container) []evidence.Evidence {
	var out []evidence.Evidence
	for _, c := range cs {
		out = append(out, c.EvState())
	}
	return out
}

// podAppWaiting: an application container waits although others of the pod have run. With a proxy whose postStart hook
// holds the application back, that is the hook's doing.
func podAppWaiting(v *podView) answer {
	for _, c := range v.apps {
		w := c.Waiting()
		if w == nil || w.Reason == "" || c.EverRan() {
			continue // without a reason the state was not reported, or could not be read
		}
		from, what, ev := v.couldBegin()
		if from.IsZero() || !v.c.At.Known || v.c.At.V.Sub(from) <= patience {
			continue
		}
		a := yes(say("container %s had not begun %s after %s (%s)", c.Name, span(v.c.At.V.Sub(from)), what, c.State()), c.EvState(), ev)
		for _, h := range running(v.helpers) {
			if h.Spec != nil && h.Spec.Lifecycle != nil && h.Spec.Lifecycle.PostStart != nil {
				a.summary = say("%s: it waits for the postStart hook of %s, which holds the application back until the proxy is ready", a.summary, h.Name)
				a.evidence = append(a.evidence, v.p.Ev(h.Path("lifecycle.postStart"), "set"), v.p.Ev(h.StatusPath("ready"), strconv.FormatBool(h.Status.Ready)))
			}
		}
		a.culprits = []string{c.Name}
		return a
	}
	return no()
}

// podBetween is what remains: nothing runs, nothing waits with a reason, and the phase has not followed.
func podBetween(v *podView) answer {
	var ev []evidence.Evidence
	for _, c := range v.p.Containers {
		ev = append(ev, c.EvState())
	}
	a := yes(say("the container states of this pod decide nothing (phase %s)", orNone(v.p.Status.Phase)), ev...)
	dark := unreported(slices.Concat(v.apps, v.helpers, v.natives))
	switch {
	case len(dark) > 0:
		a.summary = say("the bundle has no state of %s: whether it still ran, and how it ended, is not known", list(names(dark)))
		a.missing = []analyze.Missing{{What: say("the state of container %s", dark[0].Name), Command: podYAML(v.p)}}
		return a
	case v.ended() && len(v.holders()) == 0:
		a.summary = say("every application container had ended and no sidecar ran any more; the pod's phase (%s) had not followed yet", orNone(v.p.Status.Phase))
	}
	a.missing = []analyze.Missing{v.laterLook()}
	return a
}
