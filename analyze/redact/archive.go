package redact

import (
	"archive/tar"
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Format is a kind of archive.
type Format string

// The kinds of archives that can be written.
const (
	TarGz   Format = "tar.gz"
	Tar     Format = "tar"
	TarZstd Format = "tar.zst"
	Zip     Format = "zip"
)

// FormatOf tells the kind of archive by the end of a file's name.
func FormatOf(name string) (Format, error) {
	for _, is := range []struct {
		suffix string
		format Format
	}{{".tar.gz", TarGz}, {".tgz", TarGz}, {".tar", Tar}, {".tar.zst", TarZstd}, {".zip", Zip}} {
		if strings.HasSuffix(strings.ToLower(name), is.suffix) {
			return is.format, nil
		}
	}
	return "", fmt.Errorf("%s: no kind of archive is known by that name; let it end in .tar.gz, .tgz, .tar, .tar.zst or .zip", name)
}

// entry is a file of the archive; a folder when open is nil.
type entry struct {
	name string
	size int64
	open func() io.Reader
}

// pack writes the archive: one top folder, names sorted, no times and no owner, so that the same bundle gives the same
// bytes.
func (r *run) pack(ctx context.Context, w io.Writer, format Format, top string, m *Manifest) error {
	entries, err := r.entries(top, m)
	if err != nil {
		return err
	}
	switch format {
	case Zip:
		return packZip(ctx, w, entries)
	case Tar:
		return packTar(ctx, w, entries)
	case TarZstd:
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		return errors.Join(packTar(ctx, z, entries), z.Close())
	}
	z := gzip.NewWriter(w)
	return errors.Join(packTar(ctx, z, entries), z.Close())
}

// entries lists files and the folders above them, sorted.
func (r *run) entries(top string, m *Manifest) ([]entry, error) {
	text, err := jsonText(m, "  ")
	if err != nil {
		return nil, err
	}
	all := map[string]entry{}
	add := func(e entry) {
		all[e.name] = e
		for dir := path.Dir(e.name); dir != "."; dir = path.Dir(dir) {
			all[dir+"/"] = entry{name: dir + "/"}
		}
	}
	add(entry{name: top + "/" + manifestName, size: int64(len(text)), open: func() io.Reader { return strings.NewReader(string(text)) }})
	for _, f := range r.files {
		add(entry{name: top + "/" + below(top, f.name), size: f.to.size, open: f.to.open})
	}
	out := make([]entry, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[name])
	}
	return out, nil
}

func packTar(ctx context.Context, w io.Writer, entries []entry) error {
	t := tar.NewWriter(w)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o600, Size: e.size, Typeflag: tar.TypeReg, ModTime: time.Unix(0, 0).UTC()}
		if e.open == nil {
			h.Typeflag, h.Mode = tar.TypeDir, 0o700
		}
		if err := errors.Join(ctx.Err(), t.WriteHeader(h)); err != nil {
			return err
		}
		if e.open != nil {
			if _, err := io.Copy(t, e.open()); err != nil {
				return err
			}
		}
	}
	return t.Close()
}

func packZip(ctx context.Context, w io.Writer, entries []entry) error {
	z := zip.NewWriter(w)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(0o600)
		if e.open == nil {
			h.Method = zip.Store
			h.SetMode(0o700)
		}
		to, err := z.CreateHeader(h)
		if err = errors.Join(ctx.Err(), err); err != nil {
			return err
		}
		if e.open != nil {
			if _, err := io.Copy(to, e.open()); err != nil {
				return err
			}
		}
	}
	return z.Close()
}
