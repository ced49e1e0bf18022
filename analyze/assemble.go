package analyze

import (
	"maps"
	"slices"
	"sort"
	"strconv"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// pod puts a pod into the report; judged is nil for pods of services.
func (a *assembly) pod(p *facts.Pod, judged *PodJudgement) Pod {
	cols := a.columns(p)
	out := Pod{Namespace: p.Meta.Namespace, Name: p.Meta.Name, Ready: cols.ReadyText(), Status: cols.Status, Restarts: cols.Restarts,
		Phase: p.Status.Phase, Node: p.Spec.NodeName, CreatedAt: timeText(p.Meta.Created), Source: string(p.Origin.Strength),
		Containers: []Container{}}
	if judged != nil {
		out.Verdict, out.Summary = judged.Code, a.text(judged.Summary)
	}
	if o, ok := p.Meta.Controller(); ok {
		out.Owner = &Parent{Kind: o.Kind, Name: o.Name}
	}
	if c := p.Condition("PodScheduled"); c != nil && c.Status == "True" {
		out.ScheduledAt = timeText(c.LastTransitionTime)
	}
	out.DeletedAt = timeText(p.Meta.Deleted)
	for _, c := range p.Containers {
		out.Containers = append(out.Containers, a.container(c))
	}
	if judged != nil {
		for _, e := range p.Events {
			out.Events = append(out.Events, event(e))
		}
	}
	return out
}

func (a *assembly) container(c *facts.Container) Container {
	out := Container{Name: c.Name, Role: string(c.Role), Placement: string(c.Placement), State: c.State(), Image: c.Image(),
		RoleBecause: a.text(c.RoleBecause)}
	if c.Status != nil {
		out.Ready, out.RestartCount = c.Status.Ready, c.Status.RestartCount
		if t := c.Status.LastState.Terminated; t != nil {
			code := t.ExitCode
			out.LastExitCode = &code
			out.LastStartedAt, out.LastFinishedAt = timeText(t.StartedAt), timeText(t.FinishedAt)
		}
	}
	if r := c.Running(); r != nil {
		out.StartedAt = timeText(r.StartedAt)
	}
	if t := c.Uncoded(); t != nil {
		out.StartedAt, out.FinishedAt = timeText(t.StartedAt), timeText(t.FinishedAt)
	}
	if t := c.Terminated(); t != nil {
		code := t.ExitCode
		out.ExitCode = &code
		out.StartedAt, out.FinishedAt = timeText(t.StartedAt), timeText(t.FinishedAt)
	}
	return out
}

func event(e *kube.Event) Event {
	return Event{Time: timeText(e.Last()), Age: e.Age, Type: e.Type, Reason: e.Reason, Message: e.Text(), Count: e.Times()}
}

func timeText(t kube.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// cluster fills the cluster part.
func (a *assembly) cluster() {
	out := Cluster{Kubelets: []KubeletGroup{}, Istio: []ControlPlane{}}
	out.Kubernetes.Evidence = evidenceOrEmpty(a.c.Server.From)
	if a.c.Server.Known {
		out.Kubernetes.Version = a.c.Server.V.Raw
	}
	groups := map[string]int{}
	add := func(node string, kubelet version.Version) {
		i, ok := groups[kubelet.Raw]
		if !ok {
			i = len(out.Kubelets)
			groups[kubelet.Raw] = i
			out.Kubelets = append(out.Kubelets, a.kubelets(kubelet))
		}
		out.Kubelets[i].Nodes = append(out.Kubelets[i].Nodes, node)
	}
	for _, n := range a.c.Nodes {
		add(n.Meta.Name, n.Kubelet)
	}
	rows := a.c.NodeRows()
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		if v := version.Parse(rows[name].Version); v.Known() {
			add(name, v)
		}
	}
	sort.SliceStable(out.Kubelets, func(i, j int) bool { return lessVersion(out.Kubelets[i].Version, out.Kubelets[j].Version) })
	for _, cp := range a.c.Mesh.ControlPlanes {
		out.Istio = append(out.Istio, a.plane(cp))
	}
	out.NextPod = a.nextPod(a.e.Next(a.c, a.k, nil))
	a.r.Cluster = out
}

// kubelets begins a group, and holds its version against the API server's. The number of a virtual kubelet says nothing.
func (a *assembly) kubelets(v version.Version) KubeletGroup {
	group := KubeletGroup{Version: v.Raw}
	if server := a.c.Server; server.Known && !v.IsVirtualKubelet() {
		group.Unsupported = v.NewerMinor(server.V)
		oldest, known := a.k.OldestKubelet(server.V)
		group.TooOld = known && oldest.NewerMinor(v)
	}
	return group
}

// lessVersion orders version strings by their leading numbers, then as text.
func lessVersion(a, b string) bool {
	x, y := leadingNumbers(a), leadingNumbers(b)
	for i := range x {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return a < b
}

func leadingNumbers(s string) [3]int {
	var out [3]int
	n, start := 0, -1
	for i := 0; i <= len(s) && n < 3; i++ {
		digit := i < len(s) && s[i] >= '0' && s[i] <= '9'
		switch {
		case digit && start < 0:
			start = i
		case !digit && start >= 0:
			out[n], _ = strconv.Atoi(s[start:i])
			n, start = n+1, -1
		}
	}
	return out
}

func (a *assembly) plane(cp *facts.ControlPlane) ControlPlane {
	out := ControlPlane{Revision: cp.Revision, Namespace: cp.Namespace, Evidence: []evidence.Evidence{}}
	if cp.Version.Known {
		out.Version = cp.Version.V.Raw
		out.Evidence = append(out.Evidence, cp.Version.From...)
	}
	for i, r := range cp.Mixed { // pods of several releases inject
		if i > 0 {
			out.Version += ", "
		}
		out.Version += r.V.Raw
		out.Evidence = append(out.Evidence, r.From...)
	}
	out.Evidence = evidence.Distinct(append(out.Evidence, cp.Env.From...))
	switch {
	case !cp.Env.Known:
		out.EnableNativeSidecars = EnvSetting{Value: "", From: "unknown"}
	case cp.Env.Set:
		out.EnableNativeSidecars = EnvSetting{Value: cp.Env.Value, From: "env"}
	default:
		value := ""
		if point, ok, _ := a.k.Istio(cp.Version.V); ok && cp.Version.Known {
			value = defaultValue(point.EnvDefault)
		}
		out.EnableNativeSidecars = EnvSetting{Value: value, From: "default"}
	}
	return out
}

// defaultValue turns what an unset variable leads to into the value that would lead there.
func defaultValue(outcome string) string {
	if outcome == knowledge.Ordinary {
		return "false"
	}
	return outcome
}
