package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// What is said of a run in a remedy: a Job has conditions, a test Job and a template of its own; a pod that an engine makes, such
// as one of an Argo Workflow, has none of these.

// runWords is what a run is called in a sentence.
func runWords(w *facts.Workload) analyze.Text {
	switch {
	case w.IsJob():
		return say("the Job")
	case w.ParentKind != "":
		return say("%s %s", w.ParentKind, w.ParentName)
	}
	return say("the pod")
}

func keepEvidence(w *facts.Workload) analyze.Text {
	switch {
	case w.IsJob():
		return say("keep the evidence: save the Job's and the pod's manifests and events")
	case w.ParentKind != "":
		return say("keep the evidence: save the manifests of %s and of the pod, and the events", runWords(w))
	}
	return say("keep the evidence: save the pod's manifest and events")
}

func tryFirst(w *facts.Workload) analyze.Text {
	if w.IsJob() || w.CronJob != nil {
		return say("try it on an isolated test Job first")
	}
	return say("try it on one run alone first")
}

// ends is how a run ends that nothing holds.
func ends(w *facts.Workload) analyze.Text {
	if w.IsJob() {
		return say("the Job gets the condition Complete=True soon after the application exits 0")
	}
	return say("the pod's phase becomes Succeeded soon after the application exits 0")
}

// inTemplate ends a step that changes a pod template with what the owner's kind makes of it: what is stored of some cannot be
// changed, and of none does a change reach the pods that exist.
func inTemplate(p *analyze.Pass, step analyze.Text) analyze.Text {
	w := p.Workload
	if loneJob(w) && beforeStart(p) {
		return say("%s. This Job is suspended and has never started (it has no status.startTime): as long as that is so the annotations of its pod template can be changed in place, and it takes no new Job. Change the manifest that it is made from as well", step)
	}
	if loneJob(w) {
		return say("%s. The template of a stored Job cannot be changed: this takes a new Job, made from the changed manifest", step)
	}
	path, _ := annotationPath(p) // istioctl kube-inject reads another place, of which the note is not
	if where, ok := p.Know.TemplatePlace(ownerGroup(w), ownerKind(w)); ok && where.Path == path && where.Note != "" {
		return say("%s: %s", step, where.Note)
	}
	return step
}

// beforeStart says that a Job is suspended and has never started: the API server then takes changes of its pod template's
// annotations (validationOptionsForJob). A proxy that the template holds itself is not placed by them.
func beforeStart(p *analyze.Pass) bool {
	j := p.Workload.Live()
	if j == nil || j.Spec.Suspend == nil || !*j.Spec.Suspend || j.Status.StartTime.Raw != "" || len(p.Workload.Pods) > 0 {
		return false
	}
	takes, _ := p.Know.Has("suspended-template-annotations", p.Cluster.Server.V)
	_, own := proxyInTemplate(p.Workload)
	return takes != version.No && !own
}

// parentResource is how kubectl is told the kind of what owns a run.
func parentResource(w *facts.Workload) string {
	resource := strings.ToLower(w.ParentKind)
	if w.ParentGroup != "" {
		resource += "." + w.ParentGroup
	}
	return resource
}
