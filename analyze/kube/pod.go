package kube

import "encoding/json"

// Pod is a v1 Pod.
type Pod struct {
	Object `json:",inline"`
	Spec   PodSpec   `json:"spec"`
	Status PodStatus `json:"status"`
}

// PodSpec is spec of a pod or of a pod template.
type PodSpec struct {
	InitContainers                []Container `json:"initContainers,omitempty"`
	Containers                    []Container `json:"containers,omitempty"`
	RestartPolicy                 string      `json:"restartPolicy,omitempty"`
	NodeName                      string      `json:"nodeName,omitempty"`
	NodeSelector                  Pairs       `json:"nodeSelector,omitempty"`
	Affinity                      *Affinity   `json:"affinity,omitempty"`
	HostNetwork                   bool        `json:"hostNetwork,omitempty"`
	ShareProcessNamespace         *bool       `json:"shareProcessNamespace,omitempty"`
	TerminationGracePeriodSeconds *int64      `json:"terminationGracePeriodSeconds,omitempty"`
	ActiveDeadlineSeconds         *int64      `json:"activeDeadlineSeconds,omitempty"`
	SchedulingGates               []Named     `json:"schedulingGates,omitempty"`
	ServiceAccountName            string      `json:"serviceAccountName,omitempty"`
	Overhead                      Quantities  `json:"overhead,omitempty"`
	Resources                     Resources   `json:"resources,omitzero"`
	// SecurityContext holds for the containers that set none of their own.
	SecurityContext SecurityContext `json:"securityContext,omitzero"`
}

// SecurityContext is kept for the user: a mesh does not redirect the traffic of its proxy's.
type SecurityContext struct {
	RunAsUser *int64 `json:"runAsUser,omitempty"`
}

// Affinity is kept for what it requires of a node.
type Affinity struct {
	NodeAffinity struct {
		Required struct {
			NodeSelectorTerms []NodeTerm `json:"nodeSelectorTerms,omitempty"`
		} `json:"requiredDuringSchedulingIgnoredDuringExecution,omitzero"`
	} `json:"nodeAffinity,omitzero"`
}

// NodeTerm is what a node has to fulfil whole; of several terms one is enough.
type NodeTerm struct {
	MatchExpressions []NodeRequirement `json:"matchExpressions,omitempty"`
	MatchFields      []NodeRequirement `json:"matchFields,omitempty"`
}

// NodeRequirement asks for a label of a node, or for its field metadata.name.
type NodeRequirement struct {
	Key      string   `json:"key,omitempty"`
	Operator string   `json:"operator,omitempty"`
	Values   []Scalar `json:"values,omitempty"`
}

// Named is any list item of which only the name is used.
type Named struct {
	Name string `json:"name,omitempty"`
}

// Quantities are resource amounts by resource name, as text (100m, 1Gi).
type Quantities map[string]Scalar

// Scalar is a string that hand-written manifests and JSON may give as a number or boolean.
type Scalar string

// UnmarshalJSON accepts any JSON scalar.
func (s *Scalar) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err == nil {
		*s = Scalar(text)
		return nil
	}
	*s = Scalar(b)
	return nil
}

// Container is an entry of spec.containers or spec.initContainers.
type Container struct {
	Name    string   `json:"name,omitempty"`
	Image   string   `json:"image,omitempty"`
	Command []string `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
	Env     []EnvVar `json:"env,omitempty"`
	// EnvFrom are objects all of whose keys become variables.
	EnvFrom       []EnvFrom `json:"envFrom,omitempty"`
	RestartPolicy string    `json:"restartPolicy,omitempty"`
	// RestartPolicyRules come before restartPolicy where an exit code matches.
	RestartPolicyRules []RestartRule   `json:"restartPolicyRules,omitempty"`
	Ports              []Port          `json:"ports,omitempty"`
	StartupProbe       *Probe          `json:"startupProbe,omitempty"`
	ReadinessProbe     *Probe          `json:"readinessProbe,omitempty"`
	LivenessProbe      *Probe          `json:"livenessProbe,omitempty"`
	Lifecycle          *Lifecycle      `json:"lifecycle,omitempty"`
	Resources          Resources       `json:"resources,omitzero"`
	SecurityContext    SecurityContext `json:"securityContext,omitzero"`
}

// RestartRule is one of restartPolicyRules.
type RestartRule struct {
	Action    string `json:"action,omitempty"`
	ExitCodes struct {
		Operator string  `json:"operator,omitempty"`
		Values   []int64 `json:"values,omitempty"`
	} `json:"exitCodes,omitzero"`
}

// EnvVar is one of env.
type EnvVar struct {
	Name  string `json:"name,omitempty"`
	Value Scalar `json:"value,omitempty"`
	// ValueFrom is the kind of source: fieldRef, secretKeyRef. What it refers to is not kept.
	ValueFrom EnvSource `json:"valueFrom,omitempty"`
}

// EnvFrom is one of envFrom.
type EnvFrom struct {
	Prefix       string `json:"prefix,omitempty"`
	ConfigMapRef *Named `json:"configMapRef,omitempty"`
	SecretRef    *Named `json:"secretRef,omitempty"`
}

// EnvSource is the kind of source of a variable's value: the first key of valueFrom, which has but one.
type EnvSource string

// UnmarshalJSON keeps the first key of an object.
func (e *EnvSource) UnmarshalJSON(b []byte) error {
	c := cursor{b: b}
	c.space()
	if c.peek() == '{' {
		c.i++
		c.space()
	}
	if c.peek() == '"' {
		*e = EnvSource(unquote(c.skip()))
	}
	return nil
}

// Port is one of ports.
type Port struct {
	ContainerPort int64  `json:"containerPort,omitempty"`
	HostPort      int64  `json:"hostPort,omitempty"`
	HostIP        string `json:"hostIP,omitempty"`
	Protocol      string `json:"protocol,omitempty"`
}

// Probe is kept for its timing; what it calls is not used.
type Probe struct {
	InitialDelaySeconds int64 `json:"initialDelaySeconds,omitempty"`
	PeriodSeconds       int64 `json:"periodSeconds,omitempty"`
	FailureThreshold    int64 `json:"failureThreshold,omitempty"`
}

// Lifecycle is kept for the presence of hooks and the command of exec hooks.
type Lifecycle struct {
	PostStart *Hook `json:"postStart,omitempty"`
	PreStop   *Hook `json:"preStop,omitempty"`
}

// Hook is a lifecycle hook.
type Hook struct {
	Exec *struct {
		Command []string `json:"command,omitempty"`
	} `json:"exec,omitempty"`
}

// Resources are the requests and limits of a container, or of a pod.
type Resources struct {
	Requests Quantities `json:"requests,omitempty"`
	Limits   Quantities `json:"limits,omitempty"`
}

// PodStatus is status of a pod.
type PodStatus struct {
	Phase                      string            `json:"phase,omitempty"`
	Reason                     string            `json:"reason,omitempty"`
	Message                    string            `json:"message,omitempty"`
	StartTime                  Time              `json:"startTime,omitzero"`
	Conditions                 []Condition       `json:"conditions,omitempty"`
	InitContainerStatuses      []ContainerStatus `json:"initContainerStatuses,omitempty"`
	ContainerStatuses          []ContainerStatus `json:"containerStatuses,omitempty"`
	EphemeralContainerStatuses []ContainerStatus `json:"ephemeralContainerStatuses,omitempty"`
}

// Condition is a status condition of any kind.
type Condition struct {
	Type               string `json:"type,omitempty"`
	Status             string `json:"status,omitempty"`
	Reason             string `json:"reason,omitempty"`
	Message            string `json:"message,omitempty"`
	LastTransitionTime Time   `json:"lastTransitionTime,omitzero"`
	LastHeartbeatTime  Time   `json:"lastHeartbeatTime,omitzero"`
	// LastUpdateTime is on conditions of Deployments only: when the last rollout went on.
	LastUpdateTime Time `json:"lastUpdateTime,omitzero"`
}

// FindCondition gives the condition of a type, or nil.
func FindCondition(list []Condition, typ string) *Condition {
	for i := range list {
		if list[i].Type == typ {
			return &list[i]
		}
	}
	return nil
}

// ContainerStatus is the status of one container.
type ContainerStatus struct {
	Name         string         `json:"name,omitempty"`
	Image        string         `json:"image,omitempty"`
	Ready        bool           `json:"ready,omitempty"`
	Started      *bool          `json:"started,omitempty"`
	RestartCount int64          `json:"restartCount,omitempty"`
	State        ContainerState `json:"state,omitzero"`
	LastState    ContainerState `json:"lastState,omitzero"`
}

// ContainerState has at most one part set; none at all means waiting without a reason.
type ContainerState struct {
	Waiting    *Waiting    `json:"waiting,omitempty"`
	Running    *Running    `json:"running,omitempty"`
	Terminated *Terminated `json:"terminated,omitempty"`
	// Uncoded is state.terminated without an exit code that can be read: it was masked or cut out. The container has ended,
	// and how is not known. Its ExitCode means nothing.
	Uncoded *Terminated `json:"-"`
}

// Waiting is state.waiting.
type Waiting struct {
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// Running is state.running.
type Running struct {
	StartedAt Time `json:"startedAt,omitzero"`
}

// Terminated is state.terminated.
type Terminated struct {
	ExitCode   int64  `json:"exitCode"`
	Signal     int64  `json:"signal,omitempty"`
	Reason     string `json:"reason,omitempty"`
	Message    string `json:"message,omitempty"`
	StartedAt  Time   `json:"startedAt,omitzero"`
	FinishedAt Time   `json:"finishedAt,omitzero"`
}
