package rules

import (
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// podView is what the tests of a pod see.
type podView struct {
	c *facts.Cluster
	w *facts.Workload
	p *facts.Pod
	// apps are the containers that must end by themselves; helpers ordinary known sidecars; natives native ones, among them
	// those of lost, whose restartPolicy the bundle's copy of the pod lost.
	apps, helpers, natives, lost []*facts.Container
}

func newPodView(c *facts.Cluster, w *facts.Workload, p *facts.Pod) podView {
	v := podView{c: c, w: w, p: p, lost: lostPolicy(p)}
	v.apps, v.helpers = splitRegular(p)
	v.natives = append(p.Of(facts.IsPlaced(facts.Native)), v.lost...)
	return v
}

type podTest struct {
	code analyze.Code
	test func(*podView) answer
}

// podOrder is the order in which one pod is judged. What outranks what:
//   - a finished pod is finished, whatever its node did since, unless it should have been gone for long;
//   - a lost node outranks container states, for they are old news; deletion outranks holding;
//   - a pod that has not begun is not held: scheduling, then init, then image and start;
//   - where not all containers may be in the bundle, nothing is concluded from those that are;
//   - a pod that never ends whatever runs in it is held by nobody;
//   - only then does the question arise which containers ended and which still ran.
func podOrder() []podTest {
	return []podTest{
		{NodeRejectedSidecar, podRejectedByKubelet},
		{PodTerminating, podNotRemoved},
		{Completed, podSucceeded},
		{AppFailed, podFailed},
		{NodeLost, podNodeLost},
		{PodTerminating, podTerminating},
		{InsufficientEvidence, podWithoutStatus},
		{Unschedulable, podUnschedulable},
		{NodeRejectedSidecar, podIgnoredByKubelet},
		{InsufficientEvidence, podCutInInit},
		{SidecarNotStarted, podSidecarNotStarted},
		{SidecarBlocksInit, podSidecarBlocksInit},
		{InitNotFinished, podInitNotFinished},
		{ImagePullFailing, podImagePull},
		{ContainerCannotStart, podCannotStart},
		{AppCrashLooping, podCrashLooping},
		{InsufficientEvidence, podCutOff},
		{AppRunning, podAppRunning},
		{InsufficientEvidence, podEndless},
		{InsufficientEvidence, podExitUnknown},
		{OtherContainerRunning, podOtherRunning},
		{AppFailed, podWaitsForRestart},
		{InsufficientEvidence, podStateMissing},
		{FailureHiddenBySidecar, podFailureHidden},
		{HeldBySidecar, podHeld},
		{NativeSidecarStopping, podNativeStopping},
		{NativeSidecarStuck, podNativeStuck},
		{ContainerCannotStart, podAppWaiting},
		{InsufficientEvidence, podBetween},
	}
}

func judgePod(c *facts.Cluster, w *facts.Workload, p *facts.Pod) analyze.PodJudgement {
	view := newPodView(c, w, p)
	v, lost := &view, view.lost
	var tried []analyze.Exclusion
	for _, row := range podOrder() {
		a := row.test(v)
		if a.hit {
			j := a.judgement(row.code)
			j.RuledOut = tried
			if n := p.Spec.NodeName; n != "" && p.Node == nil && len(c.Nodes) > 0 && !finished(p.Status.Phase) {
				j.Missing = append(j.Missing, analyze.Missing{What: say("node %s, which is not among the nodes in the bundle: whether it was still there and reporting", n),
					Command: command("kubectl get node %s -o yaml", n)})
				j.Calm = analyze.Text{} // where the node is gone nothing ends by itself
			}
			if row, ok := c.NodeRows()[p.Spec.NodeName]; ok && row.NotReady() && !finished(p.Status.Phase) {
				j.Evidence = append(j.Evidence, row.Evidence)
				j.Missing = append(j.Missing, analyze.Missing{What: say("whether node %s was still reporting: it was %s, and if it had stopped, what the pod's status says is from before that",
					row.Name, row.Status), Command: command("kubectl get node %s -o yaml", row.Name)})
			}
			if len(lost) > 0 {
				j.Missing = append(j.Missing, analyze.Missing{What: say("restartPolicy of %s as it is stored: the bundle's copy of the pod lacks it, though the container ran beside the application (kubectl cluster-info dump of an old kubectl loses the field)",
					list(names(lost))), Command: podYAML(p)})
			}
			if !finished(p.Status.Phase) {
				j.Missing = append(j.Missing, policyInDoubt(w, p)...)
			}
			if p.Described() {
				what := say("the pod as YAML: describe text is a weaker witness and prints no restartPolicy")
				if p.Origin.Forgeable {
					what = say("the pod as YAML: lines of its describe text stand within reach of a message, which a container may have written to look like them; and describe prints no restartPolicy")
				}
				j.Missing = append(j.Missing, analyze.Missing{What: what, Command: command("kubectl get pod %s -n %s -o yaml", p.Meta.Name, p.Meta.Namespace)})
			}
			return analyze.PodJudgement{Pod: p, Judgement: j}
		}
		if !a.because.IsZero() {
			tried = append(tried, analyze.Exclusion{Code: row.code, Because: a.because, From: a.evidence})
		}
	}
	return analyze.PodJudgement{Pod: p, Judgement: analyze.Judgement{Code: InsufficientEvidence, RuledOut: tried,
		Summary: say("the pod fits none of the known situations")}}
}

// rejectReason is the kubelet's reason for refusing a pod with a restartable init container.
const rejectReason = "InitContainerRestartPolicyForbidden"

func podRejectedByKubelet(v *podView) answer {
	if v.p.Status.Reason == rejectReason {
		return yes(say("the kubelet of node %s refused the pod: its feature gate for native sidecars is off", v.p.Spec.NodeName),
			v.p.Ev("status.reason", rejectReason), v.p.Ev("status.message", v.p.Status.Message))
	}
	for _, e := range v.p.Events {
		if e.Reason == rejectReason {
			return yes(say("the kubelet of node %s refused the pod: its feature gate for native sidecars is off", v.p.Spec.NodeName), evEvent(e))
		}
	}
	return no()
}

func podSucceeded(v *podView) answer {
	if v.p.Status.Phase != "Succeeded" {
		return no()
	}
	return yes(say("the pod succeeded: every regular container exited 0"),
		append([]evidence.Evidence{v.p.Ev("status.phase", "Succeeded")}, exits(v.p)...)...)
}

func podFailed(v *podView) answer {
	if v.p.Status.Phase != "Failed" {
		return no()
	}
	ev := append([]evidence.Evidence{v.p.Ev("status.phase", "Failed")}, exits(v.p)...)
	if e := outsideEndOf(v.p); e != nil {
		return e.judge(v, append(ev, e.because...))
	}
	if v.p.Status.Reason != "" {
		ev = append(ev, v.p.Ev("status.reason", v.p.Status.Reason))
		if v.p.Status.Message != "" {
			ev = append(ev, v.p.Ev("status.message", v.p.Status.Message))
		}
	}
	if c := failedInit(v.p); c != nil {
		a := yes(say("the pod failed: %s", initEnd(c)), append(ev, evEnd(c)...)...)
		a.code, a.culprits = InitNotFinished, []string{c.Name}
		return a
	}
	for _, c := range v.apps {
		if t := c.Terminated(); t != nil && t.ExitCode != 0 {
			return yes(lostEnd(say("the pod failed: container %s exited %d", c.Name, t.ExitCode), t), ev...)
		}
	}
	for _, c := range v.helpers {
		if t := c.Terminated(); t != nil && t.ExitCode != 0 {
			a := yes(say("the pod failed although the application exited 0: the ordinary sidecar %s exited %d", c.Name, t.ExitCode), ev...)
			if v.p.Status.Reason == deadlineExceeded {
				a.summary = say("the pod's own deadline (activeDeadlineSeconds) ended it, after the application had exited 0 and while the ordinary sidecar %s still ran", c.Name)
			}
			a.code = Failed
			return a
		}
	}
	a := yes(say("the pod failed (%s)", orNone(v.p.Status.Reason)), ev...)
	a.code = Failed
	return a
}

// podWithoutStatus catches pods of which nothing is known but the spec.
func podWithoutStatus(v *podView) answer {
	p := v.p
	get := analyze.Missing{What: say("the status of pod %s", p.Meta.Name),
		Command: command("kubectl get pod %s -n %s -o yaml", p.Meta.Name, p.Meta.Namespace)}
	if len(p.Status.ContainerStatuses) > 0 || len(p.Status.InitContainerStatuses) > 0 {
		return no()
	}
	if p.Status.Phase == "Pending" && (trueConditionStatus(p, "PodScheduled") == "False" || p.Spec.NodeName == "") && !p.Origin.Truncated {
		return no()
	}
	what := say("the bundle holds this pod's spec and no container states: whether anything ran cannot be said")
	if p.Origin.Truncated {
		what = say("the file was cut off within this pod, before its container states")
	}
	a := yes(what, p.EvAbsent("status.containerStatuses"))
	if r := p.Status.Reason; r != "" && !p.Origin.Truncated {
		// What made the pod, or failed to, has said so; that is no state of a container, and yet it is the status.
		what = say("the status of the pod has no container states, so that whether anything ran cannot be said; it gives as reason %s (%s)", r, orNone(p.Status.Message))
		a = yes(what, p.Ev("status.reason", r), p.Ev("status.message", p.Status.Message), p.EvAbsent("status.containerStatuses"))
		get = v.laterLook()
	}
	helpers := v.helpers
	if endless(v.w, p) {
		helpers = nil
	}
	for _, c := range helpers {
		a.evidence = append(a.evidence, c.EvPlacement())
		a.summary = say("%s. Its spec has %s as an ordinary container, which would hold the pod open once the application ends", what, c.Name)
	}
	a.missing = []analyze.Missing{get}
	for _, r := range v.w.Rows {
		if r.Cells["NAME"] == p.Meta.Name {
			a.evidence = append(a.evidence, evidence.Evidence{Object: p.Ref().String(), Field: "row", Value: rowText(r), File: r.File,
				Line: r.Line, Strength: evidence.Table})
		}
	}
	return a
}

// podCutInInit catches describe text that ends within the init container that had not finished: what is not shown of it may be all
// that matters, its readiness and its restarts.
func podCutInInit(v *podView) answer {
	shown := v.p.Containers
	if !v.p.Origin.Truncated || !v.p.Described() || len(v.regular()) > 0 || len(shown) == 0 {
		return no()
	}
	last := shown[len(shown)-1]
	if firstUnfinished(v) != last {
		return no()
	}
	a := yes(say("the text of pod %s ends within its init container %s: how far that was, and what came after it, cannot be said", v.p.Meta.Name, last.Name), last.EvPlacement())
	a.missing = []analyze.Missing{{What: say("all containers of pod %s", v.p.Meta.Name), Command: podYAML(v.p)}}
	return a
}

// podCutOff catches describe text that ends within the containers, or has a gap there: one that is not shown may still
// run. A table that counts as many containers proves that all are there.
func podCutOff(v *podView) answer {
	if !v.p.Origin.Truncated || !v.p.Described() {
		return no()
	}
	shown := len(v.regular()) + len(v.natives)
	for _, r := range v.w.Rows {
		if _, all, ok := strings.Cut(r.Cells["READY"], "/"); ok && r.Cells["NAME"] == v.p.Meta.Name && all == strconv.Itoa(shown) {
			return no()
		}
	}
	a := yes(say("the text of pod %s ends or has a gap within its containers: whether others ran beside those that it shows (%s) cannot be said", v.p.Meta.Name,
		list(names(v.regular()))), v.states(v.regular())...)
	a.missing = []analyze.Missing{{What: say("all containers of pod %s", v.p.Meta.Name), Command: podYAML(v.p)}}
	return a
}

func trueConditionStatus(p *facts.Pod, typ string) string {
	if c := p.Condition(typ); c != nil {
		return c.Status
	}
	return ""
}

func podUnschedulable(v *podView) answer {
	p := v.p
	if p.Spec.NodeName != "" || p.Status.Phase != "Pending" && p.Status.Phase != "" {
		return no()
	}
	if n := len(p.Spec.SchedulingGates); n > 0 {
		return yes(say("the pod waits for its scheduling gate %s to be removed", p.Spec.SchedulingGates[0].Name),
			p.Ev("spec.schedulingGates[name="+p.Spec.SchedulingGates[0].Name+"]", "set"))
	}
	if c := p.Condition("PodScheduled"); c != nil && c.Status == "False" {
		a := yes(say("no node was found for the pod (%s): %s", c.Reason, c.Message),
			p.Ev("status.conditions[type=PodScheduled].status", "False"),
			p.Ev("status.conditions[type=PodScheduled].message", c.Message))
		for _, e := range p.Events {
			if e.Reason == "FailedScheduling" {
				a.evidence = append(a.evidence, evEvent(e))
				if c.Message == "" {
					a.summary = say("no node was found for the pod: %s", e.Text())
				}
			}
		}
		return a
	}
	if p.Status.Phase == "Pending" {
		return yes(say("the pod has no node yet and no reason is given"), p.EvAbsent("spec.nodeName"))
	}
	return no()
}

// lostPolicy gives init containers that can only be native sidecars whose restartPolicy the bundle's copy of the pod lost:
// they run since before a regular container was started, which no one-shot init container does.
func lostPolicy(p *facts.Pod) []*facts.Container {
	if p.Described() {
		return nil
	}
	var out []*facts.Container
	for _, c := range p.Of(facts.IsPlaced(facts.InitContainer)) {
		r := c.Running()
		if r == nil || c.Spec == nil || c.Spec.RestartPolicy != "" || r.StartedAt.IsZero() {
			continue
		}
		for _, o := range p.Of(facts.IsPlaced(facts.Ordinary)) {
			if start := startedAt(o); !start.IsZero() && !r.StartedAt.After(start.Time) {
				out = append(out, c)
				break
			}
		}
	}
	return out
}
