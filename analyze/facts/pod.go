package facts

import (
	"encoding/json"
	"fmt"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// Role is what a container does in its pod.
type Role string

// The roles. Other is an ordinary container of which it is proven neither that it is the application nor a helper.
const (
	App     Role = "app"
	Sidecar Role = "sidecar"
	Init    Role = "init"
	Other   Role = "other"
)

// Placement is where a container stands, which decides whether it holds the pod.
type Placement string

// The placements: a regular container, an init container with restartPolicy Always, a one-shot init container.
const (
	Ordinary      Placement = "ordinary"
	Native        Placement = "native"
	InitContainer Placement = "init"
)

// Pod is a pod with the roles of its containers.
type Pod struct {
	*kube.Pod
	Node *Node
	// Containers in the order of spec: init containers first, then regular ones.
	Containers []*Container
	Events     []*kube.Event
	// Rows are the rows about it in tables of kubectl get pods.
	Rows []kube.Row
	// Injection is what sidecar.istio.io/status says, nil without it.
	Injection *Injection
	made      *madeFrom
}

// Container is one container with role and placement.
type Container struct {
	Pod       *Pod
	Spec      *kube.Container       // nil when only a status is there
	Status    *kube.ContainerStatus // nil when the pod has no status of it
	Name      string
	Role      Role
	Placement Placement
	// RoleBecause says how the role was found.
	RoleBecause sentence.Text
	// RoleProven is false for an application that was only guessed: the first of several that nothing tells apart.
	RoleProven bool
	// Helper is what the catalogue says, nil for an unknown container.
	Helper *Helper
	// Injected says that it is in the pod and not in the owner's template, or that the injector's record lists it.
	Injected bool
	// PlacementDoubt is set where the bundle cannot show the placement (describe prints no restartPolicy).
	PlacementDoubt string
	sign           placeSign
}

// placeSign is what a native sidecar was recognised by.
type placeSign byte

const (
	signPolicy placeSign = iota // restartPolicy Always, which makes it one
	signReady                   // ready while it runs
	signStartup
	signReadiness
	signLiveness
)

// SaysAlways says that an init container's restartPolicy Always was read, and not concluded from another sign.
func (c *Container) SaysAlways() bool {
	return c.Placement == Native && c.Spec != nil && c.Spec.RestartPolicy == "Always"
}

// Path gives the path of a field of the container's spec.
func (c *Container) Path(field string) string {
	list := "containers"
	if c.Placement != Ordinary {
		list = "initContainers"
	}
	return "spec." + list + "[name=" + c.Name + "]" + dotted(field)
}

// StatusPath gives the path of a field of the container's status.
func (c *Container) StatusPath(field string) string {
	list := "containerStatuses"
	if c.Placement != Ordinary {
		list = "initContainerStatuses"
	}
	return "status." + list + "[name=" + c.Name + "]" + dotted(field)
}

func dotted(field string) string {
	if field == "" {
		return ""
	}
	return "." + field
}

// Running gives the running state, nil when it is not running.
func (c *Container) Running() *kube.Running {
	if c.Status == nil {
		return nil
	}
	return c.Status.State.Running
}

// Terminated gives the terminated state, nil when it has not ended.
func (c *Container) Terminated() *kube.Terminated {
	if c.Status == nil {
		return nil
	}
	return c.Status.State.Terminated
}

// Uncoded gives the terminated state of a container that has ended, when its exit code cannot be read; else nil.
func (c *Container) Uncoded() *kube.Terminated {
	if c.Status == nil {
		return nil
	}
	return c.Status.State.Uncoded
}

// Waiting gives the waiting state. A status without any state is waiting too, as the API defines it.
func (c *Container) Waiting() *kube.Waiting {
	if c.Status == nil {
		return nil
	}
	s := c.Status.State
	if s.Waiting == nil && s.Running == nil && s.Terminated == nil && s.Uncoded == nil {
		return &kube.Waiting{}
	}
	return s.Waiting
}

// EverRan says that the container has run at least once.
func (c *Container) EverRan() bool {
	return c.Status != nil && (c.Running() != nil || c.Terminated() != nil || c.Uncoded() != nil || c.Status.LastState.Terminated != nil ||
		c.Status.RestartCount > 0)
}

// Image gives the image of the spec, or that of the status.
func (c *Container) Image() string {
	if c.Spec != nil && c.Spec.Image != "" {
		return c.Spec.Image
	}
	if c.Status != nil {
		return c.Status.Image
	}
	return ""
}

// EvImage is the evidence of Image.
func (c *Container) EvImage() evidence.Evidence {
	if c.Spec == nil || c.Spec.Image == "" {
		return c.Pod.Ev(c.StatusPath("image"), c.Image())
	}
	return c.Pod.Ev(c.Path("image"), c.Image())
}

// State names the state with its reason: "terminated:Completed", "waiting:ImagePullBackOff", "running", "unknown".
func (c *Container) State() string {
	name, reason := "unknown", ""
	switch {
	case c.Status == nil:
	case c.Running() != nil:
		name = "running"
	case c.Terminated() != nil:
		name, reason = "terminated", c.Terminated().Reason
	case c.Uncoded() != nil:
		name, reason = "terminated", c.Uncoded().Reason
	default:
		name, reason = "waiting", c.Waiting().Reason
	}
	if reason != "" {
		return name + ":" + reason
	}
	return name
}

// EvState is the evidence of the container's present state.
func (c *Container) EvState() evidence.Evidence {
	switch {
	case c.Status == nil:
		return c.Pod.EvAbsent(c.StatusPath(""))
	case c.Running() != nil:
		return c.Pod.Ev(c.StatusPath("state.running.startedAt"), c.Running().StartedAt.String())
	case c.Terminated() != nil:
		return c.Pod.Ev(c.StatusPath("state.terminated.exitCode"), fmt.Sprint(c.Terminated().ExitCode))
	case c.Uncoded() != nil:
		return c.evUncoded()
	case c.Status.State.Waiting == nil:
		return c.Pod.EvAbsent(c.StatusPath("state"))
	default:
		return c.Pod.Ev(c.StatusPath("state.waiting.reason"), c.Waiting().Reason)
	}
}

// evUncoded is what the bundle has of a container's end beside the exit code.
func (c *Container) evUncoded() evidence.Evidence {
	switch t := c.Uncoded(); {
	case t.Reason != "":
		return c.Pod.Ev(c.StatusPath("state.terminated.reason"), t.Reason)
	case t.FinishedAt.Raw != "":
		return c.Pod.Ev(c.StatusPath("state.terminated.finishedAt"), t.FinishedAt.String())
	}
	return c.Pod.Ev(c.StatusPath("state"), "terminated")
}

// EvPlacement is the evidence of the container's placement. Of a native sidecar it is the sign that it was recognised by:
// describe text prints no restartPolicy, and a pod may be in the bundle without its spec.
func (c *Container) EvPlacement() evidence.Evidence {
	switch {
	case c.Placement == Native:
		return c.evSign()
	case c.Spec == nil:
		return c.Pod.Ev(c.StatusPath("name"), c.Name)
	case c.Placement == Ordinary, c.Pod.Described():
		return c.Pod.Ev(c.Path("name"), c.Name)
	}
	return c.Pod.EvAbsent(c.Path("restartPolicy"))
}

func (c *Container) evSign() evidence.Evidence {
	switch c.sign {
	case signReady:
		return c.Pod.Ev(c.StatusPath("ready"), "true")
	case signStartup:
		return c.Pod.Ev(c.Path("startupProbe"), "set")
	case signReadiness:
		return c.Pod.Ev(c.Path("readinessProbe"), "set")
	case signLiveness:
		return c.Pod.Ev(c.Path("livenessProbe"), "set")
	}
	return c.Pod.Ev(c.Path("restartPolicy"), "Always")
}

// Of gives the containers that satisfy all tests, in order.
func (p *Pod) Of(tests ...func(*Container) bool) []*Container {
	var out []*Container
next:
	for _, c := range p.Containers {
		for _, t := range tests {
			if !t(c) {
				continue next
			}
		}
		out = append(out, c)
	}
	return out
}

// IsRole tests for one of roles.
func IsRole(roles ...Role) func(*Container) bool {
	return func(c *Container) bool {
		for _, r := range roles {
			if c.Role == r {
				return true
			}
		}
		return false
	}
}

// IsPlaced tests for a placement.
func IsPlaced(p Placement) func(*Container) bool {
	return func(c *Container) bool { return c.Placement == p }
}

// Container gives the container of a name, or nil.
func (p *Pod) Container(name string) *Container {
	for _, c := range p.Containers {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Condition gives a condition of the pod, or nil.
func (p *Pod) Condition(typ string) *kube.Condition {
	return kube.FindCondition(p.Status.Conditions, typ)
}

// Injection is the record that Istio's injector leaves on a pod (annotation sidecar.istio.io/status).
type Injection struct {
	Init       []string `json:"initContainers"`
	Containers []string `json:"containers"`
	Volumes    []string `json:"volumes"`
	Revision   string   `json:"revision"`
	// Readable is false when the annotation is there and is no JSON (cut by describe, redacted).
	Readable bool `json:"-"`
}

// StatusAnnotation is where Istio's injector records what it added.
const StatusAnnotation = "sidecar.istio.io/status"

// readInjection reads the record; pods of one injector have the same, which is read once.
func readInjection(m kube.Meta, known map[string]*Injection) *Injection {
	text, ok := m.Annotations.Lookup(StatusAnnotation)
	if !ok {
		return nil
	}
	in, ok := known[text]
	if !ok {
		in = ReadInjection(text)
		known[text] = in
	}
	return in
}

// ReadInjection reads such a record.
func ReadInjection(text string) *Injection {
	in := &Injection{}
	if err := json.Unmarshal([]byte(text), in); err != nil {
		return &Injection{}
	}
	in.Readable = true
	return in
}
