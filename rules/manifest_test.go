package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// verdictsOf judges documents that lie in a folder, in the order of their names.
func verdictsOf(t *testing.T, docs []string) map[string]analyze.Code {
	t.Helper()
	dir := t.TempDir()
	writeDocs(t, dir, docs)
	c := clusterIn(t, dir)
	out := map[string]analyze.Code{}
	for _, w := range c.Workloads {
		out[w.Ref.String()] = Judge(c, w).Code
	}
	return out
}

func writeDocs(t *testing.T, dir string, docs []string) {
	t.Helper()
	for i, text := range docs {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.txt", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// inEveryOrder calls f with every permutation of a list.
func inEveryOrder(list []string, f func([]string)) {
	var walk func(done, rest []string)
	walk = func(done, rest []string) {
		if len(rest) == 0 {
			f(done)
		}
		for i := range rest {
			walk(append(slices.Clone(done), rest[i]), slices.Delete(slices.Clone(rest), i, i+1))
		}
	}
	walk(nil, list)
}

// wantVerdicts holds documents to verdicts, in whatever order they are read.
func wantVerdicts(t *testing.T, name string, docs []string, want map[string]analyze.Code) {
	t.Helper()
	inEveryOrder(docs, func(docs []string) {
		if got := verdictsOf(t, docs); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v for\n%s", name, got, want, strings.Join(docs, "\n---\n"))
		}
	})
}

const suspendedManifest = `apiVersion: batch/v1
kind: Job
metadata: {name: reports, namespace: batch, labels: {kueue.x-k8s.io/queue-name: night}}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: "registry.example.com/reports:1"}]
`

// storedJob is the Job reports as the API server has it.
func storedJob(more, status string) string {
	return `apiVersion: batch/v1
kind: Job
metadata: {name: reports, namespace: batch, uid: j1, creationTimestamp: "2026-11-30T02:00:00Z"}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: "registry.example.com/reports:1"}]
` + more + "status:\n" + status
}

const (
	activeStatus   = "  active: 1\n  startTime: \"2026-11-30T02:00:00Z\"\n"
	completeStatus = "  succeeded: 1\n  startTime: \"2026-11-30T02:00:00Z\"\n  completionTime: \"2026-11-30T03:00:00Z\"\n" +
		"  conditions:\n  - {type: Complete, status: \"True\", lastTransitionTime: \"2026-11-30T03:00:00Z\"}\n"
	describedJob = `Name:             reports
Namespace:        batch
Selector:         batch.kubernetes.io/controller-uid=j1
Labels:           <none>
Annotations:      <none>
Parallelism:      1
Completions:      1
Completion Mode:  NonIndexed
Suspend:          false
Backoff Limit:    6
Start Time:       Mon, 30 Nov 2026 02:00:00 +0000
Pods Statuses:    1 Active (0 Ready) / 0 Succeeded / 0 Failed
Pod Template:
  Containers:
   main:
    Image:  registry.example.com/reports:1
Events:     <none>
`
)

// TestManifestIsIntent: what somebody wrote proves no state, whatever it is read before or after.
func TestManifestIsIntent(t *testing.T) {
	const ref = "Job/batch/reports"
	held := heldText("docker.io/istio/proxyv2:1.27.3", recordDefault)
	homeless := strings.Replace(suspendedManifest, ", namespace: batch", "", 1)
	elsewhere := strings.NewReplacer("namespace: batch", "namespace: other", "uid: j1", "uid: j2").Replace(storedJob("", activeStatus))
	dryRun := strings.Replace(suspendedManifest, "metadata: {", "metadata: {creationTimestamp: null, ", 1) + "status: {}\n"
	barePod := strings.NewReplacer("  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: reports, uid: j1, controller: true}]\n", "").Replace(held)
	podManifest := "apiVersion: v1\nkind: Pod\nmetadata: {name: reports-x7}\nspec:\n  restartPolicy: Never\n  containers: [{name: main, image: a}]\n"
	table := "$ kubectl get jobs -A\nNAMESPACE   NAME      COMPLETIONS   DURATION   AGE\nbatch       reports   1/1           35s        2d\n"
	for name, c := range map[string]struct {
		docs []string
		want map[string]analyze.Code
	}{
		"alone":                                    {[]string{suspendedManifest}, map[string]analyze.Code{ref: InsufficientEvidence}},
		"alone, managed elsewhere":                 {[]string{strings.Replace(suspendedManifest, "suspend: true", "managedBy: kueue.x-k8s.io/multikueue", 1)}, map[string]analyze.Code{ref: InsufficientEvidence}},
		"alone, paused":                            {[]string{strings.Replace(suspendedManifest, "suspend: true", "parallelism: 0", 1)}, map[string]analyze.Code{ref: InsufficientEvidence}},
		"by a dry run":                             {[]string{dryRun}, map[string]analyze.Code{ref: InsufficientEvidence}},
		"with a pod":                               {[]string{suspendedManifest, held}, map[string]analyze.Code{ref: HeldBySidecar}},
		"with the Job":                             {[]string{suspendedManifest, storedJob("", activeStatus)}, map[string]analyze.Code{ref: NoPods}},
		"with Job and pod":                         {[]string{suspendedManifest, storedJob("", activeStatus), held}, map[string]analyze.Code{ref: HeldBySidecar}},
		"with the Job, complete":                   {[]string{dryRun, storedJob("", completeStatus)}, map[string]analyze.Code{ref: Completed}},
		"with the Job, which is suspended":         {[]string{strings.Replace(suspendedManifest, "suspend: true", "suspend: false", 1), storedJob("  suspend: true\n", "  active: 0\n")}, map[string]analyze.Code{ref: Suspended}},
		"with a described Job":                     {[]string{suspendedManifest, describedJob}, map[string]analyze.Code{ref: NoPods}},
		"with a row":                               {[]string{suspendedManifest, table}, map[string]analyze.Code{ref: InsufficientEvidence}},
		"of no namespace, with the Job":            {[]string{homeless, storedJob("", completeStatus)}, map[string]analyze.Code{ref: Completed}},
		"of no namespace, with a pod":              {[]string{homeless, held}, map[string]analyze.Code{ref: HeldBySidecar}},
		"of no namespace, with a row":              {[]string{homeless, table}, map[string]analyze.Code{ref: InsufficientEvidence}},
		"of no namespace, and two have such a Job": {[]string{homeless, storedJob("", completeStatus), elsewhere}, map[string]analyze.Code{ref: Completed, "Job/other/reports": NoPods, "Job/reports": InsufficientEvidence}},
		"of a bare pod":                            {[]string{podManifest, barePod}, map[string]analyze.Code{"Pod/batch/reports-x7": HeldBySidecar}},
		"a Job without status yet is none":         {[]string{strings.Replace(suspendedManifest, "metadata: {", "metadata: {uid: j1, ", 1)}, map[string]analyze.Code{ref: Suspended}},
	} {
		wantVerdicts(t, name, c.docs, c.want)
	}
}
