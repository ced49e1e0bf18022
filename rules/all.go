package rules

import "github.com/sidecar-must-gather/sidecar-must-gather/analyze"

// All lists every rule, grouped as the catalogue prints them. Adding a rule means one line here, one file beside this
// one, its page under docs and its fixtures; a test holds the four together.
func All() []*analyze.Rule {
	return []*analyze.Rule{
		// Versions and API server.
		sidecarsUnsupported(),
		featureGateOff(),
		kubeletBehind(),
		kubeletVersionUnknown(),
		restartPolicyStripped(),
		restartPolicyOnRegularContainer(),
		knownIssue(),

		// Istio's decision.
		nativeDefaultOff(),
		autoBlockedByNode(),
		nativeDisabledByEnv(),
		nativeForcedByEnv(),
		envValueNotUnderstood(),
		envInWrongPlace(),
		compatibilityProfileDisables(),
		injectorTemplateOlder(),
		templateNeverNative(),
		controlPlaneUnknown(),

		// The annotation.
		annotationMisplaced(),
		nativeOptOut(),
		annotationMisspelled(),
		annotationTooEarly(),
		annotationValueUnexpected(),
		annotationBeyondNodes(),
		annotationTooLate(),

		// The pod at hand.
		proxyInjectedByOlderVersion(),
		templateIsNotEvidence(),
		injectedIntoTemplate(),
		proxyMovedAfterInjection(),
		sidecarFailedThePod(),
		proxyEndedBeforeApp(),
		initBeforeProxy(),
		restartPolicyOnWrongInit(),
		nativeSidecarKilled(),
		duplicateProxy(),
		proxyNotReady(),
		proxyInInitContainers(),
		statusColumnMisleads(),
		injectionOff(),
		ambientPod(),

		// Consequences and habits.
		cronJobBlocked(),
		cronJobReplaced(),
		cronJobPileUp(),
		sidecarRestartsCountAgainstBackoff(),
		ineffectiveRemedy(),
		otherContainerFailed(),
		quitWorkaround(),
		bundleIncomplete(),
		captureInconsistent(),
	}
}
