package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// redactionMark stands in values that the collector removed.
const redactionMark = "REDACTED"

// testJobStep prints an isolated Job: a copy under its own name that no controller knows, with the annotation on its
// pod template where that is the change.
func testJobStep(p *analyze.Pass, stored Stored, annotated bool) PlanStep {
	w := p.Workload
	s := PlanStep{Title: say("try it on an isolated test Job"),
		Notes: []analyze.Text{say("check first that a second run is safe: idempotent writes, charges, artefacts")}}
	if rewritten(w) && !webhookToo(p.Cluster, w) {
		s.Notes = append(s.Notes, say("the manifest in the bundle holds the injected proxy: make the test Job from the one before istioctl kube-inject"))
		return s
	}
	if !w.IsJob() && w.CronJob == nil {
		s.Title = say("try it on one run alone")
		if w.ParentKind == "" {
			s.Notes = append(s.Notes, say("no Job makes this pod, so that no test Job can be printed of it: make it once more under another name, with the change"))
			return s
		}
		s.Notes = append(s.Notes, say("no Job makes this pod, so that no test Job can be printed of it: let %s make one more run, with the change, beside the ones that matter", ownerKind(w)))
		return s
	}
	m, name, err := jobManifest(w, stored)
	if err == nil {
		cleanJob(m, name)
		if annotated {
			child(child(child(child(m, "spec"), "template"), "metadata"), "annotations")[facts.NativeAnnotation] = "true"
		}
		s.YAML, err = kube.WriteYAML(m)
	}
	if err != nil {
		if annotated {
			s.Notes = append(s.Notes, say("the test Job cannot be printed (%s): copy its manifest, give it another name and add the annotation to the pod template", err.Error()))
		} else {
			s.Notes = append(s.Notes, say("the test Job cannot be printed (%s): copy its manifest and give it another name", err.Error()))
		}
		s.Notes = append(s.Notes, say("put what this prints into the bundle as a file and run this again: the plan has the test Job then"))
		s.Commands = []string{command("kubectl get job %s -n %s -o yaml", w.Ref.Name, w.Ref.Namespace)}
		return s
	}
	s.Notes = append(s.Notes, say("it keeps the labels of the pod template, which policies may ask for: make sure that no Service sends it traffic"))
	if strings.Contains(s.YAML, redactionMark) {
		s.Notes = append(s.Notes, say("values in it were redacted when the bundle was made: put them back before applying it"))
	}
	if others := otherHolders(p); len(others) > 0 {
		s.Notes = append(s.Notes, say("%s is an ordinary container in it still: change that first, or the test Job does not complete", list(names(others))))
	}
	s.Notes = append(s.Notes, say("save this YAML as test-job.yaml; the wait below ends when the Job is complete, or after an hour: give it as long as the program takes"))
	s.RunsProgram = true
	s.Commands = []string{"kubectl apply -f test-job.yaml",
		command("kubectl wait --for=condition=complete job/%s -n %s --timeout=1h", name, w.Ref.Namespace),
		command("kubectl get pod -n %s -l job-name=%s", w.Ref.Namespace, name)}
	return s
}

// jobManifest gives the stored Job, or one made of the CronJob's jobTemplate, and the name of the test Job.
func jobManifest(w *facts.Workload, stored Stored) (m map[string]any, name string, err error) {
	var read []kube.Container
	switch {
	case w.Job != nil:
		m, err = stored(&w.Job.Object)
		name, read = w.Job.Meta.Name, w.Job.Spec.Template.Spec.Containers
	case w.CronJob != nil:
		m, err = stored(&w.CronJob.Object)
		name, read = w.CronJob.Meta.Name, w.CronJob.Spec.JobTemplate.Spec.Template.Spec.Containers
		if err == nil {
			t := child(child(m, "spec"), "jobTemplate")
			t["metadata"] = withNamespace(child(t, "metadata"), w.Ref.Namespace)
			m = t
		}
	default:
		return nil, "", fmt.Errorf("neither the Job nor a CronJob above it is in the bundle")
	}
	if err == nil && !sameContainers(m, read) {
		err = fmt.Errorf("what was found of %s is not the template that was judged", name)
	}
	return m, testName(name), err
}

// sameContainers says that a Job has the containers that were read of it, and any at all. Whatever goes wrong on the way
// to its text, a plan never runs the program of another.
func sameContainers(m map[string]any, read []kube.Container) bool {
	list, _ := child(child(child(m, "spec"), "template"), "spec")["containers"].([]any)
	return len(list) > 0 && slices.EqualFunc(list, read, func(v any, c kube.Container) bool {
		has, _ := v.(map[string]any)
		image, _ := has["image"].(string)
		return has["name"] == c.Name && image == c.Image
	})
}

func withNamespace(meta map[string]any, namespace string) map[string]any {
	meta["namespace"] = namespace
	return meta
}

// testName makes a name that fits into a label, as the name of a Job has to.
func testName(name string) string {
	const suffix, longest = "-native-test", 63
	return strings.TrimRight(name[:min(len(name), longest-len(suffix))], "-.") + suffix
}

// controllerLabels are set by the Job controller; a copy that keeps them would be adopted or refused.
func controllerLabels() []string {
	return []string{"controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"}
}

// cleanJob turns a stored Job into a manifest of a new one. Only what a person
// would have written for a test stays: no label of the Job itself, by which a tool that deploys would take it for its own and
// prune it (but its queue, without which it may be refused), no status, uid, owner, selector or label of a controller, no time to live that would take
// the result away.
func cleanJob(m map[string]any, name string) {
	old := child(m, "metadata")
	meta := map[string]any{"name": name}
	if ns, ok := old["namespace"]; ok && ns != "" {
		meta["namespace"] = ns
	}
	if queue, ok := child(old, "labels")[queueLabel]; ok {
		meta["labels"] = map[string]any{queueLabel: queue}
	}
	spec := child(m, "spec")
	for _, field := range []string{"selector", "manualSelector", "suspend", "ttlSecondsAfterFinished"} {
		delete(spec, field)
	}
	tmeta := child(child(spec, "template"), "metadata")
	for _, field := range []string{"creationTimestamp", "name", "generateName", "namespace", "uid", "resourceVersion"} {
		delete(tmeta, field)
	}
	if l := withoutController(child(tmeta, "labels")); len(l) == 0 {
		delete(tmeta, "labels")
	}
	clear(m)
	m["apiVersion"], m["kind"], m["metadata"], m["spec"] = "batch/v1", "Job", meta, spec
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
