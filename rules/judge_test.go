package rules

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules/data"
)

// The pods of these tests are written as a person would tell them: a list of containers, each with where it stands and
// what it did. Everything else is what the API server and the kubelet add.

// began is when every container started, ended when one that exited did, taken when the bundle was made.
var (
	began = time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC)
	ended = began.Add(10 * time.Minute)
	taken = began.Add(5 * time.Hour)
)

type told struct {
	spec   kube.Container
	status kube.ContainerStatus
	init   bool
}

func stampOf(t time.Time) kube.Time { return kube.Time{Time: t, Raw: t.Format(time.RFC3339)} }

func yesno(b bool) *bool { return &b }

// container tells an ordinary container that runs and is ready.
func container(name, image string) told {
	return told{spec: kube.Container{Name: name, Image: image},
		status: kube.ContainerStatus{Name: name, Image: image, Ready: true, Started: yesno(true),
			State: kube.ContainerState{Running: &kube.Running{StartedAt: stampOf(began)}}}}
}

func app() told   { return container("report", "registry.example.com/report:1") }
func proxy() told { return container("istio-proxy", "docker.io/istio/proxyv2:1.26.8") }

func (c told) exits(code int64) told {
	c.status.Ready, c.status.Started = false, yesno(false)
	reason := "Completed"
	if code != 0 {
		reason = "Error"
	}
	c.status.State = kube.ContainerState{Terminated: &kube.Terminated{ExitCode: code, Reason: reason, StartedAt: stampOf(began), FinishedAt: stampOf(ended)}}
	return c
}

// uncoded has ended, and its exit code was masked or cut out.
func uncoded(c told, reason string) told {
	c = c.exits(0)
	c.status.State = kube.ContainerState{Uncoded: &kube.Terminated{Reason: reason, StartedAt: stampOf(began), FinishedAt: stampOf(ended)}}
	return c
}

func (c told) waits(reason string) told {
	c.status.Ready, c.status.Started = false, yesno(false)
	c.status.State = kube.ContainerState{Waiting: &kube.Waiting{Reason: reason}}
	return c
}

func (c told) restarted(n, lastExit int64) told {
	c.status.RestartCount = n
	c.status.LastState = kube.ContainerState{Terminated: &kube.Terminated{ExitCode: lastExit, FinishedAt: stampOf(ended)}}
	return c
}

func (c told) unready() told { c.status.Ready = false; return c }

// inInit moves it to initContainers as a one-shot container, native as a native sidecar.
func (c told) inInit() told {
	c.init = true
	if c.status.State.Running != nil {
		c.status.Ready = false
	}
	return c
}

func (c told) native() told {
	c.init = true
	c.spec.RestartPolicy = "Always"
	return c
}

func (c told) notStarted() told { c.status.Started, c.status.Ready = yesno(false), false; return c }

// unreported is how a kubelet that does not know native sidecars reports one: no `started` at all.
func (c told) unreported() told { c.status.Started, c.status.Ready = nil, false; return c }

// lost is a container of which the bundle has the spec and no state.
func (c told) lost() told { c.status = kube.ContainerStatus{Name: c.spec.Name}; return c }

func podOf(policy, phase string, list ...told) *kube.Pod {
	p := &kube.Pod{}
	p.Kind, p.APIVersion = "Pod", "v1"
	p.Meta = kube.Meta{Name: "report-x7", Namespace: "team-app", UID: "pod-1", Created: stampOf(began.Add(-time.Minute)),
		Owners: []kube.Owner{{APIVersion: "batch/v1", Kind: "Job", Name: "report", UID: "job-1", Controller: yesno(true)}}}
	p.Spec.RestartPolicy, p.Spec.NodeName = policy, "node-a"
	p.Status.Phase = phase
	for _, c := range list {
		if c.init {
			p.Spec.InitContainers = append(p.Spec.InitContainers, c.spec)
			p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, c.status)
			continue
		}
		p.Spec.Containers = append(p.Spec.Containers, c.spec)
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, c.status)
	}
	return p
}

func jobOf() *kube.Job {
	j := &kube.Job{}
	j.Kind, j.APIVersion = "Job", "batch/v1"
	j.Meta = kube.Meta{Name: "report", Namespace: "team-app", UID: "job-1", Created: stampOf(began.Add(-time.Minute))}
	one := int64(1)
	j.Spec.Completions, j.Status.Active = &one, &one
	j.Spec.Template.Spec.Containers = []kube.Container{app().spec, {Name: "helper"}}
	return j
}

func base(t *testing.T) *knowledge.Base {
	t.Helper()
	k, err := knowledge.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// judged builds the facts of a set and judges its only workload.
func judged(t *testing.T, set *kube.Set) analyze.Judgement {
	t.Helper()
	return judgedAt(t, set, taken)
}

// judgedAt is the same in a bundle of another moment.
func judgedAt(t *testing.T, set *kube.Set, at time.Time) analyze.Judgement {
	t.Helper()
	k := base(t)
	c := facts.Build(set, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), OldKubelet: OldKubeletOf(k), CollectedAt: at})
	if len(c.Workloads) != 1 {
		t.Fatalf("%d workloads, want 1", len(c.Workloads))
	}
	return Judge(c, c.Workloads[0])
}

// judgedFirst is the same of the first of several.
func judgedFirst(t *testing.T, set *kube.Set, at time.Time) analyze.Judgement {
	t.Helper()
	k := base(t)
	c := facts.Build(set, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), OldKubelet: OldKubeletOf(k), CollectedAt: at})
	return Judge(c, c.Workloads[0])
}

func TestJudgePod(t *testing.T) {
	done := app().exits(0)
	istioInit := container("istio-init", "docker.io/istio/proxyv2:1.26.8").exits(0).inInit()
	companion := container("helper", "registry.example.com/helper:1")
	tests := []struct {
		name string
		pod  *kube.Pod
		want analyze.Code
		held string // the culprit, if any
	}{
		{"application done, ordinary proxy runs", podOf("Never", "Running", istioInit, done, proxy()), HeldBySidecar, "istio-proxy"},
		{"the same with an unready proxy", podOf("Never", "Running", done, proxy().unready()), HeldBySidecar, "istio-proxy"},
		{"the same under OnFailure", podOf("OnFailure", "Running", done, proxy()), HeldBySidecar, "istio-proxy"},
		{"application failed under Never, proxy runs", podOf("Never", "Running", app().exits(3), proxy()), FailureHiddenBySidecar, "istio-proxy"},
		{"application failed under OnFailure, not restarted", podOf("OnFailure", "Running", app().exits(3), proxy()), AppFailed, "report"},
		{"application runs, proxy ordinary and unready", podOf("Never", "Running", app(), proxy().unready()), AppRunning, ""},
		{"application runs, proxy native", podOf("Never", "Running", proxy().native(), app()), AppRunning, ""},
		{"application runs, proxy ended", podOf("Never", "Running", app(), proxy().exits(0)), AppRunning, ""},
		{"unknown companion runs on", podOf("Never", "Running", done, companion), OtherContainerRunning, "helper"},
		{"a container added after the template runs on", podOf("Never", "Running", done, container("agent", "registry.example.com/agent:1")), HeldBySidecar, "agent"},
		{"Airflow has not ended its sidecar", podOf("Never", "Running", done, container("airflow-xcom-sidecar", "alpine")), HeldBySidecar, "airflow-xcom-sidecar"},
		{"Airflow has not ended its sidecar, and the application failed", podOf("Never", "Running", app().exits(1), container("airflow-xcom-sidecar", "alpine")), FailureHiddenBySidecar, "airflow-xcom-sidecar"},
		{"what Argo waits with runs on", podOf("Never", "Running", done, container("wait", "quay.io/argoproj/argoexec:v3.5.0")), OtherContainerRunning, "wait"},
		{"a container whose state is missing", podOf("Never", "Running", done, proxy(), container("agent", "registry.example.com/agent:1").lost()), InsufficientEvidence, ""},
		{"a known sidecar whose state is missing", podOf("Never", "Running", done, proxy(), container("vault-agent", "hashicorp/vault:1.17").lost()), HeldBySidecar, "istio-proxy"},
		{"companion and proxy run on", podOf("Never", "Running", done, companion, proxy()), OtherContainerRunning, "helper"},
		{"crash loop", podOf("OnFailure", "Running", app().waits("CrashLoopBackOff").restarted(5, 1), proxy()), AppCrashLooping, "report"},
		{"image of the application", podOf("Never", "Pending", app().waits("ImagePullBackOff"), proxy()), ImagePullFailing, "report"},
		{"config of the application", podOf("Never", "Pending", app().waits("CreateContainerConfigError"), proxy()), ContainerCannotStart, "report"},
		{"one-shot init runs", podOf("Never", "Pending", container("migrate", "registry.example.com/m:1").inInit(), app().waits("PodInitializing")), InitNotFinished, "migrate"},
		{"proxy as one-shot init", podOf("Never", "Pending", istioInit, proxy().inInit(), app().waits("PodInitializing")), SidecarBlocksInit, "istio-proxy"},
		{"native proxy fails its startup probe", podOf("Never", "Pending", istioInit, proxy().native().notStarted(), app().waits("PodInitializing")), SidecarNotStarted, "istio-proxy"},
		{"kubelet reports started of another init container", podOf("Never", "Pending", istioInit, proxy().native().unreported(), app().waits("PodInitializing")), SidecarNotStarted, "istio-proxy"},
		{"kubelet does not know native sidecars", podOf("Never", "Pending", istioInit.unreported(), proxy().native().unreported(), app().waits("PodInitializing")), NodeRejectedSidecar, "istio-proxy"},
		{"native proxy crash-loops while the application runs", podOf("Never", "Running", proxy().native().waits("CrashLoopBackOff").restarted(4, 1), app()), AppRunning, ""},
		{"native proxy runs on for hours", podOf("Never", "Running", proxy().native(), done), NativeSidecarStuck, "istio-proxy"},
		{"application failed, native proxy runs on for hours", podOf("Never", "Running", proxy().native(), app().exits(2)), NativeSidecarStuck, "istio-proxy"},
		{"an init container failed the pod", podOf("Never", "Failed", istioInit, container("migrate", "registry.example.com/m:1").exits(3).inInit(), app().waits("PodInitializing"), proxy().waits("PodInitializing")), InitNotFinished, "migrate"},
		{"istio-init failed the pod", podOf("Never", "Failed", istioInit.exits(1), app().waits("PodInitializing"), proxy().waits("PodInitializing")), InitNotFinished, "istio-init"},
		{"the application failed after an init container was killed once", podOf("Never", "Failed", istioInit.exits(1), app().exits(3), proxy().exits(0)), AppFailed, ""},
		{"everything ended, phase not yet", podOf("Never", "Running", done, proxy().exits(0)), InsufficientEvidence, ""},
		{"no status at all", func() *kube.Pod {
			p := podOf("Never", "", done, proxy())
			p.Status = kube.PodStatus{}
			return p
		}(), InsufficientEvidence, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := judged(t, &kube.Set{Pods: []*kube.Pod{tt.pod}, Jobs: []*kube.Job{jobOf()}})
			if j.Code != tt.want {
				t.Fatalf("verdict %s (%s), want %s", j.Code, j.Summary, tt.want)
			}
			if tt.held != "" && (len(j.Culprits) != 1 || j.Culprits[0] != tt.held) {
				t.Errorf("culprits %v, want %s", j.Culprits, tt.held)
			}
			if len(j.Evidence) == 0 {
				t.Error("a verdict without evidence")
			}
		})
	}
}

// TestOrder walks the contract's order: what is put on top of a held pod outranks holding.
func TestOrder(t *testing.T) {
	held := func() *kube.Pod { return podOf("Never", "Running", app().exits(0), proxy()) }
	lost := &kube.Node{}
	lost.Kind = "Node"
	lost.Meta.Name = "node-a"
	lost.Status.Conditions = []kube.Condition{{Type: "Ready", Status: "Unknown", Reason: "NodeStatusUnknown"}}
	tests := []struct {
		name   string
		change func(*kube.Set)
		want   analyze.Code
	}{
		{"nothing", func(*kube.Set) {}, HeldBySidecar},
		{"Complete", func(s *kube.Set) { s.Jobs[0].Status.Conditions = []kube.Condition{{Type: "Complete", Status: "True"}} }, Completed},
		{"Complete is False", func(s *kube.Set) { s.Jobs[0].Status.Conditions = []kube.Condition{{Type: "Complete", Status: "False"}} }, HeldBySidecar},
		{"Failed", func(s *kube.Set) {
			s.Jobs[0].Status.Conditions = []kube.Condition{{Type: "Failed", Status: "True", Reason: "BackoffLimitExceeded"}}
		}, Failed},
		{"Failed by deadline", func(s *kube.Set) {
			s.Jobs[0].Status.Conditions = []kube.Condition{{Type: "Failed", Status: "True", Reason: "DeadlineExceeded", LastTransitionTime: stampOf(taken)}}
		}, DeadlineHitWhileHeld},
		{"Failed by deadline, the application ended only when the deadline stopped it", func(s *kube.Set) {
			s.Jobs[0].Status.Conditions = []kube.Condition{{Type: "Failed", Status: "True", Reason: "DeadlineExceeded", LastTransitionTime: stampOf(ended.Add(-time.Second))}}
		}, Failed},
		{"a try past its own deadline while held, and the next one at work", func(s *kube.Set) {
			s.Pods = []*kube.Pod{pastOwnDeadline(), podOf("Never", "Running", app(), proxy())}
		}, AppRunning},
		{"a try past its own deadline while held, and no other", func(s *kube.Set) { s.Pods[0] = pastOwnDeadline() }, DeadlineHitWhileHeld},
		{"parallelism 0", func(s *kube.Set) {
			none := int64(0)
			s.Pods, s.Jobs[0].Spec.Parallelism = nil, &none
		}, Suspended},
		{"a failed try, and the next one refused", func(s *kube.Set) {
			s.Pods[0] = podOf("Never", "Failed", app().exits(1), proxy().exits(0))
			s.Events = []*kube.Event{jobEvent("FailedCreate", "Error creating: failed calling webhook", ended)}
		}, PodCreationRejected},
		{"refused once, then a try that failed", func(s *kube.Set) {
			s.Pods[0] = podOf("Never", "Failed", app().exits(1), proxy().exits(0))
			s.Events = []*kube.Event{jobEvent("FailedCreate", "Error creating: failed calling webhook", began.Add(-time.Hour))}
		}, AppFailed},
		{"evicted while held", func(s *kube.Set) {
			s.Pods[0] = podOf("Never", "Failed", app().exits(0), proxy().exits(137))
			s.Pods[0].Status.Reason, s.Pods[0].Status.Message = "Evicted", "The node was low on resource: memory."
		}, PodFinishedJobNot},
		{"Failed by deadline, application running", func(s *kube.Set) {
			s.Jobs[0].Status.Conditions = []kube.Condition{{Type: "Failed", Status: "True", Reason: "DeadlineExceeded"}}
			s.Pods[0] = podOf("Never", "Running", app(), proxy())
		}, Failed},
		{"suspended", func(s *kube.Set) { s.Jobs[0].Spec.Suspend = yesno(true) }, Suspended},
		{"managed elsewhere", func(s *kube.Set) { s.Jobs[0].Spec.ManagedBy = "example.com/queue" }, ManagedElsewhere},
		{"managed by the built-in controller", func(s *kube.Set) { s.Jobs[0].Spec.ManagedBy = builtinController }, HeldBySidecar},
		{"node lost", func(s *kube.Set) { s.Nodes = []*kube.Node{lost} }, NodeLost},
		{"node lost and pod deleted", func(s *kube.Set) {
			s.Nodes = []*kube.Node{lost}
			s.Pods[0].Meta.Deleted = stampOf(ended)
		}, NodeLost},
		{"pod deleted", func(s *kube.Set) { s.Pods[0].Meta.Deleted = stampOf(ended) }, PodTerminating},
		{"node lost, pod already succeeded", func(s *kube.Set) {
			s.Nodes = []*kube.Node{lost}
			s.Pods[0] = podOf("Never", "Succeeded", app().exits(0), proxy().exits(0))
		}, PodFinishedJobNot},
		{"pod finished, not counted, should have been gone", func(s *kube.Set) { s.Pods[0] = goneUncounted() }, PodFinishedJobNot},
		{"the same without its Job", func(s *kube.Set) { s.Jobs, s.Pods[0] = nil, goneUncounted() }, PodTerminating},
		{"the same within moments", func(s *kube.Set) {
			s.Jobs, s.Pods[0] = nil, goneUncounted()
			s.Pods[0].Meta.Deleted = stampOf(taken.Add(-time.Minute))
		}, InsufficientEvidence},
		{"no pods", func(s *kube.Set) { s.Pods = nil }, NoPods},
		{"no pods, creation refused", func(s *kube.Set) {
			s.Pods = nil
			s.Events = []*kube.Event{jobEvent("FailedCreate", "Error creating: pods \"report-x7\" is forbidden: exceeded quota", ended)}
		}, PodCreationRejected},
		{"no pods, refused once and then created", func(s *kube.Set) {
			s.Pods = nil
			s.Events = []*kube.Event{jobEvent("FailedCreate", "Error creating: exceeded quota", began),
				jobEvent("SuccessfulCreate", "Created pod: report-x7", ended)}
		}, NoPods},
		{"the pod is another Job's of the same name", func(s *kube.Set) { s.Jobs = nil }, HeldBySidecar},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set := &kube.Set{Pods: []*kube.Pod{held()}, Jobs: []*kube.Job{jobOf()}}
			tt.change(set)
			if j := judged(t, set); j.Code != tt.want {
				t.Errorf("verdict %s (%s), want %s", j.Code, j.Summary, tt.want)
			}
		})
	}
}

// pastOwnDeadline is a pod that its own activeDeadlineSeconds ended when its sidecar alone ran.
func pastOwnDeadline() *kube.Pod {
	p := podOf("Never", "Failed", app().exits(0), proxy().exits(143))
	for i := range p.Status.ContainerStatuses {
		if s := &p.Status.ContainerStatuses[i]; s.Name == "istio-proxy" {
			s.State.Terminated.FinishedAt = stampOf(began.Add(time.Hour))
		}
	}
	limit := int64(3600)
	p.Meta.Name, p.Meta.UID = "report-a1", "pod-0"
	p.Spec.ActiveDeadlineSeconds, p.Status.Reason, p.Status.StartTime = &limit, "DeadlineExceeded", stampOf(began)
	return p
}

// TestOwnDeadlineToCome: a held pod whose own deadline is still to come is said to fail by it.
func TestOwnDeadlineToCome(t *testing.T) {
	for _, tt := range []struct {
		limit time.Duration
		says  bool
	}{{taken.Sub(began) + time.Hour, true}, {taken.Sub(began) - time.Minute, false}} {
		pod, limit := podOf("Never", "Running", app().exits(0), proxy()), int64(tt.limit/time.Second)
		pod.Spec.ActiveDeadlineSeconds, pod.Status.StartTime = &limit, stampOf(began)
		j := judged(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{pod}})
		if said := strings.Contains(j.Summary.String(), "of the pod's own fails the pod at"); j.Code != HeldBySidecar || said != tt.says {
			t.Errorf("%s: %s, %s", tt.limit, j.Code, j.Summary)
		}
	}
}

// TestDeadlineOfSeveralPods: where the application of another pod ran to the deadline, the sidecar alone is not to blame.
func TestDeadlineOfSeveralPods(t *testing.T) {
	job := jobOf()
	job.Status.Conditions = []kube.Condition{{Type: "Failed", Status: "True", Reason: "DeadlineExceeded", LastTransitionTime: stampOf(taken)}}
	held, works, early := podOf("Never", "Running", app().exits(0), proxy()), podOf("Never", "Running", app(), proxy()), podOf("Never", "Succeeded", app().exits(0))
	works.Meta.Name, works.Meta.UID, early.Meta.Name, early.Meta.UID = "report-y8", "pod-2", "report-z9", "pod-3"
	for _, tt := range []struct {
		pods []*kube.Pod
		says bool
	}{{[]*kube.Pod{held}, false}, {[]*kube.Pod{held, early}, false}, {[]*kube.Pod{held, works, early}, true}} {
		j := judged(t, &kube.Set{Jobs: []*kube.Job{job}, Pods: tt.pods})
		said := strings.Contains(j.Summary.String(), "without the sidecar the deadline would have struck as well: report-y8")
		if j.Code != DeadlineHitWhileHeld || said != tt.says {
			t.Errorf("%d pods: %s, %s", len(tt.pods), j.Code, j.Summary)
		}
	}
}

// TestRefusedBesideActivePods: a Job that counts active pods is not one without any.
func TestRefusedBesideActivePods(t *testing.T) {
	for _, tt := range []struct {
		active int64
		says   string
		lacks  int
	}{{0, "the Job had no pod because creating one was refused", 0}, {1, "the Job counted 1 pod as active, of which the bundle has none, and creating another was refused", 1}} {
		job := jobOf()
		job.Status.Active = &tt.active
		j := judged(t, &kube.Set{Jobs: []*kube.Job{job}, Events: []*kube.Event{jobEvent("SuccessfulCreate", "Created pod: report-x7", began),
			jobEvent("FailedCreate", "Error creating: exceeded quota", ended)}})
		if j.Code != PodCreationRejected || !strings.HasPrefix(j.Summary.String(), tt.says) || len(j.Missing) != tt.lacks {
			t.Errorf("active %d: %s, %s, %d missing", tt.active, j.Code, j.Summary, len(j.Missing))
		}
	}
}

// goneUncounted is a pod that succeeded and was deleted, and that the Job controller did not let go.
func goneUncounted() *kube.Pod {
	p := podOf("Never", "Succeeded", app().exits(0), proxy().exits(0))
	p.Meta.Deleted, p.Meta.Finalizers = stampOf(ended), []string{trackingFinalizer}
	return p
}

// TestDeletionIsSaid: of a Job that was to go, and of ended pods that were to go beside one that still works.
func TestDeletionIsSaid(t *testing.T) {
	job := jobOf()
	job.Meta.Deleted, job.Meta.Finalizers = stampOf(ended), []string{"orphan"}
	gone := goneUncounted()
	gone.Meta.Name, gone.Meta.UID = "report-a1", "pod-0"
	for want, set := range map[string]*kube.Set{
		"finalizers: orphan": {Jobs: []*kube.Job{job}},
		"report-a1":          {Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{gone, podOf("Never", "Running", app(), proxy())}},
	} {
		if j := judged(t, set); !strings.Contains(j.Summary.String(), want) {
			t.Errorf("%s: %s, want %q in it", j.Code, j.Summary, want)
		}
	}
}

func jobEvent(reason, message string, when time.Time) *kube.Event {
	e := &kube.Event{Reason: reason, Message: message, Type: "Warning", LastTimestamp: stampOf(when)}
	e.Kind = "Event"
	e.Involved = kube.ObjectRef{Kind: "Job", Namespace: "team-app", Name: "report"}
	e.Source.Component = "job-controller"
	return e
}

func podEvent(reason, message, container string, when time.Time) *kube.Event {
	e := &kube.Event{Reason: reason, Message: message, Type: "Normal", LastTimestamp: stampOf(when)}
	e.Kind, e.Origin.Strength = "Event", evidence.Stored
	e.Involved = kube.ObjectRef{Kind: "Pod", Namespace: "team-app", Name: "report-x7"}
	if container != "" {
		e.Involved.FieldPath = "spec.initContainers{" + container + "}"
	}
	e.Source.Component = "kubelet"
	return e
}

// TestSetupOvercome: an event of a volume that came late is no reason once the kubelet went on to the containers.
func TestSetupOvercome(t *testing.T) {
	mount := func(at time.Time) *kube.Event {
		return podEvent("FailedMount", `MountVolume.SetUp failed for volume "istiod-ca-cert" : configmap "istio-ca-root-cert" not found`, "", at)
	}
	pulling := func(at time.Time) *kube.Event {
		return podEvent("Pulling", `Pulling image "registry.example.com/fetch:1"`, "fetch", at)
	}
	undated := func(e *kube.Event, file string) *kube.Event {
		e.LastTimestamp, e.Origin.Strength, e.Origin.File = kube.Time{}, evidence.Described, file
		return e
	}
	at := func(minutes int) time.Time { return began.Add(time.Duration(minutes) * time.Minute) }
	for name, tt := range map[string]struct {
		events []*kube.Event
		want   analyze.Code
		says   string
	}{
		"only the failure":             {[]*kube.Event{mount(at(1))}, ContainerCannotStart, "FailedMount"},
		"pulling since":                {[]*kube.Event{mount(at(1)), pulling(at(2))}, InsufficientEvidence, "was being pulled"},
		"pulled before, failing since": {[]*kube.Event{pulling(at(1)), mount(at(2))}, ContainerCannotStart, "FailedMount"},
		"at one moment":                {[]*kube.Event{mount(at(1)), pulling(at(1))}, ContainerCannotStart, "FailedMount"},
		"ages in one text":             {[]*kube.Event{undated(mount(at(1)), "a.txt"), undated(pulling(at(2)), "a.txt")}, InsufficientEvidence, "was being pulled"},
		"ages in two texts":            {[]*kube.Event{undated(mount(at(1)), "a.txt"), undated(pulling(at(2)), "b.txt")}, ContainerCannotStart, "FailedMount"},
	} {
		pod := podOf("Never", "Pending", container("fetch", "registry.example.com/fetch:1").waits("PodInitializing").inInit(), app().waits("PodInitializing"))
		j := judged(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{pod}, Events: tt.events})
		if j.Code != tt.want || !strings.Contains(j.Summary.String(), tt.says) {
			t.Errorf("%s: %s (%s), want %s", name, j.Code, j.Summary, tt.want)
		}
	}
}

// TestDescribedNeverProvesPlacement: describe prints no restartPolicy, so an init container of describe text is native
// only by the two signs that no one-shot init container can show.
func TestDescribedNeverProvesPlacement(t *testing.T) {
	described := func(p *kube.Pod) *kube.Set {
		p.Origin.Strength = evidence.Described
		p.Spec.RestartPolicy = ""
		for i := range p.Spec.InitContainers {
			p.Spec.InitContainers[i].RestartPolicy = ""
			p.Status.InitContainerStatuses[i].Started = nil
		}
		return &kube.Set{Pods: []*kube.Pod{p}}
	}
	ready := podOf("", "Running", proxy().native(), app())
	if j := judged(t, described(ready)); j.Code != AppRunning {
		t.Errorf("running and ready beside the application: %s (%s), want AppRunning", j.Code, j.Summary)
	}
	probing := proxy().native().notStarted()
	probing.spec.StartupProbe = &kube.Probe{}
	if j := judged(t, described(podOf("", "Pending", probing, app().waits("PodInitializing")))); j.Code != SidecarNotStarted {
		t.Errorf("with a startup probe: %s (%s), want SidecarNotStarted", j.Code, j.Summary)
	}
	if j := judged(t, described(podOf("", "Pending", proxy().inInit(), app().waits("PodInitializing")))); j.Code != SidecarBlocksInit || !strings.Contains(j.Summary.String(), "which the bundle does not show") {
		t.Errorf("running for hours: %s (%s), want SidecarBlocksInit with a doubt", j.Code, j.Summary)
	}
	young := proxy().inInit()
	young.status.State.Running.StartedAt = stampOf(taken.Add(-10 * time.Second))
	if j := judged(t, described(podOf("", "Pending", young, app().waits("PodInitializing")))); j.Code != InsufficientEvidence {
		t.Errorf("running for moments: %s (%s), want InsufficientEvidence", j.Code, j.Summary)
	}
	if j := judged(t, described(podOf("", "Running", app().exits(2), proxy()))); j.Code != AppFailed {
		t.Errorf("failed under an unknown restartPolicy: %s (%s), want AppFailed", j.Code, j.Summary)
	}
}

// TestSeveralPods: the pod that holds the Job open decides, finished ones do not.
func TestSeveralPods(t *testing.T) {
	failed := podOf("Never", "Failed", app().exits(1), proxy().exits(0))
	failed.Meta.Name, failed.Meta.UID = "report-a1", "pod-0"
	running := podOf("Never", "Running", app(), proxy())
	j := judged(t, &kube.Set{Pods: []*kube.Pod{failed, running}, Jobs: []*kube.Job{jobOf()}})
	if j.Code != AppRunning {
		t.Errorf("a failed try and a running one: %s, want AppRunning", j.Code)
	}
	held := podOf("Never", "Running", app().exits(0), proxy())
	held.Meta.Name, held.Meta.UID = "report-b2", "pod-2"
	j = judged(t, &kube.Set{Pods: []*kube.Pod{running, held}, Jobs: []*kube.Job{jobOf()}})
	if j.Code != HeldBySidecar || j.Holder == nil || j.Holder.Pod.Meta.Name != "report-b2" {
		t.Errorf("one running and one held: %s by %v, want HeldBySidecar by report-b2", j.Code, j.Holder)
	}
}

// TestNativeWithoutClock: where no time in the bundle is later than the application's end, nothing shows for how long the
// native sidecar ran on, and describe text does not print the grace period.
func TestNativeWithoutClock(t *testing.T) {
	k := base(t)
	judge := func(set *kube.Set, opt facts.Options) analyze.Judgement {
		opt.Helper, opt.KnownInit = HelperOf(k), InitOf(k)
		c := facts.Build(set, opt)
		return Judge(c, c.Workloads[0])
	}
	pod := func() *kube.Pod { return podOf("Never", "Running", proxy().native(), app().exits(0)) }
	if j := judge(&kube.Set{Pods: []*kube.Pod{pod()}}, facts.Options{}); j.Code != InsufficientEvidence {
		t.Errorf("no later time: %s (%s), want InsufficientEvidence", j.Code, j.Summary)
	}
	if j := judge(&kube.Set{Pods: []*kube.Pod{pod()}}, facts.Options{At: ended.Add(10 * time.Second)}); j.Code != NativeSidecarStopping {
		t.Errorf("taken 10 s later: %s (%s), want NativeSidecarStopping", j.Code, j.Summary)
	}
	if j := judge(&kube.Set{Pods: []*kube.Pod{pod()}}, facts.Options{At: ended.Add(85 * time.Second)}); j.Code != NativeSidecarStopping || strings.Contains(j.Summary.String(), "was within") || !strings.Contains(j.Summary.String(), "ran on for 1m25s") {
		t.Errorf("taken 85 s later, with a grace period of 30 s: %s (%s), want NativeSidecarStopping", j.Code, j.Summary)
	}
	failed := podOf("Never", "Running", proxy().native(), app().exits(3))
	if j := judge(&kube.Set{Pods: []*kube.Pod{failed}}, facts.Options{At: taken}); j.Code != NativeSidecarStuck || !strings.Contains(j.Summary.String(), "Container report had exited 3") {
		t.Errorf("stuck after a failure: %s (%s)", j.Code, j.Summary)
	}
	timeless := pod()
	timeless.Status.ContainerStatuses[0].State.Terminated.FinishedAt = kube.Time{}
	if j := judge(&kube.Set{Pods: []*kube.Pod{timeless}}, facts.Options{At: taken}); j.Code != InsufficientEvidence || len(j.Missing) == 0 {
		t.Errorf("ended at an unknown time: %s (%s), want InsufficientEvidence", j.Code, j.Summary)
	}
	row := kube.Row{Kind: "Pod", Cells: map[string]string{"NAME": "report-x7", "READY": "1/2", "STATUS": "Completed", "AGE": "4h10m"}}
	if j := judge(&kube.Set{Pods: []*kube.Pod{pod()}, Rows: []kube.Row{row}}, facts.Options{}); j.Code != InsufficientEvidence {
		t.Errorf("a table of hours later: %s (%s), want InsufficientEvidence", j.Code, j.Summary)
	}
	text := pod()
	text.Origin.Strength = evidence.Described
	if j := judge(&kube.Set{Pods: []*kube.Pod{text}}, facts.Options{At: ended.Add(10 * time.Minute)}); j.Code != InsufficientEvidence {
		t.Errorf("describe, ten minutes later: %s (%s), want InsufficientEvidence", j.Code, j.Summary)
	}
}

// TestNativeStartedAgain: a sidecar that ended with the application and was started again did not run on.
func TestNativeStartedAgain(t *testing.T) {
	again := proxy().native().restarted(1, 0)
	again.status.State.Running.StartedAt = stampOf(ended.Add(time.Minute))
	j := judged(t, &kube.Set{Pods: []*kube.Pod{podOf("Never", "Running", again, app().exits(0))}, Jobs: []*kube.Job{jobOf()}})
	if j.Code != NativeSidecarStuck || !strings.Contains(j.Summary.String(), "started it again") {
		t.Errorf("%s (%s), want NativeSidecarStuck that was started again", j.Code, j.Summary)
	}
}

// TestRecordedApplication: the gRPC templates record the application among what they added, which makes it no sidecar.
func TestRecordedApplication(t *testing.T) {
	p := podOf("Never", "Running", app().exits(0), proxy())
	p.Meta.Annotations = kube.Pairs{{Key: facts.StatusAnnotation, Value: `{"initContainers":null,"containers":["istio-proxy","report"],"revision":"default"}`}}
	for name, jobs := range map[string][]*kube.Job{"with the Job": {jobOf()}, "without the Job": nil} {
		if j := judged(t, &kube.Set{Pods: []*kube.Pod{p}, Jobs: jobs}); j.Code != HeldBySidecar || len(j.Culprits) != 1 {
			t.Errorf("%s: %s by %v (%s), want HeldBySidecar by istio-proxy", name, j.Code, j.Culprits, j.Summary)
		}
	}
}

// TestFirstIsTakenForTheApplication: by its place, where nothing else tells, and with a word on that.
func TestFirstIsTakenForTheApplication(t *testing.T) {
	worker, companion := container("worker", "registry.example.com/w:1"), container("helper", "registry.example.com/helper:1")
	for want, list := range map[analyze.Code][]told{AppRunning: {worker, companion.exits(0)}, OtherContainerRunning: {worker.exits(0), companion}} {
		p := podOf("Never", "Running", list...)
		p.Meta.Owners = nil
		if j := judged(t, &kube.Set{Pods: []*kube.Pod{p}}); j.Code != want || !strings.Contains(j.Summary.String(), "the bundle") {
			t.Errorf("%s (%s), want %s", j.Code, j.Summary, want)
		}
	}
}

// TestInitFailedForGood: with the Job failed, or without a Job, nothing tries again; what failed is still to be named.
func TestInitFailedForGood(t *testing.T) {
	pod := func() *kube.Pod {
		return podOf("Never", "Failed", container("migrate", "registry.example.com/m:1").exits(3).inInit(), app().waits("PodInitializing"))
	}
	job := jobOf()
	job.Status.Conditions = []kube.Condition{{Type: "Failed", Status: "True", Reason: "BackoffLimitExceeded"}}
	bare := pod()
	bare.Meta.Owners = nil
	for name, set := range map[string]*kube.Set{"the Job failed": {Pods: []*kube.Pod{pod()}, Jobs: []*kube.Job{job}}, "no Job": {Pods: []*kube.Pod{bare}}} {
		j := judged(t, set)
		if j.Code != Failed || len(j.Culprits) != 1 || j.Culprits[0] != "migrate" {
			t.Errorf("%s: %s by %v (%s), want Failed by migrate", name, j.Code, j.Culprits, j.Summary)
		}
	}
	evicted := pod()
	evicted.Status.Reason = "Evicted"
	if j := judged(t, &kube.Set{Pods: []*kube.Pod{evicted}, Jobs: []*kube.Job{jobOf()}}); j.Code == InitNotFinished {
		t.Errorf("evicted: %s (%s), and the init container was ended by that", j.Code, j.Summary)
	}
}

func TestParseAge(t *testing.T) {
	for text, want := range map[string]time.Duration{"45s": 45 * time.Second, "5m30s": 330 * time.Second, "4h10m": 250 * time.Minute, "13d": 312 * time.Hour,
		"5m (x11 over 59m)": 5 * time.Minute, "2y40d": (2*365 + 40) * 24 * time.Hour} {
		if got, ok := kube.ParseAge(text); !ok || got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "<unknown>", "5", "m", "5x", "-3m"} {
		if got, ok := kube.ParseAge(text); ok {
			t.Errorf("%q is an age of %s", text, got)
		}
	}
}

// TestSuspendedSaysWhatBecomesOfPods: that a suspended Job has no pods is said only where it has none.
func TestSuspendedSaysWhatBecomesOfPods(t *testing.T) {
	pod := podOf("Never", "Running", app(), proxy())
	ended := podOf("Never", "Succeeded", app().exits(0), proxy().exits(0))
	active := int64(2)
	for _, tc := range []struct {
		name   string
		pods   []*kube.Pod
		active *int64
		queue  bool
		want   string
	}{
		{"no pod", nil, nil, false, "the Job is suspended; it has no pods by design"},
		{"no pod, and a queue", nil, nil, true, "the Job is suspended and waits for admission by the Kueue queue batch; it has no pods by design"},
		{"a pod that runs", []*kube.Pod{pod}, nil, false, "the Job is suspended, and the controller ends its pods: 1 pod had not ended yet"},
		{"a count", nil, &active, false, "the Job is suspended, and the controller ends its pods: the Job counted 2 pods as active"},
		{"a pod that ended", []*kube.Pod{ended}, nil, false, "the Job is suspended; those of its pods that are in the bundle had ended, and it gets no others"},
	} {
		j := jobOf()
		j.Spec.Suspend, j.Status.Active = yesno(true), tc.active
		if tc.queue {
			j.Meta.Labels = kube.PairsOf(map[string]string{queueLabel: "batch"})
		}
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{j}, Pods: tc.pods}, facts.Options{Helper: HelperOf(base(t)), CollectedAt: taken})
		if got := Judge(c, c.Workloads[0]); got.Code != Suspended || !strings.EqualFold(got.Summary.String(), tc.want) {
			t.Errorf("%s: %s: %s", tc.name, got.Code, got.Summary)
		}
	}
}

// A table that says NotReady does not tell a node that reports so from one that has stopped; the verdict stays, with the
// doubt. Of a node whose object is there the table says nothing more.
func TestNodeOfATable(t *testing.T) {
	for status, doubt := range map[string]bool{"NotReady": true, "NotReady,SchedulingDisabled": true, "Ready": false} {
		pod := heldPod()
		pod.Spec.NodeName = "worker-9"
		row := kube.Row{Kind: "Node", Cells: map[string]string{"NAME": "worker-9", "STATUS": status, "VERSION": "v1.29.4"}}
		j := judged(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{pod}, Rows: []kube.Row{row}})
		asks := slices.ContainsFunc(j.Missing, func(m analyze.Missing) bool { return strings.Contains(m.What.String(), "still reporting") })
		cites := slices.ContainsFunc(j.Evidence, func(e evidence.Evidence) bool { return e.Object == "Node/worker-9" && e.Value == status })
		if j.Code != HeldBySidecar || asks != doubt || cites != doubt {
			t.Errorf("%s: %s, asks for the node %t, cites it %t", status, j.Code, asks, cites)
		}
	}
}

// What is said of a running application promises no completion that something else in the pod rules out.
func TestNothingToDo(t *testing.T) {
	always := app()
	always.spec.RestartPolicy = "Always"
	for name, c := range map[string]struct {
		pod  *kube.Pod
		want string
		not  string
	}{
		"alone":                     {podOf("Never", "Running", app()), "it will complete when report ends", "Failed"},
		"a helper failed":           {podOf("Never", "Running", app(), proxy().exits(1)), "istio-proxy had exited 1 already", "will complete"},
		"a helper is tried again":   {podOf("OnFailure", "Running", app(), proxy().exits(1)), "before report ends", "will complete"},
		"it is always begun again":  {podOf("Never", "Running", always), "before report ends", "will complete"},
		"a helper runs beside it":   {podOf("Never", "Running", app(), proxy()), "before report ends", "will complete"},
		"a helper has ended before": {podOf("Never", "Running", app(), proxy().exits(0)), "it will complete when report ends", "Failed"},
	} {
		j := judged(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{c.pod}})
		if text := j.Summary.String() + ". " + j.Calm.String(); j.Code != AppRunning || !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("%s: %s: %s", name, j.Code, text)
		}
	}
}

// A pull that goes on is no failure, however long it takes; what has begun is not said to be missing.
func TestSlowPull(t *testing.T) {
	creating := func() told {
		c := app()
		c.status.State, c.status.Ready = kube.ContainerState{Waiting: &kube.Waiting{Reason: "PodInitializing"}}, false
		return c
	}
	event := func(reason, message string) *kube.Event {
		return &kube.Event{Reason: reason, Message: message, LastTimestamp: stampOf(began), Involved: kube.ObjectRef{Kind: "Pod", Namespace: "team-app", Name: "report-x7",
			FieldPath: "spec.containers{report}"}}
	}
	for name, c := range map[string]struct {
		events []*kube.Event
		want   analyze.Code
	}{
		"being pulled":    {[]*kube.Event{event("Pulling", `Pulling image "registry.example.com/report:1"`)}, InsufficientEvidence},
		"nothing is said": {nil, ContainerCannotStart},
		"pulled":          {[]*kube.Event{event("Pulling", `Pulling image "registry.example.com/report:1"`), event("Pulled", `Successfully pulled image "registry.example.com/report:1"`)}, ContainerCannotStart},
	} {
		j := judged(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{podOf("Never", "Pending", proxy().native(), creating())}, Events: c.events})
		if j.Code != c.want || strings.Contains(j.Summary.String(), "no container of the pod") {
			t.Errorf("%s: %s: %s", name, j.Code, j.Summary)
		}
	}
}

// TestPatienceCountsFromWhatIsWaitedFor: a pod may be old before the containers that still wait could begin.
func TestPatienceCountsFromWhatIsWaitedFor(t *testing.T) {
	early, late := taken.Add(-patience-time.Minute), taken.Add(-patience+time.Minute)
	initEnded := func(at time.Time) told {
		c := container("migrate", "registry.example.com/m:1").inInit().exits(0)
		c.status.State.Terminated.FinishedAt = stampOf(at)
		return c
	}
	nativeSince := func(at time.Time) told {
		c := proxy().native()
		c.status.State.Running.StartedAt = stampOf(at)
		return c
	}
	scheduled := func(at time.Time) *kube.Pod {
		p := podOf("Never", "Pending", app().waits("ContainerCreating"))
		p.Status.Conditions = []kube.Condition{{Type: "PodScheduled", Status: "True", LastTransitionTime: stampOf(at)}}
		return p
	}
	waits := app().waits("PodInitializing")
	for name, c := range map[string]struct {
		pod  *kube.Pod
		want analyze.Code
		says string
	}{
		"the pod alone":              {podOf("Never", "Pending", app().waits("ContainerCreating")), ContainerCannotStart, "after the pod was created"},
		"an init container long ago": {podOf("Never", "Pending", initEnded(early), waits), ContainerCannotStart, "11m0s after init container migrate had ended"},
		"an init container just now": {podOf("Never", "Pending", initEnded(late), waits), InsufficientEvidence, "just starting"},
		"a native sidecar long ago":  {podOf("Never", "Pending", nativeSince(early), waits), ContainerCannotStart, "11m0s after istio-proxy had started"},
		"a native sidecar just now":  {podOf("Never", "Pending", nativeSince(late), waits), InsufficientEvidence, "just starting"},
		"one of each, the later":     {podOf("Never", "Pending", initEnded(early), nativeSince(late), waits), InsufficientEvidence, "just starting"},
		"scheduled long ago":         {scheduled(early), ContainerCannotStart, "11m0s after the pod was scheduled"},
		"scheduled just now":         {scheduled(late), InsufficientEvidence, "just starting"},
	} {
		if j := judged(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{c.pod}}); j.Code != c.want || !strings.Contains(j.Summary.String(), c.says) {
			t.Errorf("%s: %s: %s", name, j.Code, j.Summary)
		}
	}
}

// TestOwnRestartPolicy: an ordinary container's own restartPolicy and rules come before the pod's (kubernetes.md §1.3,
// ContainerShouldRestart).
func TestOwnRestartPolicy(t *testing.T) {
	own := func(c told, policy string, rules ...kube.RestartRule) told {
		c.spec.RestartPolicy, c.spec.RestartPolicyRules = policy, rules
		return c
	}
	again := func(c told) told { c.status.RestartCount = 3; return c }
	rule := func(operator string, codes ...int64) kube.RestartRule {
		r := kube.RestartRule{Action: "Restart"}
		r.ExitCodes.Operator, r.ExitCodes.Values = operator, codes
		return r
	}
	for name, tt := range map[string]struct {
		pod  *kube.Pod
		want analyze.Code
	}{
		"the application ends well, own Always":       {podOf("Never", "Running", again(own(app().exits(0), "Always")), proxy()), AppCrashLooping},
		"it fails, own OnFailure":                     {podOf("Never", "Running", own(app().exits(1), "OnFailure"), proxy()), AppFailed},
		"it fails again, own OnFailure":               {podOf("Never", "Running", again(own(app().exits(1), "OnFailure")), proxy()), AppCrashLooping},
		"it fails, own Never":                         {podOf("OnFailure", "Running", own(app().exits(1), "Never"), proxy()), FailureHiddenBySidecar},
		"it ends well, own OnFailure":                 {podOf("Never", "Running", own(app().exits(0), "OnFailure"), proxy()), HeldBySidecar},
		"a rule for the code":                         {podOf("Never", "Running", own(app().exits(42), "Never", rule("In", 42)), proxy()), AppFailed},
		"a rule for another code":                     {podOf("Never", "Running", own(app().exits(41), "Never", rule("In", 42)), proxy()), FailureHiddenBySidecar},
		"a rule for all but another":                  {podOf("Never", "Running", own(app().exits(41), "Never", rule("NotIn", 42)), proxy()), AppFailed},
		"a rule without codes":                        {podOf("Never", "Running", own(app().exits(1), "Never", rule("")), proxy()), FailureHiddenBySidecar},
		"the proxy, own Always":                       {podOf("Never", "Running", app().exits(0), own(proxy(), "Always")), HeldBySidecar},
		"the proxy between two runs, pod's OnFailure": {podOf("OnFailure", "Running", app().exits(0), again(proxy().exits(1))), HeldBySidecar},
	} {
		if j := judged(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{tt.pod}}); j.Code != tt.want {
			t.Errorf("%s: %s (%s), want %s", name, j.Code, j.Summary, tt.want)
		}
	}
}

// TestHelperThatWorksOnce: a known helper that is told to do its work once and end is none that holds a pod for ever.
func TestHelperThatWorksOnce(t *testing.T) {
	sync := func(args []string, env ...kube.EnvVar) told {
		c := container("git-sync", "registry.k8s.io/git-sync/git-sync:v4.2.1")
		c.spec.Args, c.spec.Env = args, env
		return c
	}
	agent := container("vault-agent", "hashicorp/vault:1.17")
	agent.spec.Args = []string{"agent", "-config=/etc/agent.hcl", "-exit-after-auth"}
	for name, tt := range map[string]struct {
		beside told
		want   analyze.Code
	}{
		"no flag":             {sync([]string{"--repo=https://example.com/r"}), HeldBySidecar},
		"a flag":              {sync([]string{"--one-time"}), OtherContainerRunning},
		"a flag that is on":   {sync([]string{"--one-time=true"}), OtherContainerRunning},
		"a flag that is off":  {sync([]string{"--one-time=false"}), HeldBySidecar},
		"in a shell":          {sync([]string{"sh", "-c", "/git-sync --repo=x --one-time"}), OtherContainerRunning},
		"a variable":          {sync(nil, kube.EnvVar{Name: "GIT_SYNC_ONE_TIME", Value: "1"}), OtherContainerRunning},
		"a variable, off":     {sync(nil, kube.EnvVar{Name: "GITSYNC_ONE_TIME", Value: "false"}), HeldBySidecar},
		"another product's":   {agent, OtherContainerRunning},
		"a flag of another's": {sync([]string{"-exit-after-auth"}), HeldBySidecar},
	} {
		if j := judged(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{podOf("Never", "Running", app().exits(0), tt.beside)}}); j.Code != tt.want {
			t.Errorf("%s: %s (%s), want %s", name, j.Code, j.Summary, tt.want)
		}
	}
}

// TestStateThatIsMissing: a container without a state is not one that has ended, wherever it stands.
func TestStateThatIsMissing(t *testing.T) {
	done := app().exits(0)
	for name, c := range map[string]struct {
		pod  *kube.Pod
		dark string
	}{
		"ordinary sidecar":            {podOf("Never", "Running", done, proxy().lost()), "istio-proxy"},
		"native sidecar":              {podOf("Never", "Running", proxy().native().lost(), done), "istio-proxy"},
		"beside a failed application": {podOf("Never", "Running", app().exits(1), proxy().lost()), "istio-proxy"},
		"the application itself":      {podOf("Never", "Running", app().lost(), proxy()), "report"},
		"everything":                  {podOf("Never", "Running", app().lost(), proxy().lost()), "report"},
	} {
		j := judged(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{c.pod}})
		if j.Code != InsufficientEvidence || len(j.Missing) == 0 || j.Missing[0].What.String() != "the state of container "+c.dark || strings.Contains(j.Summary.String(), "ran any more") {
			t.Errorf("%s: %s: %s; missing %v", name, j.Code, j.Summary, j.Missing)
		}
		for _, r := range j.RuledOut {
			if strings.Contains(r.Because.String(), "was running any more") {
				t.Errorf("%s: ruled out as %s", name, r.Because)
			}
		}
	}
}

// Where a describe text ends within its containers, those that it shows prove nothing of the others; a table that counts as
// many proves that there are none.
func TestTextThatIsCutOff(t *testing.T) {
	row := func(ready string) kube.Row {
		return kube.Row{Kind: "Pod", Cells: map[string]string{"NAME": "report-x7", "NAMESPACE": "team-app", "READY": ready, "STATUS": "NotReady"}}
	}
	for name, c := range map[string]struct {
		rows []kube.Row
		cut  bool
		want analyze.Code
	}{
		"whole":                  {nil, false, HeldBySidecar},
		"cut off":                {nil, true, InsufficientEvidence},
		"a table counts as many": {[]kube.Row{row("1/2")}, true, HeldBySidecar},
		"a table counts more":    {[]kube.Row{row("1/3")}, true, InsufficientEvidence},
	} {
		pod := heldPod()
		pod.Origin.Strength, pod.Origin.Truncated = evidence.Described, c.cut
		j := judged(t, &kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{pod}, Rows: c.rows})
		if j.Code != c.want {
			t.Errorf("%s: %s (%s), want %s", name, j.Code, j.Summary, c.want)
		}
	}
}
