package knowledge

// Reasons of a Decision: why the injector places the proxy as it does.
const (
	ReasonNotInjected        = "not-injected"
	ReasonInManifest         = "in-manifest"              // the pod template holds the proxy already
	ReasonTemplateNever      = "template-never-native"    // the pod's template has an ordinary istio-proxy in every release
	ReasonTemplateNoProxy    = "template-no-proxy"        // the pod's template adds no proxy
	ReasonTemplateNotForPods = "template-not-for-pods"    // the pod's template is istiod's own, and it refused a pod for it
	ReasonTemplateError      = "template-render-error"    // the template is of a later era than istiod and cannot be rendered
	ReasonTemplateOlder      = "template-older"           // the template is of an earlier era than istiod, so the default has no effect
	ReasonEraNoSupport       = "era-no-support"           // this release cannot place the proxy natively
	ReasonDefaultOff         = "default-off"              // off unless switched on, and nothing switches it on
	ReasonDefaultOn          = "default-on"               // on unless switched off; no release that was read does this
	ReasonEnvTrue            = "env-true"                 // the variable says true
	ReasonEnvFalse           = "env-false"                // the variable says false
	ReasonEnvNotUnderstood   = "env-not-understood"       // the variable's text has no meaning of its own and counts as off
	ReasonAnnotationTrue     = "annotation-true"          // the annotation says true
	ReasonAnnotationFalse    = "annotation-false"         // the annotation says false
	ReasonAnnotationNotTrue  = "annotation-not-true"      // present, not exactly true, and this release takes that as off
	ReasonAnnotationTaken    = "annotation-taken-as-true" // present, not exactly false, and this release takes that as on
	ReasonAutoNodesNew       = "auto-all-nodes-new"       // automatic mode, every kubelet is new enough
	ReasonAutoNoNodes        = "auto-no-nodes"            // automatic mode and a cluster without nodes: nothing objects
	ReasonAutoOldNode        = "auto-old-node"            // automatic mode, at least one kubelet is too old
	ReasonAutoUnparsableNode = "auto-unparsable-node"     // automatic mode, at least one version cannot be read and counts as too old
	ReasonAutoNoNodeClient   = "auto-no-node-client"      // automatic mode without a client that could list nodes
	ReasonSameInAllCases     = "same-in-all-cases"        // something is unknown and every possibility leads to the same placement
	ReasonSeenNative         = "seen-native"              // what decides is unknown, and a pod made with the same settings was placed natively
	ReasonUnknownTemplate    = "unknown-template"         // a rewritten or unfamiliar template decides
	ReasonUnknownIstio       = "unknown-istio"            // the release of istiod decides and is not known
	ReasonUnknownAnnotation  = "unknown-annotation"       // the annotation decides and is not known
	ReasonUnknownEnv         = "unknown-env"              // the variable decides and is not known
	ReasonUnknownNodes       = "unknown-nodes"            // the nodes decide and are not all known
)

// Reasons lists every reason that a Decision can give.
func Reasons() []string {
	return []string{
		ReasonNotInjected, ReasonInManifest, ReasonTemplateNever, ReasonTemplateNoProxy, ReasonTemplateNotForPods, ReasonTemplateError, ReasonTemplateOlder, ReasonEraNoSupport,
		ReasonDefaultOff, ReasonDefaultOn, ReasonEnvTrue, ReasonEnvFalse, ReasonEnvNotUnderstood, ReasonAnnotationTrue,
		ReasonAnnotationFalse, ReasonAnnotationNotTrue, ReasonAnnotationTaken, ReasonAutoNodesNew, ReasonAutoNoNodes,
		ReasonAutoOldNode, ReasonAutoUnparsableNode, ReasonAutoNoNodeClient, ReasonSameInAllCases,
		ReasonUnknownTemplate, ReasonUnknownIstio, ReasonUnknownAnnotation, ReasonUnknownEnv, ReasonUnknownNodes,
	}
}
