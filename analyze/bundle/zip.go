package bundle

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"io"
	"io/fs"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// Methods of packing within a zip that newer tools use.
const (
	zipBzip2 = 12
	zipZstd  = 93
	zipXz    = 95
)

// zip reads a zip by its central directory, or entry after entry where that cannot be had: a zip that was cut off, one
// with a directory too large to hold, one from a stream too long to hold.
func (w *walker) zip(it item, r io.Reader) {
	at, size := it.whole, it.size
	if at == nil {
		held, err := io.ReadAll(io.LimitReader(r, maxSpool+1))
		if err != nil {
			w.problem(it, "the archive "+explain(err))
		}
		if len(held) > maxSpool {
			w.zipStream(it, io.MultiReader(bytes.NewReader(held), r))
			return
		}
		at, size = bytes.NewReader(held), int64(len(held))
	}
	directory := &boundedReaderAt{r: at, left: maxZipDirectory}
	z, err := zip.NewReader(directory, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		w.problem(it, "the zip has no usable directory, as a cut-off download has none; its entries were read one by one")
		w.zipStream(it, io.NewSectionReader(at, 0, size))
		return
	}
	directory.left = -1
	registerMethods(z.RegisterDecompressor)
	m := &meter{b: w.budget, packed: func() int64 { return size }}
	for _, f := range z.File {
		if w.budget.takeFile() != nil || errors.Is(m.err, errRatio) {
			return
		}
		w.zipEntry(it, f, m)
	}
}

// boundedReaderAt ends reading after so many bytes; a negative number is no bound.
type boundedReaderAt struct {
	r    io.ReaderAt
	left int
}

func (b *boundedReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if b.left >= 0 {
		if b.left -= len(p); b.left < 0 {
			b.left = 0
			return 0, errors.New("the directory of the zip is too large")
		}
	}
	return b.r.ReadAt(p, off)
}

func registerMethods(register func(uint16, zip.Decompressor)) {
	register(zip.Deflate, flate.NewReader)
	register(zipBzip2, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	register(zipXz, func(r io.Reader) io.ReadCloser { return io.NopCloser(newXzReader(bufio.NewReader(r))) })
	register(zipZstd, func(r io.Reader) io.ReadCloser {
		z, _, err := openDecompressor(formatZstd, bufio.NewReader(r))
		if err != nil {
			return io.NopCloser(&failedReader{err})
		}
		return z.(*zstd.Decoder).IOReadCloser()
	})
}

// failedReader gives one error.
type failedReader struct{ err error }

func (f *failedReader) Read([]byte) (int, error) { return 0, f.err }

// zipEntry reads one entry. m meters all entries of the zip together, for their data may overlap.
func (w *walker) zipEntry(it item, f *zip.File, m *meter) {
	rel, refused := cleanName(f.Name)
	mode := f.Mode()
	odd := ""
	switch {
	case refused != "":
		odd, rel = oddName, f.Name
	case mode.IsDir():
		return
	case mode&fs.ModeSymlink != 0:
		odd = oddLink
	case !mode.IsRegular():
		odd = oddDevice
	case f.Flags&1 != 0:
		odd = oddEncrypted
	}
	entry := it.inside(rel)
	if odd != "" {
		w.odd.add(odd, entry.name())
		return
	}
	w.once(entry)
	data, err := f.Open()
	if err != nil {
		if errors.Is(err, zip.ErrAlgorithm) {
			w.odd.add(oddMethod, entry.name())
			return
		}
		w.problem(entry, explain(err))
		return
	}
	defer func() { _ = data.Close() }()
	m.r, m.err = data, nil
	_ = w.file(entry, int64(min(f.UncompressedSize64, 1<<62)), m)
}
