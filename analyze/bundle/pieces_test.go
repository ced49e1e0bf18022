package bundle

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// noted writes down what a copy is handed.
type noted struct {
	mu    sync.Mutex
	files map[string]*notedFile
	left  []string
}

type notedFile struct {
	pieces  []string
	skipped int
	ended   bool
}

func (n *noted) File(name string) FileCopy {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.files[name] = &notedFile{}
	return n.files[name]
}

func (n *noted) Left(name, reason string) { n.left = append(n.left, name+": "+reason) }

func (f *notedFile) Skipped(lines int) { f.skipped += lines }
func (f *notedFile) End(failed bool)   { f.ended = !failed }

func (f *notedFile) Piece(p Piece) {
	names := map[PieceKind]string{PieceObject: "object", PieceListStart: "list", PieceItem: "item", PieceListEnd: "end", PieceDescribe: "describe",
		PieceTable: "table", PieceRow: "row", PieceNote: "note", PieceCommand: "command", PieceVersion: "version", PieceManifest: "manifest", PieceRefusals: "refusals"}
	s := names[p.Kind]
	if p.What != "" {
		s += " " + p.What
	}
	if p.Bare {
		s += " bare"
	}
	f.pieces = append(f.pieces, s)
}

const aPod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n"

func TestPieces(t *testing.T) {
	item := "- " + strings.ReplaceAll(strings.TrimSuffix(aPod, "\n"), "\n", "\n  ") + "\n"
	for name, c := range map[string]struct {
		text, want string
		skipped    int
	}{
		"object.yaml":     {aPod, "object", 0},
		"two.yaml":        {aPod + "---\n" + aPod + aPod, "object object object", 1},
		"list.yaml":       {"apiVersion: v1\nitems:\n" + item + item + "kind: List\n", "list item item end", 0},
		"empty.yaml":      {"apiVersion: v1\nitems: []\nkind: List\n", "object", 0},
		"bare.yaml":       {item, "list bare,item end", 0},
		"cut.yaml":        {"apiVersion: v1\nitems:\n" + item + "- apiVersion: v1\n  ki", "list item end", 0},
		"noise.yaml":      {"apiVersion: v1\nitems:\n" + item + "Warning: x\n" + item + "kind: List\n", "note other,list item item end", 0},
		"list.json":       {`{"kind": "PodList", "items": [{"metadata": {"name": "p"}}, {"metadata": {"name": "q"}}]}`, "list PodList,item item end", 0},
		"bare.json":       {`[{"kind": "Pod", "metadata": {"name": "p"}}]`, "list bare,item end", 0},
		"no-object.json":  {`{"a": 1}`, "", 1},
		"log.txt":         {"hello\nworld\n", "", 2},
		"describe.txt":    {"Name:  a\nNamespace:  b\nLabels:  <none>\nType:  Opaque\n\n\nName:  p\nNamespace:  b\nStatus:  Running\nContainers:\n", "describe describe Pod", 0},
		"table.txt":       {"NAME   READY   STATUS    RESTARTS   AGE\np      1/1     Running   0          1h\n", "table Pod,row Pod", 0},
		"session.txt":     {"a@b:~$ kubectl get pods\nNo resources found\na@b:~$ kubectl logs p\nkind: Pod\nNAME\n", "command note other,command kubectl logs", 2},
		"version.txt":     {"Client Version: v9\nServer Version: v9.1.0\n", "version", 0},
		"collection.json": {`{"tool": "sidecar-must-gather"}`, "manifest", 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, map[string]string{name: c.text})
			n := &noted{files: map[string]*notedFile{}}
			read, _ := Read(context.Background(), dir, nil, Options{Copy: n})
			f := n.files[name]
			if f == nil || !f.ended {
				t.Fatal("the file was not begun, or not ended")
			}
			want := strings.FieldsFunc(c.want, func(r rune) bool { return r == ',' })
			got := strings.Join(f.pieces, " ")
			if got != strings.Join(want, " ") {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if f.skipped != c.skipped {
				t.Errorf("%d lines skipped, want %d", f.skipped, c.skipped)
			}
			if len(read.Set.Pods)+len(read.Set.Rows)+len(read.Set.Notes) > 0 {
				t.Error("objects are kept while a copy is made")
			}
		})
	}
}

func TestLeftFilesAreTold(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"namespaces/a/core/secrets.yaml": "x", "empty": "", "picture": "\x89PNG...", "pod.yaml": aPod})
	n := &noted{files: map[string]*notedFile{}}
	if _, err := Read(context.Background(), dir, nil, Options{Copy: n}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"empty: empty file", "namespaces/a/core/secrets.yaml: secrets"} {
		if !slices.Contains(n.left, want) {
			t.Errorf("%q is not told: %q", want, n.left)
		}
	}
	if len(n.left) != 3 || len(n.files) != 1 {
		t.Errorf("%q, %d files", n.left, len(n.files))
	}
}

// The manifest of a redacted copy brings the problems of the bundle along; a broken one is a problem itself.
func TestRedactionManifest(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"x/pod.yaml": aPod, "x/redaction.json": `{"tool": "sidecar-must-gather", "problems": [{"file": "jobs.yaml", "line": 3, "message": "cut off"}, {"message": "stopped"}]}`,
		"y/redaction.json": `{"tool": "another"`})
	read, err := Read(context.Background(), dir, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range read.Problems {
		got = append(got, fmt.Sprintf("%s:%d %s", p.File, p.Line, p.Message))
	}
	want := []string{"x/jobs.yaml:3 cut off", ":0 stopped", "y/redaction.json:0 not readable as the manifest of a redacted copy: what could not be read when it was made is not known"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
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
