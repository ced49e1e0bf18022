package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tree lays a folder out; the order, the times and the modes of writing must leave no trace in an archive.
func tree(t *testing.T, order []string, mode os.FileMode, at time.Time) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "product-v1")
	for _, name := range order {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		m := mode
		if name == "analyze" {
			m |= 0o100
		}
		if err := os.WriteFile(p, []byte("content of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(p, m); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestArchivesFollowFromNamesAndContents(t *testing.T) {
	names := []string{"analyze", "docs/a.md", "docs/b.md", "README.md"}
	one := tree(t, names, 0o644, time.Unix(1, 0))
	two := tree(t, []string{names[3], names[2], names[0], names[1]}, 0o600, time.Unix(1e9, 0))
	for _, kind := range []string{"x.tar.gz", "x.zip"} {
		var files [2][]byte
		for i, dir := range []string{one, two} {
			out := filepath.Join(t.TempDir(), kind)
			if err := archive(dir, out, "1796000000"); err != nil {
				t.Fatal(err)
			}
			files[i], _ = os.ReadFile(out)
		}
		if len(files[0]) == 0 || !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s: two packings of the same files differ", kind)
		}
	}
}

func TestArchiveHoldsWhatItShould(t *testing.T) {
	dir := tree(t, []string{"README.md", "analyze"}, 0o644, time.Unix(1, 0))
	out := t.TempDir()
	for _, kind := range []string{"x.tar.gz", "x.zip"} {
		if err := archive(dir, filepath.Join(out, kind), "1796000000"); err != nil {
			t.Fatal(err)
		}
	}
	const want = "product-v1/README.md -rw-r--r-- content of README.md 1796000000\nproduct-v1/analyze -rwxr-xr-x content of analyze 1796000000\n"
	if got := listTarGz(t, filepath.Join(out, "x.tar.gz")); got != want {
		t.Errorf("tarball:\n%s", got)
	}
	if got := listZip(t, filepath.Join(out, "x.zip")); got != want {
		t.Errorf("zip:\n%s", got)
	}
}

func line(name string, mode os.FileMode, content []byte, at time.Time) string {
	return fmt.Sprintln(name, mode, string(content), at.Unix())
}

// listTarGz lists a tarball: name, mode, content, time.
func listTarGz(t *testing.T, file string) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return all.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil || h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Gname != "" {
			t.Errorf("%s belongs to someone: %+v, %v", h.Name, h, err)
		}
		all.WriteString(line(h.Name, h.FileInfo().Mode(), content, h.ModTime))
	}
}

func listZip(t *testing.T, file string) string {
	t.Helper()
	r, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all strings.Builder
	for _, f := range r.File {
		c, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(c)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(line(f.Name, f.Mode(), content, f.Modified))
	}
	return all.String()
}

func TestArchiveRefusesLinks(t *testing.T) {
	dir := tree(t, []string{"README.md"}, 0o644, time.Unix(1, 0))
	if err := os.Symlink("README.md", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if err := archive(dir, filepath.Join(t.TempDir(), "x.zip"), "1"); err == nil || !strings.Contains(err.Error(), "neither a file nor a folder") {
		t.Errorf("got %v", err)
	}
}

func TestChecksumsAreThoseOfSha256sum(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "b.txt"), []byte("abc"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run([]string{"checksums", dir}, &out); err != nil {
		t.Fatal(err)
	}
	const want = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt\n" +
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b.txt\n"
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}
