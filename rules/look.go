package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// looker says what to do next about a workload that waits or failed for another reason than a sidecar that holds it: where
// to look, and what Kubernetes does by itself meanwhile. It names no cause that the bundle does not show.
type looker struct {
	p   *analyze.Pass
	w   *facts.Workload
	pod *facts.Pod       // the pod that the verdict is taken from, nil without one
	c   *facts.Container // the container that it names, nil without one
}

// lookNow is nil for what is well, and for what the bundle lacks: that is listed with its commands as missing.
func lookNow(p *analyze.Pass) *analyze.Advice {
	l := &looker{p: p, w: p.Workload}
	if h := p.Verdict.Holder; h != nil {
		l.pod = h.Pod
	}
	if cs := culpritsOf(p); len(cs) > 0 {
		l.c, l.pod = cs[0], cs[0].Pod
	}
	switch p.Verdict.Code {
	case AppFailed, AppCrashLooping, InitNotFinished:
		return l.failing()
	case Failed:
		return l.suspected(l.failed())
	case DeadlineHitWhileHeld:
		return l.deadlineHit()
	case PodCreationRejected:
		return l.rejected()
	case PodFinishedJobNot:
		return l.finished()
	case ManagedElsewhere:
		return l.managed()
	case Suspended:
		return l.suspended()
	}
	if l.pod == nil {
		return nil
	}
	switch p.Verdict.Code {
	case ImagePullFailing:
		return l.pull()
	case ContainerCannotStart:
		return l.start()
	case Unschedulable:
		return l.schedule()
	case SidecarNotStarted:
		return l.sidecar()
	case SidecarBlocksInit:
		return l.blocked()
	case NativeSidecarStuck:
		return l.stuck()
	case PodTerminating:
		return l.terminating()
	case NodeLost:
		return l.lost()
	}
	return nil
}

func (l *looker) advice(summary analyze.Text, acts ...act) *analyze.Advice {
	return &analyze.Advice{Summary: summary, Steps: stepsOf(acts)}
}

// describe shows a pod with its newest events.
func (l *looker) describe(what analyze.Text) act {
	return do(what, command("kubectl describe pod %s -n %s", l.pod.Meta.Name, l.pod.Meta.Namespace))
}

// onNode looks at the node of a pod.
func (l *looker) onNode(what analyze.Text) []act {
	if l.pod == nil || l.pod.Spec.NodeName == "" {
		return nil
	}
	return []act{do(what, command("kubectl describe node %s", l.pod.Spec.NodeName))}
}

// mend says where a mistake in a program or its settings is mended.
func (l *looker) mend() []act {
	w := l.w
	switch {
	case !w.IsJob():
		return nil
	case w.ParentKind != "":
		return []act{do(say("what is wrong in the pod template is mended in %s %s, for the next Job: the template of a stored one cannot be changed", w.ParentKind, w.ParentName))}
	}
	return []act{do(say("what is wrong in the pod template takes a new Job, made from the mended manifest: the template of a stored one cannot be changed"))}
}
