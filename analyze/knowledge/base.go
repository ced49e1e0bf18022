package knowledge

import (
	"fmt"
	"regexp"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Base is the loaded knowledge. It is never changed after loading; Overlay makes a new one.
type Base struct {
	t          *tables
	sources    map[string]Source
	features   map[string]Feature
	gate       []gateAt
	eras       []eraAt
	profiles   []profileAt
	supports   []supportAt
	references map[string]string // of each source, as it is printed
	issues     []Issue
	stops      []StopCall
	kubernetes component
	istio      component
}

// component is what is known of a component's releases.
type component struct {
	name      string
	checked   version.Version // newest release that was read
	previewed version.Version // newest that was read from a development branch, unknown if none
}

type gateAt struct {
	since version.Version
	point gatePoint
}

type profileAt struct {
	since version.Version
	point profilePoint
}

type supportAt struct {
	since              version.Version
	min, max, sureness string
}

type eraAt struct {
	since, needs version.Version
	rule         *era
}

// compile turns text into versions, constraints and expressions. It refuses what it cannot read; Lint says more.
func compile(t *tables) (*Base, error) {
	b := &Base{
		t:          t,
		sources:    map[string]Source{},
		references: map[string]string{},
		features:   map[string]Feature{},
		kubernetes: component{name: "Kubernetes", checked: version.Parse(t.kubernetes.CheckedThrough)},
		istio:      component{name: "Istio", checked: version.Parse(t.istio.CheckedThrough), previewed: version.Parse(t.istio.Previewed)},
	}
	for _, s := range t.sources.Sources {
		b.sources[s.ID] = s
		b.references[s.ID] = s.String()
	}
	for _, list := range [][]Feature{t.kubernetes.Features, t.istio.Features} {
		for _, f := range list {
			b.features[f.ID] = f
		}
	}
	for _, p := range t.kubernetes.Gate {
		b.gate = append(b.gate, gateAt{version.Parse(p.Since), p})
	}
	for i := range t.istio.Eras {
		e := &t.istio.Eras[i]
		b.eras = append(b.eras, eraAt{version.Parse(e.Since), version.Parse(e.NeedsIstiod), e})
	}
	for _, p := range t.istio.Profiles {
		b.profiles = append(b.profiles, profileAt{version.Parse(p.Since), p})
	}
	for _, p := range t.istio.Supports {
		b.supports = append(b.supports, supportAt{version.Parse(p.Since), version.Parse(p.Min).MinorString(), version.Parse(p.Max).MinorString(), p.Confidence})
	}
	for _, e := range t.issues.Issues {
		affects, err := version.ParseConstraint(e.Affects)
		if err != nil {
			return nil, fmt.Errorf("reading rule data issues.yaml, issue %s: %w", e.ID, err)
		}
		b.issues = append(b.issues, issueOf(e, affects, b.refs(e.Sources)))
	}
	for _, s := range t.sidecars.Stops {
		re, err := regexp.Compile(s.Pattern)
		if err != nil {
			return nil, fmt.Errorf("reading rule data sidecars.yaml, stop %s: %w", s.ID, err)
		}
		s.re, s.words, s.Sources = re, wordsOf(s.Pattern), b.refs(s.Sources)
		b.stops = append(b.stops, s)
	}
	if !b.kubernetes.checked.Known() || !b.istio.checked.Known() || len(b.eras) == 0 || len(b.gate) == 0 {
		return nil, fmt.Errorf("reading rule data: kubernetes.yaml and istio.yaml need checkedThrough, gate and eras")
	}
	return b, nil
}

// Revision names the rule data for a report: its date and a fingerprint of its bytes, so that an overlay shows.
func (b *Base) Revision() string {
	return b.t.sources.Revision + "+" + b.t.digest[:min(8, len(b.t.digest))]
}

// Source finds a source by id.
func (b *Base) Source(id string) (Source, bool) {
	s, ok := b.sources[id]
	return s, ok
}

// refs turns source ids into printable references. An unknown id, which lint refuses, is printed as it is.
func (b *Base) refs(ids []string) []string {
	if len(ids) == 0 {
		return nil
	}
	list := make([]string, len(ids))
	for i, id := range ids {
		var ok bool
		if list[i], ok = b.references[id]; !ok {
			list[i] = id
		}
	}
	return list
}

// newer gives the assumption behind an answer about a release that nobody has read yet, or "".
func (c component) newer(v version.Version) sentence.Text {
	if !v.Known() || v.Major != c.checked.Major || v.Minor <= c.checked.Minor {
		return sentence.Text{}
	}
	if c.previewed.Known() && v.Minor <= c.previewed.Minor {
		return say("%s %s was read from its development branch only", c.name, v.MinorString())
	}
	last := c.checked
	if c.previewed.Known() {
		last = c.previewed
	}
	return say("%s %s is newer than any release that was read and is taken to behave like %s", c.name, v.MinorString(), last.MinorString())
}

// judgeable reports whether a version belongs to the line of releases that the tables are about. A date used as a tag
// (2024.10.31) does not.
func (c component) judgeable(v version.Version) bool { return v.Known() && v.Major == c.checked.Major }
