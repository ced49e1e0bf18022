package bundle

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

var update = flag.Bool("update", false, "write fixtures/layouts anew")

// TestLayoutTrees keeps the folders of fixtures/layouts what the builder makes.
func TestLayoutTrees(t *testing.T) {
	for _, tr := range trees(t) {
		dir := filepath.Join(fixtureLayouts, tr.name)
		if *update {
			writeTree(t, dir, tr.files)
		}
		have := readTree(t, dir)
		for _, name := range slices.Sorted(maps.Keys(tr.files)) {
			if have[name] != tr.files[name] {
				t.Errorf("%s/%s is out of date; run go test ./analyze/bundle -run TestLayoutTrees -update", dir, name)
			}
			delete(have, name)
		}
		for name := range have {
			t.Errorf("%s/%s is not made by the builder", dir, name)
		}
	}
}

func writeTree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(fixtureFile(t, p))
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return out
}

// facts gives every stored object of a set as text, by kind, namespace and name. Copies of one object must be equal.
func facts(t *testing.T, set *kube.Set, bare bool) map[string]string {
	t.Helper()
	out := map[string]string{}
	v := reflect.ValueOf(set).Elem()
	for i := range v.NumField() {
		for j := range v.Field(i).Len() {
			o, ok := v.Field(i).Index(j).Interface().(interface{ Base() *kube.Object })
			if !ok || o.Base().Origin.Strength != evidence.Stored {
				continue
			}
			base := o.Base()
			if bare {
				base.APIVersion = ""
			}
			b, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			key := base.Ref().String()
			if old, ok := out[key]; ok && old != string(b) {
				t.Errorf("%s differs between %s and an earlier copy", key, base.Origin.File)
			}
			out[key] = string(b)
			if base.Origin.File == "" || base.Origin.Line == 0 {
				t.Errorf("%s has no place: %q line %d", key, base.Origin.File, base.Origin.Line)
			}
		}
	}
	for _, s := range set.Servers {
		out["Server/"+s.GitVersion] = s.GitVersion
	}
	return out
}

// wanted gives the facts of the cluster as read from the files it was made of, without the kinds that tr lacks.
func wanted(t *testing.T, tr *tree) map[string]string {
	t.Helper()
	set := &kube.Set{}
	for _, name := range []string{fixtureCluster + "all.yaml", fixtureLayouts + "cluster.yaml", fixtureCluster + "version.yaml"} {
		b, err := Read(context.Background(), name, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		appendSet(set, b.Set)
	}
	out := facts(t, set, tr.bare)
	for key := range out {
		kind, _, _ := strings.Cut(key, "/")
		if kind == "Secret" || slices.Contains(tr.lacks, kind) {
			delete(out, key)
		}
	}
	return out
}

// check compares what was read of tr with the facts of the cluster.
func check(t *testing.T, tr *tree, b *Bundle, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if b.Layout != tr.layout {
		t.Errorf("layout %q, want %q", b.Layout, tr.layout)
	}
	if len(b.Roots) != tr.roots {
		t.Errorf("%d roots, want %d: %+v", len(b.Roots), tr.roots, b.Roots)
	}
	for _, p := range b.Problems {
		t.Errorf("problem: %s:%d: %s", p.File, p.Line, p.Message)
	}
	if text := fmt.Sprintf("%+v", *b.Set); strings.Contains(text, secretData) {
		t.Error("the data of a Secret was read")
	}
	want, have := wanted(t, tr), facts(t, b.Set, tr.bare)
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if have[key] != want[key] {
			t.Errorf("%s:\nhave %.300s\nwant %.300s", key, have[key], want[key])
		}
	}
	for key := range have {
		kind, _, _ := strings.Cut(key, "/")
		if _, ok := want[key]; !ok && kind != "SupportBundle" && kind != "APIGroupDiscovery" && key != "Namespace/openshift-etcd" {
			t.Errorf("%s was read and is not in the cluster", key)
		}
	}
}

// TestOneClusterInEveryLayout is the definition of done for a layout.
func TestOneClusterInEveryLayout(t *testing.T) {
	for _, tr := range trees(t) {
		for _, kind := range containers() {
			t.Run(tr.name+"/"+kind.name, func(t *testing.T) {
				b, err := kind.read(t, tr.files)
				check(t, tr, b, err)
			})
		}
	}
}

// TestTwoBundlesInOneZip reads a ticket's zip with two bundles in it, one of them packed twice.
func TestTwoBundlesInOneZip(t *testing.T) {
	all := cluster(t)
	one, two := mustGatherTree(all), supportBundleTree(all)
	inner := map[string]string{"before/must-gather.tar.gz": packTarGz(t, one.files), "after.tar.zst": packZstd(t, packTar(t, two.files)),
		"notes.txt": "the customer says it hangs\n"}
	b, err := readBytes(t, packZip(t, inner))
	if err != nil {
		t.Fatal(err)
	}
	if want := "troubleshoot support bundle, must-gather, kubectl files"; b.Layout != want {
		t.Errorf("layout %q, want %q", b.Layout, want)
	}
	var paths []string
	for _, r := range b.Roots {
		paths = append(paths, r.Path)
	}
	want := []string{"after.tar.zst!support-bundle-2026-11-30T12_20_00",
		"before/must-gather.tar.gz!must-gather.local.4729386504719283/" + strings.TrimSuffix(imageDir, "/"), "."}
	if !slices.Equal(paths, want) {
		t.Errorf("roots %q, want %q", paths, want)
	}
	files := map[string]bool{}
	for _, p := range b.Set.Pods {
		files[strings.SplitN(p.Origin.File, "!", 2)[0]] = true
	}
	if !files["after.tar.zst"] || !files["before/must-gather.tar.gz"] {
		t.Errorf("pods were read from %v only", files)
	}
}

func TestManifest(t *testing.T) {
	tr := ownTree(t, cluster(t))
	b, err := readBytes(t, packTarGz(t, tr.files))
	if err != nil {
		t.Fatal(err)
	}
	m := b.Manifest
	if m == nil || m.Tool != "sidecar-must-gather" || m.Context != "kind" || m.ServerVersion != "v1.32.13" || !m.Redacted || len(m.Steps) != 2 {
		t.Fatalf("manifest %+v", m)
	}
	if m.Finished.Sub(m.Started).Seconds() != 9 {
		t.Errorf("from %v to %v", m.Started, m.Finished)
	}
	if f := m.Forbidden(); len(f) != 1 || f[0].ID != "cronjobs" || f[0].Exit != 1 {
		t.Errorf("forbidden %+v", f)
	}
	if len(m.Permissions) != 1 || m.Permissions[0].Allowed != "no" {
		t.Errorf("permissions %+v", m.Permissions)
	}
}

// TestForeignManifest: other tools write a collection.json too.
func TestForeignManifest(t *testing.T) {
	b, err := readBytes(t, packTarGz(t, map[string]string{"x/collection.json": `{"info": {"name": "requests"}, "item": []}`,
		"x/pods.yaml": string(fixtureFile(t, fixtureCluster+"pods.yaml"))}))
	if err != nil {
		t.Fatal(err)
	}
	if b.Manifest != nil || b.Layout != "kubectl files" || len(b.Set.Pods) != 1 {
		t.Errorf("manifest %v, layout %q, %d pods", b.Manifest, b.Layout, len(b.Set.Pods))
	}
}

func TestForcedLayout(t *testing.T) {
	tr := mustGatherTree(cluster(t))
	b, err := readBytesOpt(t, packTarGz(t, tr.files), Options{Layout: "kubectl-files"})
	if err != nil || b.Layout != "kubectl files" {
		t.Errorf("layout %q, %v", b.Layout, err)
	}
	for _, l := range layouts() {
		for _, text := range []string{l.id, l.name} {
			if id, ok := layoutNamed(text); id != l.id || !ok {
				t.Errorf("%q is taken for %q", text, id)
			}
		}
	}
	if _, err = readBytesOpt(t, "x", Options{Layout: "sosreport"}); err == nil || !strings.Contains(err.Error(), "must-gather, support-bundle") {
		t.Errorf("unknown layout: %v", err)
	}
	b, err = readBytesOpt(t, string(fixtureFile(t, fixtureCluster+"pods.yaml")), Options{Layout: "must-gather"})
	if err != nil || b.Layout != "must-gather" {
		t.Errorf("layout %q, %v", b.Layout, err)
	}
}
