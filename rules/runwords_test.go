package rules

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
)

// heldUnder gives the bundle of a pod that istio-proxy holds, made by an owner, with an istiod of a release.
func heldUnder(owner, istio string) []string {
	docs := []string{fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: istiod, namespace: istio-system, labels: {app: istiod, istio.io/rev: default}}
spec: {template: {metadata: {labels: {app: istiod}}, spec: {containers: [{name: discovery, image: "docker.io/istio/pilot:%s"}]}}}
---
apiVersion: v1
kind: Namespace
metadata: {name: t, labels: {istio-injection: enabled}}
---
apiVersion: v1
kind: Node
metadata: {name: w1}
status: {nodeInfo: {kubeletVersion: v1.32.4}, conditions: [{type: Ready, status: "True"}]}
`, istio), fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata: {name: etl-1, namespace: t, uid: p1, creationTimestamp: "2026-11-30T05:00:00Z", ownerReferences: [%s]}
spec: {restartPolicy: Never, nodeName: w1, containers: [{name: main, image: x}, {name: istio-proxy, image: "docker.io/istio/proxyv2:%s"}]}
status:
  phase: Running
  containerStatuses:
  - {name: main, restartCount: 0, ready: false, state: {terminated: {exitCode: 0, startedAt: "2026-11-30T05:00:10Z", finishedAt: "2026-11-30T05:10:00Z"}}}
  - {name: istio-proxy, restartCount: 0, ready: true, started: true, state: {running: {startedAt: "2026-11-30T05:00:11Z"}}}
`, owner, istio)}
	if strings.Contains(owner, "batch/v1") {
		docs = append(docs, `apiVersion: batch/v1
kind: Job
metadata: {name: etl, namespace: t, uid: u1}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: x}]}}}
status: {active: 1, startTime: "2026-11-30T05:00:00Z"}
`)
	}
	return docs
}

// TestRemediesSpeakOfTheOwner: where the annotation goes, what takes a new run and how one is tried and ends follow from what
// makes the pods. A Workflow's pod is no Job, and the template of a stored Job cannot be changed.
func TestRemediesSpeakOfTheOwner(t *testing.T) {
	owner := func(group, kind string) string {
		return fmt.Sprintf("{apiVersion: %s, kind: %s, name: etl, uid: u1, controller: true}", group, kind)
	}
	workflow, job := owner("argoproj.io/v1alpha1", "Workflow"), owner("batch/v1", "Job")
	for name, c := range map[string]struct {
		owner, istio string
		has, never   []string
	}{
		"Workflow, no native sidecars": {workflow, "1.18.2",
			[]string{"where Workflow etl needs neither", "spec.podMetadata.annotations of Workflow etl", "A Workflow is one run", "WorkflowTemplate", "kubectl get workflow.argoproj.io etl -n t -o yaml > etl-workflow.yaml"},
			[]string{"the Job ", "test Job first", "kubectl get job"}},
		"Workflow, held back by a node": {workflow, "1.27.3",
			[]string{"kubectl get workflow.argoproj.io etl -n t -o yaml", "manifests of Workflow etl and of the pod", "try it on one run alone", "A Workflow is one run", "Workflow etl then runs without"},
			[]string{"the Job ", "test Job first", "kubectl get job", "ttlSecondsAfterFinished"}},
		"Job, no native sidecars": {job, "1.18.2",
			[]string{"where the Job needs neither", "spec.template.metadata.annotations of Job etl. The template of a stored Job cannot be changed: this takes a new Job"}, nil},
		"Job, held back by a node": {job, "1.27.3",
			[]string{"spec.template.metadata.annotations of Job etl. The template of a stored Job cannot be changed: this takes a new Job", "isolated test Job", "Complete=True", "ttlSecondsAfterFinished"}, nil},
		"nothing that is known": {"", "1.18.2",
			[]string{"where the pod needs neither", "metadata.annotations of Pod etl-1: a pod cannot be injected again"}, []string{"the Job ", "kubectl get job"}},
	} {
		dir := t.TempDir()
		writeDocs(t, dir, heldUnder(c.owner, c.istio))
		cluster := clusterIn(t, dir)
		w := cluster.Workloads[0]
		j := Judge(cluster, w)
		if j.Code != HeldBySidecar {
			t.Fatalf("%s: %s", name, j.Code)
		}
		text := adviceText(nativeAdvice(&analyze.Pass{Cluster: cluster, Know: base(t), Workload: w, Verdict: &j, Next: Next(cluster, base(t), w)}))
		plan := Fix(cluster, base(t), w, func(*kube.Object) (map[string]any, error) { return nil, fmt.Errorf("not kept") })
		for _, s := range plan.Steps {
			text += "\n" + s.Title.String() + "\n" + strings.Join(s.Commands, "\n")
		}
		for _, x := range plan.CanNotHelp {
			text += "\n" + x.String()
		}
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, text)
			}
		}
		for _, never := range c.never {
			if strings.Contains(text, never) {
				t.Errorf("%s: %q is in\n%s", name, never, text)
			}
		}
	}
}

// TestNoteOfAnotherPlace: where istioctl kube-inject reads a CronJob's annotation, nothing says that it is not read there.
func TestNoteOfAnotherPlace(t *testing.T) {
	found := false
	dirs, err := filepath.Glob(filepath.Join(fixtures.Root(t), "rules", "*", "*cron*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		c := clusterIn(t, dir)
		for _, w := range c.Workloads {
			j := Judge(c, w)
			p := &analyze.Pass{Cluster: c, Know: base(t), Workload: w, Verdict: &j, Next: Next(c, base(t), w)}
			if path, _ := annotationPath(p); path != jobTemplatePlace {
				continue
			}
			found = true
			if text := inTemplate(p, annotationStep(p)).String(); strings.Contains(text, "do not reach the pods") {
				t.Errorf("%v: %s", dir, text)
			}
		}
	}
	if !found {
		t.Error("no CronJob that istioctl kube-inject wrote was found")
	}
}
