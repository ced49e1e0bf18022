package rules

// predicates implements the observations that published bugs require, by the names that package knowledge lists. What
// the bundle reader does not read (Services, a CronJob's next time) is never seen, so that its bugs never fire.
var predicates = map[string]func(*issueView) sighting{
	// Of a pod: its sidecars.
	"native-sidecar-present":                  seesNativeSidecar,
	"sidecar-terminated-while-app-running":    seesSidecarTerminatedWhileAppRuns,
	"last-init-is-sidecar-with-startup-probe": seesLastInitProbed,
	"sidecar-running-past-grace":              seesSidecarPastGrace,
	"no-killing-event":                        seesNoKilling,
	"sidecar-restarted":                       seesSidecarRestarted,
	"sidecar-has-startup-probe":               seesSidecarProbed,
	"sidecar-running-not-started":             seesSidecarNeverStarted,
	"startup-probe-no-longer-run":             seesProbeSilent,
	"sidecar-oomkilled":                       seesSidecarOOMKilled,
	"sidecar-host-port":                       seesSidecarHostPort,
	"host-port-conflict":                      seesHostPortConflict,
	// Of a pod: its regular containers, its phase and its events.
	"pod-restart-policy-never":               seesRestartPolicyNever,
	"app-failed-not-restarted":               seesAppNotRestarted,
	"app-waiting-pod-initializing":           seesAppPodInitializing,
	"pod-deleting-never-initialized":         seesDeletingNeverInitialized,
	"failed-pod-all-containers-succeeded":    seesFailedThoughSucceeded,
	"pod-rejected-by-kubelet":                seesRejectedByKubelet,
	"sandbox-changed":                        seesSandboxChanged,
	"static-pod":                             seesStaticPod,
	"finished-pod-keeps-job-finalizer":       seesFinalizerKept,
	"event-no-startup-probe-on-virtual-node": seesNoStartupProbeOnVirtualNode,
	// Of a pod: its init containers.
	"init-created-never-started":             seesInitNeverStarted,
	"app-started-before-init-finished":       seesAppBeforeInit,
	"init-status-without-spec":               seesInitStatusWithoutSpec,
	"phase-running-while-ordinary-init-runs": seesRunningWhileInitRuns,
	"phase-running-while-initializing":       seesRunningWhileInitializing,
	"init-not-run-in-new-sandbox":            seesInitSkippedInSandbox,
	"app-running-init-status-missing":        seesInitStatusMissing,
	"template-init-containers-missing":       seesTemplateInitMissing,
	"other-sidecar-restart-policy-missing":   seesOtherPolicyMissing,
	"restart-policy-stripped":                seesPolicyStripped,
	// Of a pod: the mesh.
	"interception-mode-none":         seesInterceptionNone,
	"proxy-ordinary":                 seesProxyOrdinary,
	"template-proxyless-agent":       seesProxylessAgent,
	"istio-validation-crash-looping": seesValidationCrashes,
	"injected-by-istio":              seesInjectedByIstio,
	"cni-repair-present":             seesCNIRepair,
	// Of a Job.
	"duplicate-istio-proxy-refused":        seesDuplicateRefused,
	"linkerd-native-and-wait-refused":      seesLinkerdRefused,
	"job-backing-off":                      seesBackingOff,
	"uncounted-pods-not-drained":           seesUncounted,
	"job-restart-policy-onfailure":         seesOnFailure,
	"job-failed-backoff-limit":             seesBackoffLimit,
	"sidecar-restarts-reach-backoff-limit": seesSidecarRestartsReachLimit,
	"pod-failure-policy-without-container": seesPolicyWithoutContainer,
	"sidecar-exit-code-matches-policy":     seesSidecarExitMatches,
	"job-without-pods-in-bundle":           seesJobWithoutPods,
	// Of the cluster.
	"api-server-keeps-sidecars":    seesServerKeepsSidecars,
	"stripping-webhook-present":    seesStrippingWebhook,
	"webhook-on-pod-update":        seesWebhookOnUpdate,
	"bundle-from-istio-bug-report": seesIstioBugReport,
	// Not read from bundles.
	"cronjob-run-late-without-reason":    func(*issueView) sighting { return notSeen() },
	"service-targets-sidecar-named-port": func(*issueView) sighting { return notSeen() },
}
