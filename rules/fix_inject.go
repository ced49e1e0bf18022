package rules

import (
	"fmt"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// byKubeInject says that a change is made in a manifest before istioctl kube-inject, and reaches the pods with what that
// writes: of a Job, or of the CronJob above it. Where no change is known to be enough, because the bundle does not show
// whether the cluster runs native sidecars, it is still the one to make, once that was looked at.
func byKubeInject(p *analyze.Pass, in knowledge.Inputs, change *Change) bool {
	w := p.Workload
	if !loneJob(w) && w.ParentKind != "CronJob" {
		return false
	}
	byHand := in.InManifest != "" || rewritten(w) && !webhookToo(p.Cluster, w)
	if change == nil {
		annotated := again(p).change
		return byHand && annotated.Emitted == knowledge.Native && annotated.Placement == knowledge.Unknown
	}
	return byHand && (change.Kind == changeManifest || change.Kind == changeAnnotation)
}

// unsafeNotes is what makes a change unsafe here, where one is known to be enough.
func unsafeNotes(p *analyze.Pass, change *Change) []analyze.Text {
	if change == nil {
		return nil
	}
	return unsafeHere(p, *change)
}

// injectAgainSteps change the original manifest, inject it, try it where that can be done beside the owner, and put it
// into force. A CronJob is tried when it has the new manifest: until then it makes no other runs than before.
func injectAgainSteps(p *analyze.Pass) []PlanStep {
	take := takeOriginal(p)
	change := PlanStep{Title: take.what, YAML: annotationPatch(p)}
	if path, _ := annotationPath(p); path == jobTemplatePlace {
		change.YAML += "    spec:\n      template:\n        metadata:\n          annotations:\n            " + facts.NativeAnnotation + ": \"true\"\n"
	}
	for _, a := range again(p).acts {
		change.Notes = append(change.Notes, a.what)
	}
	out := append([]PlanStep{change}, planSteps(injectActs(p, istioProxy)...)...)
	ref, ofCron := cronRef(p.Workload)
	if !ofCron {
		return append(append(out, testInjected(p)), applyInjected(p))
	}
	out = append(out, planSteps(applyAgain(p)...)...)
	if len(suspendFirst(p)) > 0 {
		out = append(out, planSteps(resume(ref, p.Workload.CronJob))...)
	}
	return out
}

// testInjected makes an isolated Job of the injected manifest, which differs from it in its name alone.
func testInjected(p *analyze.Pass) PlanStep {
	ns, name := p.Workload.Ref.Namespace, testName(p.Workload.Ref.Name)
	return PlanStep{Title: say("try it on an isolated test Job"), RunsProgram: true,
		Notes: []analyze.Text{say("check first that a second run is safe: idempotent writes, charges, artefacts"),
			say("it keeps the labels of the pod template, which policies may ask for: make sure that no Service sends it traffic"),
			say("the first command takes a manifest that holds the Job alone; the wait ends when the Job is complete, or after an hour: give it as long as the program takes")},
		Commands: []string{
			command("kubectl patch --local -f injected.yaml --type json -p %s -o yaml > test-job.yaml", renaming(name)),
			command("kubectl apply -n %s -f test-job.yaml", ns),
			command("kubectl wait --for=condition=complete job/%s -n %s --timeout=1h", name, ns),
			command("kubectl get pod -n %s -l job-name=%s", ns, name)}}
}

// renaming is a patch that gives an object another name. It is quoted as a whole, like any argument.
func renaming(name string) string {
	return fmt.Sprintf(`[{"op":"replace","path":"/metadata/name","value":%q}]`, name)
}

// applyInjected makes the Job anew; one that was deleted before is not missed.
func applyInjected(p *analyze.Pass) PlanStep {
	ref := p.Workload.Ref
	s := PlanStep{RunsProgram: true, Title: say("apply it: the template of a stored Job cannot be changed, so the Job is made anew and runs its program again"),
		Notes: []analyze.Text{runsAgain(p, ref)},
		Commands: []string{command("kubectl delete job %s -n %s --ignore-not-found", ref.Name, ref.Namespace),
			command("kubectl apply -n %s -f injected.yaml", ref.Namespace)}}
	if why, _ := keptJob(p); !why.IsZero() {
		wait := deleteJob(p, s.Title, nil, nil)
		s.Title, s.Commands, s.RunsProgram = wait.what, wait.cmds, false
	}
	if restsAlone(p.Verdict.Code) {
		s.Notes = []analyze.Text{say("nothing has to be deleted for that (%s): the next run gets it", string(p.Verdict.Code)),
			say("do this when this run is over, and only when the program is to run once more")}
	}
	return s
}

// injectBackStep takes the change out where it was made.
func injectBackStep(p *analyze.Pass) PlanStep {
	ref := p.Workload.Ref
	s := PlanStep{Title: say("roll back, if it must be"),
		Notes: []analyze.Text{say("take the change out of original.yaml, inject it again and apply that"),
			say("pods that exist keep their shape, and what a run wrote stays written")},
		Commands: []string{"istioctl kube-inject -f original.yaml > injected.yaml"}}
	if _, ofCron := cronRef(p.Workload); !ofCron {
		s.Notes = append(s.Notes, say("a Job is made anew for that, and runs its program again"))
		s.Commands = append(s.Commands, command("kubectl delete job %s -n %s --ignore-not-found", ref.Name, ref.Namespace))
	}
	s.Commands = append(s.Commands, command("kubectl apply -n %s -f injected.yaml", ref.Namespace))
	return s
}
