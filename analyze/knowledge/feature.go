package knowledge

import (
	"fmt"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Has answers whether a release has a feature of rules/data (kubernetes.yaml and istio.yaml list the ids). An unknown
// version, a patch-dependent answer about a version without patch, and an unknown feature give Maybe.
func (b *Base) Has(feature string, v version.Version) (version.Answer, Basis) {
	f, ok := b.features[feature]
	if !ok {
		return version.Maybe, Basis{Assumes: []sentence.Text{say("nothing is known of feature %q", feature)}}
	}
	basis := Basis{Sources: b.refs(f.Sources)}
	c := b.componentOf(f.Component)
	if !c.judgeable(v) {
		return version.Maybe, basis
	}
	if note := c.newer(v); !note.IsZero() {
		basis.Assumes = append(basis.Assumes, note)
	}
	answer := reached(v, version.Parse(f.Since))
	if f.Until != "" {
		answer = answer.And(reached(v, version.Parse(f.Until)).Not())
	}
	return answer, basis
}

// Feature gives the description of a feature.
func (b *Base) Feature(id string) (Feature, bool) {
	f, ok := b.features[id]
	return f, ok
}

// Features lists all features in the order of the tables.
func (b *Base) Features() []Feature {
	return append(append([]Feature{}, b.t.kubernetes.Features...), b.t.istio.Features...)
}

func (b *Base) componentOf(name string) component {
	switch name {
	case "istiod", "proxy", "istioctl":
		return b.istio
	default:
		return b.kubernetes
	}
}

// reached answers whether v is at or after a release. A release candidate counts as its release: features do not change
// after it. An alpha or beta of it may or may not have what the release has, unless the point itself names a pre-release.
func reached(v, since version.Version) version.Answer {
	if v.Pre != "" && since.Pre == "" && v.Major == since.Major && v.Minor == since.Minor && v.Patch == since.Patch {
		if isCandidate(v.Pre) {
			return version.Yes
		}
		return version.Maybe
	}
	return v.AtLeast(since)
}

func isCandidate(pre string) bool { return len(pre) > 2 && pre[:3] == "rc." }

// Gate is the state of the feature gate SidecarContainers in a release.
type Gate struct {
	Stage   string // none | alpha | beta | ga | removed
	Exists  bool   // can be named in configuration
	Default bool   // on unless named
	Locked  bool   // cannot be changed
}

// SidecarGate gives the gate's state in a Kubernetes release. False: the version does not tell.
func (b *Base) SidecarGate(v version.Version) (Gate, bool, Basis) {
	if !b.kubernetes.judgeable(v) {
		return Gate{}, false, Basis{}
	}
	for i := len(b.gate) - 1; i >= 0; i-- {
		p := b.gate[i]
		switch reached(v, p.since) {
		case version.Yes:
			basis := Basis{Sources: b.refs(p.point.Sources)}
			if note := b.kubernetes.newer(v); !note.IsZero() {
				basis.Assumes = append(basis.Assumes, note)
			}
			return Gate{p.point.Stage, p.point.Exists, p.point.Default, p.point.Locked}, true, basis
		case version.Maybe:
			return Gate{}, false, Basis{Sources: b.refs(p.point.Sources)}
		}
	}
	return Gate{}, false, Basis{}
}

// OldestKubelet gives the oldest kubelet that may run under an API server, as a minor version. False: unknown.
func (b *Base) OldestKubelet(apiServer version.Version) (version.Version, bool) {
	if !b.kubernetes.judgeable(apiServer) {
		return version.Version{}, false
	}
	minor := max(0, apiServer.Minor-b.t.kubernetes.KubeletMinorsBehind)
	return version.Version{Major: apiServer.Major, Minor: minor, Precision: 2, Raw: fmt.Sprintf("%d.%d", apiServer.Major, minor)}, true
}
