package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// container is a way to hand a tree to Read.
type container struct {
	name string
	read func(*testing.T, map[string]string) (*Bundle, error)
}

func containers() []container {
	packed := func(name string, pack func(testing.TB, map[string]string) string) container {
		return container{name, func(t *testing.T, files map[string]string) (*Bundle, error) { return readBytes(t, pack(t, files)) }}
	}
	return []container{
		{"folder", func(t *testing.T, files map[string]string) (*Bundle, error) {
			dir := t.TempDir()
			writeTree(t, dir, files)
			return Read(context.Background(), dir, nil, Options{})
		}},
		{"stdin", func(t *testing.T, files map[string]string) (*Bundle, error) {
			return Read(context.Background(), "-", strings.NewReader(packTarGz(t, files)), Options{})
		}},
		{"stdin zip", func(t *testing.T, files map[string]string) (*Bundle, error) {
			return Read(context.Background(), "-", strings.NewReader(packZip(t, files)), Options{})
		}},
		packed("tar", packTar),
		packed("tar.gz", packTarGz),
		packed("zip", packZip),
		packed("tar.zst", func(t testing.TB, files map[string]string) string { return packZstd(t, packTar(t, files)) }),
		packed("tar.xz", func(t testing.TB, files map[string]string) string { return packXz(t, packTar(t, files)) }),
		packed("tar.bz2", func(t testing.TB, files map[string]string) string { return packBzip2(t, packTar(t, files)) }),
		packed("zip in tar.gz", func(t testing.TB, files map[string]string) string {
			return packTarGz(t, map[string]string{"ticket/attachment": packZip(t, files)})
		}),
		packed("each file gz", func(t testing.TB, files map[string]string) string {
			gz := map[string]string{}
			for name, text := range files {
				gz[name] = text
				if strings.HasSuffix(name, ".yaml") && text != "" {
					delete(gz, name)
					gz[name+".gz"] = packGzip(t, text)
				}
			}
			return packTar(t, gz)
		}),
	}
}

func readBytes(t testing.TB, data string) (*Bundle, error) { return readBytesOpt(t, data, Options{}) }

func readBytesOpt(t testing.TB, data string, opt Options) (*Bundle, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ticket.bin")
	if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(context.Background(), name, nil, opt)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// packTar writes files without folders and in no order that helps, as some tools do.
func packTar(t testing.TB, files map[string]string) string {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	names := slices.Sorted(maps.Keys(files))
	slices.Reverse(names)
	for _, name := range names {
		must(t, w.WriteHeader(&tar.Header{Name: "./" + name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(files[name]))}))
		_, err := w.Write([]byte(files[name]))
		must(t, err)
	}
	must(t, w.Close())
	return buf.String()
}

func packTarGz(t testing.TB, files map[string]string) string { return packGzip(t, packTar(t, files)) }

func packZip(t testing.TB, files map[string]string) string {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for i, name := range slices.Sorted(maps.Keys(files)) {
		method := zip.Deflate
		if i%3 == 0 {
			method = zip.Store
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		must(t, err)
		_, err = f.Write([]byte(files[name]))
		must(t, err)
	}
	must(t, w.Close())
	return buf.String()
}

func packGzip(t testing.TB, data string) string {
	t.Helper()
	var buf bytes.Buffer
	return packWith(t, &buf, gzip.NewWriter(&buf), data)
}

func packZstd(t testing.TB, data string) string {
	t.Helper()
	var buf bytes.Buffer
	w, err := zstd.NewWriter(&buf)
	must(t, err)
	return packWith(t, &buf, w, data)
}

func packXz(t testing.TB, data string) string {
	t.Helper()
	var buf bytes.Buffer
	w, err := xz.NewWriter(&buf)
	must(t, err)
	return packWith(t, &buf, w, data)
}

func packWith(t testing.TB, buf *bytes.Buffer, w io.WriteCloser, data string) string {
	t.Helper()
	_, err := io.WriteString(w, data)
	must(t, err)
	must(t, w.Close())
	return buf.String()
}

// packBzip2 needs the program: Go's library only unpacks.
func packBzip2(t testing.TB, data string) string {
	t.Helper()
	tool, err := exec.LookPath("bzip2")
	if err != nil {
		t.Skip("no bzip2 here; TestBzip2 reads a stored one")
	}
	cmd := exec.Command(tool, "-c")
	cmd.Stdin = strings.NewReader(data)
	out, err := cmd.Output()
	must(t, err)
	return string(out)
}
