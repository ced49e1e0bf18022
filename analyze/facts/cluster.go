package facts

import (
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Options is what Build needs beside the objects.
type Options struct {
	// Helper recognises known sidecars among ordinary and native containers; nil recognises none.
	Helper func(name, image string) (Helper, bool)
	// Beside recognises a sidecar by its name and the names of the pod's init containers, where its image does not tell; nil
	// recognises none.
	Beside func(name string, inits []string) (Helper, bool)
	// KnownInit recognises one-shot init containers of known products; nil recognises none.
	KnownInit func(name, image string) (Helper, bool)
	// OldKubelet says that a kubelet of a version does not know native sidecars; nil knows of none.
	OldKubelet func(version.Version) bool
	// CollectedAt is when the collector says the bundle was finished; zero: derived from the objects.
	CollectedAt time.Time
	// At overrides the reference time.
	At time.Time
	// Refused lists what the collector was not allowed to read, by plural kind ("nodes", "pods"): for these an empty
	// answer means nothing.
	Refused map[string]evidence.Evidence
	// Unread are parts of the bundle that could not be read: what is not among the objects may have stood there.
	Unread []evidence.Evidence
	// LeftOut are answers of the cluster that are not whole in the bundle.
	LeftOut []LeftOut
}

// LeftOut is an answer of the cluster of which the collector left something out.
type LeftOut struct {
	// Kind is the plural, Namespace the one that was asked; empty: all, or that of the context.
	Kind, Namespace string
	Why             evidence.Evidence
}

// Helper is what the catalogue says of a container that helps another.
type Helper struct {
	ID, Product, Class string
	// Mesh says that it is the proxy of a service mesh.
	Mesh bool
	// EndsItself says that it is made to end on its own once the application is done (Argo's wait, a metrics
	// collector): while it runs it works, and does not merely hold.
	EndsItself bool
	// OnceFlags and OnceEnv have it do its work once and end.
	OnceFlags, OnceEnv []string
	// ByName and ByImage say what matched; Conflict that the name matches and the image is another product's.
	ByName, ByImage, Conflict bool
	// Beside says that the init container of its injector stands for its image.
	Beside bool
}

// Cluster is everything the bundle says, joined.
type Cluster struct {
	// At is the reference time: --at, the collector's finish, or the newest time found in the objects.
	At evidence.Fact[time.Time]
	// AtFrom says which of these.
	AtFrom string
	// AtFloor says that the bundle was taken at At or later: nothing but times within the objects tells.
	AtFloor bool
	// Server is the API server's version as it reported it.
	Server evidence.Fact[version.Version]
	Nodes  []*Node
	Mesh   Mesh
	// Gates are explicit settings of the feature gate SidecarContainers seen per component.
	Gates      []Gate
	Namespaces map[string]*kube.Namespace
	CronJobs   []*kube.CronJob
	// Workloads are Jobs and run-to-completion pods, ordered by kind, namespace and name.
	Workloads []*Workload
	// Services are the pods that have no completion, Reduced those of them that the reader reduced.
	Services []*Pod
	Reduced  []kube.ServicePod
	Webhooks []*kube.WebhookConfiguration
	// Owners are objects of other kinds (Workflow, SparkApplication, ...).
	Owners []*kube.Object
	Notes  []kube.Note
	Rows   []kube.Row
	// Conflicts are objects that stand in the bundle in contradicting versions.
	Conflicts []Conflict
	// Refused, Unread and LeftOut are as in Options.
	Refused map[string]evidence.Evidence
	Unread  []evidence.Evidence
	LeftOut []LeftOut

	nodeByName map[string]*Node
	events     map[evidence.Ref][]*kube.Event
	replicas   []*kube.Controller
	configs    []*kube.ConfigMap
	once       map[string]any
}

// Conflict is one object read twice with contradicting content.
type Conflict struct {
	Object evidence.Ref
	// What contradicts, as a sentence part: "status.phase Running and Succeeded".
	What string
	// Later says that the copy that was kept is shown to be the later one.
	Later bool
	// From is the evidence of both sides.
	From []evidence.Evidence
	// Other is the copy of a pod that contradicts the kept one; nil for other objects, and where no copy was kept whole.
	Other *kube.Pod
}

// Node is a node with its kubelet.
type Node struct {
	*kube.Node
	Kubelet version.Version
	// OldKubelet says that this kubelet does not know native sidecars.
	OldKubelet bool
	Lease      *kube.Lease
}

// Node gives the node of a name, or nil.
func (c *Cluster) Node(name string) *Node { return c.nodeByName[name] }

// NodeRow is a node of which the bundle has no object, as a table of kubectl get shows it.
type NodeRow struct {
	Name, Status, Version string
	// Evidence is the status.
	Evidence evidence.Evidence
}

// NotReady says that the node was not, whether it reported that itself or had stopped reporting.
func (r NodeRow) NotReady() bool { return strings.HasPrefix(r.Status, "NotReady") }

// NodeRows gives the nodes that only tables show, by name.
func (c *Cluster) NodeRows() map[string]NodeRow {
	return Once(c, "node-rows", func(c *Cluster) map[string]NodeRow {
		rows := map[string]NodeRow{}
		for _, r := range c.Rows {
			name := r.Cells["NAME"]
			if r.Kind != "Node" || name == "" || c.Node(name) != nil {
				continue
			}
			ref := evidence.Ref{Kind: "Node", Name: name}
			rows[name] = NodeRow{Name: name, Status: r.Cells["STATUS"], Version: r.Cells["VERSION"], Evidence: evidence.Evidence{
				Object: ref.String(), Field: "STATUS", Value: r.Cells["STATUS"], File: r.File, Line: r.Line, Strength: evidence.Table}}
		}
		return rows
	})
}

// HasEvents says that the bundle holds an event of a namespace, so that the absence of another one there means something.
func (c *Cluster) HasEvents(namespace string) bool {
	for ref := range c.events {
		if ref.Namespace == namespace || ref.Namespace == "" && namespaced(ref.Kind) {
			return true
		}
	}
	return false
}

// namespaced says that objects of a kind lie in namespaces: an event about one that does not tell its own is of a table
// without the column.
func namespaced(kind string) bool {
	return kind != "Node" && kind != "PersistentVolume" && kind != "Namespace"
}

// EventsOf gives the events about an object, oldest first; events whose namespace is unknown (tables without -A)
// match by kind and name.
func (c *Cluster) EventsOf(r evidence.Ref) []*kube.Event {
	list := c.events[r]
	if r.Namespace == "" {
		return list
	}
	r.Namespace = ""
	extra := c.events[r]
	if len(list) == 0 {
		return extra
	}
	return append(list[:len(list):len(list)], extra...)
}

// Replicas gives the ReplicaSets of the bundle.
func (c *Cluster) Replicas() []*kube.Controller { return c.replicas }

// Configs gives the ConfigMaps of the bundle.
func (c *Cluster) Configs() []*kube.ConfigMap { return c.configs }

// Gate is an explicit setting of the feature gate SidecarContainers.
type Gate struct {
	// Component is kube-apiserver, kube-scheduler, kube-controller-manager or kubelet.
	Component string
	Enabled   bool
	Evidence  evidence.Evidence
}

// Workload is a Job, or a run-to-completion pod that no Job owns.
type Workload struct {
	Ref evidence.Ref
	// Job is nil for a bare pod, and when the bundle lacks the Job that pods name as their owner. It may be a manifest.
	Job     *kube.Job
	CronJob *kube.CronJob
	// ParentKind and ParentName name the object above, known from owner references even when it is not in the bundle.
	ParentKind, ParentName string
	ParentGroup            string
	// ByLabel says that pods were joined by labels alone, for want of owner references.
	ByLabel bool
	Pods    []*Pod
	// Rows are kubectl get rows about the workload or a pod of it, in the bundle's order.
	Rows []kube.Row
	// Events are those about the Job itself.
	Events []*kube.Event
	// Refusals are messages, found as text, with which the API server refused this object.
	Refusals []kube.Note
}

// IsJob says that the workload is a Job.
func (w *Workload) IsJob() bool { return w.Ref.Kind == "Job" }

// Live gives the Job as the cluster had it, nil when the bundle lacks it: a manifest has no state.
func (w *Workload) Live() *kube.Job {
	if w.Job == nil || w.Job.Manifest() {
		return nil
	}
	return w.Job
}

// Template gives the pod template of the owner, nil when it is not in the bundle.
func (w *Workload) Template() *kube.PodTemplate {
	if w.Job == nil {
		return nil
	}
	return &w.Job.Spec.Template
}
