package rules

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// nowOf gives what can be done now about the first workload with a verdict, in one text; "" for nothing.
func nowOf(t *testing.T, code analyze.Code, change func(*facts.Workload), path ...string) string {
	t.Helper()
	c := fixtureCluster(t, path...)
	for _, w := range c.Workloads {
		if change != nil {
			change(w)
		}
		j := Judge(c, w)
		if j.Code == code {
			return adviceText(Now(&analyze.Pass{Cluster: c, Know: base(t), Workload: w, Verdict: &j, Next: Next(c, base(t), w)}))
		}
	}
	t.Fatalf("%v: no %s", path, code)
	return ""
}

func adviceText(a *analyze.Advice) string {
	if a == nil {
		return ""
	}
	parts := []string{a.Summary.String()}
	for _, list := range [][]analyze.Text{a.Steps, a.Verify, a.Rollback, a.Avoid} {
		for _, s := range list {
			parts = append(parts, s.String())
		}
	}
	return strings.Join(parts, "\n")
}

// inOrder says that the parts stand in the text one after the other.
func inOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			t.Errorf("%q is not in its place in\n%s", part, text)
			return
		}
		rest = after
	}
}

func TestNowOfAHeldJob(t *testing.T) {
	text := nowOf(t, HeldBySidecar, nil, "bundles", "ordinary-sidecar-holding-job")
	inOrder(t, text, "the Job completes without running the program again",
		"kubectl get pod nightly-report-hrp8m -n batch\n",
		"kubectl get job nightly-report -n batch -o yaml > nightly-report-job.yaml\n", "kubectl logs nightly-report-hrp8m -n batch --all-containers",
		"kubectl exec nightly-report-hrp8m -n batch -c istio-proxy -- pilot-agent request POST quitquitquit\n",
		"kubectl wait --for=condition=complete job/nightly-report -n batch",
		"only where that is refused", "runs the program once more", "kubectl delete job nightly-report -n batch\n", "deleting the pod alone")
	if strings.Contains(text, "cronjob") {
		t.Errorf("no CronJob is above it:\n%s", text)
	}
	ttl := int64(60)
	inOrder(t, nowOf(t, HeldBySidecar, func(w *facts.Workload) { w.Job.Spec.TTLSecondsAfterFinished = &ttl }, "bundles", "ordinary-sidecar-holding-job"),
		"ttlSecondsAfterFinished is 60", "kubectl exec")
	three := int64(3)
	inOrder(t, nowOf(t, HeldBySidecar, func(w *facts.Workload) { w.Job.Spec.Completions = &three }, "bundles", "ordinary-sidecar-holding-job"),
		"counts as one of the Job's completions", "the pod's phase is Succeeded")
}

// TestNowOfACronJob: nothing may start from the unchanged template before the held run is over.
func TestNowOfACronJob(t *testing.T) {
	held := []string{"bundles", "cronjob-holding"}
	inOrder(t, nowOf(t, HeldBySidecar, nil, held...), "suspend CronJob hourly-sync before anything else: once this run is over the controller starts the newest missed one at once",
		"held again", `kubectl patch cronjob hourly-sync -n batch --type merge -p '{"spec":{"suspend":true}}'`, "kubectl exec", "kubectl wait", "only where that is refused", "leave the CronJob suspended: it is resumed behind the change")
	inOrder(t, nowOf(t, HeldBySidecar, func(w *facts.Workload) { w.CronJob.Spec.ConcurrencyPolicy = allow }, held...), "kubectl exec", "kubectl wait", "leave the CronJob suspended until", `{"suspend":false}`)
	inOrder(t, nowOf(t, HeldBySidecar, nil, held...), "for startingDeadlineSeconds is not set, and that run")
	ten := int64(10)
	inOrder(t, nowOf(t, HeldBySidecar, func(w *facts.Workload) { w.CronJob.Spec.StartingDeadlineSeconds = &ten }, held...), "if that was due within startingDeadlineSeconds (10)")
	for policy, says := range map[string]string{replace: "its next run deletes this one", allow: "each further run is made from the same template"} {
		inOrder(t, nowOf(t, HeldBySidecar, func(w *facts.Workload) { w.CronJob.Spec.ConcurrencyPolicy = policy }, held...), says, "kubectl exec")
	}
	yes := true
	if text := nowOf(t, HeldBySidecar, func(w *facts.Workload) { w.CronJob.Spec.Suspend = &yes }, held...); strings.Contains(text, "kubectl patch cronjob") {
		t.Errorf("it is suspended already:\n%s", text)
	}
}

// TestNowOfOthers: what cannot be ended from within is not said to be, and a failure that begins to count is told of.
func TestNowOfOthers(t *testing.T) {
	inOrder(t, nowOf(t, FailureHiddenBySidecar, nil, "bundles", "main-nonzero"), "nobody counts it", "does not exceed backoffLimit (", "runs the program again", "kubectl exec", "the pod's phase is Failed")
	linkerd := nowOf(t, HeldBySidecar, nil, "cases", "15-linkerd-helm-hook")
	inOrder(t, linkerd, "end linkerd-proxy, or delete the Job", "from within the pod, as far as its setup has it", "kubectl delete job")
	if strings.Contains(linkerd, "pilot-agent") {
		t.Errorf("linkerd-proxy has no pilot-agent:\n%s", linkerd)
	}
	old := func(w *facts.Workload) {
		for _, p := range w.Pods {
			p.Container(istioProxy).Spec.Image = "docker.io/istio/proxyv2:1.3.8"
		}
	}
	if text := nowOf(t, HeldBySidecar, old, "bundles", "ordinary-sidecar-holding-job"); strings.Contains(text, "pilot-agent") {
		t.Errorf("the agent of Istio 1.3 does not end with its Envoy:\n%s", text)
	}
	untold := func(w *facts.Workload) { w.Pods[0].Container(istioProxy).Spec.Image = "docker.io/istio/proxyv2:latest" }
	inOrder(t, nowOf(t, HeldBySidecar, untold, "bundles", "ordinary-sidecar-holding-job"), "from Istio 1.4.0 on, which its image does not tell", "pilot-agent request POST quitquitquit")
	for _, path := range [][]string{{"bundles", "ordinary-main-running"}, {"bundles", "other-container-running"}, {"bundles", "native-sidecar-completed"}} {
		c := fixtureCluster(t, path...)
		for _, w := range c.Workloads {
			j := Judge(c, w)
			if a := Now(&analyze.Pass{Cluster: c, Know: base(t), Workload: w, Verdict: &j, Next: Next(c, base(t), w)}); a != nil {
				t.Errorf("%v: nothing may be ended here: %s", path, adviceText(a))
			}
		}
	}
}

// TestNowBesideAnotherEnd: ending what holds a pod is said to complete the Job only where no other container has a say in it.
func TestNowBesideAnotherEnd(t *testing.T) {
	beside := container("vault-agent", "hashicorp/vault:1.17")
	const completes, look, fails = "the Job completes without running the program again", "and see how the pod ends: ", "the Job counts a failure"
	for name, tt := range map[string]struct {
		policy  string
		beside  told
		says    []string
		verify  string
		nothing string
	}{
		"exited 0":                      {"Never", beside.exits(0), []string{completes}, "Complete=True", "vault-agent"},
		"Completed without a code":      {"Never", uncoded(beside, "Completed"), []string{completes}, "Complete=True", "vault-agent"},
		"exited 1 under Never":          {"Never", beside.exits(1), []string{"vault-agent exited 1", fails}, "phase is Failed", completes},
		"exited 1, policy not known":    {"", beside.exits(1), []string{look + "vault-agent exited 1 beside it", "fails under restartPolicy Never, and under OnFailure"}, "phase is Succeeded", "Complete=True"},
		"exited 1, to be started again": {"OnFailure", beside.exits(1), []string{look + "vault-agent exited 1 beside it", "starts it again (restartPolicy OnFailure)"}, "phase is Succeeded", "Complete=True"},
		"Error without a code":          {"Never", uncoded(beside, "Error"), []string{look + "vault-agent ended beside it with an exit code that cannot be read", "(terminated:Error)", "the pod fails"}, "phase is Succeeded", "Complete=True"},
		"ended, nothing else known":     {"Never", uncoded(beside, ""), []string{look + "vault-agent ended beside it"}, "phase is Succeeded", "Complete=True"},
		"no state of it":                {"Never", beside.lost(), []string{look + "the bundle does not show whether vault-agent has ended"}, "phase is Succeeded", "Complete=True"},
	} {
		t.Run(name, func(t *testing.T) {
			k := base(t)
			set := &kube.Set{Pods: []*kube.Pod{podOf(tt.policy, "Running", app().exits(0), tt.beside, proxy())}, Jobs: []*kube.Job{jobOf()}}
			c := facts.Build(set, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), OldKubelet: OldKubeletOf(k), CollectedAt: taken})
			w := c.Workloads[0]
			j := Judge(c, w)
			if j.Code != HeldBySidecar {
				t.Fatalf("verdict %s", j.Code)
			}
			text := adviceText(Now(&analyze.Pass{Cluster: c, Know: k, Workload: w, Verdict: &j, Next: Next(c, k, w)}))
			inOrder(t, text, append(tt.says, tt.verify)...)
			if strings.Contains(text, tt.nothing) {
				t.Errorf("%q in\n%s", tt.nothing, text)
			}
		})
	}
}

// TestOnceFailed: what the Job controller makes of a failure is told by the Job's own fields (kubernetes.md §3.3: failed >
// limit; podFailurePolicy before that; indexes; a work queue in which one has succeeded).
func TestOnceFailed(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	rule := func(action, container, operator string, values ...int64) func(*kube.Job) {
		return func(j *kube.Job) {
			r := kube.PodFailureRule{Action: action}
			if operator != "" {
				r.OnExitCodes = &struct {
					ContainerName string  `json:"containerName,omitempty"`
					Operator      string  `json:"operator,omitempty"`
					Values        []int64 `json:"values,omitempty"`
				}{container, operator, values}
			}
			j.Spec.PodFailurePolicy = &kube.PodFailurePolicy{Rules: append([]kube.PodFailureRule{{Action: "Ignore"}}, r)}
		}
	}
	limit := func(limit, failed int64) func(*kube.Job) {
		return func(j *kube.Job) { j.Spec.BackoffLimit, j.Status.Failed = &limit, &failed }
	}
	perIndex := func(limit int64, more ...func(*kube.Job)) func(*kube.Job) {
		return func(j *kube.Job) {
			j.Spec.BackoffLimitPerIndex = &limit
			for _, m := range more {
				m(j)
			}
		}
	}
	failedBefore := func(n string) func(*kube.Pod) {
		return func(p *kube.Pod) { p.Meta.Annotations = kube.Pairs{{Key: failureCount, Value: n}} }
	}
	on := func(action, status string) func(*kube.Job) {
		return func(j *kube.Job) {
			j.Spec.PodFailurePolicy = &kube.PodFailurePolicy{Rules: []kube.PodFailureRule{{Action: action, OnPodConditions: []kube.PodConditionPattern{{Type: "DisruptionTarget", Status: status}}}}}
		}
	}
	disrupted := func(p *kube.Pod) {
		p.Status.Conditions = append(p.Status.Conditions, kube.Condition{Type: "DisruptionTarget", Status: "True"})
	}
	uncounted := func(limit int64, uids ...string) func(*kube.Job) {
		return func(j *kube.Job) {
			j.Spec.BackoffLimit = &limit
			j.Status.UncountedTerminatedPods = &struct {
				Succeeded []string `json:"succeeded,omitempty"`
				Failed    []string `json:"failed,omitempty"`
			}{Failed: uids}
		}
	}
	for name, tt := range map[string]struct {
		change func(*kube.Job)
		pod    func(*kube.Pod)
		says   string
		again  bool
	}{
		"one more than allowed":          {limit(0, 0), nil, "makes 1 and exceeds backoffLimit (0)", false},
		"as many as allowed":             {limit(1, 0), nil, "makes 1 and does not exceed backoffLimit (1)", true},
		"the last of several":            {limit(6, 6), nil, "makes 7 and exceeds backoffLimit (6)", false},
		"no limit in the bundle":         {func(*kube.Job) {}, nil, "unless its backoffLimit is exceeded", true},
		"one is on its way into it":      {uncounted(1, "pod-9"), nil, "makes 2 and exceeds backoffLimit (1)", false},
		"a rule fails the Job":           {rule("FailJob", "", "In", 3), nil, "rule 1 of podFailurePolicy (FailJob) then fails the Job at once", false},
		"a rule for this container":      {rule("FailJob", "report", "NotIn", 1), nil, "fails the Job at once", false},
		"a rule fails the index":         {perIndex(2, rule("FailIndex", "", "In", 3)), failedBefore("0"), "then fails its index", false},
		"a rule passes it over":          {rule("Ignore", "", "In", 3), nil, "it is not counted", true},
		"another code":                   {rule("FailJob", "", "In", 4), nil, "unless its backoffLimit is exceeded", true},
		"another container":              {rule("FailJob", "istio-proxy", "In", 3), nil, "unless its backoffLimit is exceeded", true},
		"a condition that it has":        {on("FailJob", "True"), disrupted, "rule 0 of podFailurePolicy (FailJob)", false},
		"a condition by its default":     {on("Ignore", ""), disrupted, "it is not counted", true},
		"a condition of another status":  {on("FailJob", "False"), disrupted, "unless its backoffLimit is exceeded", true},
		"a condition that it has not":    {on("FailJob", "True"), nil, "unless its backoffLimit is exceeded", true},
		"no try for an index":            {perIndex(0), nil, "no further pod is made for its index", false},
		"tries for an index":             {perIndex(2), nil, "unless backoffLimitPerIndex (2) is exceeded", true},
		"tries left for its index":       {perIndex(2), failedBefore("1"), "backoffLimitPerIndex (2) allows another pod for its index", true},
		"no try left for its index":      {perIndex(2), failedBefore("2"), "backoffLimitPerIndex (2) is exceeded by that: no further pod is made for its index", false},
		"more failed indexes than may":   {perIndex(0, func(j *kube.Job) { j.Spec.MaxFailedIndexes, j.Status.FailedIndexes = n(4), "1,3-5" }), nil, "maxFailedIndexes allows (4): it becomes Failed", false},
		"as many failed indexes as may":  {perIndex(0, func(j *kube.Job) { j.Spec.MaxFailedIndexes, j.Status.FailedIndexes = n(5), "1,3-5" }), nil, "the Job becomes Failed when every index has ended", false},
		"the Job's limit beside indexes": {perIndex(2, limit(3, 3)), failedBefore("0"), "makes 4 and exceeds backoffLimit (3)", false},
		"a queue, one has succeeded":     {func(j *kube.Job) { j.Spec.Completions, j.Status.Succeeded = nil, n(1) }, nil, "no further pod is made, for one has succeeded", false},
	} {
		job, pod := jobOf(), podOf("Never", "Running", app().exits(3), proxy())
		tt.change(job)
		if tt.pod != nil {
			tt.pod(pod)
		}
		k := base(t)
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{job}, Pods: []*kube.Pod{pod}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		if a := onceFailed(c.Workloads[0], c.Workloads[0].Pods); !strings.Contains(a.text.String(), tt.says) || len(a.again) > 0 != tt.again {
			t.Errorf("%s: %v, %s", name, a.again, a.text)
		}
	}
}

// TestLostContainer: the code that the kubelet gives a container which it no longer found is no end of the program.
func TestLostContainer(t *testing.T) {
	lost := app().exits(137)
	lost.status.State.Terminated.Reason = lostState
	for want, pod := range map[analyze.Code]*kube.Pod{
		FailureHiddenBySidecar: podOf("Never", "Running", lost, proxy()),
		AppFailed:              podOf("Never", "Failed", lost, proxy().exits(0)),
	} {
		k := base(t)
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{pod}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		w := c.Workloads[0]
		j := Judge(c, w)
		text := j.Summary.String() + "\n" + adviceText(Now(&analyze.Pass{Cluster: c, Know: k, Workload: w, Verdict: &j, Next: Next(c, k, w)}))
		if j.Code != want || !strings.Contains(text, "stand-in") || strings.Contains(text, "SIGKILL)") || strings.Contains(text, "the program has failed") {
			t.Errorf("%s:\n%s", j.Code, text)
		}
	}
}

// TestRuleThatMeetsASidecar: of the rules without a container name the one that sidecars' codes match is what counts.
func TestRuleThatMeetsASidecar(t *testing.T) {
	rule := func(container, operator string, values ...int64) kube.PodFailureRule {
		return kube.PodFailureRule{Action: "FailJob", OnExitCodes: &struct {
			ContainerName string  `json:"containerName,omitempty"`
			Operator      string  `json:"operator,omitempty"`
			Values        []int64 `json:"values,omitempty"`
		}{container, operator, values}}
	}
	for name, tt := range map[string]struct {
		rules []kube.PodFailureRule
		want  int
	}{
		"none":                   {nil, -1},
		"all with a name":        {[]kube.PodFailureRule{rule("report", "In", 137)}, -1},
		"the second fits":        {[]kube.PodFailureRule{rule("", "In", 42), rule("", "In", 137)}, 1},
		"neither fits":           {[]kube.PodFailureRule{rule("", "In", 42), rule("", "In", 43)}, 0},
		"all but some codes":     {[]kube.PodFailureRule{rule("", "In", 42), rule("report", "In", 1), rule("", "NotIn", 3)}, 2},
		"about conditions alone": {[]kube.PodFailureRule{{Action: "Ignore"}}, -1},
	} {
		job := jobOf()
		job.Spec.PodFailurePolicy = &kube.PodFailurePolicy{Rules: tt.rules}
		if got := openRule(job); got != tt.want {
			t.Errorf("%s: rule %d, want %d", name, got, tt.want)
		}
	}
}

// heldWith is a Job of three with a pod that is held, and others as they are given.
func heldWith(t *testing.T, change func(*kube.Job), others ...*kube.Pod) *analyze.Pass {
	t.Helper()
	k := base(t)
	job := jobOf()
	three := int64(3)
	job.Spec.Completions, job.Spec.Parallelism, job.Spec.BackoffLimit = &three, &three, &three
	change(job)
	for i, p := range others {
		p.Meta.Name, p.Meta.UID = "report-o"+strconv.Itoa(i), "pod-o"+strconv.Itoa(i)
	}
	c := facts.Build(&kube.Set{Jobs: []*kube.Job{job}, Pods: append(others, heldPod())}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
	for _, w := range c.Workloads {
		if j := Judge(c, w); j.Code == HeldBySidecar {
			return &analyze.Pass{Cluster: c, Know: k, Workload: w, Verdict: &j, Next: Next(c, k, w)}
		}
	}
	t.Fatal("nothing is held")
	return nil
}

// planWithout is the plan where the bundle has no whole text of the Job.
func planWithout(p *analyze.Pass) Plan {
	return Fix(p.Cluster, p.Know, p.Workload, func(*kube.Object) (map[string]any, error) { return nil, errors.New("not here") })
}

// TestQueueBesideOthers: of a work queue, which wants no number of successes, the pod ends and the Job may go on; one that is
// being deleted is not deleted again.
func TestQueueBesideOthers(t *testing.T) {
	p := heldWith(t, func(j *kube.Job) { j.Spec.Completions = nil }, podOf("Never", "Running", app(), proxy()))
	if text := adviceText(Now(p)); strings.Contains(text, "the Job completes") || strings.Contains(text, "kubectl wait") || !strings.Contains(text, "the pod's phase is Succeeded") {
		t.Error(text)
	}
	p = heldWith(t, func(j *kube.Job) { j.Meta.Deleted = stampOf(ended) })
	for _, s := range planWithout(p).Steps {
		if strings.Contains(strings.Join(s.Commands, ""), "kubectl delete") {
			t.Errorf("%q: %v", s.Title, s.Commands)
		}
	}
}

// TestOthersAtWork: a Job is not deleted while another of its pods works, or may, and everything of it is saved.
func TestOthersAtWork(t *testing.T) {
	same := func(*kube.Job) {}
	for name, other := range map[string]*kube.Pod{
		"at work":   podOf("Never", "Running", app(), proxy()),
		"not begun": podOf("Never", "Pending", app().waits("ContainerCreating"), proxy().waits("ContainerCreating")),
		"unknown":   podOf("Never", "Running", app().lost(), proxy().lost()),
	} {
		p := heldWith(t, same, other)
		text := adviceText(Now(p))
		for _, s := range planWithout(p).Steps {
			text += "\n" + s.Title.String() + "\n" + strings.Join(s.Commands, "\n")
		}
		if strings.Contains(text, "kubectl delete job") || !strings.Contains(text, "report-o0") || !strings.Contains(text, "kubectl logs -n team-app -l job-name=report") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	for name, p := range map[string]*analyze.Pass{"held too": heldWith(t, same, heldPod()), "over": heldWith(t, same, podOf("Never", "Succeeded", app().exits(0), proxy().exits(0)))} {
		if text := adviceText(Now(p)); !strings.Contains(text, "kubectl delete job") {
			t.Errorf("%s: nothing is cut off by it:\n%s", name, text)
		}
	}
}

// TestSeveralFail: each pod by what the Job makes of it, and what a Job that becomes Failed ends with it.
func TestSeveralFail(t *testing.T) {
	failed := func() *kube.Pod { return podOf("Never", "Running", app().exits(4), proxy()) }
	ignore4 := func(j *kube.Job) {
		r := kube.PodFailureRule{Action: "Ignore"}
		r.OnExitCodes = &struct {
			ContainerName string  `json:"containerName,omitempty"`
			Operator      string  `json:"operator,omitempty"`
			Values        []int64 `json:"values,omitempty"`
		}{"", "In", []int64{4}}
		j.Spec.PodFailurePolicy = &kube.PodFailurePolicy{Rules: []kube.PodFailureRule{r}}
	}
	five := podOf("Never", "Running", app().exits(5), proxy())
	p := heldWith(t, ignore4, failed(), five)
	inOrder(t, adviceText(Now(p)), "the Job counts that, which makes 1 and does not exceed backoffLimit (3)", "Of report-o0: rule 0 of podFailurePolicy (Ignore)")
	var runs []string
	for _, a := range endNow(p, heldPods(p.Verdict)) {
		if a.runs {
			runs = append(runs, strings.Join(a.cmds, ""))
		}
	}
	if len(runs) != 2 || !strings.Contains(runs[0], "report-o0") || !strings.Contains(runs[1], "report-o1") {
		t.Errorf("two of the three run the program again: %q", runs)
	}
	none := func(j *kube.Job) { *j.Spec.BackoffLimit = 0 }
	inOrder(t, adviceText(Now(heldWith(t, none, failed(), podOf("Never", "Running", app(), proxy())))), "exceeds backoffLimit (0)",
		"A Job that becomes Failed ends its other pods, of which these may still work: report-o1")
}

// TestTheLastSuccess: that the Job completes is promised where no further success is wanted, and of no Job that is not here.
func TestTheLastSuccess(t *testing.T) {
	two := int64(2)
	p := heldWith(t, func(j *kube.Job) { j.Status.Succeeded = &two })
	inOrder(t, adviceText(Now(p)), "and the Job completes", "kubectl wait --for=condition=complete")
	p = heldWith(t, func(*kube.Job) {}, heldPod())
	inOrder(t, adviceText(Now(p)), "counts as one of the Job's completions", "the phase of each pod is Succeeded", "custom-columns")
	text := nowOf(t, HeldBySidecar, func(w *facts.Workload) { w.Job = nil }, "bundles", "ordinary-sidecar-holding-job")
	if strings.Contains(text, "the Job completes") || strings.Contains(text, "kubectl wait") {
		t.Errorf("nobody knows how many successes it wants:\n%s", text)
	}
}

// TestNowOfMixedPods: what ends as Succeeded and what as Failed is told of each pod.
func TestNowOfMixedPods(t *testing.T) {
	text := adviceText(Now(heldWith(t, func(*kube.Job) {}, podOf("Never", "Running", app().exits(4), proxy()))))
	inOrder(t, text, "but in report-o0, where it has failed", "each pod ends as its program did", "know what follows: report-o0 becomes Failed; the Job counts that, which makes 1",
		"the phase of each pod is Succeeded, but Failed of report-o0")
	if strings.Contains(text, "exited 4 beside it") {
		t.Errorf("two pods are one story:\n%s", text)
	}
}

// TestNowOfAnEarlierJob: a Job of that name was made again, and commands by name would be about that.
func TestNowOfAnEarlierJob(t *testing.T) {
	p := heldWith(t, func(j *kube.Job) { j.Meta.UID = "job-2" })
	text := adviceText(Now(p))
	for _, s := range planWithout(p).Steps {
		text += "\n" + s.Title.String() + "\n" + strings.Join(s.Commands, "\n")
	}
	if !strings.Contains(text, "the Job of its name is another, made later") || strings.Contains(text, "kubectl delete") || strings.Contains(text, "kubectl wait") || strings.Contains(text, "manifest.yaml") {
		t.Error(text)
	}
}

// TestOwnersTheirJobs: what a controller made it makes again, so that nothing deletes it, and no YAML of another kind is for it.
func TestOwnersTheirJobs(t *testing.T) {
	owned := func(j *kube.Job) {
		j.Meta.Owners = []kube.Owner{{APIVersion: "jobset.x-k8s.io/v1alpha2", Kind: "JobSet", Name: "train"}}
	}
	p := heldWith(t, owned)
	text := adviceText(Now(p))
	for _, s := range planWithout(p).Steps {
		text += "\n" + s.Title.String() + "\n" + strings.Join(s.Commands, "\n")
	}
	if strings.Contains(text, "kubectl delete") || !strings.Contains(text, "kubectl get jobset.jobset.x-k8s.io train -n team-app -o yaml") {
		t.Error(text)
	}
	p.Workload.ParentKind, p.Workload.ParentGroup = "Job", "batch.volcano.sh"
	if yaml := annotationPatch(p); yaml != "" {
		t.Errorf("a Job of another kind has its templates elsewhere:\n%s", yaml)
	}
}

// TestNowOfAProxyThatComesBack: with restartPolicy Always of its own the proxy is started again after exit 0 too.
func TestNowOfAProxyThatComesBack(t *testing.T) {
	text := nowOf(t, HeldBySidecar, func(w *facts.Workload) { w.Pods[0].Container(istioProxy).Spec.RestartPolicy = always }, "bundles", "ordinary-sidecar-holding-job")
	inOrder(t, text, "nothing but deleting the Job ends the pod", "is started again after every end", "what remains: delete the Job")
	for _, never := range []string{"quitquitquit", "the Job completes", "kubectl wait"} {
		if strings.Contains(text, never) {
			t.Errorf("%q in\n%s", never, text)
		}
	}
}

// TestNowOfASettledJob: where the Job goes its way whatever its pods do, nothing is promised of ending a sidecar, and nothing is
// to be ended or deleted (kubernetes.md §3.3, finish sequence).
func TestNowOfASettledJob(t *testing.T) {
	on := func(typ, reason string) func(*facts.Workload) {
		return func(w *facts.Workload) {
			w.Job.Status.Conditions = append(w.Job.Status.Conditions, kube.Condition{Type: typ, Status: "True", Reason: reason, LastTransitionTime: stampOf(ended)})
		}
	}
	for says, change := range map[string]func(*facts.Workload){
		"the Job becomes Failed whatever its pods do":              on("FailureTarget", "BackoffLimitExceeded"),
		"the Job becomes Complete whatever its pods do":            on("SuccessCriteriaMet", "SuccessPolicy"),
		"the Job is being deleted, and does not complete any more": func(w *facts.Workload) { w.Job.Meta.Deleted = stampOf(ended) },
	} {
		text := nowOf(t, HeldBySidecar, change, "bundles", "ordinary-sidecar-holding-job")
		inOrder(t, text, says, "kubectl logs")
		for _, never := range []string{"the Job completes", "kubectl exec", "kubectl wait", "kubectl delete"} {
			if strings.Contains(text, never) {
				t.Errorf("%q in\n%s", never, text)
			}
		}
	}
	c := fixtureCluster(t, "bundles", "ordinary-sidecar-holding-job")
	on("FailureTarget", "PodFailurePolicy")(c.Workloads[0])
	if j := Judge(c, c.Workloads[0]); j.Code != HeldBySidecar || !strings.Contains(j.Summary.String(), "outcome was decided already (FailureTarget, reason PodFailurePolicy)") {
		t.Errorf("%s: %s", j.Code, j.Summary)
	}
}

// TestRemedyLooksAtEveryHolder: the proxy that holds the pod after another container is in the remedy of both.
func TestRemedyLooksAtEveryHolder(t *testing.T) {
	text := remedyOf(t, OtherContainerRunning, "bundles", "other-container-running")
	inOrder(t, text, "istio-proxy holds the pod after it in either case", "kubectl logs", "if it works: wait until it has ended", "kubectl exec nightly-report-2ssc9 -n batch -c istio-proxy",
		"if it only helps: for the next run", "istio-proxy has to go native as well", "cannot be changed", "kubectl delete job nightly-report -n batch", "once no ordinary container of the pod runs any more")
	if strings.Contains(text, "nothing is wrong") {
		t.Errorf("with an ordinary proxy behind it that is not so:\n%s", text)
	}
}

// TestRemedyOfABlockedCronJob: the order of the steps, and that it is the CronJob that is changed.
func TestRemedyOfABlockedCronJob(t *testing.T) {
	c := fixtureCluster(t, "bundles", "cronjob-holding")
	w := c.Workloads[0]
	j := Judge(c, w)
	p := &analyze.Pass{Cluster: c, Know: base(t), Workload: w, Verdict: &j, Next: Next(c, base(t), w)}
	inOrder(t, adviceText(runCronJobBlocked(p).Remedy), `{"suspend":true}`, "let Job hourly-sync-29934039 end", "make the change in the CronJob (spec.jobTemplate)",
		"and how to try it with a run by hand, is in the remedy of InjectedIntoTemplate", `{"suspend":false}`, "ending the open run and nothing else")
	for code, says := range map[analyze.Code]string{InsufficientEvidence: "find out why Job hourly-sync-29934039 had not finished", NoPods: "find out why",
		AppRunning: "wait for Job", OtherContainerRunning: "wait for Job", NativeSidecarStopping: "wait for Job", NodeLost: "see to Job", PodTerminating: "see to Job",
		PodFinishedJobNot: "see to Job", Suspended: "see to Job", ManagedElsewhere: "see to Job", Unschedulable: "see to Job", ImagePullFailing: "see to Job",
		ContainerCannotStart: "see to Job", InitNotFinished: "see to Job", PodCreationRejected: "see to Job", AppCrashLooping: "see to Job", AppFailed: "see to Job",
		NativeSidecarStuck: "see to Job"} {
		j.Code = code
		text := adviceText(runCronJobBlocked(p).Remedy)
		if strings.Contains(text, "kubectl delete") || strings.Contains(text, "make the change") || !strings.Contains(text, says) {
			t.Errorf("%s: nothing is proven that ending the run or changing the template would cure:\n%s", code, text)
		}
	}
}

// TestResumeAfterTheEnd: under Replace the run that a resumed CronJob starts deletes the one that is open, so that this one is
// ended first; and nothing is changed for a run whose proxy is native.
func TestResumeAfterTheEnd(t *testing.T) {
	c := fixtureCluster(t, "bundles", "cronjob-holding")
	w := c.Workloads[0]
	w.CronJob.Spec.ConcurrencyPolicy = replace
	j := Judge(c, w)
	p := &analyze.Pass{Cluster: c, Know: base(t), Workload: w, Verdict: &j, Next: Next(c, base(t), w)}
	inOrder(t, adviceText(runCronJobReplaced(p).Remedy), `{"suspend":true}`, "let Job hourly-sync-29934039 end", "make the change in the CronJob", `{"suspend":false}`)
	p.Next.Placement = knowledge.Native
	text := adviceText(runCronJobReplaced(p).Remedy)
	inOrder(t, text, `{"suspend":true}`, "let Job hourly-sync-29934039 end", `{"suspend":false}`)
	if strings.Contains(text, "make the change") {
		t.Errorf("nothing is to be changed:\n%s", text)
	}
	j.Code = AppRunning
	ref, _ := cronRef(w)
	inOrder(t, adviceText(replacedAdvice(p, ref)), `{"suspend":true}`, "let Job hourly-sync-29934039 end before the CronJob is resumed", `{"suspend":false}`)
	j.Code, j.Pods = SidecarNotStarted, nil
	if cured(p) {
		t.Error("a native sidecar that does not start is not cured by another one")
	}
}

// TestOtherContainerHasItsProof: when the others ended, where what still runs stands, and that the pod was not stopping.
func TestOtherContainerHasItsProof(t *testing.T) {
	c := fixtureCluster(t, "bundles", "other-container-running")
	j := Judge(c, c.Workloads[0])
	var fields []string
	for _, e := range j.Evidence {
		fields = append(fields, e.Field)
	}
	inOrder(t, strings.Join(fields, "\n"), "name=main].state.terminated.exitCode", "name=main].state.terminated.finishedAt", "name=log-shipper].state.running",
		"spec.containers[name=log-shipper]", "name=istio-proxy].state.running", "spec.containers[name=istio-proxy]", "status.phase", "metadata.deletionTimestamp")
}

// TestMissingIstiodIsMissed: where an ordinary proxy waits behind another container as where it is the one that holds.
func TestMissingIstiodIsMissed(t *testing.T) {
	for _, name := range []string{"ordinary-sidecar-holding-job", "other-container-running", "cronjob-holding"} {
		c := fixtureCluster(t, "bundles", name)
		p := &analyze.Pass{Cluster: c, Know: base(t)}
		for _, w := range c.Workloads {
			j := Judge(c, w)
			p.Judged = append(p.Judged, analyze.Judged{Workload: w, Verdict: &j})
		}
		if o := runBundleIncomplete(p); o.Status != analyze.Fired || !strings.Contains(o.Message.String(), "istiod") {
			t.Errorf("%s: %s %s", name, o.Status, o.Message)
		}
	}
}

// TestWhatPlacedItThen: nodes and settings of the moment of injection, each said once.
func TestWhatPlacedItThen(t *testing.T) {
	c := fixtureCluster(t, "bundles", "ordinary-sidecar-holding-job")
	why := stepAnswer(Next(c, base(t), c.Workloads[0]).Decision, "What placed it there")
	if strings.Count(why, facts.NativeEnv) != 1 || !strings.Contains(why, "older at that time than that mode asks for") {
		t.Errorf("%s", why)
	}
}
