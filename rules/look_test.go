package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// lookOf gives where to look next about the only workload of a set, in one text.
func lookOf(t *testing.T, set *kube.Set, want analyze.Code) string {
	t.Helper()
	return lookAt(t, set, want, taken)
}

// lookAt is the same in a bundle of another moment.
func lookAt(t *testing.T, set *kube.Set, want analyze.Code, at time.Time) string {
	t.Helper()
	k := base(t)
	c := facts.Build(set, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), OldKubelet: OldKubeletOf(k), CollectedAt: at})
	w := c.Workloads[0]
	j := Judge(c, w)
	if j.Code != want {
		t.Fatalf("verdict %s (%s), want %s", j.Code, j.Summary, want)
	}
	return adviceText(Now(&analyze.Pass{Cluster: c, Know: k, Workload: w, Verdict: &j, Next: Next(c, k, w)}))
}

// because gives the end of a container a reason.
func (c told) because(reason, message string) told {
	end := c.status.State.Terminated
	if end == nil {
		end = c.status.LastState.Terminated
	}
	end.Reason, end.Message = reason, message
	return c
}

// TestWhereToLook: each verdict that asks for something says what, with the commands for this very pod.
func TestWhereToLook(t *testing.T) {
	limited := app().exits(137).because("OOMKilled", "")
	limited.spec.Resources.Limits = kube.Quantities{"memory": "64Mi"}
	istio := proxy().native()
	gated := podOf("Never", "Pending")
	gated.Spec.NodeName, gated.Spec.SchedulingGates = "", []kube.Named{{Name: "example.com/quota"}}
	nowhere := podOf("Never", "Pending", app())
	nowhere.Spec.NodeName, nowhere.Status.ContainerStatuses = "", nil
	nowhere.Status.Conditions = []kube.Condition{{Type: "PodScheduled", Status: "False", Message: "0/3 nodes are available"}}
	going := podOf("Never", "Running", app().exits(0), proxy())
	going.Meta.Deleted, going.Meta.Finalizers = stampOf(ended), []string{"example.com/hook"}
	lost := podOf("Never", "Running", app(), proxy())
	lost.Status.Reason = "NodeLost"
	uncounted := podOf("Never", "Succeeded", app().exits(0))
	uncounted.Meta.Finalizers = []string{trackingFinalizer}
	const logs = "kubectl logs report-x7 -n team-app -c report --tail=100"
	tests := []struct {
		name  string
		pod   *kube.Pod
		code  analyze.Code
		parts []string
		not   string
	}{
		{"a code of the program", podOf("OnFailure", "Running", app().exits(3), proxy()), AppFailed, []string{logs, "exit code 3: from the program", "takes a new Job"}, "--previous"},
		{"out of memory", podOf("OnFailure", "Running", limited, proxy()), AppFailed, []string{logs, "OOMKilled", "the memory limit of report: 64Mi"}, "signal"},
		{"out of memory without a limit", podOf("OnFailure", "Running", app().exits(137).because("OOMKilled", ""), proxy()), AppFailed, []string{"the memory limit of report: not set"}, "signal"},
		{"a signal", podOf("OnFailure", "Running", app().exits(137), proxy()), AppFailed, []string{"signal 9 (SIGKILL)", "kubectl describe pod report-x7 -n team-app"}, "OOMKilled"},
		{"never started", podOf("OnFailure", "Running", app().exits(128).because("StartError", "exec: \"run\": not found\nrm -rf /"), proxy()), AppFailed, []string{"could not be started at all", `not found\nrm`}, "signal"},
		{"crash loop", podOf("OnFailure", "Running", app().waits("CrashLoopBackOff").restarted(5, 1), proxy()), AppCrashLooping, []string{logs + " --previous", "exit code 1"}, ""},
		{"started again after 0", podOf("Always", "Running", app().waits("CrashLoopBackOff").restarted(5, 0), proxy()), AppCrashLooping, []string{"ends with exit code 0", "kubectl get pod report-x7 -n team-app -o yaml"}, "kubectl logs"},
		{"init at work", podOf("Never", "Pending", container("migrate", "m:1").inInit(), app().waits("PodInitializing")), InitNotFinished, []string{"-c migrate --tail=100", "kubectl describe pod"}, "--previous"},
		{"image", podOf("Never", "Pending", app().waits("ImagePullBackOff"), proxy()), ImagePullFailing, []string{"kubectl describe pod", "registry.example.com/report:1", "node-a", "goes on trying"}, ""},
		{"image name", podOf("Never", "Pending", app().waits("InvalidImageName"), proxy()), ImagePullFailing, []string{"no name that an image can have"}, "goes on trying"},
		{"image never pulled", podOf("Never", "Pending", app().waits("ErrImageNeverPull"), proxy()), ImagePullFailing, []string{"has to be on node node-a"}, "registry has"},
		{"config", podOf("Never", "Pending", app().waits("CreateContainerConfigError"), proxy()), ContainerCannotStart, []string{"kubectl describe pod", "goes on trying"}, ""},
		{"gated", gated, Unschedulable, []string{"scheduling gate example.com/quota", "kubectl describe pod"}, "describe nodes"},
		{"unschedulable", nowhere, Unschedulable, []string{"FailedScheduling", "kubectl describe nodes"}, ""},
		{"native sidecar", podOf("Never", "Pending", istio.notStarted(), app().waits("PodInitializing")), SidecarNotStarted, []string{"-c istio-proxy --tail=100", "startup probe"}, ""},
		{"image of a native sidecar", podOf("Never", "Pending", istio.waits("ErrImagePull"), app().waits("PodInitializing")), SidecarNotStarted, []string{"the image of istio-proxy"}, "startup probe"},
		{"proxy as one-shot init", podOf("Never", "Pending", proxy().inInit(), app().waits("PodInitializing")), SidecarBlocksInit, []string{"-o yaml > report-pods.yaml", "kubectl delete job report -n team-app"}, ""},
		{"native sidecar not stopped", podOf("Never", "Running", istio, app().exits(0)), NativeSidecarStuck, []string{"kubectl describe node node-a", "deleting the pod alone"}, ""},
		{"going", going, PodTerminating, []string{"example.com/hook", "kubectl delete --force"}, ""},
		{"lost", lost, NodeLost, []string{"kubectl describe node node-a", "kubectl delete --force"}, "kubectl logs"},
		{"uncounted", uncounted, PodFinishedJobNot, []string{"kubectl get job report -n team-app -o yaml", "kube-controller-manager", trackingFinalizer}, ""},
		{"at work", podOf("Never", "Running", app(), proxy()), AppRunning, nil, "kubectl"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := lookOf(t, &kube.Set{Pods: []*kube.Pod{tt.pod}, Jobs: []*kube.Job{jobOf()}}, tt.code)
			inOrder(t, text, tt.parts...)
			if tt.not != "" && strings.Contains(text, tt.not) {
				t.Errorf("%q has no place in\n%s", tt.not, text)
			}
		})
	}
}

// TestWhereToLookAtJobs: what the Job itself tells, and that it is not tried again.
func TestWhereToLookAtJobs(t *testing.T) {
	job := func(change func(*kube.Job)) []*kube.Job {
		j := jobOf()
		change(j)
		return []*kube.Job{j}
	}
	over := func(reason string) func(*kube.Job) {
		return func(j *kube.Job) {
			j.Status.Conditions = []kube.Condition{{Type: "Failed", Status: "True", Reason: reason, LastTransitionTime: stampOf(taken)}}
		}
	}
	as := func(*kube.Job) {}
	refused := func(text string) []*kube.Event {
		return []*kube.Event{jobEvent("FailedCreate", "Error creating: "+text, ended)}
	}
	evicted := podOf("Never", "Failed", app().exits(137))
	evicted.Status.Reason = "Evicted"
	ten := int64(10)
	going := podOf("OnFailure", "Running", app(), proxy())
	going.Meta.Deleted = stampOf(taken.Add(time.Second))
	struck := podOf("Never", "Failed", app().exits(143), proxy().exits(0))
	struck.Meta.Deleted, struck.Meta.DeletionGracePeriodSeconds = stampOf(ended.Add(9*time.Second)), &ten
	tests := []struct {
		name  string
		set   *kube.Set
		code  analyze.Code
		parts []string
	}{
		{"retries used up", &kube.Set{Jobs: job(over("BackoffLimitExceeded")), Pods: []*kube.Pod{podOf("Never", "Failed", app().exits(1))}}, Failed,
			[]string{"why report failed", "kubectl logs report-x7 -n team-app -c report --tail=100", "not tried again"}},
		{"evicted", &kube.Set{Jobs: job(over("BackoffLimitExceeded")), Pods: []*kube.Pod{evicted}}, Failed, []string{"kubectl describe node node-a", "exit code of report (137) for nothing", "not tried again"}},
		{"no pods left", &kube.Set{Jobs: job(over("BackoffLimitExceeded"))}, Failed, []string{"kubectl describe job report -n team-app", "not tried again"}},
		{"a pod that goes", &kube.Set{Jobs: job(over("BackoffLimitExceeded")), Pods: []*kube.Pod{going}}, Failed, []string{"the pods in the bundle do not tell why"}},
		{"deadline", &kube.Set{Jobs: job(over(deadlineExceeded)), Pods: []*kube.Pod{podOf("Never", "Running", app(), proxy())}}, Failed, []string{"activeDeadlineSeconds (not set)"}},
		{"deadline after the work", &kube.Set{Jobs: job(over(deadlineExceeded)), Pods: []*kube.Pod{podOf("Never", "Running", app().exits(0), proxy())}}, DeadlineHitWhileHeld,
			[]string{"has done its work", "-c report", "not tried again"}},
		{"the pod's own deadline after the work, with tries left", &kube.Set{Jobs: job(as), Pods: []*kube.Pod{pastOwnDeadline()}}, DeadlineHitWhileHeld,
			[]string{"only this try is over", `{"spec":{"suspend":true}}`, "-c report"}},
		{"deadline after the work of one of two", &kube.Set{Jobs: job(over(deadlineExceeded)), Pods: []*kube.Pod{podOf("Never", "Running", app().exits(0), proxy()), another(podOf("Never", "Failed", app().exits(143), proxy().exits(0)))}},
			DeadlineHitWhileHeld, []string{"has done its work in report-x7", "and not in report-y8", "not tried again"}},
		{"deadline at work", &kube.Set{Jobs: job(func(j *kube.Job) {
			over(deadlineExceeded)(j)
			j.Status.Conditions[0].LastTransitionTime = stampOf(ended.Add(-time.Second))
		}), Pods: []*kube.Pod{struck}}, Failed, []string{"how far report had come when the deadline ended it", "activeDeadlineSeconds", "not tried again"}},
		{"failed before the deadline", &kube.Set{Jobs: job(over(deadlineExceeded)), Pods: []*kube.Pod{podOf("Never", "Failed", app().exits(143), proxy().exits(0))}}, Failed, []string{"read why report failed"}},
		{"managed", &kube.Set{Jobs: job(func(j *kube.Job) { j.Spec.ManagedBy = "example.com/queue" })}, ManagedElsewhere, []string{"kubectl describe job report -n team-app"}},
		{"quota", &kube.Set{Jobs: job(as), Events: refused("pods \"report-x7\" is forbidden: exceeded quota: all")}, PodCreationRejected, []string{"kubectl describe resourcequota -n team-app", "goes on trying"}},
		{"webhook", &kube.Set{Jobs: job(as), Events: refused("failed calling webhook \"x\"")}, PodCreationRejected, []string{"kubectl get mutatingwebhookconfiguration"}},
		{"quota wants limits of the proxy", &kube.Set{Jobs: job(as), Events: refused("pods \"report-x7\" is forbidden: failed quota: q: must specify limits.cpu for: istio-init,istio-proxy; limits.memory for: istio-init,istio-proxy")}, PodCreationRejected,
			[]string{"is not used up", "sidecar.istio.io/proxyCPULimit and sidecar.istio.io/proxyMemoryLimit at spec.template.metadata.annotations of Job report", "global.proxy.resources", "LimitRange"}},
		{"quota wants limits of the program", &kube.Set{Jobs: job(as), Events: refused("pods \"report-x7\" is forbidden: failed quota: q: must specify limits.cpu for: report")}, PodCreationRejected,
			[]string{"is not used up", "in the pod template", "takes a new Job"}},
		{"istiod does not answer", &kube.Set{Jobs: job(as), Events: refused("failed calling webhook \"namespace.sidecar-injector.istio.io\": failed to call webhook: Post \"https://istiod-1-27.mesh.svc:443/inject?timeout=10s\": dial tcp 10.0.0.1:443: connect: connection refused")}, PodCreationRejected,
			[]string{"have istiod answer", "kubectl get deployment,pod,endpoints -n mesh", "15017", "failurePolicy to Ignore"}},
		{"another webhook does not answer", &kube.Set{Jobs: job(as), Events: refused("failed calling webhook \"x.example.com\": Post \"https://hook.tools.svc:8443/mutate\": context deadline exceeded")}, PodCreationRejected,
			[]string{"Service hook has ready pods", "-n tools"}},
		{"a policy", &kube.Set{Jobs: job(as), Events: refused("admission webhook \"policy.example.com\" denied the request: no")}, PodCreationRejected, []string{"kubectl get mutatingwebhookconfiguration", "takes a new Job"}},
		{"istio-init under Pod Security", &kube.Set{Jobs: job(as), Events: refused("pods \"report-x7\" is forbidden: violates PodSecurity \"baseline:latest\": non-default capabilities (container \"istio-init\" must not include \"NET_ADMIN\", \"NET_RAW\" in securityContext.capabilities.add)")}, PodCreationRejected,
			[]string{"Istio CNI plugin", "kubectl get namespace team-app --show-labels", `sidecar.istio.io/inject: "false"`}},
		{"a template that istiod cannot render", &kube.Set{Jobs: job(as), Events: refused("admission webhook \"namespace.sidecar-injector.istio.io\" denied the request: failed to run injection template: template: sidecar:27:95: executing \"sidecar\" at <.NativeSidecars>: can't evaluate field NativeSidecars")}, PodCreationRejected,
			[]string{"to one release", "kubectl get deployment -n istio-system -l app=istiod", "put the template of istiod's own release back"}},
		{"LimitRange", &kube.Set{Jobs: job(as), Events: refused("pods \"report-x7\" is forbidden: maximum memory usage per Container is 512Mi, but limit is 1Gi.")}, PodCreationRejected, []string{"kubectl describe limitrange -n team-app"}},
		{"Pod Security", &kube.Set{Jobs: job(as), Events: refused("violates PodSecurity \"baseline\"")}, PodCreationRejected, []string{"kubectl get namespace team-app --show-labels"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { inOrder(t, lookOf(t, tt.set, tt.code), tt.parts...) })
	}
	j := jobOf()
	j.Meta.Owners = []kube.Owner{{APIVersion: "batch/v1", Kind: "CronJob", Name: "nightly", Controller: yesno(true)}}
	inOrder(t, lookOf(t, &kube.Set{Jobs: []*kube.Job{j}, Pods: []*kube.Pod{podOf("Never", "Failed", app().exits(1))}}, AppFailed), "mended in CronJob nightly, for the next Job")
}

// TestRefusedManifests: a message about restartPolicy does not ask for the field to be taken out, whatever it says.
func TestRefusedManifests(t *testing.T) {
	for _, tc := range []struct{ text, has, avoid string }{
		{`strict decoding error: unknown field "spec.template.spec.initContainers[0].restartPolicy"`, "keep restartPolicy in the manifest", "hangs in Init"},
		{`spec.template.spec.initContainers[0].startupProbe: Forbidden: may not be set for init containers without restartPolicy=Always`, "where restartPolicy Always of the init container was lost", "hangs"},
		{`spec.template.spec.containers[1].restartPolicy: Forbidden: may not be set for non-init containers`, "to initContainers", "holds the Job open"},
		{`spec.template.spec.restartPolicy: Unsupported value: "Always"`, "mend the manifest as the message asks", ""},
	} {
		l := &looker{p: &analyze.Pass{Know: base(t)}}
		text := adviceText(l.manifestRefused(tc.text))
		inOrder(t, text, tc.has, tc.avoid)
		if tc.avoid != "" && strings.Contains(text, "as the message asks") {
			t.Errorf("%s: %s", tc.text, text)
		}
	}
}

// another is a second pod of the Job.
func another(p *kube.Pod) *kube.Pod {
	p.Meta.Name, p.Meta.UID = "report-y8", "pod-2"
	return p
}
