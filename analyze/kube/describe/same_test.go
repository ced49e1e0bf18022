package describe

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// What describe prints must come back as the YAML of the same moment has it: the two files were written by one kubectl.

func TestPodsAreThoseOfTheYAML(t *testing.T) {
	pods := 0
	for _, dir := range scenarios(t) {
		want, got := stored(t, dir, "pods.yaml").Pods, describedAs(t, dir, "describe-pods.txt").Pods
		equal(t, dir, "pods", names(want, podName), names(got, podName))
		for _, w := range want {
			for _, g := range got {
				if podName(w) == podName(g) {
					samePod(t, filepath.Base(dir)+"/"+w.Meta.Name, w, g)
					pods++
				}
			}
		}
	}
	if pods < 10 {
		t.Errorf("only %d pods were compared", pods)
	}
}

func podName(p *kube.Pod) string { return p.Meta.Namespace + "/" + p.Meta.Name }

func names[T any](list []T, name func(T) string) []string {
	var out []string
	for _, x := range list {
		out = append(out, name(x))
	}
	slices.Sort(out)
	return out
}

func equal[T any](t *testing.T, where, what string, want, got T) {
	t.Helper()
	if w, g := fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got); w != g {
		t.Errorf("%s: %s: described as\n  %s\nYAML has\n  %s", where, what, g, w)
	}
}

func samePod(t *testing.T, where string, w, g *kube.Pod) {
	equal(t, where, "phase", w.Status.Phase, g.Status.Phase)
	equal(t, where, "node", w.Spec.NodeName, g.Spec.NodeName)
	equal(t, where, "start time", w.Status.StartTime.String(), g.Status.StartTime.String())
	equal(t, where, "labels", w.Meta.Labels, g.Meta.Labels)
	equal(t, where, "annotations", keysOf(w.Meta.Annotations), keysOf(g.Meta.Annotations))
	equal(t, where, "owner", owners(w), owners(g))
	equal(t, where, "conditions", conditions(w.Status.Conditions), conditions(g.Status.Conditions))
	equal(t, where, "init containers", containers(w.Spec.InitContainers), containers(g.Spec.InitContainers))
	equal(t, where, "containers", containers(w.Spec.Containers), containers(g.Spec.Containers))
	equal(t, where, "init statuses", statuses(w.Status.InitContainerStatuses), statuses(g.Status.InitContainerStatuses))
	equal(t, where, "statuses", statuses(w.Status.ContainerStatuses), statuses(g.Status.ContainerStatuses))
}

func owners(p *kube.Pod) string {
	o, _ := p.Meta.Controller()
	return o.Kind + "/" + o.Name + "/" + o.UID
}

// conditions leaves out what describe does not print.
func conditions(list []kube.Condition) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Type+"="+c.Status)
	}
	return strings.Join(out, " ")
}

// containers are compared by what describe prints of them; arguments with line breaks come back as several.
func containers(list []kube.Container) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%s image=%s command=%q args=%q", c.Name, c.Image, split(c.Command), split(c.Args))
		for _, p := range c.Ports {
			fmt.Fprintf(&b, " port=%d", p.ContainerPort)
		}
		for i, p := range []*kube.Probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
			if p != nil {
				fmt.Fprintf(&b, " probe%d=%+v", i, *p)
			}
		}
		fmt.Fprintf(&b, " limits=%v requests=%v env=", c.Resources.Limits, c.Resources.Requests)
		for _, e := range c.Env {
			// What a field reference resolves to is printed, but it is no value of the spec.
			value := strings.TrimSpace(strings.ReplaceAll(string(e.Value), "\n", ""))
			if e.ValueFrom == "resourceFieldRef" || strings.HasSuffix(value, " (limits.cpu)") || strings.HasSuffix(value, " (limits.memory)") {
				value = "resource"
			}
			fmt.Fprintf(&b, "%s=%q/%t ", e.Name, value, e.ValueFrom == "fieldRef")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func split(args []string) []string {
	var out []string
	for _, a := range args {
		out = append(out, strings.Split(a, "\n")...)
	}
	return out
}

// statuses are compared without what describe does not print: the message of a waiting container and started.
func statuses(list []kube.ContainerStatus) string {
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprintf("%s ready=%t restarts=%d state={%s} last={%s}", s.Name, s.Ready, s.RestartCount, state(s.State), state(s.LastState)))
	}
	slices.Sort(out) // the status list has an order of its own
	return strings.Join(out, "\n")
}

func state(s kube.ContainerState) string {
	switch {
	case s.Running != nil:
		return "running since " + s.Running.StartedAt.String()
	case s.Terminated != nil:
		x := s.Terminated
		return fmt.Sprintf("terminated %d signal %d %s %q %s - %s", x.ExitCode, x.Signal, x.Reason, x.Message, x.StartedAt, x.FinishedAt)
	case s.Waiting != nil:
		return "waiting " + s.Waiting.Reason
	}
	return ""
}

func TestJobsAreThoseOfTheYAML(t *testing.T) {
	jobs := 0
	for _, dir := range scenarios(t) {
		want, got := stored(t, dir, "jobs.yaml").Jobs, describedAs(t, dir, "describe-jobs.txt").Jobs
		if len(want) != len(got) {
			t.Errorf("%s: %d jobs described, YAML has %d", dir, len(got), len(want))
			continue
		}
		for i, w := range want {
			where := filepath.Base(dir) + "/" + w.Meta.Name
			g := got[i]
			jobs++
			equal(t, where, "name", w.Meta.Namespace+"/"+w.Meta.Name, g.Meta.Namespace+"/"+g.Meta.Name)
			equal(t, where, "uid", w.Meta.UID, g.Meta.UID)
			equal(t, where, "active", count(w.Status.Active), count(g.Status.Active))
			equal(t, where, "ready", count(w.Status.Ready), count(g.Status.Ready))
			equal(t, where, "succeeded", count(w.Status.Succeeded), count(g.Status.Succeeded))
			equal(t, where, "failed", count(w.Status.Failed), count(g.Status.Failed))
			equal(t, where, "completions", count(w.Spec.Completions), count(g.Spec.Completions))
			equal(t, where, "backoff limit", count(w.Spec.BackoffLimit), count(g.Spec.BackoffLimit))
			equal(t, where, "start", w.Status.StartTime.String(), g.Status.StartTime.String())
			equal(t, where, "completion", w.Status.CompletionTime.String(), g.Status.CompletionTime.String())
			equal(t, where, "init containers", containers(w.Spec.Template.Spec.InitContainers), containers(g.Spec.Template.Spec.InitContainers))
			equal(t, where, "containers", containers(w.Spec.Template.Spec.Containers), containers(g.Spec.Template.Spec.Containers))
			equal(t, where, "template labels", w.Spec.Template.Meta.Labels, g.Spec.Template.Meta.Labels)
		}
	}
	if jobs < 10 {
		t.Errorf("only %d jobs were compared", jobs)
	}
}

// count reads an absent counter as 0, which is what describe prints for it.
func count(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

func TestCronJobsAndNodesAreThoseOfTheYAML(t *testing.T) {
	cronJobs := 0
	for _, dir := range scenarios(t) {
		want, got := stored(t, dir, "cronjobs.yaml").CronJobs, describedAs(t, dir, "describe-cronjobs.txt").CronJobs
		equal(t, dir, "number of cronjobs", len(want), len(got))
		for i, w := range want {
			g := got[i]
			cronJobs++
			equal(t, dir, "schedule", w.Spec.Schedule, g.Spec.Schedule)
			equal(t, dir, "policy", w.Spec.ConcurrencyPolicy, g.Spec.ConcurrencyPolicy)
			equal(t, dir, "suspend", *w.Spec.Suspend, *g.Spec.Suspend)
			equal(t, dir, "last schedule", w.Status.LastScheduleTime.String(), g.Status.LastScheduleTime.String())
			equal(t, dir, "active", len(w.Status.Active), len(g.Status.Active))
			equal(t, dir, "containers", containers(w.Spec.JobTemplate.Spec.Template.Spec.Containers), containers(g.Spec.JobTemplate.Spec.Template.Spec.Containers))
		}
		nodes, described := stored(t, dir, "nodes.yaml").Nodes, describedAs(t, dir, "describe-nodes.txt").Nodes
		equal(t, dir, "number of nodes", len(nodes), len(described))
		for i, w := range nodes {
			g := described[i]
			equal(t, dir, "node info", w.Status.NodeInfo, g.Status.NodeInfo)
			equal(t, dir, "created", w.Meta.Created.String(), g.Meta.Created.String())
			for j := range w.Status.Conditions {
				a, b := w.Status.Conditions[j], g.Status.Conditions[j]
				equal(t, dir, "condition", []string{a.Type, a.Status, a.Reason, a.Message, a.LastTransitionTime.String(), a.LastHeartbeatTime.String()},
					[]string{b.Type, b.Status, b.Reason, b.Message, b.LastTransitionTime.String(), b.LastHeartbeatTime.String()})
			}
		}
	}
	if cronJobs == 0 {
		t.Error("no cronjob was compared")
	}
}

// Every line that a field is said to stand in must show its title.
func TestLinesOfFields(t *testing.T) {
	titles := map[string]string{
		"metadata.name": "Name:", "status.phase": "Status:", "spec.nodeName": "Node:", "metadata.ownerReferences": "Controlled By:",
		"status.containerStatuses[name=main].state":                          "    State:",
		"status.containerStatuses[name=main].state.terminated.exitCode":      "      Exit Code:",
		"status.containerStatuses[name=istio-proxy].ready":                   "    Ready:",
		"status.containerStatuses[name=istio-proxy].state.running":           "    State:",
		"spec.containers[name=istio-proxy]":                                  "  istio-proxy:",
		"spec.containers[name=istio-proxy].image":                            "    Image:",
		"spec.initContainers[name=istio-init].args":                          "    Args:",
		"status.conditions[type=Ready].status":                               "  Ready ",
		"metadata.annotations[sidecar.istio.io/status]":                      "sidecar.istio.io/status:",
		"metadata.labels[security.istio.io/tlsMode]":                         "security.istio.io/tlsMode=",
		"spec.containers[name=istio-proxy].env[name=ISTIO_META_MESH_ID]":     "ISTIO_META_MESH_ID:",
		"spec.containers[name=main].resources.requests.cpu":                  "cpu:",
		"status.initContainerStatuses[name=istio-init].restartCount":         "    Restart Count:",
		"spec.containers[name=istio-proxy].startupProbe.failureThreshold":    "    Startup:",
		"status.containerStatuses[name=main].state.terminated.finishedAt":    "      Finished:",
		"status.containerStatuses[name=istio-proxy].state.running.startedAt": "      Started:",
	}
	b, err := os.ReadFile("../../../fixtures/bundles/ordinary-sidecar-holding-job/describe-pods.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(b), "\n")
	set, _ := read(t, string(b))
	for path, title := range titles {
		n := set.Pods[0].Origin.LineOf(path)
		if n < 1 || !strings.Contains(lines[n-1], title) {
			t.Errorf("%s is said to stand in line %d", path, n)
		}
	}
}

func keysOf(p kube.Pairs) (keys []string) {
	for _, e := range p {
		keys = append(keys, e.Key)
	}
	return keys
}
