package kube

// Node is a v1 Node.
type Node struct {
	Object `json:",inline"`
	Spec   struct {
		Taints []struct {
			Key    string `json:"key,omitempty"`
			Effect string `json:"effect,omitempty"`
		} `json:"taints,omitempty"`
		Unschedulable bool   `json:"unschedulable,omitempty"`
		ProviderID    string `json:"providerID,omitempty"`
	} `json:"spec"`
	Status struct {
		Conditions []Condition `json:"conditions,omitempty"`
		NodeInfo   struct {
			KubeletVersion          string `json:"kubeletVersion,omitempty"`
			ContainerRuntimeVersion string `json:"containerRuntimeVersion,omitempty"`
			OperatingSystem         string `json:"operatingSystem,omitempty"`
			OSImage                 string `json:"osImage,omitempty"`
		} `json:"nodeInfo,omitzero"`
	} `json:"status"`
}

// Lease is a coordination.k8s.io/v1 Lease; node leases tell when a kubelet last reported.
type Lease struct {
	Object `json:",inline"`
	Spec   struct {
		HolderIdentity string `json:"holderIdentity,omitempty"`
		RenewTime      Time   `json:"renewTime,omitzero"`
	} `json:"spec"`
}

// Event is a v1 or events.k8s.io/v1 Event; Regarding and Involved are the same thing under two names.
type Event struct {
	Object         `json:",inline"`
	Involved       ObjectRef `json:"involvedObject,omitzero"`
	Regarding      ObjectRef `json:"regarding,omitzero"`
	Reason         string    `json:"reason,omitempty"`
	Message        string    `json:"message,omitempty"`
	Note           string    `json:"note,omitempty"`
	Type           string    `json:"type,omitempty"`
	Count          int64     `json:"count,omitempty"`
	FirstTimestamp Time      `json:"firstTimestamp,omitzero"`
	LastTimestamp  Time      `json:"lastTimestamp,omitzero"`
	EventTime      Time      `json:"eventTime,omitzero"`
	Source         struct {
		Component string `json:"component,omitempty"`
		Host      string `json:"host,omitempty"`
	} `json:"source,omitzero"`
	ReportingComponent string `json:"reportingComponent,omitempty"`
	Series             *struct {
		Count            int64 `json:"count,omitempty"`
		LastObservedTime Time  `json:"lastObservedTime,omitzero"`
	} `json:"series,omitempty"`
	// Age is the LAST SEEN column of a table or describe section ("5m", "5m (x11 over 59m)"); empty for stored events.
	Age string `json:"-"`
}

// ObjectRef is the object that an event is about.
type ObjectRef struct {
	Kind      string `json:"kind,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	UID       string `json:"uid,omitempty"`
	FieldPath string `json:"fieldPath,omitempty"`
}

// About gives the object that the event is about, whichever name the API version uses.
func (e *Event) About() ObjectRef {
	if e.Involved.Name != "" {
		return e.Involved
	}
	return e.Regarding
}

// Text gives the message, whichever name the API version uses.
func (e *Event) Text() string {
	if e.Message != "" {
		return e.Message
	}
	return e.Note
}

// Last gives the newest time of the event; zero when it has none (a table row).
func (e *Event) Last() Time {
	best := e.LastTimestamp
	candidates := []Time{e.EventTime, e.FirstTimestamp}
	if e.Series != nil {
		candidates = append(candidates, e.Series.LastObservedTime)
	}
	for _, t := range candidates {
		if t.After(best.Time) {
			best = t
		}
	}
	return best
}

// Times gives how often the event happened, at least 1.
func (e *Event) Times() int64 {
	n := max(e.Count, 1)
	if e.Series != nil {
		n = max(n, e.Series.Count)
	}
	return n
}

// Namespace is a v1 Namespace.
type Namespace struct {
	Object `json:",inline"`
}

// Controller is a Deployment, ReplicaSet, DaemonSet or StatefulSet: whatever holds a pod template and is no Job.
type Controller struct {
	Object `json:",inline"`
	Spec   struct {
		Replicas *int64      `json:"replicas,omitempty"`
		Template PodTemplate `json:"template,omitzero"`
	} `json:"spec"`
	Status struct {
		Replicas   int64       `json:"replicas,omitempty"`
		Conditions []Condition `json:"conditions,omitempty"`
	} `json:"status"`
}

// ConfigMap is a v1 ConfigMap.
type ConfigMap struct {
	Object `json:",inline"`
	Data   map[string]string `json:"data,omitempty"`
}

// WebhookConfiguration is a MutatingWebhookConfiguration.
type WebhookConfiguration struct {
	Object   `json:",inline"`
	Webhooks []Webhook `json:"webhooks,omitempty"`
}

// Webhook is one webhook of a configuration.
type Webhook struct {
	Name         string `json:"name,omitempty"`
	ClientConfig struct {
		URL     string `json:"url,omitempty"`
		Service *struct {
			Name      string `json:"name,omitempty"`
			Namespace string `json:"namespace,omitempty"`
			Path      string `json:"path,omitempty"`
		} `json:"service,omitempty"`
	} `json:"clientConfig,omitzero"`
	FailurePolicy      string `json:"failurePolicy,omitempty"`
	ReinvocationPolicy string `json:"reinvocationPolicy,omitempty"`
	Rules              []struct {
		Operations []string `json:"operations,omitempty"`
		Resources  []string `json:"resources,omitempty"`
	} `json:"rules,omitempty"`
	NamespaceSelector Selector `json:"namespaceSelector,omitzero"`
	ObjectSelector    Selector `json:"objectSelector,omitzero"`
}

// Selector is a label selector.
type Selector struct {
	MatchLabels      map[string]string `json:"matchLabels,omitempty"`
	MatchExpressions []struct {
		Key      string   `json:"key,omitempty"`
		Operator string   `json:"operator,omitempty"`
		Values   []string `json:"values,omitempty"`
	} `json:"matchExpressions,omitempty"`
}
