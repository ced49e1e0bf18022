package describe

import (
	"regexp"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// state reads State or Last State: what it is stands behind the key, its parts at column 6.
func (ct *containerText) state(l line, path string) kube.ContainerState {
	ct.where[path] = l.number
	switch l.value {
	case "Running":
		r := &kube.Running{}
		ct.where[path+".running"] = l.number
		ct.parts(func(l line) {
			if l.key == "Started" {
				r.StartedAt, ct.where[path+".running.startedAt"] = kube.ParseTime(l.value), l.number
			}
		})
		return kube.ContainerState{Running: r}
	case "Waiting":
		w := &kube.Waiting{}
		ct.where[path+".waiting"] = l.number
		ct.parts(func(l line) {
			if l.key == "Reason" {
				w.Reason, ct.where[path+".waiting.reason"] = l.value, l.number
			}
		})
		return kube.ContainerState{Waiting: w}
	case "Terminated":
		return ct.terminated(l, path+".terminated")
	}
	return kube.ContainerState{}
}

// parts calls f for the lines at column 6.
func (ct *containerText) parts(f func(line)) {
	for ct.more() && ct.cur().indent == 6 && ct.cur().key != "" {
		ct.i++
		f(ct.lines[ct.i-1])
	}
}

func (ct *containerText) terminated(first line, path string) kube.ContainerState {
	t := &kube.Terminated{}
	ct.where[path] = first.number
	known := false
	for ct.more() && ct.cur().indent == 6 && ct.cur().key != "" {
		l := ct.cur()
		ct.i++
		switch l.key {
		case "Reason":
			t.Reason, ct.where[path+".reason"] = l.value, l.number
		case "Message":
			t.Message, ct.where[path+".message"] = ct.terminationMessage(l), l.number
		case "Exit Code":
			if n := number(l.value); n != nil && !known {
				t.ExitCode, known = *n, true
			} else if known {
				ct.broken = true
			}
			ct.where[path+".exitCode"] = l.number
		case "Signal":
			if n := number(l.value); n != nil {
				t.Signal = *n
			}
			ct.where[path+".signal"] = l.number
		case "Started":
			t.StartedAt, ct.where[path+".startedAt"] = kube.ParseTime(l.value), l.number
		case "Finished":
			t.FinishedAt, ct.where[path+".finishedAt"] = kube.ParseTime(l.value), l.number
		}
	}
	if !known {
		// An exit code that is masked or cut off must not be read as 0.
		ct.d.Report(first.number, "pod "+ct.pod.Meta.Name+": container "+ct.name+" is terminated, but its exit code cannot be read")
		return kube.ContainerState{Uncoded: t}
	}
	return kube.ContainerState{Terminated: t}
}

// exitCode is the line that kubectl always prints behind a termination message.
var exitCode = regexp.MustCompile(`^ {6}Exit Code: +\S+$`)

// terminationMessage reads a message, which kubectl prints as it is: from its second line on it stands at column 0
// and may say anything. It ends before the Exit Code that kubectl prints.
func (ct *containerText) terminationMessage(l line) string {
	ct.messages, ct.ended, ct.first = true, ct, ct.where[ct.status]
	ct.contradicted(l)
	message, size := l.value, len(l.value)
	for i := ct.i; i < len(ct.lines) && size <= maxMessage; i++ {
		text := ct.lines[i].text
		if exitCode.MatchString(text) {
			ct.i = i
			return message
		}
		message += "\n" + text
		size += len(text) + 1
	}
	ct.broken = true
	return l.value
}

// The lines that tell kubectl's own text behind a message from what the message may hold: the state that each Exit Code
// belongs to, and the sections that a pod has once.
var (
	endedState = regexp.MustCompile(`^ {4}(?:Last )?State: +Terminated$`)
	section    = regexp.MustCompile(`^(?:Init |Ephemeral )?Containers:$`)
)

// contradicted looks as far as a message may reach for a second Exit Code that does not fit: one that no state of its own
// stands above, or one with another section of containers within the message. kubectl prints neither, so that the first
// may be the message's word, and how the container ended is not known then. Nor is how those ended that stand in between.
func (ct *containerText) contradicted(first line) {
	size, codes, opened, last := len(first.value), 0, true, 0
	forged := false
	for i := ct.i; i < len(ct.lines) && size <= maxMessage; i++ {
		l := ct.lines[i]
		size += len(l.text) + 1
		switch {
		case endedState.MatchString(l.text):
			forged = forged || codes == 0
			opened = true
		case section.MatchString(l.text):
			forged = forged || codes == 0
		case exitCode.MatchString(l.text):
			if codes++; codes > 1 {
				last = l.number
				forged = forged || !opened
			}
			opened = false
		}
	}
	if forged && codes > 1 {
		ct.forged(last)
	}
}

var fieldRef = regexp.MustCompile(`^(.*?) ?\(v1:[a-zA-Z.\[\]'/]+\)$`)

// environment reads "NAME:  value" at column 6; further lines of a value are indented deeper.
func (ct *containerText) environment(l line) {
	ct.where[ct.spec+".env"] = l.number
	for {
		l, ok := ct.deeper(6)
		if !ok {
			return
		}
		env := &ct.c.Env
		if l.indent > 6 || l.key == "" {
			if n := len(*env); n > 0 && l.indent > 6 {
				(*env)[n-1].Value += kube.Scalar("\n" + strings.TrimSpace(l.text))
			}
			continue
		}
		e := kube.EnvVar{Name: l.key, Value: kube.Scalar(l.value)}
		source := ""
		switch {
		case strings.HasPrefix(l.value, "<set to the key "):
			source = "secretKeyRef"
			if strings.Contains(l.value, " of config map ") {
				source = "configMapKeyRef"
			}
		case fieldRef.MatchString(l.value):
			source = "fieldRef"
		}
		if source != "" {
			e.Value, e.ValueFrom = "", kube.EnvSource(source)
		}
		*env = append(*env, e)
		ct.where[ct.spec+".env[name="+l.key+"]"] = l.number
	}
}
