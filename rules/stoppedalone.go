package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// stoppedAlone reads what events tell of a pod that its Job's deadline removed: the containers of the template had
// started, and only others, which something injected, had to be stopped. Then the program had likely ended, and those kept
// the pod open. A container that waits to be started again is not stopped either, so a word of back-off takes that away.
func stoppedAlone(v *view) []string {
	j := v.w.Live()
	if j == nil || len(v.w.Pods) > 0 || failedReason(j) != deadlineExceeded || len(j.Spec.Template.Spec.Containers) == 0 || len(createdPods(v.w)) != 1 {
		return nil
	}
	started := map[string]bool{}
	var stopped []string
	for _, e := range v.podEvents() {
		name := containerOf(e.About().FieldPath, e.Text())
		switch e.Reason {
		case "Started":
			started[name] = true
		case "Killing":
			if name == "" {
				return nil
			}
			if !contains(stopped, name) {
				stopped = append(stopped, name)
			}
		case "BackOff", "Failed", "Evicted", "Preempted", "Unhealthy":
			return nil
		}
	}
	for _, c := range j.Spec.Template.Spec.Containers {
		if !started[c.Name] || contains(stopped, c.Name) {
			return nil
		}
	}
	for _, c := range j.Spec.Template.Spec.InitContainers {
		if contains(stopped, c.Name) {
			return nil
		}
	}
	return stopped
}

// containerOf names the container of an event: by the field that it is about, else by the last word of its message.
func containerOf(field, text string) string {
	if _, rest, ok := strings.Cut(field, "{"); ok {
		return strings.TrimSuffix(rest, "}")
	}
	for _, start := range []string{"Stopping container ", "Started container ", "Container started: "} {
		if name, ok := strings.CutPrefix(text, start); ok && !strings.Contains(name, " ") {
			return name
		}
	}
	return ""
}

// suspected adds to what is to be looked at what likely used up the deadline.
func (l *looker) suspected(a *analyze.Advice) *analyze.Advice {
	names := stoppedAlone(&view{c: l.p.Cluster, w: l.w})
	if a == nil || len(names) == 0 {
		return a
	}
	a.Summary = say("see what still ran when the deadline came: likely %s alone", list(names))
	a.Steps = append(stepsOf([]act{
		do(say("at the next run save its pod before the deadline, which removes it: the states of the containers tell whether the program had exited 0"),
			command("kubectl get pod -n %s ", l.w.Ref.Namespace)+podsOfJob(l.w)+" -o yaml > "+fileName(l.w.Ref.Name)+"-pods.yaml"),
		do(say("if it had: have %s end with the program, as a native sidecar or by a call of the program, or leave it out of this Job; a longer deadline does not help then", list(names)))}), a.Steps...)
	return a
}
