package rules

import (
	"cmp"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// cutOff: the exit codes of such a pod are of its end and tell nothing of the program; what ended it is to be looked at.
func (l *looker) cutOff(e *outsideEnd, after ...act) *analyze.Advice {
	l.pod = e.pod
	summary, acts := l.whoEnded(e)
	if c := failedContainer(e.pod); c != nil {
		acts = append(acts, do(say("take the exit code of %s (%d) for nothing that the program says: it is of that end", c.Name, c.Terminated().ExitCode)))
	}
	if anyEverRan(e.pod) {
		acts = append(acts, do(say("find out from what the program leaves whether a second run is safe: this one was cut off")))
	}
	return l.advice(summary, append(append(acts, after...), l.ignoreDisruption(e)...)...)
}

// whoEnded sends to what ended a pod, by the reason that it left.
func (l *looker) whoEnded(e *outsideEnd) (analyze.Text, []act) {
	node := l.pod.Spec.NodeName
	events := l.describe(say("read the pod's events, while they are there"))
	switch {
	case e.refused():
		return say("see why the kubelet of node %s refused the pod", orNone(node)), append([]act{events}, l.onNode(say("compare what the pod asks for with what the node has left"))...)
	case e.reason == "PreemptionByScheduler" || e.reason == "Preempted" || e.reason == "Preempting":
		return say("see which pod of higher priority took the place of pod %s", l.pod.Meta.Name), append([]act{events, do(say("compare the priority of the two"), "kubectl get priorityclasses")},
			l.onNode(say("see which pods the node has now"))...)
	case e.reason == "DeletionByPodGC":
		return say("see what became of node %s: the pod was given up, and not by its program", orNone(node)), []act{
			do(say("see whether the node is still there, and since when"), command("kubectl get node %s -o yaml", node)), events}
	case e.reason == "DeletionByTaintManager" || e.reason == "TaintManagerEviction":
		return say("see which taint of node %s drove the pod out: unreachable and not-ready stand for a node that was lost", orNone(node)), append(l.onNode(say("read its taints and conditions")), events)
	case e.reason == "EvictionByEvictionAPI":
		return say("see who asked for the eviction of pod %s: a drain of node %s, an autoscaler, a descheduler", l.pod.Meta.Name, orNone(node)), append(l.onNode(say("see whether the node was cordoned or drained")), events)
	case shutdownOf(e):
		return say("see why node %s was shut down", orNone(node)), append(l.onNode(say("read its conditions and events")), events)
	}
	return say("see what ended pod %s on node %s", l.pod.Meta.Name, orNone(node)), append(l.onNode(say("see what the node lacked, or what else it says")), events)
}

// shutdownOf says that the node's own shutdown ended a pod.
func shutdownOf(e *outsideEnd) bool {
	return e.reason == "Terminated" || e.reason == "NodeShutdown" || e.reason == "Shutdown" || strings.Contains(e.message, "node shutdown")
}

// ignoreDisruption names what keeps ends from outside from using up the tries: a rule of podFailurePolicy on the condition,
// which the API server takes under restartPolicy Never only.
func (l *looker) ignoreDisruption(e *outsideEnd) []act {
	t := l.w.Template()
	if l.w.Job == nil || t == nil || t.Spec.RestartPolicy != "Never" || trueCondition(e.pod.Status.Conditions, disruptionTarget) == nil {
		return nil
	}
	return []act{do(say("it counts against backoffLimit (%s) all the same, unless a rule of podFailurePolicy with action Ignore takes the pod condition %s: that stands in the Job's spec, for a new Job",
		count(l.w.Job.Spec.BackoffLimit), disruptionTarget))}
}

// triesCutOff gives the failed pods of a Job that is over that were ended from outside, and the newest of those that failed
// for another reason. One that was deleted is neither: a Job that fails deletes the pods that are left.
func triesCutOff(pods []analyze.PodJudgement) (ends []*outsideEnd, other *facts.Pod) {
	for i := range pods {
		p := pods[i].Pod
		if p.Status.Phase != "Failed" {
			continue
		}
		if e := cutOff(p); e != nil && e.deletion {
			continue
		} else if e = cmp.Or(e, heldWhenEnded(p)); e != nil {
			ends = append(ends, e)
		} else if other == nil || p.Meta.Created.After(other.Meta.Created.Time) {
			other = p
		}
	}
	return ends, other
}

func podsOfEnds(ends []*outsideEnd) []string {
	var out []string
	for _, e := range ends {
		out = append(out, e.pod.Meta.Name)
	}
	return out
}
