package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// otherContainerFailed: under restartPolicy Never one regular container that ended non-zero decides the pod's phase,
// whatever the application still achieves.
func otherContainerFailed() *analyze.Rule {
	return &analyze.Rule{Code: "OtherContainerFailed", Title: "Another container has failed for good while the application runs",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{AppRunning, OtherContainerRunning}, Run: runOtherContainerFailed}
}

func runOtherContainerFailed(p *analyze.Pass) analyze.Outcome {
	var fineHere analyze.Outcome
	for _, pod := range p.Workload.Pods {
		app, failed, fine := appAndOthers(pod)
		if app == nil || finished(pod.Status.Phase) || pod.Meta.Deleted.Raw != "" {
			continue
		}
		if failed == nil && fine != nil {
			fineHere = analyze.RuleOut(say("container %s beside the application %s had ended with exit code 0", fine.Name, app.Name), fine.EvState(), app.EvState())
		}
		if failed == nil {
			continue
		}
		if o := judgeFailed(p, pod, app, failed); o.Status != analyze.Clear {
			return o
		} else if fineHere.Status != analyze.Clear {
			fineHere = o
		}
	}
	if fineHere.Status == analyze.Clear {
		return fineHere
	}
	return analyze.Skip()
}

// appAndOthers gives the application container that still runs, and of the regular containers beside it one that ended
// non-zero and one that ended with 0.
func appAndOthers(pod *facts.Pod) (app, failed, fine *facts.Container) {
	for _, c := range pod.Of(facts.IsPlaced(facts.Ordinary)) {
		switch t := c.Terminated(); {
		case c.Role == facts.App && c.Running() != nil:
			app = c
		case t != nil && t.ExitCode != 0:
			failed = c
		case t != nil:
			fine = c
		}
	}
	return app, failed, fine
}

func judgeFailed(p *analyze.Pass, pod *facts.Pod, app, failed *facts.Container) analyze.Outcome {
	because := []evidence.Evidence{failed.EvState(), app.EvState()}
	code := failed.Terminated().ExitCode
	policy, at := restartPolicyOf(p.Workload, pod)
	own := ""
	if failed.Spec != nil && failed.Spec.RestartPolicy != "" {
		own = failed.Spec.RestartPolicy
		policy, at = failed.Policy()
	}
	switch {
	case own != "" && failed.RestartsAfter(code) == version.Yes:
		return analyze.RuleOut(say("container %s exited %d and has a restartPolicy of its own (%s): the kubelet starts it again", failed.Name, code, own), append(because, at)...)
	case policy == "":
		o := analyze.Undecide(say("container %s exited %d while the application %s runs; whether it is started again depends on restartPolicy", failed.Name, code, app.Name),
			analyze.Missing{What: say("restartPolicy of the pod"), Command: command("kubectl get pod %s -n %s -o yaml", pod.Meta.Name, pod.Meta.Namespace)})
		o.Because = because
		return o
	case policy != "Never":
		return analyze.RuleOut(say("container %s exited %d and the kubelet starts it again (restartPolicy %s)", failed.Name, code, policy), append(because, at)...)
	}
	if m := failed.Terminated().Message; m != "" {
		because = append(because, pod.Ev(failed.StatusPath("state.terminated.message"), m))
	}
	return analyze.Fire(say("container %s had exited %d at %s and is not started again (restartPolicy Never): the pod will end Failed even if the application %s succeeds",
		failed.Name, code, stamp(failed.Terminated().FinishedAt.Time), app.Name), append(because, at)...).
		With(&analyze.Advice{
			Summary: say("find out why %s failed; the run is lost either way and the Job will count it as a failure", failed.Name),
			Steps: []analyze.Text{
				say("kubectl logs of container %s, while the pod is there", failed.Name),
				say("decide whether to wait for the application's result or to delete the pod now")},
			Avoid: []analyze.Text{say("waiting for the Job to complete with this pod")}})
}
