package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// window is the part of a text that is being looked at. It slides over the text: memory follows the largest piece
// that is asked for at once, not the file.
type window struct {
	r    io.Reader
	buf  []byte // buf[pos:] is not yet consumed
	pos  int
	line int // line of buf[pos], counting from 1
	// cleaned says that the text was changed for reading.
	cleaned bool
	// offset of buf[pos] in the text.
	offset int64
	eof    bool
	err    error // why reading stopped before the end
	left   int64 // bytes that may still be read
}

const (
	windowStart = 16 << 10
	windowGrow  = 256 << 10
	// maxPiece bounds one object, one line and everything else that must be held whole.
	maxPiece = 64 << 20
)

func newWindow(r io.Reader, maxBytes int64) *window {
	if maxBytes <= 0 {
		maxBytes = 1 << 62
	}
	text, cleaned := newText(r)
	return &window{r: text, cleaned: cleaned, line: 1, left: maxBytes}
}

// rest is what has been read and not been consumed.
func (w *window) rest() []byte { return w.buf[w.pos:] }

// fill reads more; false means that there is nothing more to read.
func (w *window) fill() bool {
	if w.eof {
		return false
	}
	if w.pos > 0 && (w.pos >= len(w.buf)/2 || len(w.buf) == cap(w.buf)) {
		w.buf = w.buf[:copy(w.buf, w.buf[w.pos:])]
		w.pos = 0
	}
	if len(w.buf) == cap(w.buf) {
		size := max(windowStart, 2*cap(w.buf))
		if size > windowGrow {
			size = max(windowGrow, cap(w.buf)+min(cap(w.buf), 8<<20))
		}
		w.buf = append(make([]byte, 0, size), w.buf...)
	}
	room := w.buf[len(w.buf):cap(w.buf)]
	if int64(len(room)) > w.left {
		room = room[:w.left]
	}
	if len(room) == 0 {
		w.eof, w.err = true, errTooLong
		return false
	}
	for range 100 {
		n, err := w.r.Read(room)
		w.buf = w.buf[:len(w.buf)+n]
		w.left -= int64(n)
		if err != nil {
			w.eof = true
			if !errors.Is(err, io.EOF) {
				w.err = err
			}
			return n > 0
		}
		if n > 0 {
			return true
		}
	}
	w.eof, w.err = true, io.ErrNoProgress
	return false
}

var errTooLong = errors.New("longer than the limit; the rest was not read")

// done says that everything is consumed.
func (w *window) done() bool {
	for len(w.rest()) == 0 {
		if !w.fill() {
			return true
		}
	}
	return false
}

// lineAt gives the line that begins at an offset from here, without its end, and the offset of the next one. At the
// end of the text ok is false. A line longer than maxPiece is cut.
func (w *window) lineAt(off int) (text []byte, next int, ok bool) {
	from := off
	for {
		rest := w.rest()
		if from < len(rest) {
			if i := bytes.IndexByte(rest[from:], '\n'); i >= 0 {
				return rest[off : from+i], from + i + 1, true
			}
		}
		if len(rest)-off > maxPiece {
			return rest[off:], len(rest), true
		}
		from = max(off, len(rest))
		if !w.fill() {
			if rest = w.rest(); off < len(rest) {
				return rest[off:], len(rest), true
			}
			return nil, off, false
		}
	}
}

// advance consumes n bytes.
func (w *window) advance(n int) {
	w.line += bytes.Count(w.buf[w.pos:w.pos+n], newline)
	w.pos += n
	w.offset += int64(n)
}

// skipLine consumes the line here.
func (w *window) skipLine() {
	if _, next, ok := w.lineAt(0); ok {
		w.advance(next)
	}
}

var newline = []byte("\n")

// tooBig is the problem of a piece that cannot be held.
func tooBig(what string) string {
	return fmt.Sprintf("%s of more than %s; it was not read", what, sizeText(maxPiece))
}

// head gives the line here, or its first n bytes when it is longer: enough to tell what begins.
func (w *window) head(n int) []byte {
	for {
		rest := w.rest()
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			return rest[:min(i, n)]
		}
		if len(rest) >= n || !w.fill() {
			rest = w.rest()
			return rest[:min(len(rest), n)]
		}
	}
}

// at gives the byte at an offset from here.
func (w *window) at(off int) (byte, bool) {
	for off >= len(w.rest()) {
		if !w.fill() {
			return 0, false
		}
	}
	return w.rest()[off], true
}
