package render

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render/columns"
)

// openPods bounds for how many pods of a workload the table lists containers; wide lists all.
const openPods = 1

// pods shows a workload's pods as kubectl would, then the containers of those that carry the verdict.
func (t *table) pods(w analyze.Workload) {
	if len(w.Pods) == 0 {
		return
	}
	t.blank()
	t.podRows(w.Pods)
	shown := 0
	for _, p := range w.Pods {
		if len(p.Containers) == 0 || !t.wide && (p.Verdict != w.Verdict || shown == openPods) {
			continue
		}
		shown++
		t.blank()
		t.containers(p, len(w.Pods) > 1)
	}
}

func (t *table) podRows(pods []analyze.Pod) {
	rows := make([][]columns.Cell, 0, len(pods))
	for _, p := range pods {
		row := columns.Cells(p.Name, p.Ready, p.Status, strconv.FormatInt(p.Restarts, 10), orDash(p.Node), string(p.Verdict))
		if p.Source != "" {
			row = append(row, columns.Cell{Text: "(" + witness(t.catalogue, evidence.Strength(p.Source)) + ")", Style: dim})
		}
		rows = append(rows, row)
	}
	t.columns([]string{"col.pod", "col.ready", "col.status", "col.restarts", "col.node", "col.verdict"}, rows)
}

// containers lists one pod's containers with role, placement and state.
func (t *table) containers(p analyze.Pod, named bool) {
	if named {
		t.para(t.say("pod.containers", p.Name))
	}
	header := []string{"col.container", "col.kind", "col.state", "col.started", "col.ended"}
	if t.wide {
		header = append(header, "col.restarts", "col.image")
	}
	rows := make([][]columns.Cell, 0, len(p.Containers))
	for _, c := range p.Containers {
		row := columns.Cells(c.Name, kindText(t.catalogue, c), stateText(t.catalogue, c, t.wide), orDash(c.StartedAt), orDash(c.FinishedAt))
		if t.wide {
			row = append(row, columns.Cells(strconv.FormatInt(c.RestartCount, 10), orDash(c.Image))...)
		}
		rows = append(rows, row)
	}
	t.columns(header, rows)
	if !t.wide {
		return
	}
	for _, c := range p.Containers {
		if c.RoleBecause != "" {
			t.item(plainText, "- ", t.say("role.because", c.Name, roleText(t.catalogue, c.Role), c.RoleBecause))
		}
	}
	t.events(p.Events)
}

// events lists, in wide, what the cluster reported about a pod or a workload.
func (t *table) events(es []analyze.Event) {
	if len(es) == 0 {
		return
	}
	t.blank()
	ids, texts := eventTable(es)
	rows := make([][]columns.Cell, 0, len(es))
	for _, row := range texts {
		rows = append(rows, columns.Cells(row...))
	}
	t.prose(ids, rows)
}

// otherPods lists pods of services, which have no completion to judge.
func (t *table) otherPods(v *view) {
	if len(v.OtherPods) == 0 {
		return
	}
	t.blank()
	t.raw(t.paint(bold, t.say("otherPods")))
	rows := make([][]columns.Cell, 0, len(v.OtherPods))
	for _, p := range v.OtherPods {
		name := p.Name
		if p.Namespace != "" {
			name = p.Namespace + "/" + name
		}
		rows = append(rows, columns.Cells(name, p.Ready, p.Status, strconv.FormatInt(p.Restarts, 10), orDash(p.Node)))
	}
	t.in(func() {
		t.columns([]string{"col.pod", "col.ready", "col.status", "col.restarts", "col.node"}, rows)
	})
}

// kindText joins role and placement: where a container stands matters for sidecars and for what no one has explained.
func kindText(c catalogue, k analyze.Container) string {
	usual := map[string]string{"app": "ordinary", "init": "init", "other": "ordinary"}
	switch {
	case k.Role == "sidecar" && (k.Placement == "native" || k.Placement == "ordinary"):
		return c.say("kind."+k.Placement, roleText(c, k.Role))
	case k.Placement == "" || usual[k.Role] == k.Placement:
		return roleText(c, k.Role)
	default:
		return c.say("kind.odd", roleText(c, k.Role), wordOf(c, "place.", k.Placement, "ordinary", "native", "init"))
	}
}

func roleText(c catalogue, role string) string {
	return wordOf(c, "role.", role, "app", "sidecar", "init", "other")
}

// wordOf says a value of the report in words; one that is none of the known stays as it is.
func wordOf(c catalogue, prefix, value string, known ...string) string {
	if slices.Contains(known, value) {
		return c.say(prefix + value)
	}
	return value
}

// stateText gives state and exit code as one; the reasons that an exit code implies are for wide.
func stateText(c catalogue, k analyze.Container, whole bool) string {
	if k.ExitCode == nil {
		return k.State
	}
	s := c.say("state.exit", strconv.FormatInt(*k.ExitCode, 10))
	_, reason, _ := strings.Cut(k.State, ":")
	if reason = strings.TrimSpace(reason); whole || reason != "" && reason != "Completed" && reason != "Error" {
		s += c.say("join.parts") + k.State
	}
	return s
}
