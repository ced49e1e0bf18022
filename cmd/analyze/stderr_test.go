package main

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// What an error quotes, be it of the bundle or of the command line, reaches the terminal escaped, and begins no line.
func TestErrorsAreEscaped(t *testing.T) {
	const odd = "x\x1b[31mred\x07\u009b\u202ertl\u2028\u200b\ufeff\x7f"
	dir := t.TempDir()
	pod := filepath.Join(dir, "pod.yaml")
	text := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p\u001b[31m\u202e\u009b\u2028\nanalyze: all is well","namespace":"n\u001b]0;t\u0007"},` +
		`"spec":{"containers":[{"name":"c"}],"restartPolicy":"Never"},"status":{"phase":"Running"}}`
	if err := os.WriteFile(pod, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, name := range []string{"a" + odd + ".bin", "b\nanalyze: all is well.bin"} {
		_ = w.WriteHeader(&tar.Header{Name: name, Size: 4, Mode: 0o600})
		_, _ = w.Write([]byte("\x00\x01\x02\x03"))
	}
	_ = w.Close()
	tarball := filepath.Join(dir, "t.tar")
	if err := os.WriteFile(tarball, archive.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{tarball}, {"explain", tarball}, {"fix", tarball, "x"}, {"redact", tarball, "-o", filepath.Join(dir, "o.tgz")}, {"compare", tarball, pod},
		{"explain", pod, "zz"}, {"fix", pod, "zz"}, {pod, "--job", "zz"}, {pod, "-n", "zz"}, {"predict", pod, "--job", "zz"}, {"explain", pod, "-n", "zz"}, {"compare", pod, pod, "--job", "zz"},
		{odd}, {"convert", odd}, {"redact", pod, "--pattern", "(" + odd}, {pod, "--rules", odd}, {"rules", odd}, {pod, "-o", odd}, {pod, "--" + odd}} {
		r := run(args...)
		if len(r.Stderr) == 0 {
			t.Errorf("%q: no error, exit status %d", args, r.Exit)
		}
		visible(t, args, r.Stderr)
		if strings.Contains(string(r.Stderr), "\nanalyze: all is well") {
			t.Errorf("%q: a name begins a line: %q", args, r.Stderr)
		}
	}
}

// What a command prints of a bundle's names is escaped in every format, those for programs too: a terminal shows them as well.
func TestOutputIsEscaped(t *testing.T) {
	pod := filepath.Join(t.TempDir(), "pod.yaml")
	text := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p\u001b[31m\u202e\u009b\u2028","namespace":"n\u001b]0;t\u0007"},` +
		`"spec":{"containers":[{"name":"c\u202e"}],"restartPolicy":"Never"},"status":{"phase":"Running"}}`
	if err := os.WriteFile(pod, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"table", "wide", "json", "yaml", "ndjson", "markdown", "html", "junit"} {
		for _, args := range [][]string{{pod, "--all"}, {"explain", pod}, {"predict", pod}, {"compare", pod, pod}, {"fix", pod, "p\x1b[31m\u202e\u009b\u2028"}} {
			args = append(args, "-o", format)
			r := run(args...)
			visible(t, args, r.Stdout)
			if strings.HasPrefix(args[0], "/") && !strings.Contains(string(r.Stdout), "202e") {
				t.Errorf("%q: the pod's name is not there", args)
			}
		}
	}
}

// visible wants nothing in what reaches a terminal that could act on it or hide.
func visible(t *testing.T, args []string, out []byte) {
	t.Helper()
	for _, c := range string(out) {
		if c != '\n' && (!unicode.IsGraphic(c) || unicode.Is(unicode.Cf, c)) {
			t.Errorf("%q: %U reaches the terminal: %q", args, c, out)
			return
		}
	}
}
