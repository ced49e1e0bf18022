package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const onePod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  namespace: n\n"

// A copy is for its owner only, whatever the umask, and stands alone in its folder.
func TestCopyIsForItsOwnerOnly(t *testing.T) {
	dir := t.TempDir()
	source, out := filepath.Join(dir, "in.yaml"), filepath.Join(dir, "out", "copy.zip")
	write(t, source, onePod)
	if err := os.Mkdir(filepath.Dir(out), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"redact", source, "-o", out}, {"redact", source, "-o", out, "--force"}} {
		if got := run(args...); got.Exit != 0 {
			t.Fatalf("%v: %s", args, got.Stderr)
		}
		info, err := os.Stat(out)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v: %v, %v", args, info.Mode(), err)
		}
		onlyFile(t, filepath.Dir(out), "copy.zip")
	}
}

// Whoever calls a run off finds no copy, not even half of one.
func TestCopyThatIsCalledOff(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "in.yaml")
	write(t, source, onePod)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stdio := IO{Stdin: strings.NewReader(""), Stdout: &strings.Builder{}, Stderr: &strings.Builder{}, Env: func(string) string { return "" }}
	if status := Main(ctx, []string{"redact", source, "-o", filepath.Join(dir, "copy.zip")}, stdio); status != 2 {
		t.Errorf("exit status %d", status)
	}
	onlyFile(t, dir, "in.yaml")
}

// Links must not lead a copy into the bundle, or over what they point to.
func TestCopyAndLinks(t *testing.T) {
	dir := t.TempDir()
	bundle := filepath.Join(dir, "bundle")
	if err := os.Mkdir(bundle, 0o755); err != nil {
		t.Fatal(err)
	}
	pod := filepath.Join(bundle, "pod.yaml")
	write(t, pod, onePod)
	folder, file := filepath.Join(dir, "elsewhere"), filepath.Join(dir, "copy.zip")
	if os.Symlink(bundle, folder) != nil || os.Symlink(pod, file) != nil {
		t.Skip("no symbolic links here")
	}
	for out, want := range map[string]string{filepath.Join(folder, "copy.zip"): "inside the bundle", file: "no plain file", filepath.Join(bundle, "..", "bundle", "x.zip"): "inside the bundle"} {
		if got := run("redact", bundle, "-o", out, "--force"); got.Exit != 2 || !strings.Contains(string(got.Stderr), want) {
			t.Errorf("%s: exit status %d, %s", out, got.Exit, got.Stderr)
		}
	}
	onlyFile(t, bundle, "pod.yaml")
	if b, err := os.ReadFile(pod); err != nil || string(b) != onePod {
		t.Errorf("the bundle was changed: %q, %v", b, err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), fs.FileMode(0o644)); err != nil {
		t.Fatal(err)
	}
}

func onlyFile(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("%s holds %v, %v; want %s alone", dir, entries, err, name)
	}
}
