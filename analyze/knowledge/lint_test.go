package knowledge

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sidecar-must-gather/sidecar-must-gather/rules/data"
)

// broken copies the real tables and applies one edit.
func broken(t *testing.T, file, old, replacement string) fstest.MapFS {
	t.Helper()
	fsys := fstest.MapFS{}
	names, err := fs.Glob(data.FS, "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		raw, err := fs.ReadFile(data.FS, n)
		if err != nil {
			t.Fatal(err)
		}
		fsys[n] = &fstest.MapFile{Data: raw}
	}
	if file == "" {
		return fsys
	}
	text := string(fsys[file].Data)
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not contain %q", file, old)
	}
	fsys[file] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, replacement, 1))}
	return fsys
}

// TestLintFindsEachKindOfMistake damages the real tables in one place at a time.
func TestLintFindsEachKindOfMistake(t *testing.T) {
	for _, tc := range []struct{ name, file, old, replacement, want string }{
		{"unquoted version", "kubernetes.yaml", `since: "1.29.0", stage: beta`, `since: 1.29.0, stage: beta`, "version or constraint 1.29.0 is not quoted"},
		{"unquoted two-part version", "kubernetes.yaml", `checkedThrough: "1.37.2"`, `checkedThrough: 1.37`, "version or constraint 1.37 is not quoted"},
		{"two-part version", "kubernetes.yaml", `checkedThrough: "1.37.2"`, `checkedThrough: "1.37"`, "is not a three-part version"},
		{"unquoted constraint", "issues.yaml", `affects: ">=1.35.0 <1.35.4"`, `affects: >=1.35.0 <1.35.4`, "is not quoted"},
		{"bad constraint", "issues.yaml", `affects: ">=1.35.0 <1.35.4"`, `affects: "^1.35.0"`, "not a comparison with a three-part version"},
		{"overlapping ranges", "issues.yaml", `>=1.28.0 <1.28.8 || >=1.29.0 <1.29.3`, `>=1.28.0 <1.29.1 || >=1.29.0 <1.29.3`, "overlapping ranges"},
		{"fixed inside the range", "issues.yaml", `fixedIn: ["1.28.8", "1.29.3", "1.30.0"]`, `fixedIn: ["1.28.7"]`, "lies in the affected range"},
		{"unquoted boolean word", "kubernetes.yaml", `component: kubernetes`, `component: off`, "off is not quoted"},
		{"unquoted truth value", "istio.yaml", `"true": native`, `true: native`, "key true is not quoted"},
		{"octal", "sidecars.yaml", `product: Istio`, `product: 012`, "012 is not quoted"},
		{"tab", "sources.yaml", `sources:`, "sources:\t", "tab character"},
		{"unknown key", "issues.yaml", `title: Pod status`, `titel: Pod status`, "unknown key \"titel\""},
		{"duplicate key", "issues.yaml", `component: kube-apiserver`, "component: kube-apiserver\n  component: kubelet", "already set"},
		{"unknown source", "kubernetes.yaml", `sources: [k-skew, k-features-beta]`, `sources: [k-scew]`, `unknown source "k-scew"`},
		{"no source", "kubernetes.yaml", `sources: [k-skew, k-features-beta]`, `sources: []`, "no source"},
		{"unused source", "sources.yaml", `- {id: scuttle,`, "- {id: nobody, repo: a/b, path: c, at: \"\", checked: \"2026-11-30\", line: \"d\"}\n- {id: scuttle,", "nobody: source is not used"},
		{"source without a line", "sources.yaml", `line: "no gate SidecarContainers and no such field yet"`, `line: ""`, "line is empty"},
		{"source with a bad day", "sources.yaml", `checked: "2026-11-30"`, `checked: "30.11.2026"`, "is not a day"},
		{"duplicate source", "sources.yaml", `- id: k-features-alpha`, `- id: k-features-none`, "duplicate id k-features-none"},
		{"duplicate issue", "issues.yaml", `- id: B04`, `- id: B03`, "duplicate id B03"},
		{"duplicate feature across files", "istio.yaml", `id: istio-auto-mode`, `id: kubelet-knows-sidecars`, "duplicate id kubelet-knows-sidecars"},
		{"duplicate helper", "sidecars.yaml", `- id: filebeat`, `- id: fluentd`, "duplicate id fluentd"},
		{"duplicate place", "placement.yaml", `group: apps, kind: StatefulSet`, `group: apps, kind: Deployment`, "duplicate id apps/Deployment"},
		{"unknown predicate", "issues.yaml", `native-sidecar-present, sidecar-term`, `native-sidecar-pressent, sidecar-term`, `unknown predicate "native-sidecar-pressent"`},
		{"no predicate", "issues.yaml", `predicates: [duplicate-istio-proxy-refused]`, `predicates: []`, "no predicate"},
		{"timeline out of order", "kubernetes.yaml", `since: "1.33.0", stage: ga`, `since: "1.28.5", stage: ga`, "does not come after"},
		{"empty feature range", "kubernetes.yaml", `since: "1.34.0", until: "1.35.0"`, `since: "1.34.0", until: "1.34.0"`, "is empty"},
		{"unknown stage", "kubernetes.yaml", `stage: ga`, `stage: stable`, "stage is"},
		{"unknown class", "sidecars.yaml", `class: telemetry`, `class: metrics`, "class is"},
		{"unknown end", "sidecars.yaml", `ends: others`, `ends: engine`, "ends is"},
		{"unknown component", "issues.yaml", `component: kube-scheduler`, `component: scheduler`, "component is"},
		{"pattern", "sidecars.yaml", `pattern: "/agent/v1/quit"`, `pattern: "(agent"`, "missing closing"},
		{"unknown helper of a stop", "sidecars.yaml", `helper: vault-agent, kind`, `helper: vault, kind`, `unknown helper "vault"`},
		{"outcome", "istio.yaml", `"auto": auto}`, `"auto": maybe}`, "env value auto is"},
		{"profile not shipped", "istio.yaml", `disabling: ["1.24", "1.25", "1.26"]`, `disabling: ["1.23"]`, "disabling is"},
		{"foreign file", "", "", "", "istoi.yaml: not a table"},
	} {
		fsys := broken(t, tc.file, tc.old, tc.replacement)
		if tc.file == "" {
			fsys["istoi.yaml"] = &fstest.MapFile{}
		}
		var all []string
		for _, err := range Lint(fsys) {
			all = append(all, err.Error())
		}
		if text := strings.Join(all, "\n"); !strings.Contains(text, tc.want) {
			t.Errorf("%s: lint says\n%s\nwant %q", tc.name, text, tc.want)
		}
	}
}

func TestLintWithoutFiles(t *testing.T) {
	if errs := Lint(fstest.MapFS{}); len(errs) == 0 {
		t.Error("an empty folder is clean")
	}
	if _, err := Load(fstest.MapFS{}); err == nil {
		t.Error("an empty folder loads")
	}
}

// TestEveryPublishedNumberIsAccountedFor: each of the published Kubernetes bugs is an issue or says why not.
func TestEveryPublishedNumberIsAccountedFor(t *testing.T) {
	b := base(t)
	known := map[string]bool{}
	for _, i := range b.Issues() {
		known[i.ID] = true
	}
	for _, n := range b.t.issues.NotShown {
		known[n.ID] = true
	}
	for _, id := range strings.Fields("B01 B02 B03 B04 B05 B06 B07 B08 B09 B10 B11 B12 B13 B14 B15 B16 B17 B18 B19 B20 B21") {
		if !known[id] {
			t.Errorf("%s is missing", id)
		}
	}
	used := map[string]bool{}
	for _, i := range b.Issues() {
		for _, p := range i.Predicates {
			used[p] = true
		}
	}
	for _, p := range Predicates() {
		if !used[p.Name] {
			t.Errorf("predicate %s is used by no issue", p.Name)
		}
	}
}
