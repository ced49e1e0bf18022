package knowledge

import "github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"

// Setting is a value that may be set, known to be unset, or unknown.
type Setting struct {
	Known bool   // false: the bundle does not say; Set and Value mean nothing
	Set   bool   // present, possibly empty
	Value string // exact text
	Where string // for people: where it was read, or where its absence was seen
}

// Unset is a setting known to be absent at a place.
func Unset(where string) Setting { return Setting{Known: true, Where: where} }

// Given is a setting known to be present at a place.
func Given(value, where string) Setting {
	return Setting{Known: true, Set: true, Value: value, Where: where}
}

// Kubelet is one node and the version string it reports.
type Kubelet struct {
	Node string
	Raw  string // exact text: Istio's reading of it differs from ours
	// Unread is set when the node is known but its version string is not in the bundle; an empty string that was read
	// is something else, and Istio counts it as too old.
	Unread bool
	// Gate is SidecarContainers as it is set for this one: "true", "false", "" for what Inputs.KubeletGate says.
	Gate string
}

// Inputs is everything that decides where the proxy of the next pod goes.
type Inputs struct {
	Istio      version.Version // the injecting istiod; unknown is allowed
	IstioWhere string

	TemplateEra   string // "A".."D" as read from the injector's sidecar template, "custom" if rewritten, "" if not seen
	TemplateWhere string
	Template      string // value of inject.istio.io/templates on the pod template, "" for the default

	Env        Setting // ENABLE_NATIVE_SIDECARS of istiod (of istioctl when Offline)
	Annotation Setting // sidecar.istio.io/nativeSidecar on the pod template

	// KubeInject: the manifest is rewritten by istioctl kube-inject, not by the webhook. For a CronJob it reads the
	// annotation from spec.jobTemplate.metadata and not from the pod template.
	KubeInject            bool
	OwnerKind             string  // kind of the manifest, "Job", "CronJob", …; needed for KubeInject only
	JobTemplateAnnotation Setting // the annotation at spec.jobTemplate.metadata of a CronJob; needed for KubeInject only
	Offline               bool    // kube-inject without a cluster: no client that could list nodes
	OtherCluster          string  // the pod's cluster ID where it is not that of istiod, "" where it is: which nodes istiod asks for it is not known then
	NoNodeClient          string  // why istiod has no client for the pod's cluster (cluster ID not registered); "" if it has

	NodeName string // spec.nodeName in the pod template, "" normally
	// Selector is what the pod template asks of a node, as text, "" for nothing, and Lands the nodes that have it. The automatic
	// mode of Istio does not look at it.
	Selector      string
	SelectorWhere string
	Lands         map[string]bool
	Kubelets      []Kubelet
	NodesKnown    bool // the list of nodes is complete
	// Memory is shared by inputs that have their Kubelets in common; nil for a list that is asked about once.
	Memory *Memory

	APIServer      version.Version
	APIServerWhere string
	Gate           Setting // SidecarContainers as seen on the API server: "true", "false"
	GateKept       bool    // Gate is inferred: a stored pod kept the field that the gate guards
	KubeletGate    string  // SidecarContainers of kubelets that have none of their own: "true", "false", "" for no setting

	// RenderFails is where istiod said that it cannot render its sidecar template; "" where it did not.
	RenderFails string
	// Ran is a pod of the same template that was placed natively and came to its end; zero for none.
	Ran Ran

	NotInjected string // why no proxy is injected at all; "" if it is

	// InManifest is the placement (native or ordinary) of a proxy that the owner's pod template holds itself, as
	// kube-inject writes it: what istiod decides no longer matters for pods made from it. "" for a template without one.
	InManifest      string
	InManifestWhere string
}

// Ran is a pod that shows what a cluster does with a native sidecar.
type Ran struct {
	Pod, Where string
	// Emitted says that it shows also what the injector writes today: it is not known to have changed since.
	Emitted bool
}

// annotation gives the annotation that the injector reads, which for kube-inject and a CronJob is not the pod template's.
func (in Inputs) annotation() Setting {
	if in.readsJobTemplate() {
		return in.JobTemplateAnnotation
	}
	return in.Annotation
}

func (in Inputs) readsJobTemplate() bool { return in.KubeInject && in.OwnerKind == "CronJob" }
