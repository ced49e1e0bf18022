package bundle

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// zipHeader is what the header in front of an entry says of it.
type zipHeader struct {
	flags, method uint16
	packed, size  uint64
	name          string
}

// sized says whether the header tells where the entry ends; else only deflate does, which knows its own end.
func (h zipHeader) sized() bool { return h.flags&8 == 0 }

// zipStream reads the entries of a zip in one pass by the headers in front of them.
func (w *walker) zipStream(it item, r io.Reader) {
	in := &counter{r: r}
	br := bufio.NewReaderSize(in, 64<<10)
	methods := map[uint16]zip.Decompressor{zip.Store: io.NopCloser}
	registerMethods(func(id uint16, d zip.Decompressor) { methods[id] = d })
	m := &meter{b: w.budget, packed: func() int64 { return in.n }}
	for {
		err := toZipHeader(br)
		var h zipHeader
		if err == nil {
			h, err = readZipHeader(br)
		}
		if err != nil {
			if err != io.EOF {
				w.problem(it, "the archive "+explain(err))
			}
			return
		}
		if w.budget.takeFile() != nil || errors.Is(m.err, errRatio) {
			return
		}
		w.streamedEntry(it, h, br, methods, m)
	}
}

// streamedEntry reads one entry, and over what is left of it.
func (w *walker) streamedEntry(it item, h zipHeader, br *bufio.Reader, methods map[uint16]zip.Decompressor, m *meter) {
	var data io.Reader = br
	if h.sized() {
		limited := io.LimitReader(br, int64(min(h.packed, 1<<62)))
		defer func() { _, _ = io.Copy(io.Discard, limited) }()
		data = limited
	}
	rel, refused := cleanName(h.name)
	open := methods[h.method]
	odd := ""
	switch {
	case refused != "":
		odd, rel = oddName, h.name
	case h.name[len(h.name)-1] == '/':
		return
	case h.flags&1 != 0:
		odd = oddEncrypted
	case open == nil || !h.sized() && h.method != zip.Deflate:
		odd = oddMethod
	}
	entry := it.inside(rel)
	if odd != "" {
		w.odd.add(odd, entry.name())
		return
	}
	w.once(entry)
	plain := open(data)
	defer func() { _ = plain.Close() }()
	m.r, m.err = plain, nil
	size := int64(-1)
	if h.sized() {
		size = int64(min(h.size, 1<<62))
	}
	_ = w.file(entry, size, m)
}

// toZipHeader reads up to the next entry's header. Between entries there may be data descriptors, and after damage
// anything.
func toZipHeader(br *bufio.Reader) error {
	for {
		head, err := br.Peek(4)
		if len(head) < 4 {
			return err
		}
		if string(head) == "PK\x03\x04" {
			return nil
		}
		window, _ := br.Peek(max(br.Buffered(), 4))
		skip := bytes.Index(window, []byte("PK\x03\x04"))
		if skip < 0 {
			skip = len(window) - 3
		}
		if _, err := br.Discard(skip); err != nil {
			return err
		}
	}
}

// readZipHeader reads the header at br. The data of the entry follows.
func readZipHeader(br *bufio.Reader) (zipHeader, error) {
	b := make([]byte, 30)
	if _, err := io.ReadFull(br, b); err != nil {
		return zipHeader{}, cutOff(err)
	}
	le := binary.LittleEndian
	h := zipHeader{flags: le.Uint16(b[6:]), method: le.Uint16(b[8:]),
		packed: uint64(le.Uint32(b[18:])), size: uint64(le.Uint32(b[22:]))}
	nameLen := int(le.Uint16(b[26:]))
	rest := make([]byte, nameLen+int(le.Uint16(b[28:])))
	if _, err := io.ReadFull(br, rest); err != nil {
		return zipHeader{}, cutOff(err)
	}
	h.name = string(rest[:nameLen])
	for extra := rest[nameLen:]; len(extra) >= 4; {
		id, n := le.Uint16(extra), int(le.Uint16(extra[2:]))
		if n > len(extra)-4 {
			break
		}
		if field := extra[4 : 4+n]; id == 1 && n >= 16 {
			h.size, h.packed = le.Uint64(field), le.Uint64(field[8:])
		}
		extra = extra[4+n:]
	}
	return h, nil
}
