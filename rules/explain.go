package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Explanation says how kubectl got READY, STATUS and RESTARTS of one pod, and in which order its containers start and
// stop.
type Explanation struct {
	Pod     *facts.Pod
	Columns facts.Columns
	Printer facts.Printer
	// ServerKnown is false when the bundle does not tell the API server's version, which computes the columns. PrinterKnown is
	// false, too, for one older than those of which it is known how they do it.
	ServerKnown, PrinterKnown bool
	// Row is a row of kubectl get pods that shows the columns; nil without one.
	Row *kube.Row
	// Counted has one line per container: whether it counts in READY and why.
	Counted []Counted
	// Why are sentences about the columns as a whole.
	Why []analyze.Text
	// Start and Stop are the order in which containers start and stop; entries of one step start together.
	Start, Stop [][]string
	StopNote    analyze.Text
	Basis       knowledge.Basis
}

// Counted is one container's part in the READY column.
type Counted struct {
	Container *facts.Container
	// InTotal and InReady say whether it adds to the right and to the left number.
	InTotal, InReady bool
	Because          analyze.Text
}

// Explain explains a pod.
func Explain(c *facts.Cluster, k *knowledge.Base, p *facts.Pod) Explanation {
	known := printerKnown(c, k)
	printed := columnsOf(Printer(c, k), known, p)
	pr := printed.by
	e := Explanation{Pod: p, Printer: pr, ServerKnown: c.Server.Known, PrinterKnown: known, Columns: printed.Columns, Row: printed.row}
	for _, ct := range p.Containers {
		e.Counted = append(e.Counted, counted(ct, pr))
	}
	e.passedOver()
	e.Why = explainColumns(p, e.Columns, pr)
	e.Start, e.Stop = startOrder(p), stopOrder(p)
	e.StopNote, e.Basis = stopNote(k, p)
	return e
}

// passedOver takes back what stands behind the place at which the API server stopped counting.
func (e *Explanation) passedOver() {
	until := e.Columns.Until
	if until == "" {
		return
	}
	stopped := false
	behind := map[string]bool{}
	for _, s := range e.Pod.Status.InitContainerStatuses {
		behind[s.Name] = stopped
		stopped = stopped || s.Name == until
	}
	for i := range e.Counted {
		c := &e.Counted[i]
		regular := c.Container.Placement == facts.Ordinary
		if c.InReady && (regular && e.Columns.NoRegular || !regular && behind[c.Container.Name]) {
			c.InReady = false
			c.Because = say("%s; ready, and not counted as such, for %s before it is not done", c.Because, until)
		}
	}
}

func counted(c *facts.Container, pr facts.Printer) Counted {
	out := Counted{Container: c}
	switch c.Placement {
	case facts.InitContainer:
		out.Because = say("one-shot init container: counts in neither number")
		return out
	case facts.Native:
		if !pr.CountsSidecars {
			out.Because = say("native sidecar: this API server does not count it")
			return out
		}
		out.InTotal = true
		out.Because = say("native sidecar: counts, although it stands in spec.initContainers")
		out.InReady = countedReady(c)
	default:
		out.InTotal = true
		out.Because = say("ordinary container: counts")
		out.InReady = c.Status != nil && c.Status.Ready && c.Running() != nil
	}
	if !out.InReady {
		out.Because = say("%s, but not as ready (%s)", out.Because, c.State())
	}
	return out
}

func explainColumns(p *facts.Pod, cols facts.Columns, pr facts.Printer) []analyze.Text {
	var out []analyze.Text
	natives := p.Of(facts.IsPlaced(facts.Native))
	ordinary := p.Of(facts.IsPlaced(facts.Ordinary))
	if len(natives) > 0 && cols.Total == len(natives)+len(ordinary) {
		out = append(out, say("READY has %d on the right, with %s in spec.containers: %s in spec.initContainers counts too, as a native sidecar. That is normal",
			cols.Total, entriesOf(len(ordinary)), list(names(natives))))
	}
	switch {
	case cols.StatusFrom != "" && cols.Status == "Completed" && p.Status.Phase == "Running":
		out = append(out, say("STATUS Completed is the reason of container %s; the pod's phase is Running, so the pod has not completed", cols.StatusFrom))
	case cols.Status == "NotReady":
		out = append(out, say("STATUS NotReady: a regular container has ended with Completed while another still runs and is ready"))
	case cols.StatusFrom != "" && cols.Status == "Running" && pr.PlainRunning:
		out = append(out, say("STATUS Running: a regular container has ended with Completed while another still runs and is ready; older API servers print Running for that, present ones NotReady"))
	case cols.StatusFrom != "" && cols.Status == "Running":
		out = append(out, say("STATUS Running: a regular container has ended with Completed while another still runs and is ready, and so is the pod"))
	case cols.StatusFrom != "":
		out = append(out, say("STATUS %s is taken from container %s", cols.Status, cols.StatusFrom))
	case cols.Status == p.Status.Phase:
		out = append(out, say("STATUS %s is the pod's phase", cols.Status))
	case cols.Status == p.Status.Reason:
		out = append(out, say("STATUS %s is the reason that stands in the pod's status", cols.Status))
	case !p.Meta.Deleted.IsZero():
		out = append(out, say("STATUS %s: the pod is being deleted", cols.Status))
	default:
		out = append(out, say("STATUS %s is taken from a condition of the pod", cols.Status))
	}
	return out
}

// startOrder lists the steps in which containers start: init containers one by one, then all regular ones together.
func startOrder(p *facts.Pod) [][]string {
	var steps [][]string
	var regular []string
	for _, c := range p.Containers {
		if c.Placement == facts.Ordinary {
			regular = append(regular, c.Name)
			continue
		}
		steps = append(steps, []string{c.Name})
	}
	if len(regular) > 0 {
		steps = append(steps, regular)
	}
	return steps
}

// stopOrder lists the steps in which containers are stopped: regular ones together, then native sidecars backwards.
func stopOrder(p *facts.Pod) [][]string {
	var steps [][]string
	var regular []string
	natives := p.Of(facts.IsPlaced(facts.Native))
	for _, c := range p.Of(facts.IsPlaced(facts.Ordinary)) {
		regular = append(regular, c.Name)
	}
	if len(regular) > 0 {
		steps = append(steps, regular)
	}
	for i := len(natives) - 1; i >= 0; i-- {
		steps = append(steps, []string{natives[i].Name})
	}
	return steps
}

// stopNote says what ends the pod, and whether this kubelet keeps the order.
func stopNote(k *knowledge.Base, p *facts.Pod) (analyze.Text, knowledge.Basis) {
	natives := p.Of(facts.IsPlaced(facts.Native))
	helpers := p.Of(facts.IsPlaced(facts.Ordinary), facts.IsRole(facts.Sidecar))
	var kubelet version.Version
	if p.Node != nil {
		kubelet = p.Node.Kubelet
	}
	ordered, basis := k.Has("ordered-sidecar-termination", kubelet)
	if policy, _ := p.RestartPolicy(); policy == always {
		return stopNoteOfService(len(natives) > 0, ordered, basis)
	}
	switch {
	case len(natives) > 0 && len(helpers) > 0:
		if len(helpers) > 1 {
			return say("%s, ordinary containers, must end by themselves before the pod can finish; the native sidecars are stopped after that", list(names(helpers))), basis
		}
		return say("%s, an ordinary container, must end by itself before the pod can finish; the native sidecars are stopped after that", list(names(helpers))), basis
	case len(helpers) > 0:
		if len(helpers) > 1 {
			return say("nothing stops %s: as ordinary containers they must end by themselves before the pod can finish", list(names(helpers))), knowledge.Basis{}
		}
		return say("nothing stops %s: as an ordinary container it must end by itself before the pod can finish", list(names(helpers))), knowledge.Basis{}
	case len(natives) > 0 && ordered == version.Yes:
		return say("when the last ordinary container has ended, the kubelet stops the native sidecars in reverse order; their exit codes do not count"), basis
	case len(natives) > 0 && ordered == version.No:
		return say("this kubelet stops native sidecars together with the others; their exit codes do not count"), basis
	case len(natives) > 0:
		return say("when the last ordinary container has ended, the kubelet stops the native sidecars; in which order depends on its version; their exit codes do not count"), basis
	}
	return say("the pod finishes when its last ordinary container has ended"), knowledge.Basis{}
}

// stopNoteOfService is for a pod whose containers are started again whenever they end.
func stopNoteOfService(natives bool, ordered version.Answer, basis knowledge.Basis) (analyze.Text, knowledge.Basis) {
	never := say("restartPolicy of the pod is Always: it never finishes by itself, and is stopped when it is deleted")
	switch {
	case !natives:
		return never, knowledge.Basis{}
	case ordered == version.Yes:
		return say("%s; the kubelet then stops the native sidecars after the ordinary containers, in reverse order", never), basis
	case ordered == version.No:
		return say("%s; this kubelet then stops native sidecars together with the others", never), basis
	}
	return say("%s; in which order the native sidecars are stopped then depends on the kubelet's version", never), basis
}

// countedReady says that the API server counts a native sidecar as ready. describe prints no `started`: Ready stands in.
func countedReady(c *facts.Container) bool {
	if c.Status == nil || !c.Status.Ready || c.Terminated() != nil && c.Terminated().ExitCode == 0 {
		return false
	}
	if c.Status.Started == nil {
		return c.Pod.Described()
	}
	return *c.Status.Started
}

// FindPods gives the pods of a cluster that a name selects: all of them for an empty name, else the pod of that name or
// the pods of the workload of that name.
func FindPods(c *facts.Cluster, name, namespace string) []*facts.Pod {
	var out []*facts.Pod
	match := func(p *facts.Pod, workload string) {
		if namespace != "" && p.Meta.Namespace != namespace {
			return
		}
		if name == "" || p.Meta.Name == name || workload == name {
			out = append(out, p)
		}
	}
	for _, w := range c.Workloads {
		for _, p := range w.Pods {
			match(p, w.Ref.Name)
		}
	}
	for _, p := range c.Services {
		match(p, "")
	}
	return out
}
