package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// always is the restartPolicy that the API server refuses in a Job's template. A bundle can hold it all the same: the pod
// was made by hand and took the Job's labels, or the file was edited.
const always = "Always"

// endless says that the kubelet starts every container of a pod again, whatever its exit code: the pod never ends, and no
// sidecar is what keeps it from that.
func endless(w *facts.Workload, p *facts.Pod) bool {
	policy, _ := restartPolicyOf(w, p)
	return policy == always
}

// restartPolicyOf gives a pod's restartPolicy, from its Job's template where the pod shows none: describe prints none. A
// manifest is taken too, and a Job that the pod names by a label alone.
func restartPolicyOf(w *facts.Workload, p *facts.Pod) (string, evidence.Evidence) {
	if policy, at := p.RestartPolicy(); policy != "" {
		return policy, at
	}
	if t := w.Template(); t != nil && t.Spec.RestartPolicy != "" {
		return t.Spec.RestartPolicy, w.Job.Ev("spec.template.spec.restartPolicy", t.Spec.RestartPolicy)
	}
	return "", evidence.Evidence{}
}

// podEndless: the application has ended in a pod that never ends.
func podEndless(v *podView) answer {
	endings := v.endings()
	if !endless(v.w, v.p) || len(endings.Items) == 0 {
		return no()
	}
	_, at := restartPolicyOf(v.w, v.p)
	a := yes(say("%s, and by the bundle restartPolicy of the pod is Always, which the API server refuses in a Job. If that is so, the kubelet starts it again and the pod never ends, with or without a sidecar", endings), at)
	if _, zero := allExitedZero(v.apps); zero && len(v.holders()) > 0 {
		a.summary = say("%s; if it is Never or OnFailure, %s holds the pod", a.summary, list(names(v.holders())))
	}
	a.evidence = append(a.evidence, templatePolicy(v.w)...)
	a.evidence = append(append(a.evidence, exits(v.p)...), v.states(v.helpers)...)
	return a
}

// templatePolicy is what the Job's template in the bundle has as restartPolicy.
func templatePolicy(w *facts.Workload) []evidence.Evidence {
	if w.Job == nil {
		return nil
	}
	const path = "spec.template.spec.restartPolicy"
	if policy := w.Job.Spec.Template.Spec.RestartPolicy; policy != "" {
		return []evidence.Evidence{w.Job.Ev(path, policy)}
	}
	return []evidence.Evidence{w.Job.EvAbsent(path)}
}

// policyInDoubt asks for what the cluster had where a pod, or the template of its Job, has restartPolicy Always.
func policyInDoubt(w *facts.Workload, p *facts.Pod) []analyze.Missing {
	is := endless(w, p)
	inTemplate := w.Job != nil && w.Job.Spec.Template.Spec.RestartPolicy == always
	var out []analyze.Missing
	if is {
		out = append(out, analyze.Missing{What: say("restartPolicy of pod %s as it is stored", p.Meta.Name), Command: podYAML(p)})
	}
	if is && w.Job == nil || inTemplate {
		out = append(out, analyze.Missing{What: say("restartPolicy in the template of the Job as it is stored"),
			Command: command("kubectl get job %s -n %s -o yaml", w.Ref.Name, w.Ref.Namespace)})
	}
	return out
}
