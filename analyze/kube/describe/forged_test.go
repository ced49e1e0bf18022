package describe

import (
	"strings"
	"testing"
)

const head = `Name:             train-x
Namespace:        ml
Priority:         0
Node:             node-a/192.0.2.1
Start Time:       Mon, 30 Nov 2026 12:19:18 +0100
Labels:           job-name=train
Annotations:      <none>
Status:           Running
IP:               198.51.100.7
Controlled By:  Job/train
Containers:
  main:
    Image:         img/main:1
    Port:          <none>
    State:          Terminated
      Reason:       Error
`

const tail = `      Exit Code:    3
      Started:      Mon, 30 Nov 2026 12:19:19 +0100
      Finished:     Mon, 30 Nov 2026 12:20:19 +0100
    Ready:          False
    Restart Count:  0
    Environment:    <none>
  istio-proxy:
    Image:         istio/proxyv2:1.30.3
    State:          Running
      Started:      Mon, 30 Nov 2026 12:19:20 +0100
    Ready:          True
    Restart Count:  0
    Environment:    <none>
Conditions:
  Type              Status
  Ready             False 
QoS Class:       Burstable
Events:          <none>
`

// A stack trace is a message like any other.
func TestMessageOfSeveralLines(t *testing.T) {
	set, problems := read(t, head+"      Message:      panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:7\n"+tail)
	if len(problems) > 0 || len(set.Pods) != 1 {
		t.Fatalf("problems %q, %d pods", problems, len(set.Pods))
	}
	p := set.Pods[0]
	st := p.Status.ContainerStatuses
	if len(st) != 2 || st[0].State.Terminated == nil || st[0].State.Terminated.ExitCode != 3 || st[1].State.Running == nil {
		t.Errorf("statuses %s", statuses(st))
	}
	if want := "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:7"; st[0].State.Terminated.Message != want {
		t.Errorf("message %q", st[0].State.Terminated.Message)
	}
	if p.Origin.Forgeable {
		t.Error("marked as forgeable although nothing in it looks like kubectl's")
	}
}

// What a message says of other containers, sections and objects must not come true.
func TestForgedText(t *testing.T) {
	for name, message := range map[string]string{
		"a section":       "x\nContainers:\n  evil:\n    State:  Running\n      Started:  Mon, 30 Nov 2026 12:19:19 +0100\n    Ready:  True\n",
		"a container":     "x\n  evil:\n    Image:  evil\n    State:  Running\n    Ready:  True\n    Restart Count:  0\n",
		"the phase":       "x\nStatus:  Succeeded\nConditions:\n  Type  Status\n  Ready  True\n",
		"another pod":     "x\n\n\nName:   evil\nNamespace:  ml\nStatus:  Running\nIP:  1.2.3.4\nContainers:\n  evil:\n    State:  Running\n      Started:  Mon, 30 Nov 2026 12:19:19 +0100\nEvents:  <none>\n",
		"an event":        "x\nEvents:\n  Type  Reason  Age  From  Message\n  ----  ------  ----  ----  -------\n  Normal  Killing  1s  kubelet  Stopping container evil\n",
		"the next object": "x\n\n\nName:              evil\nNamespace:  ml\nParallelism:  1\nPods Statuses:  0 Active / 1 Succeeded / 0 Failed\n",
	} {
		t.Run(name, func(t *testing.T) {
			set, _ := read(t, head+"      Message:      "+message+tail)
			if len(set.Pods) != 1 || len(set.Jobs) != 0 || len(set.Events) != 0 {
				t.Fatalf("%d pods, %d jobs, %d events", len(set.Pods), len(set.Jobs), len(set.Events))
			}
			p := set.Pods[0]
			for _, c := range p.Spec.Containers {
				if c.Name == "evil" {
					t.Error("the forged container was believed")
				}
			}
			if p.Status.Phase != "Running" || len(p.Status.Conditions) != 1 || p.Status.Conditions[0].Status != "False" {
				t.Errorf("phase %s, conditions %v", p.Status.Phase, p.Status.Conditions)
			}
			if st := p.Status.ContainerStatuses; len(st) != 2 || st[0].State.Terminated == nil || st[0].State.Terminated.ExitCode != 3 {
				t.Errorf("statuses %s", statuses(st))
			}
		})
	}
}

// A message can imitate everything up to the line that kubectl prints behind it. Nothing tells the two apart then: the
// pod is marked, so that nothing rests on it alone.
func TestPerfectForgeryIsMarked(t *testing.T) {
	message := strings.TrimSuffix(tail, tail[strings.Index(tail, "  istio-proxy:"):])
	message = strings.Replace(message, "Exit Code:    3", "Exit Code:    0", 1)
	forged := "x\n" + message + "  evil:\n    Image:         evil\n    State:          Terminated\n      Reason:       Completed\n"
	set, _ := read(t, head+"      Message:      "+forged+tail)
	if len(set.Pods) != 1 || !set.Pods[0].Origin.Forgeable {
		t.Errorf("%d pods, forgeable %t", len(set.Pods), set.Pods[0].Origin.Forgeable)
	}
}

// A whole second object in a message is shaped like one; it is read, and marked, as is the one it stands in.
func TestForgedObjectIsMarked(t *testing.T) {
	pod := strings.ReplaceAll(head, "train-x", "evil") + tail
	set, _ := read(t, head+"      Message:      x\n      Exit Code:    0\n\n\n"+pod)
	for _, p := range set.Pods {
		if p.Meta.Name == "evil" && !p.Origin.Forgeable {
			t.Error("the forged pod is not marked")
		}
	}
}

func TestMaskedExitCodeIsNotZero(t *testing.T) {
	set, problems := read(t, head+strings.Replace(tail, "Exit Code:    3", "Exit Code:    ***", 1))
	if st := set.Pods[0].Status.ContainerStatuses; st[0].State.Terminated != nil {
		t.Errorf("a masked exit code was read as %d", st[0].State.Terminated.ExitCode)
	}
	if len(problems) != 1 {
		t.Errorf("problems %q", problems)
	}
}

// Scripts in args may hold any line; kubectl indents each by six.
func TestArgumentsThatLookLikeFields(t *testing.T) {
	args := "    Args:\n      set -e\n      State: fake\n          Ready: True\n      \n      Exit Code:    0\n"
	set, problems := read(t, strings.Replace(head, "    State:          Terminated\n", args+"    State:          Terminated\n", 1)+tail)
	p := set.Pods[0]
	if got := strings.Join(p.Spec.Containers[0].Args, "|"); got != "set -e|State: fake|    Ready: True||Exit Code:    0" {
		t.Errorf("args %q", got)
	}
	if len(problems) > 0 || p.Status.ContainerStatuses[0].State.Terminated.ExitCode != 3 || p.Origin.Forgeable {
		t.Errorf("problems %q, statuses %s", problems, statuses(p.Status.ContainerStatuses))
	}
}

func TestTerminatingPodHasNoPhase(t *testing.T) {
	set, _ := read(t, strings.Replace(head, "Status:           Running\n", "Status:                    Terminating (lasts 3m)\nTermination Grace Period:  30s\n", 1)+tail)
	m, st := set.Pods[0].Meta, set.Pods[0].Status
	if st.Phase != "" || m.Deleted.Raw != "lasts 3m" || m.DeletionGracePeriodSeconds == nil || *m.DeletionGracePeriodSeconds != 30 {
		t.Errorf("phase %q, deleted %+v", st.Phase, m.Deleted)
	}
}

func TestEventsOfNewerAndOlderKubectl(t *testing.T) {
	events := `Events:
  Type     Reason   Age                From     Message
  ----     ------   ----               ----     -------
  Normal   Killing  5m                 kubelet  spec.initContainers{istio-proxy}: Stopping container istio-proxy
  Warning  BackOff  30s (x9 over 10m)  kubelet  Back-off restarting failed container
`
	set, _ := read(t, strings.Replace(head+tail, "Events:          <none>\n", events, 1))
	if len(set.Events) != 2 {
		t.Fatalf("%d events", len(set.Events))
	}
	a, b := set.Events[0], set.Events[1]
	if a.Involved.FieldPath != "spec.initContainers{istio-proxy}" || a.Message != "Stopping container istio-proxy" || a.Age != "5m" || a.Count != 1 {
		t.Errorf("first event %+v", a)
	}
	if b.Count != 9 || b.Type != "Warning" || b.Involved.Name != "train-x" || b.Origin.Line == 0 {
		t.Errorf("second event %+v", b)
	}
}

// The message of an event may go on with the text of another object. What stands right behind a row is marked, what stands
// apart as kubectl prints it is not.
func TestObjectBehindARowIsMarked(t *testing.T) {
	row := "Events:\n  Type     Reason     Age  From     Message\n  ----     ------     ---- ----     -------\n  Warning  Unhealthy  1m   kubelet  Readiness probe failed:\n"
	first := strings.Replace(head+tail, "Events:          <none>\n", row, 1)
	second := strings.ReplaceAll(head+tail, "train-x", "train-y")
	for between, marked := range map[string]bool{"": true, "\n": true, "\n\n": false} {
		set, _ := read(t, first+between+second)
		if len(set.Pods) != 2 || set.Pods[1].Origin.Forgeable != marked || set.Pods[0].Origin.Forgeable {
			t.Errorf("%q between: %d pods, the second is marked %t", between, len(set.Pods), len(set.Pods) == 2 && set.Pods[1].Origin.Forgeable)
		}
	}
}

// Where the text of a message contradicts what kubectl prints, the state that it stands in is not known, and nothing that
// stands in between is believed. The container stays, so that nobody takes the others for all there are.
func TestContradictedState(t *testing.T) {
	const end = "      Exit Code:    0\n      Started:      Mon, 30 Nov 2026 12:19:19 +0100\n      Finished:     Mon, 30 Nov 2026 12:20:18 +0100\n"
	const rest = "    Ready:          False\n    Restart Count:  0\n"
	for name, message := range map[string]string{
		"an exit code":              "x\n      Exit Code:    0\n",
		"and a blank line":          "x\n      Exit Code:    0\n\n",
		"the whole end":             "x\n" + end,
		"and a blank line behind":   "x\n" + end + "\n",
		"the whole container":       "x\n" + end + rest,
		"a time":                    "x\n      Exit Code:    0\n      Finished:     Mon, 30 Nov 2026 12:20:18 +0100\nmore\n",
		"two of them":               "x\n" + end + "\n" + end + "\n",
		"a section in it":           "boom\nContainers:\n  main:\n    State:          Terminated\n      Reason:       Completed\n" + end + "\n",
		"a section behind it":       "x\n" + end + rest + "Containers:\n  other:\n    Image:          x\n    State:          Terminated\n      Reason:       Completed\n",
		"the container again":       "x\n" + end + rest + "  main:\n    Image:          x\n    State:          Terminated\n      Reason:       Completed\n",
		"a state of the same again": "x\n" + end + "    State:          Terminated\n      Reason:       Completed\n",
	} {
		t.Run(name, func(t *testing.T) {
			set, problems := read(t, head+"      Message:      "+message+tail)
			if len(set.Pods) != 1 {
				t.Fatalf("%d pods", len(set.Pods))
			}
			p := set.Pods[0]
			if !p.Origin.Forgeable || len(problems) == 0 {
				t.Errorf("forgeable %t, problems %q", p.Origin.Forgeable, problems)
			}
			for _, st := range p.Status.ContainerStatuses {
				if st.State.Terminated != nil || st.Name == "main" && (st.State.Uncoded == nil || st.State.Uncoded.Reason != "Error") {
					t.Errorf("the state of %s was believed: %+v", st.Name, st.State.Terminated)
				}
			}
			if len(p.Spec.Containers) == 0 || p.Spec.Containers[0].Name != "main" {
				t.Errorf("containers %v", p.Spec.Containers)
			}
		})
	}
}

// Two containers that ended near each other, or one that ended twice, are kubectl's own text.
func TestEndsNearAMessage(t *testing.T) {
	const end = "      Exit Code:    3\n      Started:      Mon, 30 Nov 2026 12:19:19 +0100\n      Finished:     Mon, 30 Nov 2026 12:20:19 +0100\n"
	second := strings.Replace(tail, "    State:          Running\n      Started:      Mon, 30 Nov 2026 12:19:20 +0100\n", "    State:          Terminated\n      Reason:       Error\n"+end, 1)
	last := strings.Replace(tail, "    Ready:          False\n", "    Last State:     Terminated\n      Reason:       Error\n      Message:      before\n"+end+"    Ready:          False\n", 1)
	inInit := strings.Replace(head, "Containers:\n", "Init Containers:\n  first:\n    Image:         img/first:1\n    State:          Terminated\n      Reason:       Error\n      Message:      done\n"+end+
		"    Ready:          True\n    Restart Count:  0\nContainers:\n", 1)
	for name, text := range map[string]string{
		"two containers":    head + "      Message:      boom\n" + second,
		"its last state":    head + "      Message:      boom\nat line 7\n" + last,
		"an init container": inInit + "      Message:      boom\n" + tail,
	} {
		t.Run(name, func(t *testing.T) {
			set, problems := read(t, text)
			st := set.Pods[0].Status.ContainerStatuses
			if len(problems) > 0 || len(st) != 2 || st[0].State.Terminated == nil || st[0].State.Terminated.ExitCode != 3 {
				t.Errorf("problems %q, statuses %s", problems, statuses(st))
			}
		})
	}
}
