package knowledge

import "github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"

// Values of Decision.Emitted and Decision.Placement.
const (
	Native   = "native"   // in initContainers with restartPolicy Always
	Ordinary = "ordinary" // in containers: holds a Job open
	Broken   = "broken"   // Placement only: native was emitted and no pod, or no working pod, comes of it
	Refused  = "refused"  // Emitted only: the injector fails and the webhook refuses the pod
	Unknown  = "unknown"
	None     = "none" // no proxy is injected
)

// Values of Decision.Broken.
const (
	InjectorFails      = "injector-fails"        // the template cannot be rendered by this istiod: no pod is created
	RefusedByAPIServer = "refused-by-api-server" // the field is dropped and the rest is invalid: FailedCreate, no pod
	StuckInInit        = "stuck-in-init"         // an old kubelet waits for the proxy as for any init container
	RejectedByKubelet  = "rejected-by-kubelet"   // the kubelet's gate is off: the pod fails at admission
)

// Step is one question of the decision with its answer, and where both come from.
type Step struct {
	Question sentence.Text
	Answer   sentence.Text
	Value    string // the datum the answer rests on, exact text
	Where    string // where the datum was read
	Source   string // why this datum has this effect: a printable reference
}

// Decision is where the proxy of the next pod goes and why.
type Decision struct {
	Emitted   string // native | ordinary | refused | none | unknown: what the injector writes
	Placement string // native | ordinary | broken | none | unknown: what becomes of it in this cluster
	Reason    string // one stable id; see Reasons
	Broken    string // why Placement is broken, or ""
	// Blockers are the nodes because of which automatic mode says ordinary.
	Blockers []Kubelet
	// Risky are nodes that cannot run a native sidecar although one is emitted and others can: a pod that lands there
	// is stuck or rejected. With Placement broken it holds all nodes.
	Risky     []Kubelet
	Steps     []Step
	Basis     Basis
	Undecided []sentence.Text // data that would decide it, in the order in which to ask for them; empty if decided
}
