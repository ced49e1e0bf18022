package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// statusColumnMisleads: STATUS of kubectl get pods is the reason of one container, the first of the status list that
// waits or has ended (printPod); only without such a container is it the pod's phase.
func statusColumnMisleads() *analyze.Rule {
	return &analyze.Rule{Code: "StatusColumnMisleads", Title: "The STATUS column says something else than the pod's phase",
		Severity: analyze.Warning, Scope: analyze.PerWorkload,
		Run: func(p *analyze.Pass) analyze.Outcome { return overPods(p, runStatusColumnMisleads) }}
}

func runStatusColumnMisleads(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	if len(pod.Status.ContainerStatuses) == 0 || pod.Status.Phase == "" {
		return analyze.Skip()
	}
	work, _ := splitRegular(pod)
	s := readStatusColumn(p, pod)
	why := misleading(pod, s.cols, work)
	if why.IsZero() {
		if s.cols.StatusFrom == "" {
			return analyze.Skip()
		}
		return analyze.RuleOut(say("STATUS of pod %s is %s, which fits its phase %s", pod.Meta.Name, s.cols.Status, pod.Status.Phase),
			append([]evidence.Evidence{pod.Ev("status.phase", pod.Status.Phase)}, s.row...)...)
	}
	if !s.sure {
		return analyze.Undecide(say("STATUS of pod %s would be %s, taken from container %s, or another word: %s", pod.Meta.Name, s.cols.Status, s.cols.StatusFrom, s.doubt),
			analyze.Missing{What: say("the API server's version, which computes the column"), Command: "kubectl version -o yaml"})
	}
	because := append([]evidence.Evidence{pod.Ev("status.phase", pod.Status.Phase)}, stateOfSource(pod, s.cols.StatusFrom)...)
	for _, c := range work {
		if c.Name != s.cols.StatusFrom {
			because = append(because, c.EvState())
		}
	}
	o := analyze.Fire(say("kubectl get pods prints %s %s for pod %s: %s is the reason of container %s, not the state of the pod. %s",
		s.cols.ReadyText(), s.cols.Status, pod.Meta.Name, s.cols.Status, s.cols.StatusFrom, why), append(because, s.from...)...)
	o.Assumes = s.assumes
	if p.Verdict.Code == NativeSidecarStopping {
		return o.As(analyze.Info)
	}
	return o
}

// misleading says what the column hides, or nothing.
func misleading(pod *facts.Pod, cols facts.Columns, work []*facts.Container) analyze.Text {
	from := pod.Container(cols.StatusFrom)
	if from == nil || cols.Status == "NotReady" || cols.Status == "Running" { // words of printPod's own
		return analyze.Text{}
	}
	open := slices.IndexFunc(work, func(c *facts.Container) bool { return c.Running() != nil })
	switch t := from.Terminated(); {
	case cols.Status == "Completed" && pod.Status.Phase != "Succeeded":
		return say("The pod's phase is %s: %s", pod.Status.Phase, restOf(pod, from))
	case strings.HasPrefix(cols.Status, "Init:") && open >= 0:
		return say("The pod is past its init containers: %s runs", work[open].Name)
	case t != nil && t.ExitCode != 0 && pod.Status.Phase == "Running" && !strings.HasPrefix(cols.Status, "Init:"):
		return say("The pod has not failed, its phase is Running: %s", restOf(pod, from))
	}
	return analyze.Text{}
}

// restOf says how the containers stand that STATUS was not taken from.
func restOf(pod *facts.Pod, from *facts.Container) analyze.Text {
	var parts []analyze.Text
	for _, c := range pod.Containers {
		if c == from || c.Placement == facts.InitContainer {
			continue
		}
		switch t := c.Terminated(); {
		case t != nil:
			parts = append(parts, say("%s exited %d", c.Name, t.ExitCode))
		case c.Running() != nil:
			parts = append(parts, say("%s still runs", c.Name))
		default:
			parts = append(parts, say("%s is %s", c.Name, c.State()))
		}
	}
	return joined(parts)
}

func stateOfSource(pod *facts.Pod, name string) []evidence.Evidence {
	c := pod.Container(name)
	out := []evidence.Evidence{c.EvState()}
	if t := c.Terminated(); t != nil && t.Reason != "" {
		out = append(out, pod.Ev(c.StatusPath("state.terminated.reason"), t.Reason))
	}
	return out
}

// statusColumn is what kubectl prints for a pod, as far as the bundle tells.
type statusColumn struct {
	cols    facts.Columns
	sure    bool
	doubt   analyze.Text
	from    []evidence.Evidence
	row     []evidence.Evidence // a row of a table that shows it
	assumes []analyze.Text
}

// readStatusColumn computes the column and looks for what confirms it: the API server's version, or a row of a table in
// the bundle. Without either it is sure only where every version prints the same.
func readStatusColumn(p *analyze.Pass, pod *facts.Pod) statusColumn {
	pr := Printer(p.Cluster, p.Know)
	printed := columnsOf(pr, printerKnown(p.Cluster, p.Know), pod)
	s := statusColumn{cols: printed.Columns}
	if printed.row != nil {
		s.row = []evidence.Evidence{evRow(pod.Ref(), *printed.row)}
		s.sure, s.from = true, s.row
		return s
	}
	if pod.Described() {
		s.doubt = say("only describe text of the pod is in the bundle")
		return s
	}
	if printerKnown(p.Cluster, p.Know) {
		s.sure, s.from = true, p.Cluster.Server.From
		return s
	}
	pr.ShowsErrorReason = !pr.ShowsErrorReason
	if s.cols.Status == pod.Columns(pr).Status {
		s.sure = true
		return s
	}
	if note, ok := tooOldForErrorReason(p); ok {
		s.sure, s.assumes = true, []analyze.Text{note}
		return s
	}
	s.doubt = say("newer API servers print the reason of a failed container first, and the version of this one is not in the bundle")
	return s
}

// tooOldForErrorReason bounds an unknown API server from above by its oldest kubelet, as far as the supported skew goes.
func tooOldForErrorReason(p *analyze.Pass) (analyze.Text, bool) {
	for _, n := range p.Cluster.Nodes {
		if !n.Kubelet.Known() || n.Kubelet.IsVirtualKubelet() {
			continue
		}
		top := version.Version{Major: n.Kubelet.Major, Minor: n.Kubelet.Minor, Precision: 2}
		for {
			next := top
			next.Minor++
			oldest, ok := p.Know.OldestKubelet(next)
			if !ok || oldest.Minor > n.Kubelet.Minor {
				break
			}
			top = next
		}
		if a, _ := p.Know.Has("status-shows-error-reason", top); a == version.No {
			return say("the API server is not newer than its kubelets (%s on node %s) allow", n.Kubelet.Raw, n.Meta.Name), true
		}
	}
	return analyze.Text{}, false
}
