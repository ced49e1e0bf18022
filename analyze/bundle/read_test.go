package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestUnreadable: what is wrong, and what to do about it.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "empty.yaml", "")
	put(t, dir, "none.yaml", "apiVersion: v1\nitems: []\nkind: List\n")
	for _, tc := range []struct{ path, stdin, says string }{
		{filepath.Join(dir, "missing.tgz"), "", "missing.tgz: no such file or folder"},
		{filepath.Join(dir, "empty.yaml"), "", "empty.yaml: empty file"},
		{filepath.Join(dir, "none.yaml"), "", "it holds only empty lists; kubectl prints one also when it is not allowed to look"},
		{"-", "", "cannot read stdin: empty file"},
		{"/dev/null", "", "empty file"},
	} {
		b, err := Read(context.Background(), tc.path, strings.NewReader(tc.stdin), Options{})
		if !IsUnreadable(err) || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), "kubectl get job,cronjob") {
			t.Errorf("%s: %v", tc.path, err)
		}
		if b == nil || b.Set == nil {
			t.Errorf("%s: no bundle beside the error", tc.path)
		}
	}
	if _, err := Read(context.Background(), "-", nil, Options{}); !IsUnreadable(err) {
		t.Errorf("no stdin at all: %v", err)
	}
}

// TestNames: the file of an object is its path in the bundle, archives within archives joined by "!".
func TestNames(t *testing.T) {
	dir := t.TempDir()
	inner := packTarGz(t, map[string]string{"./ns/pods.yaml": pod("one")})
	put(t, dir, "pods.yaml", pod("one"))
	put(t, dir, "pods.yaml.gz", packGzip(t, pod("one")))
	put(t, dir, "a.tgz", inner)
	put(t, dir, "b.zip", packZip(t, map[string]string{"x/a.tgz": inner}))
	put(t, dir, "folder/c.tgz", inner)
	for path, want := range map[string]string{
		"pods.yaml":    "pods.yaml",
		"pods.yaml.gz": "pods.yaml.gz",
		"a.tgz":        "ns/pods.yaml",
		"b.zip":        "x/a.tgz!ns/pods.yaml",
		"folder":       "c.tgz!ns/pods.yaml",
	} {
		b, err := Read(context.Background(), filepath.Join(dir, path), nil, Options{})
		if err != nil || len(b.Set.Pods) != 1 || b.Set.Pods[0].Origin.File != want {
			t.Errorf("%s: %v, %+v", path, err, b.Set.Pods)
		}
		if b.Files != 1 || b.Bytes == 0 || b.Source != filepath.Join(dir, path) {
			t.Errorf("%s: %d files, %d bytes, source %s", path, b.Files, b.Bytes, b.Source)
		}
	}
}

// TestOrder: the order of the set is that of the bundle, whoever of the workers is the first.
func TestOrder(t *testing.T) {
	var entries []any
	for i := range 400 {
		text := pod(fmt.Sprintf("p%03d", i))
		if i%7 == 0 {
			text = strings.Repeat("#\n", 100_000) + text
		}
		if i%11 == 0 {
			text = "\x00" + text // a problem, in its place
		}
		entries = append(entries, fmt.Sprintf("%03d.yaml", i), text)
	}
	data := tarOf(t, entries...)
	var first *Bundle
	for _, procs := range []int{1, 4} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		b, err := readBytes(t, data)
		must(t, err)
		for i := 1; i < len(b.Set.Pods); i++ {
			if b.Set.Pods[i-1].Meta.Name >= b.Set.Pods[i].Meta.Name {
				t.Fatalf("%s before %s", b.Set.Pods[i-1].Meta.Name, b.Set.Pods[i].Meta.Name)
			}
		}
		if first == nil {
			first = b
		}
		if !reflect.DeepEqual(b.Problems, first.Problems) || !reflect.DeepEqual(b.Ignored, first.Ignored) {
			t.Errorf("problems differ: %v, %v", b.Problems, first.Problems)
		}
	}
}

func TestProgressAndCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	calls := 0
	data := tarOf(t, "one.yaml", pod("one"), "long.txt", strings.Repeat(strings.Repeat("x", 1023)+"\n", 64<<10), "two.yaml", pod("two"))
	b, err := Read(ctx, "-", strings.NewReader(data), Options{Progress: func(p Progress) {
		if calls++; calls == 3 && p.File == "long.txt" && p.Bytes > 8<<20 {
			cancel()
		}
	}})
	if calls == 0 || !errors.Is(err, context.Canceled) || IsUnreadable(err) {
		t.Errorf("%d calls, %v", calls, err)
	}
	if b == nil || len(b.Set.Pods) != 1 {
		t.Errorf("what was read before is lost: %+v", b)
	}
}

// slowFailure is a source that breaks.
type slowFailure struct{ r io.Reader }

func (s slowFailure) Read(p []byte) (int, error) {
	n, err := s.r.Read(p[:min(len(p), 100)])
	if err == io.EOF {
		err = errors.New("connection reset by peer")
	}
	return n, err
}

func TestBrokenStdin(t *testing.T) {
	b, err := Read(context.Background(), "-", slowFailure{strings.NewReader(pod("one"))}, Options{})
	if err != nil || len(b.Set.Pods) != 1 || len(b.Problems) != 1 || !strings.Contains(b.Problems[0].Message, "connection reset by peer") {
		t.Errorf("%v, %+v", err, b)
	}
}

// TestSetIsLists: appendSet goes over the fields of kube.Set by reflection, which needs them all to be lists.
func TestSetIsLists(t *testing.T) {
	set := reflect.TypeFor[kube.Set]()
	for i := range set.NumField() {
		if f := set.Field(i); f.Type.Kind() != reflect.Slice {
			t.Errorf("kube.Set.%s is a %s", f.Name, f.Type)
		}
	}
}

func TestManyLooseFiles(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "pods.yaml", pod("one"))
	put(t, dir, "__MACOSX/._pods.yaml", "\x00\x05\x16\x07")
	for i := range 600 {
		put(t, dir, fmt.Sprintf("notes/%d.txt", i), "call them back\n")
	}
	b, err := Read(context.Background(), dir, nil, Options{})
	must(t, err)
	if len(b.Problems) != 20 {
		t.Errorf("%d problems", len(b.Problems))
	}
	counted := map[string]int{}
	for _, i := range b.Ignored {
		counted[i.Reason] = i.Files
	}
	if counted["nothing of Kubernetes in it"] != 580 || counted[skipSystem] != 1 {
		t.Errorf("ignored %v", counted)
	}
}

func TestRefusals(t *testing.T) {
	b, err := Read(context.Background(), fixtureLayouts+"support-bundle", nil, Options{})
	must(t, err)
	if len(b.Set.Notes) != 1 || b.Set.Notes[0].Class != "forbidden" || b.Set.Notes[0].Line != 2 ||
		!strings.Contains(b.Set.Notes[0].Text, `cannot list resource "cronjobs"`) {
		t.Errorf("%+v", b.Set.Notes)
	}
}

func TestServerVersionText(t *testing.T) {
	for line, want := range map[string]string{
		"Server Version: v1.32.13": "v1.32.13",
		`Server Version: version.Info{Major:"1", Minor:"24+", GitVersion:"v1.24.6-eks-4360b32", GitCommit:"x"}`: "v1.24.6-eks-4360b32",
		"Client Version: v1.32.5":      "",
		"Server Version: unknown":      "",
		"Server Version: v1.2 or more": "",
	} {
		if got := serverVersion(line); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
	b, err := readBytes(t, tarOf(t, "kubectl-version.txt", "Client Version: v1.32.5\nServer Version: v1.32.13\n"))
	if err != nil || len(b.Set.Servers) != 1 || b.Set.Servers[0].Evidence.Line != 2 || len(b.Problems) != 0 {
		t.Errorf("%v, %+v", err, b)
	}
}

func TestCleanName(t *testing.T) {
	for name, want := range map[string]string{
		"./a/b.yaml": "a/b.yaml", "a//b": "a/b", `a\b.yaml`: "a/b.yaml", "a/./b": "a/b", "..a/b..": "..a/b..",
		"/a": "", "../a": "", "a/../../b": "", "a/../b": "", "": "", ".": "", `C:\a`: "", "C:/a": "", `\\host\a`: "", "a\x00b": "",
	} {
		got, refused := cleanName(name)
		if got != want || (want == "") != (refused != "") {
			t.Errorf("%q: %q, %q", name, got, refused)
		}
	}
}

func TestPatterns(t *testing.T) {
	for _, tc := range []struct {
		pattern, path, kind string
		ok                  bool
	}{
		{"namespaces/*/{group}/{plural}.yaml", "namespaces/n/batch/jobs.yaml", "jobs", true},
		{"namespaces/*/{group}/{plural}.yaml", "namespaces/n/batch-v1/jobs.yaml", "", false},
		{"namespaces/*/{gv}/{kind}/*.yaml", "namespaces/n/networking.k8s.io-v1beta1/ingress/x.yaml", "ingress", true},
		{"namespaces/*/{gv}/{kind}/*.yaml", "namespaces/n/v1/pod/x.yaml", "pod", true},
		{"namespaces/*/{gv}/{kind}/*.yaml", "namespaces/n/core/pods/x.yaml", "", false},
		{"namespaces/*/{same}.yaml", "namespaces/n/n.yaml", "", true},
		{"namespaces/*/{same}.yaml", "namespaces/n/m.yaml", "", false},
		{"logs/**", "logs", "", false},
		{"logs/**", "logs/a/b", "", true},
		{"a/*.log", "a/.log", "", false},
		{"a/b", "a/b/c", "", false},
	} {
		kind, ok := parsePattern(tc.pattern).match(strings.Split(tc.path, "/"))
		if kind != tc.kind || ok != tc.ok {
			t.Errorf("%s at %s: %q, %v", tc.pattern, tc.path, kind, ok)
		}
	}
}
