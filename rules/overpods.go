package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// citedPods is how many pods of one workload lend their evidence to a finding; further ones are counted only.
const citedPods = 20

// overPods asks a question of each pod of a workload and makes one outcome: what fired, else what is open, else on what
// grounds it is not so.
func overPods(p *analyze.Pass, ask func(*analyze.Pass, *facts.Pod) analyze.Outcome) analyze.Outcome {
	var fired []analyze.Outcome
	rest := analyze.Skip()
	for _, pod := range p.Workload.Pods {
		switch o := ask(p, pod); {
		case o.Status == analyze.Fired:
			fired = append(fired, o)
		case o.Status == analyze.Undecided && rest.Status != analyze.Undecided,
			o.Status == analyze.Clear && rest.Status == analyze.NotApplicable:
			rest = o
		}
	}
	if len(fired) == 0 {
		return rest
	}
	return together(fired, len(p.Workload.Pods))
}

// together joins what fired for several pods of one workload: the worst one speaks, the others add their evidence.
func together(fired []analyze.Outcome, pods int) analyze.Outcome {
	worst := 0
	for i, o := range fired {
		if o.Severity != "" && fired[worst].Severity != "" && o.Severity.Worse(fired[worst].Severity) {
			worst = i
		}
	}
	first := fired[worst]
	if len(fired) == 1 {
		return first
	}
	first.Message = say("%d of %d pods; one of them: %s", len(fired), pods, first.Message)
	for i, o := range fired {
		if i != worst && i < citedPods {
			first.Because = append(first.Because, o.Because...)
		}
	}
	return first
}

// joined puts sentences parts after one another, kept apart until the language is known.
func joined(parts []analyze.Text) analyze.Text {
	if len(parts) == 0 {
		return say("nothing")
	}
	out := parts[0]
	for _, p := range parts[1:] {
		out = say("%s, %s", out, p)
	}
	return out
}

// isMeshProxy says that a container is the long-running proxy of a service mesh.
func isMeshProxy(c *facts.Container) bool {
	return c.Helper != nil && c.Helper.Mesh && !c.Helper.Conflict && c.Helper.Class != initClass
}

// isLongHelper says that a container is a known helper that runs until it is stopped.
func isLongHelper(c *facts.Container) bool {
	return c.Helper != nil && !c.Helper.Conflict && !c.Helper.EndsItself && c.Helper.Class != initClass
}

// holdsOpen says that a regular container is a sidecar that runs until it is stopped, and holds the pod till then.
func holdsOpen(c *facts.Container) bool {
	return c.Role == facts.Sidecar && (c.Helper == nil || !c.Helper.EndsItself)
}

// splitRegular splits the regular containers of a pod as the verdicts do: those whose end is the end of the work, and
// the ordinary sidecars beside them.
func splitRegular(p *facts.Pod) (work, helpers []*facts.Container) {
	for _, c := range p.Of(facts.IsPlaced(facts.Ordinary)) {
		if holdsOpen(c) {
			helpers = append(helpers, c)
		} else {
			work = append(work, c)
		}
	}
	return work, helpers
}

// podYAML is the command that supplies one pod as it is stored.
func podYAML(p *facts.Pod) string {
	ns := p.Meta.Namespace
	if ns == "" {
		ns = "NAMESPACE"
	}
	return command("kubectl get pod %s -n %s -o yaml", p.Meta.Name, ns)
}

// storedPod is what is missing where only describe text of a pod is there.
func storedPod(p *facts.Pod, why analyze.Text) analyze.Missing {
	return analyze.Missing{What: say("pod %s as it is stored: %s", p.Meta.Name, why), Command: podYAML(p)}
}

// template is a pod template with the object that holds it.
type template struct {
	*kube.PodTemplate
	obj  *kube.Object
	path string // of the template within obj, without a dot at its end
}

// ownerTemplate gives the template that a workload's pods are made from: the Job's, for it is what they were really
// made from, else that of the CronJob above. False when neither is in the bundle or it lists no container.
func ownerTemplate(w *facts.Workload) (template, bool) {
	if j := w.Job; j != nil && len(j.Spec.Template.Spec.Containers) > 0 {
		return template{&j.Spec.Template, &j.Object, "spec.template"}, true
	}
	if c := w.CronJob; c != nil && len(c.Spec.JobTemplate.Spec.Template.Spec.Containers) > 0 {
		return template{&c.Spec.JobTemplate.Spec.Template, &c.Object, "spec.jobTemplate.spec.template"}, true
	}
	return template{}, false
}

// find gives a container of the template and its path, nil without one.
func (t template) find(name string) (*kube.Container, string) {
	for i, c := range t.Spec.Containers {
		if c.Name == name {
			return &t.Spec.Containers[i], t.path + ".spec.containers[name=" + name + "]"
		}
	}
	for i, c := range t.Spec.InitContainers {
		if c.Name == name {
			return &t.Spec.InitContainers[i], t.path + ".spec.initContainers[name=" + name + "]"
		}
	}
	return nil, ""
}

func (t template) absent(list, name string) evidence.Evidence {
	return t.obj.EvAbsent(t.path + ".spec." + list + "[name=" + name + "]")
}
