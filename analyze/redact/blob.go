package redact

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/flate"
)

// blob holds the text of one file packed, until all names are known.
type blob struct {
	packed bytes.Buffer
	to     *flate.Writer
	size   int64
	err    error
}

func newBlob() *blob {
	b := &blob{}
	b.to, b.err = flate.NewWriter(&b.packed, flate.BestSpeed)
	return b
}

func (b *blob) write(s string) {
	if b.err == nil {
		_, b.err = io.WriteString(b.to, s)
		b.size += int64(len(s))
	}
	if b.err == nil && b.packed.Len() > maxHeld {
		b.err = errTooLarge
	}
}

// close ends writing, and lets go of what only writing needs.
func (b *blob) close() error {
	if b.err == nil {
		b.err = b.to.Close()
	}
	b.to = nil
	return b.err
}

// open gives the text.
func (b *blob) open() io.Reader { return flate.NewReader(&b.packed) }
