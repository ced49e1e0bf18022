package render

import (
	"fmt"
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render/columns"
)

// header says what was read and what it shows of the cluster.
func (t *table) header(v *view) {
	t.fact("bundle", bundleText(t.catalogue, v.Bundle))
	t.fact("kubernetes", kubernetesText(t.catalogue, v.Cluster, t.wide))
	for _, s := range istioTexts(t.catalogue, v.Cluster) {
		t.fact("istio", s)
	}
	if p := v.Cluster.NextPod; p.Placement != "" {
		t.fact("nextPod", nextPodText(t.catalogue, v.Report))
		if t.wide && len(p.Because) > 1 {
			t.in(func() { t.reasoning(p) })
		}
	}
	if t.wide {
		t.wideHeader(v)
	}
}

// wideHeader adds the tool's own versions and where the cluster's came from.
func (t *table) wideHeader(v *view) {
	s := t.say("tool.versions", v.Tool.Version, v.Tool.Rules)
	if len(v.Tool.RulesReplaced) > 0 {
		s += t.say("tool.replaced", t.names(v.Tool.RulesReplaced))
	}
	t.fact("tool", s)
	t.in(func() {
		for _, e := range v.Cluster.Kubernetes.Evidence {
			t.item(plainText, "- ", evidenceText(t.catalogue, e, true))
		}
		for _, cp := range v.Cluster.Istio {
			for _, e := range cp.Evidence {
				t.item(plainText, "- ", evidenceText(t.catalogue, e, true))
			}
		}
	})
}

// fact writes one line of the header behind its label.
func (t *table) fact(label, s string) {
	t.item(bold, columns.Pad(t.say("label."+label), 12), s)
}

// bundleText says what was read, when it was taken and how much of it was unreadable.
func bundleText(c catalogue, b analyze.Bundle) string {
	return sourceText(c, b.Source) + c.say("join.parts") + bundleFacts(c, b)
}

// bundleFacts is bundleText without the name.
func bundleFacts(c catalogue, b analyze.Bundle) string {
	var parts []string
	if b.Layout != "" {
		parts = append(parts, c.say("bundle.layout", b.Layout))
	}
	switch {
	case b.CollectedAt == "":
		parts = append(parts, c.say("bundle.undated"))
	case b.CollectedFrom == "":
		parts = append(parts, c.say("bundle.taken", b.CollectedAt))
	default:
		parts = append(parts, c.say("bundle.takenFrom", b.CollectedAt, b.CollectedFrom))
	}
	parts = append(parts, c.count("bundle.files", b.Files))
	if n := len(b.Problems); n > 0 {
		parts = append(parts, c.count("bundle.problems", n))
	}
	return c.parts(parts)
}

// sourceText names the bundle; a dash is standard input.
func sourceText(c catalogue, source string) string {
	if source == "-" {
		return c.say("bundle.stdin")
	}
	return source
}

// kubernetesText gives the API server's version and the kubelets by version, with all nodes or a few of them.
func kubernetesText(c catalogue, k analyze.Cluster, all bool) string {
	s := k.Kubernetes.Version
	if s == "" {
		s = c.say("kubernetes.unknown")
	} else {
		s = c.say("kubernetes.apiserver", s)
	}
	if len(k.Kubelets) == 0 {
		return s + c.say("kubelets.unknown")
	}
	var groups []string
	for _, g := range k.Kubelets {
		nodes := someNames(c, g.Nodes, 3)
		if all {
			nodes = c.names(g.Nodes)
		}
		s := c.count("kubelets.group", len(g.Nodes), g.Version, nodes)
		if g.Unsupported {
			s += c.say("kubelets.newer")
		}
		if g.TooOld {
			s += c.say("kubelets.older")
		}
		groups = append(groups, s)
	}
	nodes := 0
	for _, g := range k.Kubelets {
		nodes += len(g.Nodes)
	}
	return s + c.count("kubelets.list", nodes, c.reasons(groups))
}

// istioTexts gives a line for each control plane, or one that says that none was seen.
func istioTexts(c catalogue, k analyze.Cluster) []string {
	if len(k.Istio) == 0 {
		return []string{c.say("istio.none")}
	}
	var out []string
	for _, cp := range k.Istio {
		name := cp.Revision
		if cp.Namespace != "" {
			name = cp.Namespace + "/" + name
		}
		s := c.say("istio.revision", name, orElse(cp.Version, c.say("version.unknown")))
		env := cp.EnableNativeSidecars
		switch {
		case env.From == "" || env.From == "unknown":
			s += c.say("istio.env.unknown")
		case env.From == "default" && env.Value == "":
			s += c.say("istio.env.unset")
		default:
			s += c.say("istio.env", env.Value, env.From)
		}
		out = append(out, s)
	}
	return out
}

// someNames joins at most limit names, counts the rest and says what lists it.
func someNames(c catalogue, names []string, limit int) string {
	if len(names) <= limit+1 {
		return c.names(names)
	}
	return c.names(names[:limit]) + c.say("names.more", len(names)-limit)
}

// nextPodText says where the proxy of the next pod would be put, by default, and why if there is one reason. More are a
// line of reasoning, which has its own place. Where that is not known, what workloads tell of their own pods still is.
func nextPodText(c catalogue, r *analyze.Report) string {
	p := r.Cluster.NextPod
	s := placement(c, p.Placement)
	if len(p.Because) == 1 {
		s += c.say("colon") + p.Because[0]
	}
	if p.Placement != "unknown" {
		return s
	}
	var own []string
	for _, known := range []string{"native", "ordinary", "broken"} {
		if slices.ContainsFunc(r.Workloads, func(w analyze.Workload) bool { return w.NextPod.Placement == known }) {
			own = append(own, c.say("placement.short."+known))
		}
	}
	if len(own) > 0 {
		s += c.say("nextPod.own", c.names(own))
	}
	return s
}

// placement says where a proxy would be put.
func placement(c catalogue, p string) string {
	switch p {
	case "native", "ordinary", "broken", "unknown":
		return c.say("placement." + p)
	default:
		return c.say("placement.other", p)
	}
}

func problemText(p analyze.Problem) string {
	where := p.File
	if p.Line > 0 {
		where = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	if where == "" || where == "-" {
		return p.Message
	}
	return where + ": " + p.Message
}
