package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// countedJob is the Job of these tests after it counted a failure.
func countedJob() *kube.Job {
	j := jobOf()
	one, six := int64(1), int64(6)
	j.Status.Active, j.Status.Failed, j.Spec.BackoffLimit = nil, &one, &six
	j.Spec.Template.Spec.RestartPolicy = "Never"
	return j
}

// disrupted puts the condition DisruptionTarget on a pod.
func disrupted(p *kube.Pod, reason string, at time.Time) *kube.Pod {
	p.Status.Conditions = append(p.Status.Conditions, kube.Condition{Type: disruptionTarget, Status: "True", Reason: reason, Message: "because of " + reason, LastTransitionTime: stampOf(at)})
	return p
}

func withReason(p *kube.Pod, reason, message string) *kube.Pod {
	p.Status.Reason, p.Status.Message = reason, message
	return p
}

// TestEndedFromOutside: whoever ends a pod leaves a condition or a reason, and the exit codes from then on are its doing.
func TestEndedFromOutside(t *testing.T) {
	killed := func() *kube.Pod { return podOf("Never", "Failed", app().exits(143), proxy().exits(0)) }
	deleted := func(at time.Time) *kube.Pod {
		p := killed()
		grace := int64(30)
		p.Meta.Deleted, p.Meta.DeletionGracePeriodSeconds = stampOf(at), &grace
		return p
	}
	untold := disrupted(killed(), "", ended)
	refused := withReason(podOf("Never", "Failed", app().lost()), "OutOfcpu", "Pod was rejected: Node didn't have enough resource: cpu")
	for _, tt := range []struct {
		name, says, looks, not string
		pod                    *kube.Pod
		events                 []*kube.Event
	}{
		{"preempted", "ended from outside: PreemptionByScheduler", "pod of higher priority", "kubectl logs", disrupted(killed(), "PreemptionByScheduler", ended), nil},
		{"node gone", "ended from outside: DeletionByPodGC", "kubectl get node node-a", "kubectl logs", disrupted(podOf("Never", "Failed", app().exits(137).because(lostState, ""), proxy().exits(137).because(lostState, "")), "DeletionByPodGC", ended), nil},
		{"taint", "ended from outside: DeletionByTaintManager", "which taint of node node-a", "kubectl logs", disrupted(killed(), "DeletionByTaintManager", ended), nil},
		{"eviction API", "ended from outside: EvictionByEvictionAPI", "a drain of node node-a", "kubectl logs", disrupted(killed(), "EvictionByEvictionAPI", ended), nil},
		{"node shutdown", "ended from outside: Terminated", "why node node-a was shut down", "kubectl logs", disrupted(withReason(killed(), "Terminated", "Pod was terminated in response to imminent node shutdown."), "TerminationByKubelet", ended.Add(time.Second)), nil},
		{"evicted without states", "ended from outside: Evicted", "what the node lacked", "kubectl logs", disrupted(withReason(podOf("Never", "Failed", app().lost(), proxy().lost()), "Evicted", "The node was low on resource: memory."), "TerminationByKubelet", ended), nil},
		{"refused by the kubelet", "the kubelet of node node-a refused the pod: OutOfcpu", "what the node has left", "cut off", refused, nil},
		{"a condition without its reason, and an event", "ended from outside: Preempted (Preempted by pod big)", "pod of higher priority", "kubectl logs", untold, []*kube.Event{podEvent("Preempted", "Preempted by pod big", "", ended)}},
		{"a condition without its reason", "ended from outside: DisruptionTarget", "what ended pod report-x7", "kubectl logs", disrupted(killed(), "", ended), nil},
		{"deleted at work", "ended from outside: its deletion", "what ended pod report-x7", "kubectl logs", deleted(ended.Add(30 * time.Second)), nil},
		{"failed, then deleted", "the pod failed: container report exited 143", "read why report failed", "from outside", deleted(ended.Add(time.Hour)), nil},
		{"failed long before", "exited 1 at 2026-03-01T02:10:00Z, before the pod was ended from outside", "kubectl logs", "for nothing", disrupted(podOf("Never", "Failed", app().exits(1), proxy().exits(0)), "EvictionByEvictionAPI", ended.Add(time.Hour)), nil},
		{"failed long before the kubelet ended it", "exited 1 at", "kubectl logs", "for nothing", disrupted(withReason(podOf("Never", "Failed", app().exits(1), proxy().exits(0)), "Evicted", "x"), "TerminationByKubelet", ended.Add(24*time.Hour)), nil},
		{"condition False", "the pod failed: container report exited 143", "read why report failed", "from outside", func() *kube.Pod {
			p := disrupted(killed(), "PreemptionByScheduler", ended)
			p.Status.Conditions[0].Status = "False"
			return p
		}(), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := &kube.Set{Jobs: []*kube.Job{countedJob()}, Pods: []*kube.Pod{tt.pod}, Events: tt.events}
			tt.pod.Meta.Created = stampOf(began)
			j := judgedAt(t, set, ended.Add(2*time.Minute))
			if !strings.Contains(j.Summary.String(), tt.says) || !strings.Contains(j.Summary.String(), "the Job may try again (failed 1, backoffLimit 6)") || j.Code != AppFailed {
				t.Errorf("%s: %s, want %q in it", j.Code, j.Summary, tt.says)
			}
			text := lookAt(t, set, AppFailed, ended.Add(2*time.Minute))
			if !strings.Contains(text, tt.looks) || strings.Contains(text, tt.not) {
				t.Errorf("want %q and not %q in\n%s", tt.looks, tt.not, text)
			}
		})
	}
}

// TestJobOfPodsEndedFromOutside: of a Job that has failed for good the report tells which tries were the program's.
func TestJobOfPodsEndedFromOutside(t *testing.T) {
	pod := func(name string, change func(*kube.Pod) *kube.Pod, code int64) *kube.Pod {
		p := podOf("Never", "Failed", app().exits(code))
		p.Meta.Name, p.Meta.UID = name, name
		return change(p)
	}
	same := func(p *kube.Pod) *kube.Pod { return p }
	preempted := func(p *kube.Pod) *kube.Pod { return disrupted(p, "PreemptionByScheduler", ended) }
	held := disrupted(podOf("Never", "Failed", app().exits(0), proxy().exits(137)), "EvictionByEvictionAPI", taken)
	held.Meta.Name, held.Meta.UID = "held", "held"
	for _, tt := range []struct {
		name  string
		pods  []*kube.Pod
		says  string
		parts []string
	}{
		{"one", []*kube.Pod{pod("a", preempted, 143)}, "pod a was ended from outside: PreemptionByScheduler", []string{"pod of higher priority", "not tried again", "action Ignore"}},
		{"all", []*kube.Pod{pod("a", preempted, 143), pod("b", preempted, 143)}, "all 2 failed pods in the bundle were ended from outside", []string{"pod of higher priority"}},
		{"some", []*kube.Pod{pod("a", same, 3), pod("b", preempted, 143)}, "pod b was ended from outside", []string{"read why report failed", "kubectl logs a", "exit code 3", "leave out of it what was ended from outside: b"}},
		{"none", []*kube.Pod{pod("a", same, 3)}, "BackoffLimitExceeded", []string{"kubectl logs a"}},
		{"held when it was ended", []*kube.Pod{held}, "pod held was ended from outside: EvictionByEvictionAPI", []string{"asked for the eviction", "the program had exited 0 by then", "not tried again"}},
	} {
		job := countedJob()
		job.Status.Conditions = []kube.Condition{{Type: "Failed", Status: "True", Reason: "BackoffLimitExceeded"}}
		set := &kube.Set{Jobs: []*kube.Job{job}, Pods: tt.pods}
		if j := judged(t, set); j.Code != Failed || !strings.Contains(j.Summary.String(), tt.says) {
			t.Errorf("%s: %s (%s), want %q", tt.name, j.Code, j.Summary, tt.says)
		}
		inOrder(t, lookOf(t, set, Failed), tt.parts...)
	}
}

// TestBetweenTries: a pod that failed and was counted is followed by another after a while, whoever failed it.
func TestBetweenTries(t *testing.T) {
	evicted := func(code int64) *kube.Pod {
		return withReason(podOf("Never", "Failed", app().exits(code), proxy().exits(137)), "Evicted", "The node was low on resource: memory.")
	}
	uncounted := evicted(137)
	uncounted.Meta.Finalizers = []string{trackingFinalizer}
	for _, tt := range []struct {
		name  string
		pod   *kube.Pod
		after time.Duration
		want  analyze.Code
		says  string
		looks string
	}{
		{"evicted at work", evicted(137), 5 * time.Minute, AppFailed, "may try again", "makes another pod by itself"},
		{"evicted when its work was done", evicted(0), 5 * time.Minute, PodFinishedJobNot, "waits before the next try", "wait for the next try"},
		{"failed by its sidecar", podOf("Never", "Failed", app().exits(0), proxy().exits(137)), 5 * time.Minute, PodFinishedJobNot, "waits before the next try", "wait for the next try"},
		{"longer ago than the controller waits", evicted(137), time.Hour, PodFinishedJobNot, "the Job wants more", "kube-controller-manager"},
		{"not counted", uncounted, 5 * time.Minute, PodFinishedJobNot, "still carry the finalizer", "kube-controller-manager"},
	} {
		set := &kube.Set{Jobs: []*kube.Job{countedJob()}, Pods: []*kube.Pod{tt.pod}}
		if j := judgedAt(t, set, ended.Add(tt.after)); j.Code != tt.want || !strings.Contains(j.Summary.String(), tt.says) {
			t.Errorf("%s: %s (%s), want %s, %q", tt.name, j.Code, j.Summary, tt.want, tt.says)
		}
		inOrder(t, lookAt(t, set, tt.want, ended.Add(tt.after)), tt.looks)
	}
}

// TestHeldByRestarts: a sidecar that waits to be started again does not run, and its restarts may fail the Job.
func TestHeldByRestarts(t *testing.T) {
	crashing := container("fluent-bit", "fluent/fluent-bit:2").waits("CrashLoopBackOff").restarted(4, 1)
	job := countedJob()
	one := int64(1)
	job.Status.Active, job.Status.Failed = &one, nil
	for _, tt := range []struct {
		name      string
		pod       *kube.Pod
		says, not string
	}{
		{"it alone", podOf("OnFailure", "Running", app().exits(0), crashing), "fluent-bit waited to be started again (waiting:CrashLoopBackOff, 4 restarts, last exit 1). Under restartPolicy OnFailure", "still ran"},
		{"beside one that runs", podOf("OnFailure", "Running", app().exits(0), proxy(), crashing), "istio-proxy ran and fluent-bit waited", "still ran"},
		{"one that runs", podOf("OnFailure", "Running", app().exits(0), proxy()), "still ran and held the pod open", "backoffLimit"},
	} {
		j := judged(t, &kube.Set{Jobs: []*kube.Job{job}, Pods: []*kube.Pod{tt.pod}})
		if text := j.Summary.String(); j.Code != HeldBySidecar || !strings.Contains(text, tt.says) || strings.Contains(text, tt.not) {
			t.Errorf("%s: %s (%s), want %q and not %q", tt.name, j.Code, text, tt.says, tt.not)
		}
	}
}

// TestActivePodNotInBundle: what holds a Job open may be in a pod that is not there.
func TestActivePodNotInBundle(t *testing.T) {
	done := func(finalizer bool) *kube.Pod {
		p := podOf("Never", "Succeeded", app().exits(0))
		if finalizer {
			p.Meta.Finalizers = []string{trackingFinalizer}
		}
		return p
	}
	failed := podOf("Never", "Failed", app().exits(1))
	for _, tt := range []struct {
		name                      string
		active, succeeded, failed int64
		pod                       *kube.Pod
		want                      analyze.Code
	}{
		{"counted, another active", 1, 1, 0, done(false), InsufficientEvidence},
		{"failed and counted, the next try active", 1, 0, 1, failed, InsufficientEvidence},
		{"not counted: it may be the active one", 1, 0, 0, done(true), PodFinishedJobNot},
		{"no count of it: the Job may be older than the pod", 1, 0, 0, done(false), PodFinishedJobNot},
		{"failed, and the Job is older", 1, 0, 0, failed, AppFailed},
		{"two active, one of them it", 2, 0, 0, done(true), InsufficientEvidence},
		{"none active", 0, 1, 0, done(false), PodFinishedJobNot},
	} {
		job := jobOf()
		two := int64(2)
		job.Spec.Completions = &two
		job.Status.Active, job.Status.Succeeded, job.Status.Failed = &tt.active, &tt.succeeded, &tt.failed
		j := judged(t, &kube.Set{Jobs: []*kube.Job{job}, Pods: []*kube.Pod{tt.pod}})
		if j.Code != tt.want {
			t.Errorf("%s: %s (%s), want %s", tt.name, j.Code, j.Summary, tt.want)
		}
		if j.Code == InsufficientEvidence && (len(j.Missing) != 1 || j.Missing[0].Command != "kubectl get pods -n team-app -l job-name=report -o yaml") {
			t.Errorf("%s: missing %v", tt.name, j.Missing)
		}
	}
}
