package knowledge

import "slices"

// Predicate is a named observation that an issue requires to be seen in the bundle. Rules implement them by name; this
// package only knows which names exist, so that a misspelled one in the data is refused.
type Predicate struct {
	Name  string
	About string // pod | job | cronjob | service | cluster: the kind of object it is asked of
	Means string
}

// Predicates lists all names that issues may use.
func Predicates() []Predicate {
	return append(podPredicates(), otherPredicates()...)
}

func podPredicates() []Predicate {
	return []Predicate{
		{"native-sidecar-present", "pod", "the pod has an init container with restartPolicy Always"},
		{"pod-restart-policy-never", "pod", "spec.restartPolicy is Never"},
		{"sidecar-terminated-while-app-running", "pod", "a native sidecar's status is terminated while a regular container's status is running"},
		{"last-init-is-sidecar-with-startup-probe", "pod", "the last init container has restartPolicy Always and a startupProbe"},
		{"app-failed-not-restarted", "pod", "a regular container ended with a non-zero exit code, the pod's restartPolicy is not Never, its restartCount is 0 and it ended longer ago than any back-off (10 minutes)"},
		{"sidecar-running-past-grace", "pod", "every regular container has terminated and a native sidecar with started true still runs after the last end plus terminationGracePeriodSeconds plus a margin, at bundle time"},
		{"no-killing-event", "pod", "events of the pod are in the bundle and none has reason Killing for a sidecar after the last regular container ended"},
		{"sidecar-restarted", "pod", "a native sidecar has restartCount above 0"},
		{"sidecar-has-startup-probe", "pod", "a native sidecar has a startupProbe"},
		{"sidecar-running-not-started", "pod", "a native sidecar is running with started false"},
		{"startup-probe-no-longer-run", "pod", "that sidecar was restarted once at most, and events are in the bundle and none says that its startup probe failed in its present run"},
		{"app-waiting-pod-initializing", "pod", "a regular container waits with reason PodInitializing"},
		{"pod-deleting-never-initialized", "pod", "deletionTimestamp is set and the condition Initialized is not True"},
		{"init-created-never-started", "pod", "the pod is Pending and scheduled, the first unfinished init container waits with no reason or PodInitializing, nothing before it is unfinished, and that for longer than 5 minutes with its image pulled or on the node"},
		{"app-started-before-init-finished", "pod", "a regular container's startedAt is earlier than an ordinary init container's finishedAt"},
		{"init-status-without-spec", "pod", "status.initContainerStatuses names a container that spec.initContainers lacks"},
		{"phase-running-while-ordinary-init-runs", "pod", "phase Running and an ordinary init container whose state is running or waiting"},
		{"phase-running-while-initializing", "pod", "phase Running, no regular container running, and a native sidecar that has not started"},
		{"sandbox-changed", "pod", "an event SandboxChanged of the pod"},
		{"init-not-run-in-new-sandbox", "pod", "after the event SandboxChanged a regular container started and no init container did"},
		{"failed-pod-all-containers-succeeded", "pod", "phase Failed and every regular container terminated with exit code 0"},
		{"pod-rejected-by-kubelet", "pod", "status.message begins with 'Pod was rejected' or status.reason is an admission reason"},
		{"sidecar-oomkilled", "pod", "a native sidecar's state or last state has reason OOMKilled while no regular container has"},
		{"sidecar-host-port", "pod", "a native sidecar declares a hostPort"},
		{"host-port-conflict", "pod", "another pod of the same node has that hostPort, for the same protocol and address"},
		{"static-pod", "pod", "annotation kubernetes.io/config.mirror is set"},
		{"app-running-init-status-missing", "pod", "a regular container runs and an init container of the spec has no status"},
		{"interception-mode-none", "pod", "annotation sidecar.istio.io/interceptionMode or the proxy's environment says NONE"},
		{"proxy-ordinary", "pod", "istio-proxy is in spec.containers"},
		{"template-init-containers-missing", "pod", "the owner's pod template has init containers that the pod lacks"},
		{"template-proxyless-agent", "pod", "annotation inject.istio.io/templates names the template of an agent for proxyless gRPC (grpc-agent), and not the sidecar's"},
		{"istio-validation-crash-looping", "pod", "init container istio-validation restarts or waits in CrashLoopBackOff"},
		{"injected-by-istio", "pod", "annotation sidecar.istio.io/status is set or istio-proxy is in the pod"},
		{"other-sidecar-restart-policy-missing", "pod", "a known helper that is not istio-proxy sits in initContainers without restartPolicy, or an init container known to end has restartPolicy Always"},
		{"restart-policy-stripped", "pod", "an init container has probes or hooks, or its template or last-applied has restartPolicy Always, and the pod lacks it; or a FailedCreate says so"},
		{"event-no-startup-probe-on-virtual-node", "pod", "an event ProviderCreateFailed says that startupProbe is not supported"},
		{"finished-pod-keeps-job-finalizer", "pod", "phase Succeeded or Failed with finalizer batch.kubernetes.io/job-tracking"},
	}
}

func otherPredicates() []Predicate {
	return []Predicate{
		{"duplicate-istio-proxy-refused", "job", "a FailedCreate event says that the name istio-proxy is duplicate or already exists"},
		{"linkerd-native-and-wait-refused", "job", "a FailedCreate event of Linkerd's injector speaks of waitBeforeExitSeconds and native sidecars"},
		{"job-backing-off", "job", "a pod of the Job failed and the back-off after it (10 minutes at most) is not over at bundle time"},
		{"uncounted-pods-not-drained", "job", "status.uncountedTerminatedPods is not empty, or finished pods of the Job still have the tracking finalizer"},
		{"job-restart-policy-onfailure", "job", "the pod template's restartPolicy is OnFailure"},
		{"job-failed-backoff-limit", "job", "condition Failed with reason BackoffLimitExceeded"},
		{"sidecar-restarts-reach-backoff-limit", "job", "restarts of regular containers alone do not reach spec.backoffLimit, with those of init containers they do"},
		{"pod-failure-policy-without-container", "job", "a podFailurePolicy rule has onExitCodes without containerName"},
		{"sidecar-exit-code-matches-policy", "job", "a sidecar or init container of a Failed pod ended with a code that the rule matches, and no regular container did"},
		{"job-without-pods-in-bundle", "job", "status.active or uncounted pods say that there are pods, and the bundle has none of them"},
		{"cronjob-run-late-without-reason", "cronjob", "the schedule passed since lastScheduleTime, and neither suspend, nor an active Job under Forbid, nor startingDeadlineSeconds explains it"},
		{"service-targets-sidecar-named-port", "service", "a Service's targetPort is a name that among the selected pods only a native sidecar has"},
		{"cni-repair-present", "cluster", "a DaemonSet istio-cni-node with repair switched on, or the label cni.istio.io/uninitialized on the pod"},
		{"api-server-keeps-sidecars", "cluster", "the API server's version and gate keep restartPolicy on init containers"},
		{"stripping-webhook-present", "cluster", "a MutatingWebhookConfiguration that matches pods and whose name or service is one of StrippingWebhooks"},
		{"webhook-on-pod-update", "cluster", "a webhook configuration that matches UPDATE of pods"},
		{"bundle-from-istio-bug-report", "cluster", "the bundle's layout is that of istioctl bug-report"},
	}
}

func knownPredicate(name string) bool {
	return slices.ContainsFunc(Predicates(), func(p Predicate) bool { return p.Name == name })
}
