package knowledge

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Overlay makes a new Base in which the tables of a folder replace or add entries by id (timelines by their since). The
// folder may hold any of the files, each with the entries that change only. The second result tells what was replaced
// or added, for the report. The outcome is linted as a whole: a site's data may not be worse than ours.
func (b *Base) Overlay(fsys fs.FS) (*Base, []string, error) {
	over, err := read(fsys, true)
	if err != nil {
		return nil, nil, err
	}
	m := merger{}
	merged := m.tables(b.t, over)
	sum := sha256.Sum256([]byte(b.t.digest + over.digest))
	merged.digest = hex.EncodeToString(sum[:])
	if errs := append(append(lintText(fsys), m.twice...), lintTables(merged, lenientSources)...); len(errs) > 0 {
		return nil, nil, fmt.Errorf("overlay of rule data: %w", errors.Join(errs...))
	}
	next, err := compile(merged)
	if err != nil {
		return nil, nil, err
	}
	return next, m.log, nil
}

// merger notes what an overlay replaces and adds, and which of its entries it has twice: the later would hide the earlier.
type merger struct {
	log   []string
	twice []error
}

func (m *merger) tables(base, over *tables) *tables {
	t := *base
	t.sources.Revision = m.text("revision", base.sources.Revision, over.sources.Revision)
	t.sources.Sources = merge(m, "source", base.sources.Sources, over.sources.Sources, func(s Source) string { return s.ID })
	m.kubernetes(&t.kubernetes, over.kubernetes)
	m.istio(&t.istio, over.istio)
	t.sidecars.Helpers = merge(m, "helper", base.sidecars.Helpers, over.sidecars.Helpers, helperID)
	t.sidecars.Inits = merge(m, "init container", base.sidecars.Inits, over.sidecars.Inits, helperID)
	t.sidecars.Stops = merge(m, "stop call", base.sidecars.Stops, over.sidecars.Stops, func(s StopCall) string { return s.ID })
	t.issues.Issues = merge(m, "issue", base.issues.Issues, over.issues.Issues, func(e issueEntry) string { return e.ID })
	t.issues.NotShown = merge(m, "number not shown", base.issues.NotShown, over.issues.NotShown, func(e notShown) string { return e.ID })
	t.issues.Strippers = merge(m, "webhook", base.issues.Strippers, over.issues.Strippers, func(s Stripper) string { return s.ID })
	t.placement.Places = merge(m, "place", base.placement.Places, over.placement.Places, placeID)
	return &t
}

func (m *merger) kubernetes(t *kubernetesFile, over kubernetesFile) {
	t.CheckedThrough = m.text("Kubernetes checkedThrough", t.CheckedThrough, over.CheckedThrough)
	t.MatrixFrom = m.text("Kubernetes matrixFrom", t.MatrixFrom, over.MatrixFrom)
	if over.KubeletMinorsBehind != 0 {
		t.KubeletMinorsBehind = over.KubeletMinorsBehind
		m.note("replaced Kubernetes kubeletMinorsBehind")
	}
	t.Gate = timeline(merge(m, "gate point", t.Gate, over.Gate, gateSince), gateSince)
	t.Unable = merge(m, "note", t.Unable, over.Unable, noteID)
	t.Features = merge(m, "feature", t.Features, over.Features, featureID)
}

func (m *merger) istio(t *istioFile, over istioFile) {
	t.CheckedThrough = m.text("Istio checkedThrough", t.CheckedThrough, over.CheckedThrough)
	t.Previewed = m.text("Istio previewed", t.Previewed, over.Previewed)
	t.MatrixFrom = m.text("Istio matrixFrom", t.MatrixFrom, over.MatrixFrom)
	t.EnvName = m.text("Istio envName", t.EnvName, over.EnvName)
	t.AnnotationKey = m.text("Istio annotationKey", t.AnnotationKey, over.AnnotationKey)
	t.DefaultTemplate = m.text("Istio defaultTemplate", t.DefaultTemplate, over.DefaultTemplate)
	t.Eras = timeline(merge(m, "era", t.Eras, over.Eras, func(e era) string { return e.ID }), func(e era) string { return e.Since })
	t.Steps = merge(m, "note", t.Steps, over.Steps, noteID)
	t.Templates = merge(m, "injection template", t.Templates, over.Templates, func(i InjectionTemplate) string { return i.Name })
	t.Misspelled = m.words("Istio misspelled", t.Misspelled, over.Misspelled)
	t.MisspelledSources = m.words("Istio misspelledSources", t.MisspelledSources, over.MisspelledSources)
	t.Foreign = merge(m, "foreign annotation", t.Foreign, over.Foreign, func(f foreignKey) string { return f.Key })
	t.Profiles = timeline(merge(m, "profile point", t.Profiles, over.Profiles, profileSince), profileSince)
	t.Supports = timeline(merge(m, "support point", t.Supports, over.Supports, supportSince), supportSince)
	t.Features = merge(m, "feature", t.Features, over.Features, featureID)
	t.Fingerprints = merge(m, "fingerprint", t.Fingerprints, over.Fingerprints, func(f Fingerprint) string { return f.ID })
	t.ControlPlanes = merge(m, "control plane", t.ControlPlanes, over.ControlPlanes, func(c ControlPlane) string { return c.ID })
	if len(over.Meanings) > 0 {
		t.Meanings = over.Meanings
		m.note("replaced Istio meanings")
	}
}

func helperID(h Helper) string           { return h.ID }
func featureID(f Feature) string         { return f.ID }
func noteID(n sourcedNote) string        { return n.ID }
func gateSince(p gatePoint) string       { return p.Since }
func profileSince(p profilePoint) string { return p.Since }
func supportSince(p supportPoint) string { return p.Since }
func placeID(p TemplatePlace) string     { return strings.TrimPrefix(p.APIGroup+"/"+p.Kind, "/") }
func (m *merger) note(line string)       { m.log = append(m.log, line) }

func (m *merger) text(what, base, over string) string {
	if over == "" || over == base {
		return base
	}
	m.note(fmt.Sprintf("replaced %s %s by %s", what, base, over))
	return over
}

func (m *merger) words(what string, base, over []string) []string {
	if len(over) == 0 {
		return base
	}
	m.note("replaced " + what)
	return over
}

// merge replaces entries of the same key in place and appends the others, never touching the base's own slice.
func merge[T any](m *merger, what string, base, over []T, key func(T) string) []T {
	list := slices.Clone(base)
	seen := map[string]bool{}
	for _, o := range over {
		if seen[key(o)] {
			m.twice = append(m.twice, fmt.Errorf("%s %s stands twice in the overlay", what, key(o)))
		}
		seen[key(o)] = true
		if i := slices.IndexFunc(list, func(t T) bool { return key(t) == key(o) }); i >= 0 {
			list[i] = o
			m.note(fmt.Sprintf("replaced %s %s", what, key(o)))
			continue
		}
		list = append(list, o)
		m.note(fmt.Sprintf("added %s %s", what, key(o)))
	}
	return list
}

// timeline puts points back in order.
func timeline[T any](list []T, since func(T) string) []T {
	slices.SortStableFunc(list, func(a, b T) int {
		c, sure := version.Parse(since(a)).Compare(version.Parse(since(b)))
		if sure != version.Yes {
			return cmp.Compare(since(a), since(b))
		}
		return c
	})
	return list
}
