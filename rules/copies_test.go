package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

func TestFollows(t *testing.T) {
	running := func(at string, restarts int64) kube.ContainerStatus {
		return kube.ContainerStatus{Name: "a", RestartCount: restarts, State: kube.ContainerState{Running: &kube.Running{StartedAt: kube.ParseTime(at)}}}
	}
	ended := kube.ContainerStatus{Name: "a", State: kube.ContainerState{Terminated: &kube.Terminated{}}}
	waits := kube.ContainerStatus{Name: "a", State: kube.ContainerState{Waiting: &kube.Waiting{Reason: "CrashLoopBackOff"}}}
	first, later := "2026-01-01T00:00:00Z", "2026-01-01T00:05:00Z"
	for name, c := range map[string]struct {
		before, after kube.ContainerStatus
		want          bool
	}{
		"it went on":                         {running(first, 0), running(first, 0), true},
		"printed without fractions":          {running("2026-01-01T00:00:00.9Z", 0), running("2026-01-01T00:00:01Z", 0), true},
		"it ended":                           {running(first, 0), ended, true},
		"it ended and waits":                 {running(first, 0), waits, true},
		"it was started again":               {ended, running(later, 1), true},
		"a restart is not undone":            {running(later, 1), ended, false},
		"nothing runs again without restart": {ended, running(later, 0), false},
		"nor from another start":             {running(first, 0), running(later, 0), false},
		"after waiting comes anything":       {waits, running(later, 0), true},
	} {
		if got := follows(c.before, c.after); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestSameStory(t *testing.T) {
	pod := func(uid, phase string) *kube.Pod {
		p := &kube.Pod{}
		p.Meta.UID, p.Status.Phase = uid, phase
		return p
	}
	for name, c := range map[string]struct {
		after, before *kube.Pod
		want          bool
	}{
		"it ended":            {pod("1", "Succeeded"), pod("1", "Running"), true},
		"the end is final":    {pod("1", "Running"), pod("1", "Succeeded"), false},
		"another pod":         {pod("2", "Running"), pod("1", "Running"), false},
		"describe has no uid": {pod("1", "Running"), pod("", "Pending"), true},
	} {
		if got := sameStory(c.after, c.before); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// TestEveryCopyIsAsked: a must-gather holds each pod twice, so that of two clusters in one ticket each pod has one copy that
// goes well with the one that is kept, and others that do not.
func TestEveryCopyIsAsked(t *testing.T) {
	copyOf := func(file, uid string, ended bool) *kube.Pod {
		p := heldPod()
		if !ended {
			p = podOf("Never", "Running", proxy(), app())
		}
		p.Meta.UID, p.Meta.Created, p.Origin.File = uid, stampOf(began), file
		return p
	}
	for name, tc := range map[string]struct {
		pods []*kube.Pod
		want analyze.Status
	}{
		"twice the same":          {[]*kube.Pod{copyOf("a", "1", true), copyOf("b", "1", true)}, analyze.NotApplicable},
		"two moments":             {[]*kube.Pod{copyOf("a", "1", false), copyOf("b", "1", true)}, analyze.Clear},
		"two moments, each twice": {[]*kube.Pod{copyOf("a", "1", false), copyOf("b", "1", false), copyOf("c", "1", true), copyOf("d", "1", true)}, analyze.Clear},
		"two clusters":            {[]*kube.Pod{copyOf("a", "1", true), copyOf("b", "2", false)}, analyze.Fired},
		"two clusters, each twice": {[]*kube.Pod{copyOf("a", "1", true), copyOf("b", "1", true), copyOf("c", "2", false), copyOf("d", "2", false)},
			analyze.Fired},
		"two clusters, side by side": {[]*kube.Pod{copyOf("a", "1", true), copyOf("c", "2", false), copyOf("b", "1", true), copyOf("d", "2", false)},
			analyze.Fired},
	} {
		k := base(t)
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: tc.pods}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		out := runCaptureInconsistent(&analyze.Pass{Cluster: c, Know: k, Judged: []analyze.Judged{{Workload: c.Workloads[0]}}})
		if out.Status != tc.want {
			t.Errorf("%s: %q (%s)", name, out.Status, out.Message)
		}
		if n := strings.Count(out.Message.String(), "metadata.uid"); tc.want == analyze.Fired && n != 1 {
			t.Errorf("%s: said %d times: %s", name, n, out.Message)
		}
	}
}
