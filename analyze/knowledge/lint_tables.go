package knowledge

import (
	"slices"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

func (l *linter) sourceTable(t sourcesFile) {
	checkUnique(l, "sources.yaml", t.Sources, func(s Source) string { return s.ID })
	l.at("sources.yaml", "revision").text("revision", t.Revision)
	for _, s := range t.Sources {
		l.sources[s.ID] = false
		l.at("sources.yaml", s.ID).text("repo", s.Repo)
		l.text("path", s.Path)
		l.text("line", s.Line)
		if _, err := time.Parse(time.DateOnly, s.Checked); err != nil {
			l.bad("checked %q is not a day", s.Checked)
		}
	}
}

func (l *linter) kubernetesTable(t kubernetesFile) {
	const file = "kubernetes.yaml"
	l.at(file, "checkedThrough").release("checkedThrough", t.CheckedThrough)
	l.at(file, "matrixFrom").release("matrixFrom", t.MatrixFrom)
	if t.KubeletMinorsBehind <= 0 {
		l.at(file, "kubeletMinorsBehind").bad("must be above 0")
	}
	var since []string
	for _, p := range t.Gate {
		since = append(since, p.Since)
		l.at(file, "gate "+p.Since).cite(p.Sources)
		l.oneOf("stage", p.Stage, "none", "alpha", "beta", "ga", "removed")
	}
	l.at(file, "gate").increasing(since)
	l.notes(file, t.Unable, RefusedByAPIServer, StuckInInit, RejectedByKubelet)
	l.features(file, t.Features)
}

func (l *linter) features(file string, list []Feature) {
	components := []string{"kube-apiserver", "kubelet", "kube-controller-manager", "kube-scheduler", "kubectl", "istiod", "proxy", "istioctl"}
	for _, f := range list {
		l.at(file, "feature "+f.ID).cite(f.Sources)
		l.text("summary", f.Summary)
		l.oneOf("component", f.Component, components...)
		l.release("since", f.Since)
		if f.Until != "" {
			l.release("until", f.Until)
			l.before(f.Since, f.Until)
		}
	}
}

func (l *linter) notes(file string, list []sourcedNote, needed ...string) {
	checkUnique(l, file, list, noteID)
	for _, n := range list {
		l.at(file, n.ID).cite(n.Sources)
	}
	for _, id := range needed {
		if !slices.ContainsFunc(list, func(n sourcedNote) bool { return n.ID == id }) {
			l.at(file, id).bad("missing")
		}
	}
}

func (l *linter) sidecarTable(t sidecarsFile) {
	const file = "sidecars.yaml"
	checkUnique(l, file, append(slices.Clone(t.Helpers), t.Inits...), helperID)
	for i, h := range append(slices.Clone(t.Helpers), t.Inits...) {
		l.at(file, h.ID).cite(h.Sources)
		l.text("product", h.Product)
		l.oneOf("class", h.Class, "proxy", "logs", "telemetry", "secrets", "storage", "policy", "workflow", "collector")
		l.globs("names", h.Names)
		l.globs("images", h.Images)
		l.globs("plausible", h.Plausible)
		if len(h.Names)+len(h.Images) == 0 || h.NeedsImage && len(h.Images)+len(h.Plausible)+len(h.Beside) == 0 {
			l.bad("nothing to recognise it by")
		}
		if i < len(t.Helpers) {
			l.text("native", h.Native)
			l.text("stop", h.Stop)
			l.oneOf("ends", h.Ends, "", "itself", "others")
		}
	}
	checkUnique(l, file, t.Stops, func(s StopCall) string { return s.ID })
	for _, s := range t.Stops {
		l.at(file, "stop "+s.ID).cite(s.Sources)
		l.regexp("pattern", s.Pattern)
		l.oneOf("kind", s.Kind, "call", "kill", "wrapper", "controller")
		if s.Helper != "" && !slices.ContainsFunc(t.Helpers, func(h Helper) bool { return h.ID == s.Helper }) {
			l.bad("unknown helper %q", s.Helper)
		}
	}
}

func (l *linter) issueTable(t issuesFile) {
	const file = "issues.yaml"
	checkUnique(l, file, t.Issues, func(e issueEntry) string { return e.ID })
	for _, e := range t.Issues {
		l.at(file, e.ID)
		l.issue(e)
	}
	checkUnique(l, file, t.NotShown, func(n notShown) string { return n.ID })
	for _, n := range t.NotShown {
		l.at(file, "notShown "+n.ID).cite(n.Sources)
		l.text("why", n.Why)
	}
	checkUnique(l, file, t.Strippers, func(s Stripper) string { return s.ID })
	for _, s := range t.Strippers {
		l.at(file, "stripper "+s.ID).cite(s.Sources)
		l.text("product", s.Product)
		if len(s.Match) == 0 {
			l.bad("nothing to recognise it by")
		}
	}
}

func (l *linter) issue(e issueEntry) {
	l.cite(e.Sources)
	l.text("ref", e.Ref)
	l.text("title", e.Title)
	l.text("symptom", e.Symptom)
	l.oneOf("component", e.Component, "kube-apiserver", "kubelet", "kube-controller-manager", "kube-scheduler", "istiod", "webhook", "linkerd", "virtual-kubelet", "istioctl")
	l.oneOf("confidence", e.Confidence, "verified", "changelog", "reported", "inferred", "by-design")
	c, err := version.ParseConstraint(e.Affects)
	switch {
	case err != nil:
		l.bad("affects: %v", err)
	case c.Overlapping():
		l.bad("affects %q has overlapping ranges", e.Affects)
	}
	for _, f := range e.FixedIn {
		if v := l.release("fixedIn", f); err == nil && e.Affects != "*" && c.Check(v) != version.No {
			l.bad("fixedIn %s lies in the affected range %q", f, e.Affects)
		}
	}
	if len(e.Predicates) == 0 {
		l.bad("no predicate: a version alone is never a finding")
	}
	for _, p := range e.Predicates {
		if !knownPredicate(p) {
			l.bad("unknown predicate %q", p)
		}
	}
}

func (l *linter) placementTable(t placementFile) {
	const file = "placement.yaml"
	checkUnique(l, file, t.Places, placeID)
	for _, p := range t.Places {
		l.at(file, placeID(p)).cite(p.Sources)
		l.text("kind", p.Kind)
		l.text("note", p.Note)
	}
}
