package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// entry is one file of an archive: all that is kept of it.
type entry struct {
	name    string
	mode    fs.FileMode
	content []byte
}

// Two modes are enough, and a umask has no say in them.
const (
	plainMode   fs.FileMode = 0o644
	programMode fs.FileMode = 0o755
)

// archive packs a folder, its own name included. Names are sorted, owners are nobody in particular, times are all the
// same: the bytes follow from names, contents and the bit that makes a file a program.
func archive(dir, file, seconds string) error {
	epoch, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("%s is no number of seconds: %w", seconds, err)
	}
	entries, err := collect(dir)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	at := time.Unix(epoch, 0).UTC()
	switch {
	case strings.HasSuffix(file, ".tar.gz"):
		err = writeTarGz(&buf, entries, at)
	case strings.HasSuffix(file, ".zip"):
		err = writeZip(&buf, entries, at)
	default:
		err = fmt.Errorf("%s: neither .tar.gz nor .zip", file)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(file, buf.Bytes(), 0o644)
}

// collect reads the files of a folder in the order of their names. Anything else than files and folders is refused:
// links would unpack differently on different systems.
func collect(dir string) ([]entry, error) {
	var all []entry
	top := filepath.Base(dir)
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is neither a file nor a folder", p)
		}
		content, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		mode := plainMode
		if info.Mode()&0o100 != 0 {
			mode = programMode
		}
		all = append(all, entry{top + "/" + filepath.ToSlash(rel), mode, content})
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s holds no files", dir)
	}
	return all, err
}

func writeTarGz(out io.Writer, entries []entry, at time.Time) error {
	zipped, err := gzip.NewWriterLevel(out, gzip.BestCompression) // its header stays empty: no name, no time
	if err != nil {
		return err
	}
	w := tar.NewWriter(zipped)
	for _, e := range entries {
		h := &tar.Header{Format: tar.FormatUSTAR, Typeflag: tar.TypeReg, Name: e.name, Mode: int64(e.mode), Size: int64(len(e.content)),
			ModTime: at}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(e.content); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return zipped.Close()
}

func writeZip(out io.Writer, entries []entry, at time.Time) error {
	w := zip.NewWriter(out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		h.SetMode(e.mode)
		f, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := f.Write(e.content); err != nil {
			return err
		}
	}
	return w.Close()
}

// checksums prints what `sha256sum -c` reads.
func checksums(dir string, out io.Writer) error {
	files, err := os.ReadDir(dir) // in the order of their names
	if err != nil {
		return err
	}
	for _, f := range files {
		if !f.Type().IsRegular() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%x  %s\n", sha256.Sum256(content), f.Name()); err != nil {
			return err
		}
	}
	return nil
}
