package bundle

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// FuzzOpen: whatever the bytes, Read ends, in bounds, without a fault of ours, and says the same twice.
func FuzzOpen(f *testing.F) {
	tr := mustGatherTree(cluster(f))
	small := map[string]string{"a/namespaces/batch/core/pods.yaml": tr.files["must-gather.local.4729386504719283/"+imageDir+"namespaces/batch/pods/nightly-report-hrp8m/nightly-report-hrp8m.yaml"],
		"a/timestamp": "2026-11-30\n", "a/namespaces/batch/core/secrets.yaml": "x"}
	for _, pack := range []func(testing.TB, map[string]string) string{packTar, packTarGz, packZip} {
		f.Add([]byte(pack(f, small)))
	}
	f.Add([]byte(packZstd(f, packTar(f, small))))
	f.Add([]byte(packXz(f, packTar(f, small))))
	f.Add([]byte(bzip2Pod))
	f.Add([]byte(xzStream(20, 3)))
	f.Add([]byte(sparseTar(f)))
	f.Add([]byte(overlapping(f))[:4096])
	f.Add([]byte(packZip(f, map[string]string{"in.tar.gz": packTarGz(f, small)})))
	f.Fuzz(func(t *testing.T, data []byte) {
		opt := Options{MaxBytes: 8 << 20, MaxFiles: 2000}
		one, err := Read(context.Background(), "-", bytes.NewReader(data), opt)
		var u *UnreadableError
		if one == nil || err != nil && !errors.As(err, &u) {
			t.Fatalf("%v, %v", one, err)
		}
		for _, p := range one.Problems {
			if strings.Contains(p.Message, "internal fault") {
				t.Fatalf("%s: %s", p.File, p.Message)
			}
		}
		if err == nil && setSize(one.Set) == 0 && one.Manifest == nil {
			t.Fatal("nothing was read, and no error says so")
		}
		two, _ := Read(context.Background(), "-", bytes.NewReader(data), opt)
		if !reflect.DeepEqual(one.Problems, two.Problems) || !reflect.DeepEqual(one.Roots, two.Roots) || setSize(one.Set) != setSize(two.Set) {
			t.Fatal("two reads of the same bytes differ")
		}
	})
}

// FuzzLayout: whatever the paths, a decision is made, roots are above the files that count for them, and every file
// counts once.
func FuzzLayout(f *testing.F) {
	for _, tr := range trees(f) {
		var names []string
		for name := range tr.files {
			names = append(names, name)
		}
		f.Add(strings.Join(names, "\n"))
	}
	f.Add("namespaces/namespaces/core/core/pods.yaml\n/\n//\na!b/namespaces/x/x.yaml\n.gz\nistio/namespaces/istio/istio.yaml")
	f.Fuzz(func(t *testing.T, list string) {
		for _, forced := range []string{"", "must-gather"} {
			p := newPlaces(forced)
			total := 0
			var names []string
			for name := range strings.SplitSeq(list, "\n") {
				rel, refused := cleanName(name)
				if refused != "" {
					continue
				}
				it := item{rel: rel, base: "in.zip!"}
				d := p.place(it)
				if !strings.HasPrefix(it.name(), d.anchor) {
					t.Fatalf("%q counts for %q", it.name(), d.anchor)
				}
				p.count(d, d.skip == "")
				total++
				names = append(names, it.name())
			}
			sum := 0
			for _, r := range p.roots() {
				sum += r.Read + r.Ignored
				if r.Path == "" || r.Layout == "" {
					t.Fatalf("root %+v", r)
				}
			}
			if sum > total || sum < total && p.roots()[len(p.roots())-1].Layout == looseName {
				t.Fatalf("%d files, %d counted: %+v", total, sum, p.roots())
			}
			for _, name := range names {
				_ = p.isLoose(name)
			}
		}
	})
}
