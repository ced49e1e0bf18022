package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// suspendCommand keeps a CronJob from starting runs; those that exist go on.
func suspendCommand(ref evidence.Ref) string {
	return command("kubectl patch cronjob %s -n %s --type merge -p '{\"spec\":{\"suspend\":true}}'", ref.Name, ref.Namespace)
}

func resumeCommand(ref evidence.Ref) string {
	return command("kubectl patch cronjob %s -n %s --type merge -p '{\"spec\":{\"suspend\":false}}'", ref.Name, ref.Namespace)
}

// tryRun makes one run of a CronJob by hand, and takes it away: a second of its name would be refused.
func tryRun(ref evidence.Ref) []act {
	const suffix, longest = "-try", 63
	name := strings.TrimRight(ref.Name[:min(len(ref.Name), longest-len(suffix))], "-.") + suffix
	return []act{doRun(say("try one run by hand; it runs the program, so check first that this moment suits, and that a second run is safe: idempotent writes, charges, artefacts"),
		command("kubectl create job %s -n %s --from=cronjob/%s", name, ref.Namespace, ref.Name),
		command("kubectl wait --for=condition=complete job/%s -n %s --timeout=1h", name, ref.Namespace)),
		do(say("delete that Job once you have seen what came of it: a second one of its name is refused"),
			command("kubectl delete job %s -n %s", name, ref.Namespace))}
}

// changeRuns makes the change in a CronJob, and tries it. What to change is in the remedies of the findings that explain
// the verdict; a remedy that ends with a run by hand is not followed by a second.
func changeRuns(p *analyze.Pass, ref evidence.Ref) []act {
	trial, tried := tryRun(ref), false
	var where []string
	causes := slices.DeleteFunc(causesIn(p, analyze.PerWorkload), func(c cause) bool { return c.advice.Aside && len(c.advice.Steps) == 0 }) // changes nothing
	if main := slices.ContainsFunc(causes, func(c cause) bool { return !c.advice.Aside }); Remedy(p) != nil || !main && Otherwise(p) != nil {
		where = append(where, string(p.Verdict.Code))
	}
	for _, c := range causes {
		if !contains(where, string(c.rule)) {
			where = append(where, string(c.rule))
		}
		tried = tried || slices.ContainsFunc(c.advice.Steps, func(t analyze.Text) bool { return t.String() == trial[0].text().String() })
	}
	what := say("make the change in the CronJob (spec.jobTemplate), from which the next runs are made, and not in the Job")
	switch {
	case tried:
		return []act{do(say("%s: what to change, and how to try it with a run by hand, is in the remedy of %s", what, list(where)))}
	case len(where) > 0:
		what = say("%s: what to change is in the remedy of %s", what, list(where))
	default:
		what = say("%s: what to change depends on what explains the verdict of the workload (%s)", what, p.Verdict.Code)
	}
	return append([]act{do(what)}, trial...)
}

// afterRun is what follows when the open runs of a CronJob are over: the change, with a trial, where the next run would stay open
// as this one did, and the schedule again.
func afterRun(p *analyze.Pass, ref evidence.Ref) []act {
	again := resume(ref, p.Workload.CronJob)
	if cured(p) {
		return []act{again}
	}
	return append(changeRuns(p, ref), again)
}

// cured says that what holds a run open does not hold the next one: an ordinary proxy and nothing else does, and that of the next
// is placed natively.
func cured(p *analyze.Pass) bool {
	return p.Next != nil && p.Next.Placement == knowledge.Native && len(heldPods(p.Verdict)) > 0 && len(otherHolders(p)) == 0
}

// dueStill says whether the controller makes up a missed run, as far as the CronJob tells.
func dueStill(cj *kube.CronJob) analyze.Text {
	switch {
	case cj == nil:
		return say("unless startingDeadlineSeconds is over")
	case cj.Spec.StartingDeadlineSeconds == nil:
		return say("for startingDeadlineSeconds is not set")
	}
	return say("if that was due within startingDeadlineSeconds (%s)", count(cj.Spec.StartingDeadlineSeconds))
}

// resume lets a CronJob start runs again: the controller makes up the newest missed one and no other.
func resume(ref evidence.Ref, cj *kube.CronJob) act {
	return doRun(say("resume the CronJob: the controller starts the newest missed run at once, %s; the runs before it are not made up", dueStill(cj)), resumeCommand(ref))
}

// cronVerify shows that a CronJob's runs complete again.
func cronVerify(ref evidence.Ref) analyze.Text {
	return do(say("once a run has ended, status.lastScheduleTime and status.lastSuccessfulTime of the CronJob have moved on, and status.active is empty between runs"),
		command("kubectl get cronjob %s -n %s -o jsonpath='{.status}{\"\\n\"}'", ref.Name, ref.Namespace)).text()
}

// whereSteps says where the steps that end a Job stand: formats for people show several Jobs of which they would say the same
// as one.
func whereSteps() analyze.Text {
	return say("with the Job itself, or with the first of the Jobs that it is shown together with, where they are the same but for the names; analyze fix prints them for each Job")
}

// endRun ends an open run of a CronJob: from within where its work is done, else by deleting its Job.
func endRun(p *analyze.Pass) act {
	w := p.Workload
	if len(heldPods(p.Verdict)) > 0 {
		return do(say("let Job %s end without running its program again: the steps for that are under what to do now: %s", w.Ref.Name, whereSteps()))
	}
	return deleteJob(p, say("save Job %s with its pods, events and logs, then delete it: that deletes its pods, and this run never becomes complete", w.Ref.Name), saveCommands(w, nil), nil)
}
