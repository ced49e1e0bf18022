package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// reasonWords says a reason of the decision as part of a sentence. Ids are for programs.
func reasonWords(reason string) analyze.Text {
	switch reason {
	case knowledge.ReasonNotInjected:
		return say("no proxy is injected")
	case knowledge.ReasonInManifest:
		return say("the pod template holds the proxy itself")
	case knowledge.ReasonTemplateNever:
		return say("the injection template that the pod asks for is never native")
	case knowledge.ReasonTemplateNoProxy:
		return say("the injection template that the pod asks for adds no proxy")
	case knowledge.ReasonTemplateNotForPods:
		return say("the injection template that the pod asks for is not for pods, and istiod refuses them")
	case knowledge.ReasonTemplateError:
		return say("istiod cannot render its sidecar template")
	case knowledge.ReasonTemplateOlder:
		return say("the sidecar template is older than istiod and leaves native sidecars off")
	case knowledge.ReasonEraNoSupport:
		return say("this Istio has no native sidecars")
	case knowledge.ReasonDefaultOff:
		return say("this Istio leaves native sidecars off, and nothing switches them on")
	case knowledge.ReasonDefaultOn:
		return say("this Istio switches native sidecars on, and nothing switches them off")
	case knowledge.ReasonSeenNative:
		return say("the newest run got one")
	case knowledge.ReasonSameInAllCases:
		return say("whatever is unknown, the placement is the same")
	}
	if t := settingWords(reason); !t.IsZero() {
		return t
	}
	return unknownWords(reason)
}

func settingWords(reason string) analyze.Text {
	switch reason {
	case knowledge.ReasonEnvTrue:
		return say("%s of istiod is true", facts.NativeEnv)
	case knowledge.ReasonEnvFalse:
		return say("%s of istiod is false", facts.NativeEnv)
	case knowledge.ReasonEnvNotUnderstood:
		return say("%s of istiod has a value that counts as off", facts.NativeEnv)
	case knowledge.ReasonAnnotationTrue:
		return say("the pod annotation is true")
	case knowledge.ReasonAnnotationFalse:
		return say("the pod annotation is false")
	case knowledge.ReasonAnnotationNotTrue:
		return say("the pod annotation is not exactly true, which this Istio takes as off")
	case knowledge.ReasonAnnotationTaken:
		return say("the pod annotation is neither empty nor false, which this Istio takes as on")
	case knowledge.ReasonAutoNodesNew:
		return say("automatic mode, and every kubelet is new enough")
	case knowledge.ReasonAutoNoNodes:
		return say("automatic mode, and there is no node that objects")
	case knowledge.ReasonAutoOldNode:
		return say("automatic mode, and at least one kubelet is too old")
	case knowledge.ReasonAutoUnparsableNode:
		return say("automatic mode, and at least one kubelet has a version that cannot be read")
	case knowledge.ReasonAutoNoNodeClient:
		return say("automatic mode without a view of the nodes")
	}
	return analyze.Text{}
}

func unknownWords(reason string) analyze.Text {
	switch reason {
	case knowledge.ReasonUnknownTemplate:
		return say("the injector's template decides, and what it does is not known")
	case knowledge.ReasonUnknownIstio:
		return say("the release of istiod decides, and is not known")
	case knowledge.ReasonUnknownAnnotation:
		return say("the pod annotation decides, and is not known")
	case knowledge.ReasonUnknownEnv:
		return say("%s of istiod decides, and is not known", facts.NativeEnv)
	case knowledge.ReasonUnknownNodes:
		return say("the nodes decide, and are not all known")
	}
	return say("nothing in the bundle tells")
}

// brokenWords says what becomes of a native sidecar that the cluster cannot run.
func brokenWords(k *knowledge.Base, id string) string {
	if s := k.BrokenSummary(id); s != "" {
		return s
	}
	return sentence.Fixed("it would not work")
}

// placedAs says a placement as part of a sentence.
func placedAs(placement string) analyze.Text {
	switch placement {
	case knowledge.Native:
		return say("a native sidecar")
	case knowledge.Ordinary:
		return say("an ordinary container")
	case knowledge.None:
		return say("no proxy")
	case knowledge.Refused:
		return say("a pod that is refused")
	}
	return say("an unknown placement")
}
