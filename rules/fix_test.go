package rules

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// planOf makes the plan for the only workload of a rule's fixture.
func planOf(t *testing.T, path ...string) (Plan, *facts.Workload) {
	t.Helper()
	c := fixtureCluster(t, path...)
	if len(c.Workloads) != 1 {
		t.Fatalf("%v: %d workloads", path, len(c.Workloads))
	}
	stored := func(o *kube.Object) (m map[string]any, err error) {
		err = yaml.Unmarshal([]byte(fixtureText(t, append(slices.Clone(path), o.Origin.File)...)), &m)
		return m, err
	}
	return Fix(c, base(t), c.Workloads[0], stored), c.Workloads[0]
}

func stepWith(p Plan, part string) *PlanStep {
	for i := range p.Steps {
		if strings.Contains(p.Steps[i].Title.String(), part) {
			return &p.Steps[i]
		}
	}
	return nil
}

// TestTestJob: the isolated Job is what a person would have written: no trace of controllers, a name of its own, the
// annotation on the pod template.
func TestTestJob(t *testing.T) {
	p, w := planOf(t, "rules", "NativeDefaultOff", "fires-1-26-nothing-set")
	s := stepWith(p, "isolated test Job")
	if s == nil || s.YAML == "" {
		t.Fatalf("no test Job: %+v", p.Steps)
	}
	for _, gone := range []string{"uid", "status:", "resourceVersion", "controller-uid", "job-name", "ownerReferences", "selector", "creationTimestamp", "generation", "suspend"} {
		if strings.Contains(s.YAML, gone) {
			t.Errorf("the test Job still has %s:\n%s", gone, s.YAML)
		}
	}
	var j kube.Job
	if err := yaml.Unmarshal([]byte(s.YAML), &j); err != nil {
		t.Fatal(err)
	}
	if j.Kind != "Job" || j.APIVersion != "batch/v1" || j.Meta.Name != w.Ref.Name+"-native-test" || j.Meta.Namespace != w.Ref.Namespace {
		t.Errorf("%s %s %s/%s", j.APIVersion, j.Kind, j.Meta.Namespace, j.Meta.Name)
	}
	if j.Spec.Template.Meta.Annotations.Get(facts.NativeAnnotation) != "true" || j.Meta.Annotations != nil {
		t.Errorf("annotations: template %v, Job %v", j.Spec.Template.Meta.Annotations, j.Meta.Annotations)
	}
	if len(j.Spec.Template.Spec.Containers) != 1 || j.Spec.Template.Meta.Labels.Get("app") == "" {
		t.Errorf("the work is not the same: %+v", j.Spec.Template)
	}
}

// TestTestJobIsNobodysOwn: tools that deploy know their own by labels, and prune what they did not make.
func TestTestJobIsNobodysOwn(t *testing.T) {
	m := map[string]any{"metadata": map[string]any{"name": "a", "namespace": "n", "labels": map[string]any{"argocd.argoproj.io/instance": "x",
		"app.kubernetes.io/managed-by": "Helm", queueLabel: "q"}}, "spec": map[string]any{}}
	cleanJob(m, "a-native-test")
	labels, _ := m["metadata"].(map[string]any)["labels"].(map[string]any)
	if len(labels) != 1 || labels[queueLabel] != "q" {
		t.Errorf("labels %v", labels)
	}
}

// TestFixWithTwoHolders: a setting of Istio is not said to be enough where another sidecar holds the pod too.
func TestFixWithTwoHolders(t *testing.T) {
	k := base(t)
	proxySQL := container("cloud-sql-proxy", "gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.8.0")
	c := facts.Build(&kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{podOf("Never", "Running", app().exits(0), proxySQL, proxy())}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
	p := Fix(c, k, c.Workloads[0], func(*kube.Object) (map[string]any, error) { return nil, errors.New("not here") })
	if s := p.Summary.String(); !strings.Contains(s, "That is not enough for the Job: cloud-sql-proxy holds its pod as well") {
		t.Error(s)
	}
}

func TestTestName(t *testing.T) {
	long := strings.Repeat("a", 60)
	if got := testName(long); len(got) != 63 || !strings.HasSuffix(got, "-native-test") {
		t.Errorf("%q (%d)", got, len(got))
	}
	if got := testName(strings.Repeat("a", 50) + "-b"); strings.Contains(got, "--") {
		t.Errorf("%q", got)
	}
}

// TestCronJobPatch: the change of a CronJob stands at the pod template's place, and its rollback takes it from there.
func TestCronJobPatch(t *testing.T) {
	p, _ := planOf(t, "rules", "AnnotationMisplaced", "fires-cronjob-and-jobtemplate")
	s := stepWith(p, "spec.jobTemplate.spec.template.metadata.annotations")
	if s == nil {
		t.Fatalf("no step for the CronJob: %+v", p.Steps)
	}
	var patch struct {
		Spec struct {
			JobTemplate struct {
				Metadata any `json:"metadata"`
				Spec     struct {
					Template struct {
						Metadata struct {
							Annotations map[string]string `json:"annotations"`
						} `json:"metadata"`
					} `json:"template"`
				} `json:"spec"`
			} `json:"jobTemplate"`
		} `json:"spec"`
	}
	if err := yaml.UnmarshalStrict([]byte(s.YAML), &patch); err != nil {
		t.Fatal(err)
	}
	if patch.Spec.JobTemplate.Spec.Template.Metadata.Annotations[facts.NativeAnnotation] != "true" || patch.Spec.JobTemplate.Metadata != nil {
		t.Errorf("%s", s.YAML)
	}
	if len(s.Commands) != 1 || !strings.HasPrefix(s.Commands[0], "kubectl patch cronjob sync -n team-app ") {
		t.Errorf("%q", s.Commands)
	}
	back := stepWith(p, "roll back")
	if back == nil || len(back.Commands) != 1 || !strings.Contains(back.Commands[0], "/spec/jobTemplate/spec/template/metadata/annotations/sidecar.istio.io~1nativeSidecar") {
		t.Errorf("%+v", back)
	}
	if save := stepWith(p, "save the evidence"); save == nil || !strings.Contains(strings.Join(save.Commands, "\n"), "sync-cronjob.yaml") {
		t.Errorf("%+v", save)
	}
}

// TestAnnotationBack: the way back gives the pod template what it had before.
func TestAnnotationBack(t *testing.T) {
	const path = `"path":"/spec/jobTemplate/spec/template/metadata/annotations/sidecar.istio.io~1nativeSidecar"`
	with := func(annotations kube.Pairs) *facts.Workload {
		cj := &kube.CronJob{}
		cj.Spec.JobTemplate.Spec.Template.Meta.Annotations = annotations
		return &facts.Workload{CronJob: cj}
	}
	for want, w := range map[string]*facts.Workload{
		`[{"op":"remove",` + path + `}]`:                   with(nil),
		`[{"op":"replace",` + path + `,"value":"false"}]`:  with(kube.Pairs{{Key: facts.NativeAnnotation, Value: "false"}}),
		`[{"op":"replace",` + path + `,"value":"a\"b'c"}]`: with(kube.Pairs{{Key: facts.NativeAnnotation, Value: `a"b'c`}}),
		"": with(kube.Pairs{{Key: facts.NativeAnnotation, Value: "REDACTED"}}),
	} {
		if got, known := annotationBack(w); got != want || known != (want != "") {
			t.Errorf("%s, %v; want %s", got, known, want)
		}
	}
}

// TestFixOfOthers: what the plan is where the annotation is not the change.
func TestFixOfOthers(t *testing.T) {
	for _, tc := range []struct {
		path    []string
		summary string
		step    string // part of a title that must be there
		never   string // and one that must not
	}{
		{[]string{"rules", "AnnotationTooEarly", "fires-1-23"}, "enough here: ENABLE_NATIVE_SIDECARS=true on istiod", "isolated test Job", "spec.template.metadata.annotations"},
		{[]string{"rules", "NativeDefaultOff", "fires-1-18-has-none"}, "it takes a newer Istio", "save the evidence", "roll back"},
		{[]string{"rules", "AnnotationTooLate", "fires-cronjob-changed-later"}, "nothing to change but the pod", "let a new pod be made", "isolated test Job"},
		{[]string{"bundles", "mixed-kubelets"}, "nothing to change: the proxy of the pod at hand is native", "make sure that this cluster can run it", "let a new pod be made"},
		{[]string{"rules", "TemplateNeverNative", "fires-grpc-agent"}, "never native", "save the evidence", "roll back"},
		{[]string{"rules", "AnnotationMisplaced", "fires-workflow-metadata"}, "enough here", "spec.podMetadata.annotations of Workflow", ""},
		{[]string{"rules", "ControlPlaneUnknown", "fires-managed-by-a-provider"}, "depends on the control plane", "save the evidence", "set ENABLE_NATIVE_SIDECARS"},
	} {
		p, _ := planOf(t, tc.path...)
		if !strings.Contains(p.Summary.String(), tc.summary) {
			t.Errorf("%v: summary %q, want %q", tc.path, p.Summary, tc.summary)
		}
		if stepWith(p, tc.step) == nil {
			t.Errorf("%v: no step %q in %+v", tc.path, tc.step, p.Steps)
		}
		if tc.never != "" && stepWith(p, tc.never) != nil {
			t.Errorf("%v: step %q must not be there", tc.path, tc.never)
		}
	}
}

// TestFixResumes: a plan that suspends a CronJob resumes it, also where no change of settings is enough.
func TestFixResumes(t *testing.T) {
	p, _ := planOf(t, "cases", "100-cron-replace-hides-held-runs")
	stepsInOrder(t, p, []string{"suspend CronJob", "save the evidence", "no change of Istio's settings", "resume the CronJob"})
}

// TestStepsThatRunTheProgram: what makes a Job or has a controller make one is marked, and nothing else. The way back is
// for who needs it.
func TestStepsThatRunTheProgram(t *testing.T) {
	makes := func(cmd string) bool {
		return strings.Contains(cmd, "kubectl create job ") || strings.Contains(cmd, `"suspend":false`) ||
			strings.Contains(cmd, "kubectl apply ") && !strings.Contains(cmd, "cronjob")
	}
	for _, tc := range []struct {
		path []string
		want int
	}{
		{[]string{"bundles", "ordinary-sidecar-holding-job"}, 2},             // a test Job, and the Job anew
		{[]string{"bundles", "cronjob-holding"}, 2},                          // a run by hand, and the missed one
		{[]string{"rules", "NativeDefaultOff", "fires-1-26-nothing-set"}, 2}, // a test Job, and the Job anew
		{[]string{"rules", "AnnotationMisplaced", "fires-kube-inject-pod-template"}, 2},
		{[]string{"cases", "100-cron-replace-hides-held-runs"}, 2}, // a run by hand, and the missed one
		{[]string{"bundles", "mixed-kubelets"}, 0},
	} {
		p, w := planOf(t, tc.path...)
		n := 0
		for _, s := range p.Steps {
			cmds := strings.Join(s.Commands, "\n")
			ofCronJob := ownerKind(w) == "CronJob" && strings.Contains(cmds, "injected.yaml") // changes what the next run is made from
			if want := makes(cmds) && !ofCronJob; s.RunsProgram != want && !strings.Contains(s.Title.String(), "roll back") {
				t.Errorf("%v: %q is marked %v\n%s", tc.path, s.Title, s.RunsProgram, cmds)
			}
			if s.RunsProgram {
				n++
			}
		}
		if n != tc.want {
			t.Errorf("%v: %d steps run the program, want %d", tc.path, n, tc.want)
		}
	}
}

// TestFixLeavesItSuspended: what somebody suspended before is not resumed by a plan.
func TestFixLeavesItSuspended(t *testing.T) {
	c := fixtureCluster(t, "bundles", "cronjob-holding")
	yes := true
	c.Workloads[0].CronJob.Spec.Suspend = &yes
	for _, s := range Fix(c, base(t), c.Workloads[0], func(*kube.Object) (map[string]any, error) { return nil, errors.New("not here") }).Steps {
		if strings.Contains(strings.Join(s.Commands, ""), `"suspend"`) {
			t.Errorf("%q: %v", s.Title, s.Commands)
		}
	}
}

// TestFixOfAnotherCause: a verdict that no placement cures gets no test run, no deletion and no change of the proxy.
func TestFixOfAnotherCause(t *testing.T) {
	for _, path := range [][]string{{"bundles", "image-pull-backoff"}, {"cases", "98-node-gone-states-are-stale"}} {
		p, _ := planOf(t, path...)
		if !otherCause(p.Verdict.Code) || !strings.Contains(p.Summary.String(), "no placement of a proxy ends this") {
			t.Errorf("%v: %s: %s", path, p.Verdict.Code, p.Summary)
		}
		for _, s := range p.Steps {
			if s.YAML != "" || s.RunsProgram || strings.Contains(strings.Join(s.Commands, "\n"), "kubectl delete") {
				t.Errorf("%v: %q", path, s.Title)
			}
		}
		if len(p.Steps) < 2 {
			t.Errorf("%v: it does not say where to look", path)
		}
	}
}

// TestChangeOfRuns: what is to be changed in a CronJob is what ends the hold, and never advice that changes nothing.
func TestChangeOfRuns(t *testing.T) {
	for want, path := range map[string][]string{
		"is in the remedy of HeldBySidecar":                         {"cases", "04-vault-agent-cron-forbid"},
		"is in the remedy of HeldBySidecar and AnnotationMisplaced": {"cases", "36-cron-optout-two-wrong-levels"},
	} {
		c := fixtureCluster(t, path...)
		for _, w := range c.Workloads {
			j := Judge(c, w)
			if j.Code != HeldBySidecar {
				continue
			}
			p := &analyze.Pass{Cluster: c, Know: base(t), Workload: w, Verdict: &j, Next: Next(c, base(t), w)}
			ref, _ := cronRef(w)
			if text := changeRuns(p, ref)[0].what.String(); !strings.HasSuffix(text, want) {
				t.Errorf("%v: %s", path, text)
			}
		}
	}
}

// TestTemplateUnseen: without the pod template a change is enough only if the webhook, and no manifest, adds the proxy.
func TestTemplateUnseen(t *testing.T) {
	text := fixtureText(t, "bundles", "ordinary-sidecar-holding-job", "pods.yaml")
	c := clusterOf(t, map[string]string{"pods.yaml": text, "nodes.yaml": fixtureText(t, "bundles", "ordinary-sidecar-holding-job", "nodes.yaml"),
		"version.yaml": fixtureText(t, "bundles", "ordinary-sidecar-holding-job", "version.yaml")})
	k := base(t)
	w := c.Workloads[0]
	verdict := Judge(c, w)
	a := nativeAdvice(&analyze.Pass{Cluster: c, Know: k, Workload: w, Verdict: &verdict, Next: Next(c, k, w)})
	if s := a.Summary.String(); !strings.Contains(s, "enough here") || !strings.Contains(s, "if the injection webhook adds the proxy") {
		t.Error(s)
	}
}

// TestFixOfAnInjectedManifest: the stored manifest holds the proxy, so the original is injected again, tried and applied.
func TestFixOfAnInjectedManifest(t *testing.T) {
	p, _ := planOf(t, "rules", "AnnotationMisplaced", "fires-kube-inject-pod-template")
	stepsInOrder(t, p, []string{"suspend CronJob sync", "save the evidence", "end istio-proxy", "the manifest of CronJob sync as it was before istioctl kube-inject",
		"inject it", "before you apply it", "apply it", "try one run by hand", "resume the CronJob", "verify", "roll back"})
	if s := stepWith(p, "as it was before istioctl kube-inject"); s == nil || strings.Count(s.YAML, "sidecar.istio.io/nativeSidecar") != 2 {
		t.Errorf("the annotation belongs in both places: %+v", s)
	}
	p, _ = planOf(t, "bundles", "ordinary-sidecar-holding-job", "jobs-pods.json")
	if stepWith(p, "isolated test Job") == nil || stepWith(p, "apply it: ") == nil {
		t.Errorf("without the nodes: %+v", p.Steps)
	}
	p, _ = planOf(t, "bundles", "ordinary-sidecar-holding-job")
	stepsInOrder(t, p, []string{"save the evidence", "end istio-proxy", "the manifest of Job nightly-report as it was before istioctl kube-inject",
		"inject it", "before you apply it", "isolated test Job", "apply it", "verify", "roll back"})
	for title, cmd := range map[string]string{
		"inject it":         "istioctl kube-inject -f original.yaml > injected.yaml",
		"isolated test Job": `"value":"nightly-report-native-test"}]' -o yaml > test-job.yaml`,
		"apply it: ":        "kubectl delete job nightly-report -n batch --ignore-not-found\nkubectl apply -n batch -f injected.yaml",
	} {
		if s := stepWith(p, title); s == nil || !strings.Contains(strings.Join(s.Commands, "\n"), cmd) {
			t.Errorf("%s: %+v", title, s)
		}
	}
	for _, s := range p.Steps {
		if len(s.Commands) == 0 && s.YAML == "" && !strings.Contains(s.Title.String(), "make sure") {
			t.Errorf("nothing to run or to apply: %s", s.Title)
		}
	}
}

// stepsInOrder checks that a plan has steps with these words in their titles, in this order.
func stepsInOrder(t *testing.T, p Plan, parts []string) {
	t.Helper()
	for _, s := range p.Steps {
		if len(parts) > 0 && strings.Contains(s.Title.String(), parts[0]) {
			parts = parts[1:]
		}
	}
	if len(parts) > 0 {
		t.Errorf("no step %q in its place", parts[0])
	}
}

// TestNoTestJobOfAPod: what no Job makes cannot be tried as one, and no command asks for a Job of the pod's name.
func TestNoTestJobOfAPod(t *testing.T) {
	k := base(t)
	for owner, says := range map[string]string{"": "make it once more under another name", "Workflow": "let Workflow make one more run"} {
		pod := podOf("Never", "Running", app().exits(0), proxy())
		pod.Meta.Owners = nil
		if owner != "" {
			pod.Meta.Owners = []kube.Owner{{APIVersion: "argoproj.io/v1alpha1", Kind: owner, Name: "nightly", Controller: yesno(true)}}
		}
		node := &kube.Node{}
		node.Kind, node.Meta.Name, node.Status.NodeInfo.KubeletVersion = "Node", "node-a", "v1.33.1"
		c := facts.Build(&kube.Set{Pods: []*kube.Pod{pod}, Nodes: []*kube.Node{node}, Servers: []kube.ServerVersion{{GitVersion: "v1.33.1"}}},
			facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		p := Fix(c, k, c.Workloads[0], nil)
		if s := stepWith(p, "one run alone"); s == nil || len(s.Commands) > 0 || s.YAML != "" || !strings.Contains(s.Notes[len(s.Notes)-1].String(), says) {
			t.Errorf("owner %q: %+v", owner, p.Steps)
		}
		for _, s := range p.Steps {
			if strings.Contains(strings.Join(s.Commands, "\n"), "job report-x7") {
				t.Errorf("owner %q: %s: %q", owner, s.Title, s.Commands)
			}
		}
	}
}
