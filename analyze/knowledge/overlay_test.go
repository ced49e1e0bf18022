package knowledge

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

func overlayOf(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestOverlayReplacesAndAdds(t *testing.T) {
	b := base(t)
	next, log, err := b.Overlay(overlayOf(map[string]string{
		"sources.yaml": `
revision: "2027-02-01"
sources:
- {id: site, repo: site/notes, path: a.md, at: "", checked: "2027-02-01", line: "what the site found out"}
`,
		"kubernetes.yaml": `
checkedThrough: "1.39.0"
features:
- {id: ready-counts-sidecars, component: kube-apiserver, since: "1.38.0", summary: "moved", sources: [site]}
`,
		"sidecars.yaml": `
helpers:
- {id: our-shipper, product: Our shipper, class: logs, mesh: false, names: [our-shipper], native: "by hand", stop: "none", sources: [site]}
`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"replaced revision", "added source site", "replaced Kubernetes checkedThrough", "replaced feature ready-counts-sidecars", "added helper our-shipper"} {
		if !slices.ContainsFunc(log, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("log lacks %q: %q", want, log)
		}
	}
	if got, _ := next.Has("ready-counts-sidecars", version.Parse("1.35.0")); got != version.No {
		t.Errorf("replaced feature answers %v", got)
	}
	if got, _ := b.Has("ready-counts-sidecars", version.Parse("1.35.0")); got != version.Yes {
		t.Errorf("the base was changed: %v", got)
	}
	if m, ok := next.Sidecar("our-shipper", ""); !ok || m.Helper.Product != "Our shipper" {
		t.Errorf("added helper: %+v %v", m, ok)
	}
	if next.Revision() == b.Revision() || !strings.HasPrefix(next.Revision(), "2027-02-01+") {
		t.Errorf("revision %s after %s", next.Revision(), b.Revision())
	}
	if _, _, basis := next.SidecarGate(version.Parse("1.39.0")); len(basis.Assumes) != 0 {
		t.Errorf("checkedThrough has no effect: %q", basis.Assumes)
	}
}

// TestOverlayTimeline: a new point goes to its place, whatever its place in the file.
func TestOverlayTimeline(t *testing.T) {
	next, _, err := base(t).Overlay(overlayOf(map[string]string{
		"istio.yaml": `
checkedThrough: "1.40.0"
eras:
- id: E
  since: "1.40.0"
  title: "Istio 1.40 and later: always native"
  detect: {has: [alwaysNative], lacks: []}
  needsIstiod: "1.40.0"
  onOlderIstiod: error
  envKind: switch
  env: {unset: native, values: {"false": ordinary}, other: native}
  sources: [i-era-d]
`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	in := Inputs{Istio: version.Parse("1.40.2"), Env: Unset(""), Annotation: Unset(""), APIServer: version.Parse("1.36.0"), Kubelets: []Kubelet{{Raw: "v1.31.0"}}, NodesKnown: true}
	if d := next.Decide(in); d.Placement != Native {
		t.Errorf("era E: %s (%s)", d.Placement, d.Reason)
	}
	in.Istio = version.Parse("1.39.0")
	if d := next.Decide(in); d.Placement != Ordinary {
		t.Errorf("before era E: %s (%s)", d.Placement, d.Reason)
	}
}

func TestOverlayRefusesBadData(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"empty":           {},
		"one entry twice": {"sidecars.yaml": "helpers:\n" + strings.Repeat("- {id: x, product: X, class: logs, mesh: false, names: [x], native: \"by hand\", stop: \"none\", sources: [tekton-sidecars]}\n", 2)},
		"unknown file":    {"istoi.yaml": "a: b"},
		"unknown key":     {"issues.yaml": "isues: []"},
		"unquoted":        {"kubernetes.yaml": "checkedThrough: 1.38"},
		"unknown source":  {"issues.yaml": "notShown:\n- {id: X, why: \"y\", sources: [nowhere]}"},
		"no yaml":         {"issues.yaml": "\tissues"},
	} {
		if _, _, err := base(t).Overlay(overlayOf(files)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
