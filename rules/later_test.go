package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// moment is a pod of the Job reports at some time of its life: the state of each container as the words below.
type moment struct {
	phase, init, main, proxy string
	deleted                  bool
	want                     analyze.Code
}

// lifeOfAPod is what copies of one pod can show, in the order of time. The Job is not among them, so that of a finished
// pod no more can be said.
var lifeOfAPod = []moment{
	{phase: "Pending", init: "", main: "", proxy: "", want: Unschedulable},
	{phase: "Pending", init: "running", main: "waiting", proxy: "waiting", want: InitNotFinished},
	{phase: "Running", init: "ended", main: "running", proxy: "running", want: AppRunning},
	{phase: "Running", init: "ended", main: "ended", proxy: "running", want: HeldBySidecar},
	{phase: "Running", init: "ended", main: "ended", proxy: "running", deleted: true, want: PodTerminating},
	{phase: "Succeeded", init: "ended", main: "ended", proxy: "ended", want: InsufficientEvidence},
}

// stored is the moment as kubectl get -o yaml prints it.
func (m moment) stored() string {
	state := map[string]string{
		"waiting": "{waiting: {reason: PodInitializing}}",
		"running": "{running: {startedAt: \"2026-11-30T02:00:09Z\"}}",
		"ended":   "{terminated: {exitCode: 0, startedAt: \"2026-11-30T02:00:09Z\", finishedAt: \"2026-11-30T02:06:00Z\"}}",
	}
	text := strings.NewReplacer("  uid: p1", "  uid: p1\n  DELETED").Replace(heldText("docker.io/istio/proxyv2:1.27.3", ""))
	text = text[:strings.Index(text, "status:")] + "status:\n  phase: " + m.phase + "\n"
	if m.deleted {
		text = strings.Replace(text, "DELETED", `deletionTimestamp: "2026-11-30T02:10:00Z"`, 1)
	}
	text = strings.Replace(text, "  DELETED\n", "", 1)
	text = strings.Replace(text, "  containers:\n", "  initContainers:\n  - {name: istio-init, image: \"docker.io/istio/proxyv2:1.27.3\"}\n  containers:\n", 1)
	if m.init == "" {
		return strings.Replace(text, "  nodeName: worker-1\n", "", 1)
	}
	text += "  startTime: \"2026-11-30T02:00:00Z\"\n  initContainerStatuses:\n  - {name: istio-init, state: " + state[m.init] + "}\n" +
		"  containerStatuses:\n  - {name: main, state: " + state[m.main] + "}\n  - {name: istio-proxy, ready: true, state: " + state[m.proxy] + "}\n"
	return text
}

// described is the moment as kubectl describe prints it.
func (m moment) described() string {
	state := func(word string) string {
		const started, finished = "      Started:      Mon, 30 Nov 2026 02:00:09 +0000\n", "      Finished:     Mon, 30 Nov 2026 02:06:00 +0000\n"
		return map[string]string{
			"waiting": "    State:          Waiting\n      Reason:       PodInitializing\n",
			"running": "    State:          Running\n" + started,
			"ended":   "    State:          Terminated\n      Reason:       Completed\n      Exit Code:    0\n" + started + finished,
		}[word]
	}
	container := func(name, image, word string) string {
		if word == "" {
			return "  " + name + ":\n    Image:         " + image + "\n"
		}
		return "  " + name + ":\n    Image:         " + image + "\n" + state(word) + "    Ready:          True\n    Restart Count:  0\n"
	}
	node, status := "worker-1/192.0.2.1\nStart Time:       Mon, 30 Nov 2026 02:00:00 +0000", m.phase
	if m.init == "" {
		node = "<none>"
	}
	if m.deleted {
		status = "Terminating (lasts 20m)\nTermination Grace Period:  30s"
	}
	return "Name:             reports-x7\nNamespace:        batch\nPriority:         0\nNode:             " + node +
		"\nLabels:           batch.kubernetes.io/controller-uid=j1\n                  job-name=reports\nAnnotations:      <none>\nStatus:           " + status +
		"\nIP:               192.0.2.9\nControlled By:  Job/reports\nInit Containers:\n" +
		strings.Replace(container("istio-init", "docker.io/istio/proxyv2:1.27.3", m.init), "Ready:          True", "Ready:          False", 1) +
		"Containers:\n" + container("main", "registry.example.com/reports:1", m.main) + container("istio-proxy", "docker.io/istio/proxyv2:1.27.3", m.proxy) +
		"Conditions:\n  Type           Status\n  PodScheduled   " + map[bool]string{true: "False", false: "True"}[m.init == ""] + "\nVolumes:       <none>\nEvents:        <none>\n"
}

// TestLaterCopyDecides: of copies of a pod without resourceVersion the latest gives the verdict, whatever they were
// read from and in whatever order.
func TestLaterCopyDecides(t *testing.T) {
	const ref = "Job/batch/reports"
	forms := []func(moment) string{moment.stored, moment.described}
	deleted := len(lifeOfAPod) - 2
	for i, a := range lifeOfAPod {
		for j, b := range lifeOfAPod[i:] {
			if a.deleted != b.deleted && i == deleted {
				continue // a pod that is being deleted stays so
			}
			for form := range 4 {
				docs := []string{forms[form%2](a), forms[form/2](b)}
				wantVerdicts(t, fmt.Sprintf("moments %d and %d, forms %02b", i, i+j, form), docs, map[string]analyze.Code{ref: b.want})
			}
		}
	}
	for form := range 8 {
		docs := []string{forms[form%2](lifeOfAPod[1]), forms[form/2%2](lifeOfAPod[2]), forms[form/4](lifeOfAPod[3])}
		wantVerdicts(t, fmt.Sprintf("three moments, forms %03b", form), docs, map[string]analyze.Code{ref: HeldBySidecar})
	}
	all := ""
	for _, m := range lifeOfAPod[:4] {
		all += "$ kubectl describe pod reports-x7 -n batch\n" + m.described() + "\n"
	}
	wantVerdicts(t, "a transcript", []string{all}, map[string]analyze.Code{ref: HeldBySidecar})
}

// TestLaterCopyOfAJobDecides is the same for Jobs: what ended stays so, and one that was resumed starts anew.
func TestLaterCopyOfAJobDecides(t *testing.T) {
	const ref = "Job/batch/reports"
	completed := strings.NewReplacer("Start Time:       Mon, 30 Nov 2026 02:00:00 +0000\n", "Start Time:       Mon, 30 Nov 2026 02:00:00 +0000\nCompleted At:     Mon, 30 Nov 2026 03:00:00 +0000\n",
		"1 Active (0 Ready) / 0 Succeeded", "0 Active (0 Ready) / 1 Succeeded").Replace(describedJob)
	failed := strings.NewReplacer("1 Active (0 Ready) / 0 Succeeded / 0 Failed", "0 Active (0 Ready) / 0 Succeeded / 1 Failed", "Events:     <none>\n",
		"Events:\n  Type     Reason                Age   From            Message\n  ----     ------                ----  ----            -------\n"+
			"  Warning  BackoffLimitExceeded  5m    job-controller  Job has reached the specified backoff limit\n").Replace(describedJob)
	suspended := strings.Replace(storedJob("  suspend: true\n", "  conditions:\n  - {type: Suspended, status: \"True\", lastTransitionTime: \"2026-11-30T01:00:00Z\"}\n"),
		`creationTimestamp: "2026-11-30T02`, `creationTimestamp: "2026-11-30T01`, 1)
	suspendedLater := strings.Replace(suspended, `Time: "2026-11-30T01:00:00Z`, `Time: "2026-11-30T03:00:00Z`, 1)
	again := strings.NewReplacer("uid: j1", "uid: j2", "T02:00:00Z", "T05:00:00Z").Replace(storedJob("", activeStatus))
	for name, c := range map[string]struct {
		docs []string
		want analyze.Code
	}{
		"stored, completed":                  {[]string{storedJob("", activeStatus), storedJob("", completeStatus)}, Completed},
		"stored, then described, completed":  {[]string{storedJob("", activeStatus), completed}, Completed},
		"described, completed":               {[]string{describedJob, completed}, Completed},
		"described, then stored, completed":  {[]string{describedJob, storedJob("", completeStatus)}, Completed},
		"completed in both":                  {[]string{completed, storedJob("", completeStatus)}, Completed},
		"stored, then described, failed":     {[]string{storedJob("", activeStatus), failed}, Failed},
		"suspended, then resumed":            {[]string{suspended, storedJob("  suspend: false\n", activeStatus)}, NoPods},
		"suspended, then described, resumed": {[]string{suspended, describedJob}, NoPods},
		"described, then suspended":          {[]string{describedJob, suspendedLater}, Suspended},
		"ended, and made again":              {[]string{storedJob("", completeStatus), again}, NoPods},
		"described as ended, and made again": {[]string{completed, again}, NoPods},
	} {
		wantVerdicts(t, name, c.docs, map[string]analyze.Code{ref: c.want})
	}
}

// TestLaterStatusKeepsTheStoredSpec: describe prints no restartPolicy, so that of the YAML still tells a native sidecar.
func TestLaterStatusKeepsTheStoredSpec(t *testing.T) {
	yaml := moment{phase: "Pending", init: "waiting", main: "waiting", proxy: "waiting"}.stored()
	yaml = strings.Replace(yaml, "{name: istio-init,", "{name: istio-init, restartPolicy: Always,", 1)
	text := moment{phase: "Running", init: "running", main: "ended", proxy: "ended"}.described()
	inEveryOrder([]string{yaml, text}, func(docs []string) {
		dir := t.TempDir()
		writeDocs(t, dir, docs)
		cluster := clusterIn(t, dir)
		pod := cluster.Workloads[0].Pods[0]
		c := pod.Container("istio-init")
		if c.Placement != facts.Native || c.Running() == nil || pod.Described() || !pod.StatusDescribed() {
			t.Fatalf("%s is %s, running %v", c.Name, c.Placement, c.Running())
		}
		spec, state := c.EvPlacement(), c.EvState()
		if spec.Strength != evidence.Stored || docs[spec.File[0]-'0'] != yaml || state.Strength != evidence.Described || docs[state.File[0]-'0'] != text {
			t.Errorf("proof is %+v and %+v", spec, state)
		}
		if cols := pod.Columns(Printer(cluster, base(t))); cols.Ready != 0 || cols.Total != 3 || cols.Status != "Completed" {
			t.Errorf("columns %+v", cols)
		}
	})
}
