package knowledge

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Issue is a published bug or trap. It applies only where the version of Component lies in Affects AND every predicate
// is seen in the bundle.
type Issue struct {
	ID         string
	Ref        string // where it was published
	Component  string // kube-apiserver | kubelet | kube-controller-manager | kube-scheduler | istiod | webhook | linkerd | virtual-kubelet | istioctl
	Title      string
	Affects    version.Constraint // of Component; "*" where no version matters or can be told
	FixedIn    []string
	Predicates []string // names of Predicates, all of which must be seen
	Symptom    string
	Workaround string
	// Deletes says that the workaround deletes the pod.
	Deletes bool
	Caveat  string // what keeps this from being certain
	Sources []string
}

func issueOf(e issueEntry, affects version.Constraint, sources []string) Issue {
	return Issue{
		ID: e.ID, Ref: e.Ref, Component: e.Component, Title: e.Title, Affects: affects, FixedIn: e.FixedIn,
		Predicates: e.Predicates, Symptom: e.Symptom, Workaround: e.Workaround, Deletes: e.Deletes, Caveat: e.Caveat,
		Sources: sources,
	}
}

// VendorCaveat is what to add when the component's version carries a vendor's tag: ranges are upstream's.
func (i Issue) VendorCaveat(v version.Version) string {
	if v.Vendor == "" || i.Affects.String() == "*" {
		return ""
	}
	return "the range is upstream's; the vendor build " + v.Raw + " may carry the fix"
}

// Issues lists the published bugs in the order of the table. The list is the table's own: do not write to it.
func (b *Base) Issues() []Issue { return slices.Clip(b.issues) }

// Issue finds an issue by id.
func (b *Base) Issue(id string) (Issue, bool) {
	for _, i := range b.issues {
		if i.ID == id {
			return i, true
		}
	}
	return Issue{}, false
}
