package rules

import (
	"fmt"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Plan is the change for one workload, to be printed and never applied: what to save, what to try, what to change,
// how to verify it and how to go back.
type Plan struct {
	Workload *facts.Workload
	Verdict  analyze.Judgement
	Summary  analyze.Text
	Steps    []PlanStep
	// CanNotHelp lists changes that do not end this Job, each with the reason.
	CanNotHelp []analyze.Text
}

// PlanStep is one step with commands to run or YAML to apply.
type PlanStep struct {
	Title    analyze.Text
	Notes    []analyze.Text
	Commands []string
	YAML     string
}

// Fix makes the plan for a workload. It always gives one; where no change is known to help it says so and prints none.
func Fix(c *facts.Cluster, k *knowledge.Base, w *facts.Workload) Plan {
	p := Plan{Workload: w, Verdict: Judge(c, w)}
	p.Steps = append(p.Steps, saveStep(w))
	n := Next(c, k, w)
	if !n.Applies {
		p.Summary = say("no change to Istio concerns this workload: %s", n.Because[0])
		return p
	}
	in := Inputs(c, k, w, n)
	pass := &analyze.Pass{Cluster: c, Know: k, Workload: w, Verdict: &p.Verdict, Next: n}
	advice := nativeAdvice(pass)
	p.Summary = advice.Summary
	p.CanNotHelp = append(advice.Avoid, ineffective()...)
	if n.Placement == knowledge.Native {
		p.Summary = say("nothing to change but the pod: the next one gets a native proxy")
		p.Steps = append(p.Steps, rerunStep(w), verifyStep(w))
		return p
	}
	change := smallest(Changes(k, in))
	if change == nil {
		return p
	}
	switch change.Kind {
	case "annotation":
		p.Steps = append(p.Steps, testJobStep(w), ownerStep(pass))
	case "env":
		p.Steps = append(p.Steps, PlanStep{Title: say("set ENABLE_NATIVE_SIDECARS=true on %s", planeText(n)),
			Notes: []analyze.Text{say("it concerns every workload of this control plane: make sure that every node can run native sidecars"),
				say("set it where istiod is installed from, for example the Helm value below")},
			YAML: "pilot:\n  env:\n    ENABLE_NATIVE_SIDECARS: \"true\"\n"})
	default:
		p.Steps = append(p.Steps, PlanStep{Title: say("bring %s", change.What), Notes: []analyze.Text{say("drain and upgrade the nodes that block it: %s", list(blockerNames(n.Blockers)))}})
	}
	p.Steps = append(p.Steps, rerunStep(w), verifyStep(w), rollbackStep(change, w))
	return p
}

func smallest(list []Change) *Change {
	for i := range list {
		if list[i].Enough() {
			return &list[i]
		}
	}
	return nil
}

func saveStep(w *facts.Workload) PlanStep {
	ns, name := w.Ref.Namespace, w.Ref.Name
	s := PlanStep{Title: say("save the evidence")}
	if w.IsJob() {
		s.Commands = append(s.Commands, fmt.Sprintf("kubectl get job %s -n %s -o yaml > job.yaml", name, ns),
			fmt.Sprintf("kubectl get pod -n %s -l job-name=%s -o yaml > pods.yaml", ns, name))
	} else {
		s.Commands = append(s.Commands, fmt.Sprintf("kubectl get pod %s -n %s -o yaml > pod.yaml", name, ns))
	}
	s.Commands = append(s.Commands, fmt.Sprintf("kubectl get events -n %s -o yaml > events.yaml", ns))
	if w.ParentKind == "CronJob" {
		s.Commands = append(s.Commands, fmt.Sprintf("kubectl get cronjob %s -n %s -o yaml > cronjob-before.yaml", w.ParentName, ns))
	}
	return s
}

// testJobStep prints an isolated Job: a copy under its own name that no controller and no selector knows.
func testJobStep(w *facts.Workload) PlanStep {
	s := PlanStep{Title: say("try it on an isolated test Job"),
		Notes: []analyze.Text{say("check first that a second run is safe: idempotent writes, charges, artefacts")}}
	if w.Job == nil {
		s.Notes = append(s.Notes, say("the Job is not in the bundle, so the test Job can not be printed: copy its manifest and add the annotation to the pod template"))
		return s
	}
	m, err := w.Job.Manifest()
	if err == nil {
		cleanJob(m, w.Job.Meta.Name+"-native-test")
		s.YAML, err = kube.WriteYAML(m)
	}
	if err != nil {
		s.Notes = append(s.Notes, say("the test Job can not be printed: %s", err.Error()))
		return s
	}
	if strings.Contains(s.YAML, redactionMark) {
		s.Notes = append(s.Notes, say("values in it were redacted when the bundle was made: put them back before applying it"))
	}
	return s
}

// redactionMark stands in values that the collector removed.
const redactionMark = "REDACTED"

// controllerLabels are set by the Job controller; a copy that keeps them would be adopted or refused.
func controllerLabels() []string {
	return []string{"controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"}
}

// cleanJob turns a stored Job into a manifest of a new one with the annotation on its pod template.
func cleanJob(m map[string]any, name string) {
	delete(m, "status")
	meta := child(m, "metadata")
	namespace := meta["namespace"]
	labels := withoutController(child(meta, "labels"))
	m["metadata"] = map[string]any{"name": name, "namespace": namespace, "labels": labels}
	if len(labels) == 0 {
		delete(child(m, "metadata"), "labels")
	}
	spec := child(m, "spec")
	for _, field := range []string{"selector", "manualSelector", "suspend"} {
		delete(spec, field)
	}
	template := child(spec, "template")
	tmeta := child(template, "metadata")
	delete(tmeta, "creationTimestamp")
	if l := withoutController(child(tmeta, "labels")); len(l) == 0 {
		delete(tmeta, "labels")
	}
	child(tmeta, "annotations")[facts.NativeAnnotation] = "true"
}

// child gives the mapping below a key, made when it is not there.
func child(m map[string]any, key string) map[string]any {
	if c, ok := m[key].(map[string]any); ok {
		return c
	}
	c := map[string]any{}
	m[key] = c
	return c
}

func withoutController(labels map[string]any) map[string]any {
	for _, l := range controllerLabels() {
		delete(labels, l)
	}
	return labels
}

func ownerStep(p *analyze.Pass) PlanStep {
	w := p.Workload
	s := PlanStep{Title: annotationStep(p)}
	switch ownerKind(w) {
	case "CronJob":
		s.YAML = annotationPatch(w)
		s.Commands = []string{fmt.Sprintf("kubectl patch cronjob %s -n %s --type merge --patch-file patch.yaml", w.ParentName, w.Ref.Namespace)}
	case "Job":
		s.YAML = annotationPatch(w)
		s.Notes = []analyze.Text{say("the pod template of a stored Job can not be changed: put the annotation into the manifest or chart that makes the Job")}
	default:
		s.Notes = []analyze.Text{say("the engine makes the pods of this %s: set it there, not on the pod", ownerKind(w))}
	}
	return s
}

func rerunStep(w *facts.Workload) PlanStep {
	s := PlanStep{Title: say("let a new pod be made: the one that exists never changes")}
	if w.IsJob() {
		s.Notes = []analyze.Text{say("deleting the Job deletes its pods and with them their logs: save those first")}
		s.Commands = []string{fmt.Sprintf("kubectl logs -n %s -l job-name=%s --all-containers --prefix > logs.txt", w.Ref.Namespace, w.Ref.Name),
			fmt.Sprintf("kubectl delete job %s -n %s", w.Ref.Name, w.Ref.Namespace)}
	}
	return s
}

func verifyStep(w *facts.Workload) PlanStep {
	ns := w.Ref.Namespace
	return PlanStep{Title: say("verify"), Notes: []analyze.Text{say("then make a bundle and run: analyze compare BEFORE AFTER")},
		Commands: []string{
			fmt.Sprintf("kubectl get pod -n %s -o jsonpath='{range .items[*]}{.metadata.name}{\" \"}{.spec.initContainers[?(@.name==\"istio-proxy\")].restartPolicy}{\"\\n\"}{end}'", ns),
			fmt.Sprintf("kubectl get job -n %s", ns)}}
}

func rollbackStep(change *Change, w *facts.Workload) PlanStep {
	s := PlanStep{Title: say("roll back, if it must be"),
		Notes: []analyze.Text{say("undo: %s", change.What), say("pods that exist keep their shape, and what a run wrote stays written")}}
	if w.ParentKind == "CronJob" && change.Kind == "annotation" {
		s.Commands = []string{fmt.Sprintf("kubectl patch cronjob %s -n %s --type json -p '[{\"op\":\"remove\",\"path\":\"/spec/jobTemplate/spec/template/metadata/annotations/sidecar.istio.io~1nativeSidecar\"}]'",
			w.ParentName, w.Ref.Namespace)}
	}
	return s
}

// ineffective lists what people try on a held Job and why it can not end it.
func ineffective() []analyze.Text {
	return []analyze.Text{
		say("ttlSecondsAfterFinished and history limits: they count only for Jobs that have finished"),
		say("readiness settings: readiness of the proxy is not completion"),
		say("EXIT_ON_ZERO_ACTIVE_CONNECTIONS, terminationDrainDuration: they act only while the pod is being stopped"),
		say("holdApplicationUntilProxyStarts: it orders the start and never ends anything"),
	}
}
