package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// sidecarRestartsCountAgainstBackoff: the Job controller adds up restarts of every container, native sidecars included,
// and a podFailurePolicy rule without a container name looks at every exit code. A Job then fails for its proxy.
func sidecarRestartsCountAgainstBackoff() *analyze.Rule {
	return &analyze.Rule{Code: "SidecarRestartsCountAgainstBackoff", Title: "What the sidecar does counts against the Job's retries",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{Failed, AppRunning}, Run: runSidecarRestartsCount}
}

func runSidecarRestartsCount(p *analyze.Pass) analyze.Outcome {
	j := p.Workload.Job
	if j == nil {
		return analyze.Skip()
	}
	policy, because, worst := policyMatchesSidecars(p)
	restarts, more, failed := restartsOfSidecars(p)
	if failed {
		worst = true
	}
	_, backoff := p.Know.Has("restarts-count-against-backoff", p.Cluster.Server.V)
	_, everyContainer := p.Know.Has("failure-policy-sees-every-container", p.Cluster.Server.V)
	severity := analyze.Warning
	switch {
	case worst:
		severity = analyze.Error
	case p.Verdict.Code == Completed || !policy.IsZero() && !sidecarCodes(j):
		severity = analyze.Info
	}
	switch { // a policy is taken with restartPolicy Never alone, so that it is the one or the other
	case !policy.IsZero():
		return analyze.Fire(policy, because...).As(severity).From(everyContainer).With(policyAdvice())
	case !restarts.IsZero():
		return analyze.Fire(restarts, more...).As(severity).From(backoff).With(retryAdvice())
	}
	return noRetryTrouble(p)
}

// policyMatchesSidecars finds a rule on exit codes that names no container, in a Job whose pods have a sidecar. worst:
// such a rule has struck, by the Job's own message.
func policyMatchesSidecars(p *analyze.Pass) (text analyze.Text, because []evidence.Evidence, worst bool) {
	j := p.Workload.Job
	rule := openRule(j)
	if rule < 0 {
		return analyze.Text{}, nil, false
	}
	names, ev := sidecarNames(p.Workload)
	if len(names) == 0 {
		return analyze.Text{}, nil, false
	}
	path := "spec.podFailurePolicy.rules[" + count(ptr(int64(rule))) + "].onExitCodes"
	because = append([]evidence.Evidence{j.EvAbsent(path + ".containerName")}, ev...)
	text = say("rule %d of podFailurePolicy (%s) names no container, so in a pod that failed it also judges the exit codes of %s", rule, j.Spec.PodFailurePolicy.Rules[rule].Action, list(names))
	if c := struckBy(j, names); c != nil {
		return say("%s, and it was that exit code which failed the Job: %s", text, c.Message),
			append(because, j.Ev("status.conditions[type="+c.Type+"].message", c.Message)), true
	}
	return text, because, false
}

// usualCodes are exit codes of proxies and other sidecars that were stopped, killed or failed.
var usualCodes = []int64{1, 2, 137, 143, 255}

// sidecarCodes says that the rule without a container name can be expected to match a sidecar: it takes everything but
// a list, or a code with which sidecars end.
func sidecarCodes(j *kube.Job) bool { return takesSidecars(j.Spec.PodFailurePolicy.Rules[openRule(j)]) }

func takesSidecars(rule kube.PodFailureRule) bool {
	r := rule.OnExitCodes
	return r.Operator != "In" || slices.ContainsFunc(usualCodes, func(c int64) bool { return slices.Contains(r.Values, c) })
}

func ptr(n int64) *int64 { return &n }

// openRule gives the index of the first rule on exit codes without a container name that can be expected to match a sidecar,
// else of the first without a name; -1 for none.
func openRule(j *kube.Job) int {
	if j.Spec.PodFailurePolicy == nil {
		return -1
	}
	first := -1
	for i, r := range j.Spec.PodFailurePolicy.Rules {
		switch {
		case r.OnExitCodes == nil || r.OnExitCodes.ContainerName != "":
		case takesSidecars(r):
			return i
		case first < 0:
			first = i
		}
	}
	return first
}

// struckBy gives the condition in which the Job controller names a sidecar as the container that matched.
func struckBy(j *kube.Job, sidecars []string) *kube.Condition {
	for _, typ := range []string{"Failed", "FailureTarget"} {
		c := trueCondition(j.Status.Conditions, typ)
		if c == nil || c.Reason != "PodFailurePolicy" {
			continue
		}
		for _, name := range sidecars {
			if strings.HasPrefix(c.Message, "Container "+name+" ") {
				return c
			}
		}
	}
	return nil
}

// sidecarNames lists the sidecars of a workload's pods, native and ordinary, with where each stands.
func sidecarNames(w *facts.Workload) (names []string, because []evidence.Evidence) {
	for _, pod := range w.Pods {
		for _, c := range pod.Of(facts.IsRole(facts.Sidecar)) {
			if !contains(names, c.Name) {
				names, because = append(names, c.Name), append(because, c.EvPlacement())
			}
		}
	}
	return names, because
}

// restartsOfSidecars says what restarts of sidecars count against backoffLimit. failed: the Job failed by it though the
// application's own restarts do not reach it.
func restartsOfSidecars(p *analyze.Pass) (text analyze.Text, because []evidence.Evidence, failed bool) {
	w := p.Workload
	if w.Job.Spec.Template.Spec.RestartPolicy != "OnFailure" {
		return analyze.Text{}, nil, false
	}
	sum := sumRestarts(w, facts.IsRole(facts.Sidecar))
	if sum.helping == 0 {
		return analyze.Text{}, nil, false
	}
	var names []string
	for _, c := range sum.of {
		names = append(names, c.Name)
	}
	limit := w.Job.Spec.BackoffLimit
	because = append(sum.because(), w.Job.Ev("spec.template.spec.restartPolicy", "OnFailure"), evCount(w.Job, "spec.backoffLimit", limit))
	text = say("%s restarted %s, and under restartPolicy OnFailure that counts against backoffLimit (%s) like restarts of the application (%d)",
		list(names), timesOf(sum.helping), count(limit), sum.others)
	if reason, at := failure(w.Job); limit != nil && reason == "BackoffLimitExceeded" && sum.reachesOnlyTogether(*limit) {
		return say("%s; the application's own restarts did not reach the limit", text), append(because, at), true
	}
	return text, because, false
}

// restartSum is what the Job controller adds up under restartPolicy OnFailure (pastBackoffLimitOnFailure): restarts of all
// containers of pods that have not finished. of are the helping ones that were restarted.
type restartSum struct {
	helping, others int64
	of              []*facts.Container
}

// sumRestarts adds up the restarts. A pod that is being deleted may have ended since the controller counted: it deletes
// the open ones when the Job fails.
func sumRestarts(w *facts.Workload, helping func(*facts.Container) bool) restartSum {
	var s restartSum
	for _, pod := range w.Pods {
		if finished(pod.Status.Phase) && pod.Meta.Deleted.Raw == "" {
			continue
		}
		for _, c := range pod.Containers {
			switch n := restarts(c); {
			case n == 0:
			case helping(c):
				s.helping += n
				s.of = append(s.of, c)
			default:
				s.others += n
			}
		}
	}
	return s
}

func (s restartSum) because() []evidence.Evidence {
	var out []evidence.Evidence
	for _, c := range s.of {
		out = append(out, c.Pod.Ev(c.StatusPath("restartCount"), countOf(restarts(c))))
	}
	return out
}

// reachesOnlyTogether says that the application's restarts do not reach a limit and all of them do. The controller fails
// a Job whose sum is the limit, and under a limit of 0 at the first restart.
func (s restartSum) reachesOnlyTogether(limit int64) bool {
	limit = max(limit, 1)
	return s.others < limit && s.others+s.helping >= limit
}

// noRetryTrouble says why neither mechanism is in play, where the question arises at all.
func noRetryTrouble(p *analyze.Pass) analyze.Outcome {
	j := p.Workload.Job
	reason, failed := failure(j)
	if reason != "BackoffLimitExceeded" && reason != "PodFailurePolicy" {
		return analyze.Skip()
	}
	names, ev := sidecarNames(p.Workload)
	onFailure := j.Spec.Template.Spec.RestartPolicy == "OnFailure"
	if onFailure && reason == "BackoffLimitExceeded" && len(p.Workload.Pods) == 0 {
		o := analyze.Undecide(say("the Job failed by its backoffLimit under restartPolicy OnFailure, and its pods with their restart counts are not in the bundle"),
			analyze.Missing{What: say("the events of the pods, which tell what was restarted"), Command: command("kubectl get events -n %s", j.Meta.Namespace)})
		o.Because = []evidence.Evidence{failed}
		return o
	}
	switch {
	case len(names) == 0, reason == "PodFailurePolicy" && j.Spec.PodFailurePolicy == nil:
	case reason == "PodFailurePolicy" && openRule(j) < 0:
		return analyze.RuleOut(say("every rule of podFailurePolicy on exit codes names its container"), append(ev, j.Ev("spec.podFailurePolicy", "set"))...)
	case reason == "BackoffLimitExceeded" && onFailure && sidecarsRestarted(p.Workload):
		return analyze.RuleOut(say("the sidecars that had restarted were those of pods that had ended, whose restarts the controller does not count"), ev...)
	case reason == "BackoffLimitExceeded" && onFailure:
		return analyze.RuleOut(say("no sidecar of the pods in the bundle had restarted"), ev...)
	case reason == "BackoffLimitExceeded" && j.Spec.PodFailurePolicy != nil:
		return analyze.RuleOut(say("restartPolicy is %s: failed pods were counted, but for those that podFailurePolicy ignores, and not restarts of containers", orNone(j.Spec.Template.Spec.RestartPolicy)),
			j.Ev("spec.template.spec.restartPolicy", j.Spec.Template.Spec.RestartPolicy), j.Ev("spec.podFailurePolicy", "set"))
	case reason == "BackoffLimitExceeded":
		return analyze.RuleOut(say("restartPolicy is %s: failed pods were counted, not restarts of containers", orNone(j.Spec.Template.Spec.RestartPolicy)),
			j.Ev("spec.template.spec.restartPolicy", j.Spec.Template.Spec.RestartPolicy))
	}
	return analyze.Skip()
}

func sidecarsRestarted(w *facts.Workload) bool {
	return slices.ContainsFunc(w.Pods, func(p *facts.Pod) bool {
		return slices.ContainsFunc(p.Of(facts.IsRole(facts.Sidecar)), func(c *facts.Container) bool { return restarts(c) > 0 })
	})
}

func retryAdvice() *analyze.Advice {
	return &analyze.Advice{
		Summary: say("let only the application decide about retries"),
		Steps: []analyze.Text{
			say("with restartPolicy Never a native sidecar's restarts are not counted; with OnFailure they are, in every release so far"),
			say("remove what restarts or kills the sidecar: memory, probes")},
		Avoid: []analyze.Text{say("raising backoffLimit alone: a sidecar that keeps restarting uses up any number")}}
}

// policyAdvice: the policy of a stored Job is immutable.
func policyAdvice() *analyze.Advice {
	return &analyze.Advice{
		Summary: say("let only the application decide about retries"),
		Steps: []analyze.Text{
			say("give each podFailurePolicy rule on exit codes the containerName of the application; in a stored Job that cannot be changed: it takes a new one, or the jobTemplate of its CronJob"),
			say("remove what restarts or kills the sidecar: memory, probes")}}
}
