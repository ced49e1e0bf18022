package knowledge

import (
	"path"
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Fingerprint is a mark that the template of some releases leaves in the pod. It dates the template, not the image.
type Fingerprint struct {
	ID      string   `json:"id"`
	Since   string   `json:"since"` // the template is at least of this release, "" no lower bound
	Until   string   `json:"until"` // and older than this one, "" no upper bound
	Summary string   `json:"summary"`
	Sources []string `json:"sources"` // source ids in the table, printable references in a result
}

// Fingerprints lists the marks that rules can look for.
func (b *Base) Fingerprints() []Fingerprint {
	var list []Fingerprint
	for _, f := range b.t.istio.Fingerprints {
		f.Sources = b.refs(f.Sources)
		list = append(list, f)
	}
	return list
}

// Range is what fingerprints tell: at least Since and older than Until, each "" if not told.
type Range struct{ Since, Until string }

// NarrowIstio gives the releases whose template leaves all the marks seen. False: no mark tells anything, or they
// contradict each other, which means a rewritten template.
func (b *Base) NarrowIstio(seen []string) (Range, bool) {
	var r Range
	for _, f := range b.t.istio.Fingerprints {
		if !slices.Contains(seen, f.ID) {
			continue
		}
		if f.Since != "" && (r.Since == "" || version.Parse(f.Since).AtLeast(version.Parse(r.Since)) == version.Yes) {
			r.Since = f.Since
		}
		if f.Until != "" && (r.Until == "" || version.Parse(r.Until).AtLeast(version.Parse(f.Until)) == version.Yes) {
			r.Until = f.Until
		}
	}
	if r == (Range{}) {
		return r, false
	}
	if r.Since != "" && r.Until != "" && version.Parse(r.Since).AtLeast(version.Parse(r.Until)) == version.Yes {
		return Range{}, false
	}
	return r, true
}

// ControlPlane is a distribution of Istio whose defaults or visibility differ from upstream.
type ControlPlane struct {
	ID             string   `json:"id"`
	Product        string   `json:"product"`
	Namespaces     []string `json:"namespaces"`
	Revisions      []string `json:"revisions"` // with * for a part of the name
	ImageTags      []string `json:"imageTags"`
	SettingVisible bool     `json:"settingVisible"` // the variable can be seen on an istiod in the cluster
	ProviderRun    bool     `json:"providerRun"`    // the variable is the provider's to set: a change of the customer's is undone
	Note           string   `json:"note"`
	Sources        []string `json:"sources"` // source ids in the table, printable references in a result
}

// ControlPlane recognises a distribution by the namespace of its istiod, a revision name or an image of its. Any of them
// may be empty. A name alone is a hint: revisions are free text.
func (b *Base) ControlPlane(namespace, revision, image string) (ControlPlane, bool) {
	_, tag := version.SplitImage(image)
	has := func(patterns []string, s string) bool {
		return s != "" && slices.ContainsFunc(patterns, func(p string) bool { ok, err := path.Match(p, s); return err == nil && ok })
	}
	for _, c := range b.t.istio.ControlPlanes {
		if has(c.Namespaces, namespace) || has(c.Revisions, revision) || has(c.ImageTags, tag) {
			c.Sources = b.refs(c.Sources)
			return c, true
		}
	}
	return ControlPlane{}, false
}
