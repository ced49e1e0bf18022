// Package evidence is the vocabulary of proof: what was read, from which field of which object, in which file and
// line, and how far it may be trusted. It knows nothing of Kubernetes kinds, versions or verdicts; it only lets every
// other package say where a statement comes from.
package evidence

import (
	"cmp"
	"strconv"
	"strings"
)

// Strength tells how far a witness may be trusted. The zero value is the strongest.
type Strength string

// The witnesses a bundle can hold, strongest first.
const (
	// Stored is the object as the API server stored it (kubectl get -o yaml or json).
	Stored Strength = ""
	// Described is text of kubectl describe: written for people, without restartPolicy, and forgeable by a workload's
	// termination message. A second witness, never the first.
	Described Strength = "described"
	// Table is a row of a kubectl get table: it may support a statement and never proves one.
	Table Strength = "table"
	// Manifest is an object as somebody wrote it, which no API server has returned: it shows what is wanted, never what is.
	Manifest Strength = "manifest"
	// Text is any other text: a terminal's output, an error message pasted into a file.
	Text Strength = "text"
	// Derived is computed from other evidence.
	Derived Strength = "derived"
)

// Ref names a Kubernetes object. Namespace is empty for cluster-scoped kinds.
type Ref struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// String gives Kind/namespace/name, or Kind/name for a cluster-scoped object.
func (r Ref) String() string {
	if r.Kind == "" && r.Name == "" {
		return ""
	}
	parts := []string{r.Kind}
	if r.Namespace != "" {
		parts = append(parts, r.Namespace)
	}
	return strings.Join(append(parts, r.Name), "/")
}

// Less orders references by kind, namespace and name.
func (r Ref) Less(o Ref) bool { return r.Compare(o) < 0 }

// Compare is Less for sorting: negative, zero or positive.
func (r Ref) Compare(o Ref) int {
	return cmp.Or(strings.Compare(r.Kind, o.Kind), strings.Compare(r.Namespace, o.Namespace), strings.Compare(r.Name, o.Name))
}

// Evidence is one observation: a value, or the absence of one, at a field path of an object in a file.
type Evidence struct {
	// Object is Kind/namespace/name; empty when the observation is about no object (a text line).
	Object string `json:"object,omitempty"`
	// Field is the path below the object, list items by name: status.containerStatuses[name=app].ready.
	Field string `json:"field,omitempty"`
	// Value is what stands there, as text; empty with Absent set when nothing does.
	Value string `json:"value,omitempty"`
	// Absent says that the field is not set, which is an observation too.
	Absent bool `json:"absent,omitempty"`
	// File is the path within the bundle.
	File string `json:"file,omitempty"`
	// Line counts from 1; 0 when the file has no lines to point to.
	Line int `json:"line,omitempty"`
	// Strength is empty for stored objects.
	Strength Strength `json:"strength,omitempty"`
}

// Where gives file:line, or the file alone.
func (e Evidence) Where() string {
	if e.File == "" {
		return ""
	}
	if e.Line == 0 {
		return e.File
	}
	return e.File + ":" + strconv.Itoa(e.Line)
}

// Gap is something that could not be judged, and what would decide it.
type Gap struct {
	// What is missing, as a noun phrase: "the istiod Deployment of revision 1-27".
	What string `json:"what"`
	// Command would supply it; empty when no single command does.
	Command string `json:"command,omitempty"`
}

// String gives the gap as one sentence part.
func (g Gap) String() string {
	if g.Command == "" {
		return g.What
	}
	return g.What + " (" + g.Command + ")"
}

// Fact is a value that may be unknown, with the place it was read. The zero Fact is unknown.
type Fact[T any] struct {
	V     T
	Known bool
	// Why says why it is unknown, or how it was derived.
	Why string
	// From is where it was read, the decisive evidence first.
	From []Evidence
}

// Know makes a known fact.
func Know[T any](v T, from ...Evidence) Fact[T] { return Fact[T]{V: v, Known: true, From: from} }

// Unknown makes an unknown fact with a reason.
func Unknown[T any](why string) Fact[T] { return Fact[T]{Why: why} }
