package redact

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// The bundle comes from a stranger: what the reader refuses gets into no copy, and what it reads cannot harm.
func TestHostileNames(t *testing.T) {
	outside := single(t, "outside.yaml", []byte(marshal(t, podNamed("outside"))))
	dir := folder(t, map[string]string{"in.yaml": marshal(t, podNamed("inside"))})
	if err := os.Symlink(outside, filepath.Join(dir, "link.yaml")); err != nil {
		t.Skip(err)
	}
	files, _ := redacted(t, dir, Tar)
	for name, text := range files {
		if strings.Contains(text, "name: outside") {
			t.Errorf("%s: a link was followed", name)
		}
	}
	pod := marshal(t, podNamed("p"))
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []*tar.Header{{Name: "../up.yaml"}, {Name: "/abs.yaml"}, {Name: "a/../../b.yaml"}, {Name: "ok/\x1b[2J.yaml"}, {Name: "ok/" + strings.Repeat("n", 300) + ".yaml"},
		{Name: "ok/link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}} {
		h.Mode = 0o644
		if h.Typeflag == 0 {
			h.Size = int64(len(pod))
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write([]byte(pod)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files, m := redacted(t, single(t, "hostile.tar", b.Bytes()), Tar)
	for name := range files {
		if strings.Contains(name, "..") || strings.HasPrefix(name, "/") || strings.Contains(name, "link") {
			t.Errorf("%q is in the copy", name)
		}
	}
	if m.Files != 2 || len(m.Problems) == 0 {
		t.Errorf("%d files, problems %v", m.Files, m.Problems)
	}
}

func TestHostileSizes(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	line := bytes.Repeat([]byte("# zeros are cheap\n"), 1<<12)
	for range 4000 {
		if _, err := z.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	alias := "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nx0: &x0 [a,a,a,a,a,a,a,a,a]\n"
	for i := 1; i < 9; i++ {
		alias += fmt.Sprintf("x%d: &x%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d,", i-1), 9), ","))
	}
	deep := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"affinity": ` + strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000) + "}}"
	dir := folder(t, map[string]string{"z-bomb.yaml": bomb.String(), "alias.yaml": alias, "deep.json": deep, "long.txt": strings.Repeat("x", 1<<20), "ok.yaml": marshal(t, podNamed("ok")),
		"deep.yaml": "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec: " + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "\n"})
	var out bytes.Buffer
	m, err := Copy(context.Background(), dir, nil, &out, TarGz, Options{MaxBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range m.LeftOut {
		if l.Reason == leftFault {
			t.Errorf("%s: %v", l.Reason, l.Names)
		}
	}
	if m.Files == 0 || out.Len() > 1<<20 {
		t.Errorf("%d files, %d bytes", m.Files, out.Len())
	}
}

func TestNothingToCopy(t *testing.T) {
	for name, files := range map[string]map[string]string{"empty": {}, "prose": {"a.txt": "hello\n"}, "logs": {"namespaces/a/pods/b/c/c/logs/current.log": "x"}} {
		var out bytes.Buffer
		dir := folder(t, files)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := Copy(context.Background(), dir, nil, &out, TarGz, Options{}); err == nil || out.Len() > 0 {
			t.Errorf("%s: error %v, %d bytes written", name, err, out.Len())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Copy(ctx, folder(t, map[string]string{"a.yaml": marshal(t, podNamed("a"))}), nil, &bytes.Buffer{}, TarGz, Options{}); err == nil {
		t.Error("a copy was made after it was called off")
	}
}
