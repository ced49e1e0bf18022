package rules

import (
	"encoding/json"
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
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
	Title analyze.Text
	// Notes are sentences; the lines behind the first of each are commands, which come before those below.
	Notes    []analyze.Text
	Commands []string
	YAML     string
	// RunsProgram says that following the step runs the workload's program, or has a controller run it.
	RunsProgram bool
}

// Stored gives every field of an object as it stands in the bundle. Facts keep but a few of them, and a test Job needs
// all.
type Stored func(*kube.Object) (map[string]any, error)

// Fix makes the plan for a workload. It always gives one; where no change is known to help it says so and prints none.
// stored gives the whole text of the Job or CronJob that is to be copied.
func Fix(c *facts.Cluster, k *knowledge.Base, w *facts.Workload, stored Stored) Plan {
	p := Plan{Workload: w, Verdict: Judge(c, w)}
	n := Next(c, k, w)
	pass := &analyze.Pass{Cluster: c, Know: k, Workload: w, Verdict: &p.Verdict, Next: n}
	known := true
	if p.Verdict.Code == InsufficientEvidence {
		p.Steps = append(p.Steps, lackingStep(p.Verdict))
		known = n.Applies && shapeKnown(w)
	}
	p.Steps = append(p.Steps, atHand(pass)...)
	if !known {
		p.Summary = needsMore(p.Verdict)
		return p
	}
	if plan, ok := p.ofCauses(pass); ok {
		return plan
	}
	if plan, ok := p.ofOtherCause(pass); ok {
		return plan
	}
	remedy := Remedy(pass)
	if !n.Applies {
		p.Summary = say("no change to Istio concerns the next pod of this workload: %s", n.Because[0])
		if remedy != nil {
			return p.withRemedy(pass, remedy)
		}
		if pod, _ := ordinaryProxy(pass); pod != nil {
			p.Steps = append(append(p.Steps, rerunSteps(pass)...), verifyStep(w))
		}
		return p
	}
	if remedy != nil {
		p.Steps = append(p.Steps, PlanStep{Title: remedy.Summary, Notes: remedy.Steps})
	}
	advice := nativeAdvice(pass)
	p.Summary = advice.Summary
	if others := otherHolders(pass); len(others) > 0 {
		p.Summary = say("%s. That is not enough for the Job: %s holds its pod as well and is another step", p.Summary, list(names(others)))
	}
	p.CanNotHelp = slices.Concat(advice.Avoid, ineffective(w))
	if n.Placement == knowledge.Native {
		var unsafe []PlanStep
		if notes := unsafeHere(pass, Change{Decision: n.Decision}); len(notes) > 0 {
			unsafe = []PlanStep{{Title: say("make sure that this cluster can run it"), Notes: notes}}
		}
		if nativeAtHand(pass) { // nothing is changed, so nothing has to be saved first
			p.Summary = say("nothing to change: the proxy of the pod at hand is native, and that of the next one will be (%s)", reasonWords(n.Reason))
			p.Steps = unsafe
			return p
		}
		p.Summary = say("nothing to change but the pod: the next one gets a native proxy (%s)", reasonWords(n.Reason))
		p.Steps = slices.Concat(p.Steps, unsafe, rerunSteps(pass), []PlanStep{verifyStep(w)})
		return p
	}
	in := Inputs(c, k, w, n)
	change := smallest(pass, Changes(k, in))
	injected := byKubeInject(pass, in, change)
	if change == nil && !injected {
		if change = likely(pass, Changes(k, in)); change == nil {
			p.Steps = append(append(p.Steps, noChangeStep(advice)), withoutChange(pass)...)
			return p
		}
		p.Steps = append(p.Steps, canItRunStep(pass, change))
	} else if notes := unsafeNotes(pass, change); len(notes) > 0 {
		p.Steps = append(p.Steps, PlanStep{Title: say("make sure that this cluster can run it"), Notes: notes})
	}
	if injected {
		p.Steps = append(append(p.Steps, injectAgainSteps(pass)...), verifyStep(w), injectBackStep(pass))
		return p
	}
	p.Steps = append(p.Steps, changeSteps(pass, change, stored)...)
	p.Steps = append(append(p.Steps, rerunSteps(pass)...), verifyStep(w), rollbackStep(pass, change))
	return p
}

// nativeAtHand says that the newest pod has what a change would bring, and runs or has ended as it should.
func nativeAtHand(p *analyze.Pass) bool {
	pod := newest(p.Workload.Pods)
	if pod == nil || !slices.Contains([]analyze.Code{AppRunning, NativeSidecarStopping, Completed}, p.Verdict.Code) {
		return false
	}
	proxy := proxyOf(pod)
	return proxy != nil && proxy.Placement == facts.Native
}

// withRemedy makes a plan of a remedy that is not Istio's.
func (p Plan) withRemedy(pass *analyze.Pass, a *analyze.Advice) Plan {
	p.Summary, p.CanNotHelp = a.Summary, a.Avoid
	verify := PlanStep{Title: say("verify"), Notes: a.Verify}
	if w := p.Workload; w.IsJob() {
		verify.Commands = []string{command("kubectl get job,pod -n %s", w.Ref.Namespace)}
	}
	p.Steps = append(p.Steps, PlanStep{Title: say("make the change"), Notes: a.Steps})
	p.Steps = append(append(p.Steps, rerunSteps(pass)...), verify)
	if len(a.Rollback) > 0 {
		p.Steps = append(p.Steps, PlanStep{Title: say("roll back, if it must be"), Notes: a.Rollback})
	}
	return p
}

// atHand saves what there is, and lets a held pod end without running its program again.
func atHand(p *analyze.Pass) []PlanStep {
	held := heldPods(p.Verdict)
	if len(held) == 0 {
		return []PlanStep{saveStep(p.Workload, nil)}
	}
	if over := settled(p); !over.IsZero() {
		return append(planSteps(lookFirst(p, held)), saveStep(p.Workload, podsToSave(p, held)), PlanStep{Title: over})
	}
	out := append(planSteps(lookFirst(p, held)), planSteps(suspendFirst(p)...)...)
	out = append(out, saveStep(p.Workload, podsToSave(p, held)))
	return append(out, planSteps(endNow(p, held)...)...)
}

func planSteps(acts ...act) []PlanStep {
	var out []PlanStep
	for _, a := range acts {
		out = append(out, PlanStep{Title: a.what, Commands: a.cmds, RunsProgram: a.runs})
	}
	return out
}

// smallest gives the change of the smallest reach that is enough, nil when none is.
func smallest(p *analyze.Pass, list []Change) *Change {
	for i := range list {
		if list[i].Enough() && !(list[i].Kind == changeEnv && notSettable(p)) {
			return &list[i]
		}
	}
	return nil
}

func changeSteps(p *analyze.Pass, change *Change, stored Stored) []PlanStep {
	switch change.Kind {
	case changeAnnotation:
		return []PlanStep{testJobStep(p, stored, true), ownerStep(p)}
	case changeManifest:
		return []PlanStep{{Title: say("inject the original manifest again, or apply it as it is and leave injection to the webhook"),
			Notes: []analyze.Text{say("the manifest in the bundle holds the proxy already: take the one from before istioctl kube-inject")}}}
	case changeEnv:
		return []PlanStep{{Title: say("set %s=true on %s", facts.NativeEnv, planeText(p.Next)),
			Notes: []analyze.Text{say("it concerns every workload of this control plane: make sure that every node can run native sidecars"),
				say("set it where istiod is installed from, for example the Helm value below; istiod reads it when it starts")},
			YAML: "pilot:\n  env:\n    ENABLE_NATIVE_SIDECARS: \"true\"\n"}, testJobStep(p, stored, false)}
	}
	return []PlanStep{{Title: say("upgrade the nodes that stand against it"),
		Notes: []analyze.Text{say("enough: %s", change.What), say("drain and upgrade: %s", list(blockerNames(p.Next.Blockers)))}}, testJobStep(p, stored, false)}
}

func saveStep(w *facts.Workload, pods []*facts.Pod) PlanStep {
	return PlanStep{Title: say("save the evidence"), Commands: saveCommands(w, pods)}
}

func ownerStep(p *analyze.Pass) PlanStep {
	w := p.Workload
	s := PlanStep{Title: annotationStep(p), YAML: annotationPatch(p)}
	switch kind := ownerKind(w); {
	case kind == "CronJob" && rewritten(w) && !webhookToo(p.Cluster, w):
		s.Notes = []analyze.Text{say("for a CronJob istioctl kube-inject reads it there, and not on the pod template")}
	case kind == "CronJob":
		s.Notes = []analyze.Text{say("save this YAML as patch.yaml; the next run is made from it, runs that exist are not changed")}
		s.Commands = []string{command("kubectl patch cronjob %s -n %s --type merge --patch-file patch.yaml", w.ParentName, w.Ref.Namespace)}
	case loneJob(w):
		s.Notes = []analyze.Text{say("the pod template of a stored Job cannot be changed: put the annotation into the manifest or chart that makes the Job")}
	default:
		s.Notes = []analyze.Text{say("the engine makes the pods of this %s: set it there, not on the pod", kind)}
		if w.ParentKind == "" {
			s.Notes = []analyze.Text{say("nothing that is in the bundle makes this pod: set it in the manifest, or in what writes that")}
		}
		if where, ok := p.Know.TemplatePlace(ownerGroup(w), kind); ok && where.Note != "" {
			s.Notes = append(s.Notes, say("%s", where.Note))
		}
	}
	return s
}

// rerunSteps let a new pod be made. Only a run that will not end by itself, or not well, is worth deleting; one that is
// held was ended before, and a CronJob makes the next.
func rerunSteps(p *analyze.Pass) []PlanStep {
	w := p.Workload
	s := PlanStep{Title: say("let a new pod be made: the one that exists never changes")}
	if restsAlone(p.Verdict.Code) {
		s.Notes = []analyze.Text{say("nothing has to be deleted for that (%s): the next run gets it", string(p.Verdict.Code))}
		return []PlanStep{s}
	}
	held := heldPods(p.Verdict)
	ref, ofCron := cronRef(w)
	if ofCron && len(held) > 0 {
		return nextRun(p, ref)
	}
	if namesAnother(p) {
		return []PlanStep{{Title: say("nothing is to be made anew for these pods: the Job of that name is another by now, made later, and has its own place in the report")}}
	}
	if !w.IsJob() {
		return []PlanStep{s}
	}
	s.Notes = []analyze.Text{say("deleting the Job deletes its pods and with them their logs, which are saved by the step above")}
	switch {
	case p.Verdict.Code == HeldBySidecar:
		s.Notes = append(s.Notes, say("the program of pod %s has ended with exit code 0: a new Job runs it again, so make one only where that is wanted", held[0].Pod.Meta.Name))
	case w.CronJob != nil && w.CronJob.Spec.ConcurrencyPolicy == forbid:
		s.RunsProgram = true
		s.Notes = append(s.Notes, say("once the Job is gone the CronJob starts the newest missed run at once, %s: check that this moment suits", dueStill(w.CronJob)))
	}
	end := deleteJob(p, s.Title, nil, nil)
	if makesMore(p) {
		end = do(say("%s. But not before the pods that the Job itself makes once these have ended are over, which work and end with it", s.Title), command("kubectl get pod -n %s ", w.Ref.Namespace)+podsOfJob(w))
	}
	s.Title, s.Commands = end.what, end.cmds
	if !loneJob(w) {
		return []PlanStep{s}
	}
	return []PlanStep{s, {Title: say("apply the manifest of Job %s again, with what was changed in it: a Job that nothing owns is not made anew by itself", w.Ref.Name),
		Notes:    []analyze.Text{say("it is in the repository or chart that the Job is made from: save it as manifest.yaml, or have the tool that deploys it do this")},
		Commands: []string{command("kubectl apply -n %s -f manifest.yaml", w.Ref.Namespace)}, RunsProgram: true}}
}

// restsAlone says that a run of this verdict is not to be deleted for the sake of the next.
func restsAlone(code analyze.Code) bool {
	switch code {
	case AppRunning, OtherContainerRunning, NativeSidecarStopping, Completed, Suspended, ManagedElsewhere, Unschedulable, InsufficientEvidence, NoPods:
		return true
	}
	return false
}

// nextRun lets a CronJob whose held run was ended go on, once the pods that the run itself makes after that are over.
func nextRun(p *analyze.Pass, ref evidence.Ref) []PlanStep {
	var out []PlanStep
	if makesMore(p) {
		job := p.Workload.Ref
		out = planSteps(do(say("wait until Job %s is over: the pods that it makes itself once these have ended come from its own template, and may be held as these were; end what holds them in the same way", job.Name),
			command("kubectl get job %s -n %s", job.Name, job.Namespace)))
	}
	return append(out, goOn(p, ref)...)
}

func goOn(p *analyze.Pass, ref evidence.Ref) []PlanStep {
	native := p.Next != nil && p.Next.Placement == knowledge.Native
	switch {
	case len(suspendFirst(p)) == 0 && native:
		return []PlanStep{{Title: say("let a new pod be made: the one that exists never changes"),
			Notes: []analyze.Text{say("the CronJob makes it with its next run")}}}
	case suspended(p.Workload.CronJob):
		return planSteps(append(tryRun(ref), do(say("leave the CronJob suspended, as it was found: who suspended it knows when it may go on")))...)
	case native:
		return planSteps(resume(ref, p.Workload.CronJob))
	}
	return planSteps(append(tryRun(ref), resume(ref, p.Workload.CronJob))...)
}

func verifyStep(w *facts.Workload) PlanStep {
	ns := w.Ref.Namespace
	s := PlanStep{Title: say("verify"), Notes: []analyze.Text{say("then make a bundle and run: analyze compare BEFORE AFTER")},
		Commands: []string{
			command("kubectl get pod -n %s -o jsonpath='{range .items[*]}{.metadata.name}{\" \"}{.spec.initContainers[?(@.name==\"istio-proxy\")].restartPolicy}{\"\\n\"}{end}'", ns)}}
	switch {
	case w.IsJob() || w.ParentKind == "CronJob":
		s.Commands = append(s.Commands, command("kubectl get job -n %s", ns))
	case w.ParentKind != "":
		s.Commands = append(s.Commands, command("kubectl get %s -n %s", parentResource(w), ns))
	}
	return s
}

func rollbackStep(p *analyze.Pass, change *Change) PlanStep {
	w := p.Workload
	s := PlanStep{Title: say("roll back, if it must be"),
		Notes: []analyze.Text{say("undo: %s", change.What), say("pods that exist keep their shape, and what a run wrote stays written")}}
	if w.ParentKind == "CronJob" && change.Kind == changeAnnotation && !rewritten(w) {
		if patch, known := annotationBack(w); known {
			s.Commands = []string{command("kubectl patch cronjob %s -n %s --type json -p %s", w.ParentName, w.Ref.Namespace, patch)}
		}
	}
	return s
}

// annotationBack is the JSON patch that gives a CronJob's pod template the annotation that it had: another value, or none.
// It is not known where the value was redacted; the manifest that was saved first has it.
func annotationBack(w *facts.Workload) (patch string, known bool) {
	back := map[string]string{"op": "remove", "path": "/spec/jobTemplate/spec/template/metadata/annotations/sidecar.istio.io~1nativeSidecar"}
	if w.CronJob != nil {
		if had, ok := w.CronJob.Spec.JobTemplate.Spec.Template.Meta.Annotations.Lookup(facts.NativeAnnotation); ok {
			if facts.Redacted(had) {
				return "", false
			}
			back["op"], back["value"] = "replace", had
		}
	}
	text, err := json.Marshal([]map[string]string{back})
	return string(text), err == nil
}

// ineffective lists what people try on a held Job and why it cannot end it.
func ineffective(w *facts.Workload) []analyze.Text {
	var out []analyze.Text
	if w.IsJob() {
		out = []analyze.Text{say("ttlSecondsAfterFinished and history limits: they count only for Jobs that have finished")}
	}
	return append(out,
		say("readiness settings: readiness of the proxy is not completion"),
		say("EXIT_ON_ZERO_ACTIVE_CONNECTIONS, terminationDrainDuration: they act only while the pod is being stopped"),
		say("holdApplicationUntilProxyStarts: it orders the start and never ends anything"))
}
