package kube

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// Object is what every kind has. Kinds without a struct of their own are kept as bare Objects when they own a pod.
type Object struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Meta       Meta   `json:"metadata"`
	Origin     Origin `json:"-"`
	// Later is where fields were read that a later copy of the object gave, nil for none.
	Later *Later `json:"-"`
	// name is what evidence calls the object, once it was asked for.
	name string
}

// Base gives access to the embedded Object of any kind.
func (o *Object) Base() *Object { return o }

// Ref names the object.
func (o *Object) Ref() evidence.Ref {
	return evidence.Ref{Kind: o.Kind, Namespace: o.Meta.Namespace, Name: o.Meta.Name}
}

// Ev is the evidence that field path of the object holds value.
func (o *Object) Ev(path, value string) evidence.Evidence {
	if o.name == "" {
		o.name = o.Ref().String()
	}
	from := o.from(path)
	return evidence.Evidence{Object: o.name, Field: path, Value: value, File: from.File, Line: from.LineOf(path), Strength: from.Strength}
}

// EvAbsent is the evidence that field path of the object is not set. The line is that of the nearest parent that is.
func (o *Object) EvAbsent(path string) evidence.Evidence {
	e := o.Ev(path, "")
	e.Absent = true
	return e
}

// Described says that the object was read from describe text, which lacks fields such as restartPolicy.
func (o *Object) Described() bool { return o.Origin.Strength == evidence.Described }

// StatusFrom gives where the status was read.
func (o *Object) StatusFrom() *Origin { return o.from("status") }

// StatusDescribed says that the status was read from describe text, whatever the rest was read from.
func (o *Object) StatusDescribed() bool { return o.StatusFrom().Strength == evidence.Described }

// from gives where a field was read.
func (o *Object) from(path string) *Origin {
	if o.Later != nil {
		for _, field := range o.Later.Fields {
			if strings.HasPrefix(path, field) {
				return &o.Later.Origin
			}
		}
	}
	return &o.Origin
}

// Manifest says that the object is what somebody wrote, and not what an API server had stored.
func (o *Object) Manifest() bool { return o.Origin.Strength == evidence.Manifest }

// Meta is the part of metadata.* that is used.
type Meta struct {
	Name                       string   `json:"name,omitempty"`
	GenerateName               string   `json:"generateName,omitempty"`
	Namespace                  string   `json:"namespace,omitempty"`
	UID                        string   `json:"uid,omitempty"`
	ResourceVersion            string   `json:"resourceVersion,omitempty"`
	Created                    Time     `json:"creationTimestamp,omitzero"`
	Deleted                    Time     `json:"deletionTimestamp,omitzero"`
	DeletionGracePeriodSeconds *int64   `json:"deletionGracePeriodSeconds,omitempty"`
	Labels                     Pairs    `json:"labels,omitempty"`
	Annotations                Pairs    `json:"annotations,omitempty"`
	Owners                     []Owner  `json:"ownerReferences,omitempty"`
	Finalizers                 []string `json:"finalizers,omitempty"`
}

// Controller gives the owner reference that is the managing controller; ok is false when there is none.
func (m Meta) Controller() (Owner, bool) {
	for _, o := range m.Owners {
		if o.Controller != nil && *o.Controller {
			return o, true
		}
	}
	if len(m.Owners) == 1 {
		return m.Owners[0], true
	}
	return Owner{}, false
}

// Owner is one of metadata.ownerReferences.
type Owner struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Name       string `json:"name,omitempty"`
	UID        string `json:"uid,omitempty"`
	Controller *bool  `json:"controller,omitempty"`
}

// Group gives the API group of the owner, empty for the core group.
func (o Owner) Group() string {
	if i := strings.IndexByte(o.APIVersion, '/'); i >= 0 {
		return o.APIVersion[:i]
	}
	return ""
}

// Time is a timestamp as a bundle holds it. Text that is no time (a redacted one, say) is kept as Raw and costs
// nothing else: the zero time.Time stands for "unknown".
type Time struct {
	time.Time
	Raw string
}

// UnmarshalJSON accepts RFC 3339 with any precision, null, and any other text.
func (t *Time) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		*t = Time{Raw: string(b)}
		return nil
	}
	*t = ParseTime(s)
	return nil
}

// MarshalJSON writes RFC 3339 in UTC, or the raw text.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.Time.IsZero() {
		return json.Marshal(t.Raw)
	}
	return json.Marshal(t.String())
}

// String gives RFC 3339 in UTC, or the raw text when it is no time.
func (t Time) String() string {
	if t.Time.IsZero() {
		return t.Raw
	}
	return t.UTC().Format(time.RFC3339)
}

// ParseTime reads RFC 3339, the form of kubectl -o yaml, or RFC 1123 with a numeric zone, the form of kubectl describe. Go's
// zero time and the Unix epoch, which kubelets report where the runtime knew no time, are none.
func ParseTime(s string) Time {
	for _, layout := range []string{time.RFC3339Nano, time.RFC1123Z, "2006-01-02 15:04:05 -0700 MST", "2006-01-02T15:04:05"} {
		if v, err := time.Parse(layout, s); err == nil && v.Unix() > 0 {
			return Time{Time: v, Raw: s}
		}
	}
	return Time{Raw: s}
}
