package facts

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

const (
	first  = "2026-01-01T00:00:00Z"
	second = "2026-01-01T00:05:00Z"
)

func runningSince(at string) kube.ContainerState {
	return kube.ContainerState{Running: &kube.Running{StartedAt: kube.ParseTime(at)}}
}

// TestLater: each sign alone tells which copy is the later one, whichever is asked about first.
func TestLater(t *testing.T) {
	ended := kube.ContainerState{Terminated: &kube.Terminated{StartedAt: kube.ParseTime(first), FinishedAt: kube.ParseTime(second)}}
	waits := kube.ContainerState{Waiting: &kube.Waiting{Reason: "CrashLoopBackOff"}}
	pod := func(change func(*kube.Pod)) *kube.Pod {
		p := &kube.Pod{}
		p.Meta.Created, p.Status.Phase, p.Status.StartTime, p.Spec.NodeName = kube.ParseTime(first), "Running", kube.ParseTime(first), "n"
		p.Status.ContainerStatuses = []kube.ContainerStatus{{Name: "a", State: runningSince(first)}}
		change(p)
		return p
	}
	state := func(s kube.ContainerStatus) *kube.Pod {
		s.Name = "a"
		return pod(func(p *kube.Pod) { p.Status.ContainerStatuses[0] = s })
	}
	job := func(change func(*kube.Job)) *kube.Job {
		j := &kube.Job{}
		j.Status.StartTime = kube.ParseTime(first)
		change(j)
		return j
	}
	version := func(v string) func(*kube.Pod) { return func(p *kube.Pod) { p.Meta.ResourceVersion = v } }
	plain, plainJob, n := pod(func(*kube.Pod) {}), job(func(*kube.Job) {}), int64(1)
	heartbeat := func(at string) *kube.Node {
		o := &kube.Node{}
		o.Status.Conditions = []kube.Condition{{Type: "Ready", LastHeartbeatTime: kube.ParseTime(at)}}
		return o
	}
	for name, c := range map[string]struct {
		before, after object
		same          bool
	}{
		"nothing differs":             {before: plain, after: plain, same: true},
		"printed without fractions":   {before: plain, after: state(kube.ContainerStatus{State: runningSince("2026-01-01T00:00:00.4Z")}), same: false},
		"it was written since":        {before: pod(version("9")), after: pod(version("10"))},
		"a version that is no number": {before: pod(version("x")), after: pod(version("10")), same: true},
		"one version":                 {before: pod(version("9")), after: pod(func(p *kube.Pod) { version("9")(p); p.Status.Phase = "Failed" }), same: true},
		"a restored etcd counts anew": {before: pod(version("900")), after: pod(func(p *kube.Pod) { version("9")(p); p.Status.Phase = "Failed" })},
		"a container ended":           {before: plain, after: state(kube.ContainerStatus{State: ended})},
		"a container began":           {before: state(kube.ContainerStatus{State: waits}), after: plain},
		"it waits for its next start": {before: state(kube.ContainerStatus{State: ended}), after: state(kube.ContainerStatus{State: waits, LastState: ended})},
		"it runs again":               {before: state(kube.ContainerStatus{State: ended}), after: state(kube.ContainerStatus{RestartCount: 1, State: runningSince(second)})},
		"it has no state":             {before: plain, after: state(kube.ContainerStatus{RestartCount: 1}), same: true},
		"another start":               {before: plain, after: state(kube.ContainerStatus{State: runningSince(second)})},
		"the pod ended":               {before: plain, after: pod(func(p *kube.Pod) { p.Status.Phase = "Failed"; p.Status.ContainerStatuses = nil })},
		"the pod is being deleted":    {before: plain, after: pod(func(p *kube.Pod) { p.Meta.Deleted.Raw = "lasts 3m" })},
		"the pod got a node":          {before: pod(func(p *kube.Pod) { p.Spec.NodeName = "" }), after: plain},
		"the pod was taken up":        {before: pod(func(p *kube.Pod) { p.Status = kube.PodStatus{Phase: "Pending"} }), after: plain},
		"the next pod of the name":    {before: pod(func(p *kube.Pod) { p.Status.Phase = "Failed" }), after: pod(func(p *kube.Pod) { p.Status.StartTime = kube.ParseTime(second) })},
		"signs contradict":            {before: pod(func(p *kube.Pod) { p.Meta.Deleted.Raw = "lasts 3m" }), after: state(kube.ContainerStatus{State: ended}), same: true},
		"a condition changed": {before: plain, after: pod(func(p *kube.Pod) {
			p.Status.Conditions = []kube.Condition{{Type: "Ready", LastTransitionTime: kube.ParseTime(second)}}
		})},
		"a Job succeeded once more":    {before: plainJob, after: job(func(j *kube.Job) { j.Status.Succeeded = &n })},
		"a Job failed once more":       {before: plainJob, after: job(func(j *kube.Job) { j.Status.Failed = &n })},
		"a Job is complete":            {before: job(func(j *kube.Job) { j.Status.Failed = &n }), after: job(func(j *kube.Job) { j.Status.CompletionTime = kube.ParseTime(second) })},
		"a Job was resumed":            {before: plainJob, after: job(func(j *kube.Job) { j.Status.StartTime = kube.ParseTime(second) })},
		"a Job is being deleted":       {before: plainJob, after: job(func(j *kube.Job) { j.Meta.Deleted.Raw = second })},
		"a node reported":              {before: heartbeat(first), after: heartbeat(second)},
		"of other kinds nothing tells": {before: &kube.ConfigMap{}, after: &kube.ConfigMap{}, same: true},
	} {
		want := 1
		if c.same {
			want = 0
		}
		if got, back := later(c.after, c.before), later(c.before, c.after); got != want || back != -want {
			t.Errorf("%s: got %d and %d, want %d", name, got, back, want)
		}
	}
}

// TestBroughtUp: describe text gives the state of a later moment, unless its workload may have written it.
func TestBroughtUp(t *testing.T) {
	stored, now := &kube.Pod{}, &kube.Pod{}
	stored.Spec.RestartPolicy, stored.Status.Phase = "Never", "Pending"
	now.Origin.Strength, now.Status.Phase, now.Spec.NodeName = evidence.Described, "Running", "n"
	now.Meta.Deleted.Raw = "lasts 3m"
	got, ok := broughtUp(stored, now).(*kube.Pod)
	if !ok || got.Spec.RestartPolicy != "Never" || got.Spec.NodeName != "n" || got.Status.Phase != "Running" || got.Meta.Deleted.Raw == "" || got.Later == nil {
		t.Fatalf("got %+v", got)
	}
	if stored.Status.Phase != "Pending" || stored.Later != nil {
		t.Error("the stored copy was changed")
	}
	now.Origin.Forgeable = true
	if o := broughtUp(stored, now); o != nil {
		t.Errorf("forgeable text gave %+v", o)
	}
	now.Origin.Forgeable, stored.Origin.Truncated = false, true
	if o := broughtUp(stored, now); o != nil {
		t.Errorf("a cut copy gave %+v", o)
	}

	node, said := &kube.Node{}, &kube.Node{}
	said.Origin.Strength = evidence.Described
	said.Status.Conditions = []kube.Condition{{Type: "Ready", Status: "Unknown", LastTransitionTime: kube.ParseTime(second)}}
	node.Status.NodeInfo.KubeletVersion = "v1.31.0"
	if got, ok := broughtUp(node, said).(*kube.Node); !ok || len(got.Status.Conditions) != 1 || got.Status.NodeInfo.KubeletVersion == "" {
		t.Errorf("node %+v", got)
	}
	cron, next := &kube.CronJob{}, &kube.CronJob{}
	cron.Spec.ConcurrencyPolicy = "Forbid"
	next.Origin.Strength, next.Status.LastScheduleTime = evidence.Described, kube.ParseTime(second)
	if got, ok := broughtUp(cron, next).(*kube.CronJob); !ok || got.Spec.ConcurrencyPolicy != "Forbid" || got.Status.LastScheduleTime.IsZero() {
		t.Errorf("CronJob %+v", got)
	}
}

// Of two texts the later one is kept, though it be cut off: what the earlier one shows whole may be so no longer.
func TestLaterTextThatIsCutOff(t *testing.T) {
	pod := func(state kube.ContainerState, cut bool, line int) *kube.Pod {
		p := &kube.Pod{}
		p.Kind, p.Meta.Namespace, p.Meta.Name = "Pod", "a", "p"
		p.Origin = kube.Origin{File: "f", Line: line, Strength: evidence.Described, Truncated: cut}
		p.Spec.RestartPolicy = "Never"
		p.Status.Phase = "Running"
		p.Status.ContainerStatuses = []kube.ContainerStatus{{Name: "app", State: state}}
		return p
	}
	runs, ended := kube.ContainerState{Running: &kube.Running{}}, kube.ContainerState{Terminated: &kube.Terminated{}}
	for name, c := range map[string]struct {
		whole, cut kube.ContainerState
		want       bool
	}{"the cut one is later": {runs, ended, true}, "the whole one is later": {ended, runs, false}, "nothing tells": {runs, runs, false}} {
		for _, pods := range [][]*kube.Pod{{pod(c.whole, false, 1), pod(c.cut, true, 9)}, {pod(c.cut, true, 1), pod(c.whole, false, 9)}} {
			if got := latest(pods, nil); len(got) != 1 || got[0].Origin.Truncated != c.want {
				t.Errorf("%s: kept the one that is cut off: %t", name, got[0].Origin.Truncated)
			}
		}
	}
}
