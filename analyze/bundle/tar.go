package bundle

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"strings"
)

const tarBlock = 512

// tarStream counts what is read of a tar, and the zeros that it was read up to: a tar ends with blocks of them.
type tarStream struct {
	counter
	zeros int
}

func (s *tarStream) Read(p []byte) (int, error) {
	n, err := s.counter.Read(p)
	zeros := n - len(bytes.TrimRight(p[:n], "\x00"))
	if zeros == n {
		zeros += s.zeros
	}
	s.zeros = zeros
	return n, err
}

// tarball reads the entries of a tar in one pass. A header that is damaged costs the entries up to the next good one.
func (w *walker) tarball(it item, r io.Reader) {
	in := &tarStream{counter: counter{r: r}}
	tr := tar.NewReader(in)
	for {
		h, err := tr.Next()
		if err != nil {
			rest, more := w.nextTar(it, in, err)
			if !more {
				return
			}
			tr = tar.NewReader(rest)
			continue
		}
		if w.budget.takeFile() != nil {
			return
		}
		if err := w.tarEntry(it, h, tr); err != nil {
			return
		}
	}
}

// tarEntry reads one entry. Its error is that of the tar itself, which cannot be read on.
func (w *walker) tarEntry(it item, h *tar.Header, r io.Reader) error {
	rel, refused := cleanName(h.Name)
	odd := oddEntry(h)
	switch {
	case odd == "" && (h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader):
		return nil
	case refused != "":
		odd, rel = oddName, h.Name
	}
	entry := it.inside(rel)
	if odd != "" {
		w.odd.add(odd, entry.name())
		return nil
	}
	w.once(entry)
	return w.file(entry, h.Size, r)
}

// oddEntry says why an entry is not read, if it is not.
func oddEntry(h *tar.Header) string {
	for key := range h.PAXRecords {
		// The told size of a sparse file is bytes that are not there.
		if strings.HasPrefix(key, "GNU.sparse.") {
			return oddSparse
		}
	}
	switch h.Typeflag {
	case tar.TypeReg, '\x00', tar.TypeCont, tar.TypeDir, tar.TypeXGlobalHeader:
		return ""
	case tar.TypeSymlink:
		return oddLink
	case tar.TypeLink:
		return oddHardLink
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		return oddDevice
	case tar.TypeGNUSparse:
		return oddSparse
	}
	return oddType
}

// nextTar looks for the next good header after err ended a tar, and gives the stream from there on. After a proper end,
// too: another tar may follow (cat a.tar b.tar), and reading on to the end is what checks the checksum of a .tar.gz.
func (w *walker) nextTar(it item, in *tarStream, err error) (io.Reader, bool) {
	damaged := errors.Is(err, tar.ErrHeader) || errors.Is(err, tar.ErrFieldTooLong)
	if err != io.EOF && !damaged {
		w.problem(it, "the archive "+explain(err))
		return nil, false
	}
	if err == io.EOF && in.zeros < tarBlock {
		w.problem(it, "the archive has no end mark; if it was cut off between two files, those behind the cut are missing")
		return nil, false
	}
	block := make([]byte, tarBlock)
	_, err = fill(in, block[:-in.n&(tarBlock-1)])
	for err == nil {
		if _, err = fill(in, block); err != nil || !isTarHeader(block) {
			continue
		}
		if damaged {
			w.problem(it, "a damaged entry; reading went on at the next good one")
		}
		return io.MultiReader(strings.NewReader(string(block)), in), true
	}
	if damaged {
		w.problem(it, "a damaged entry, and no good one after it")
	}
	if err != io.EOF {
		w.problem(it, "the archive "+explain(err))
	}
	return nil, false
}
