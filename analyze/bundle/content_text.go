package bundle

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

var errBinary = errors.New("no text: neither YAML or JSON nor other output of kubectl")

// newText gives the text of r as UTF-8 without byte order mark and with LF line ends. PowerShell 5 writes UTF-16 with
// CRLF; without a byte order mark UTF-16 is known by its zero bytes.
func newText(r io.Reader) io.Reader {
	br := bufio.NewReaderSize(r, 4096)
	head, _ := br.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		_, _ = br.Discard(3)
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		_, _ = br.Discard(2)
		return &lfReader{r: &utf16Reader{r: br, order: binary.LittleEndian}}
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		_, _ = br.Discard(2)
		return &lfReader{r: &utf16Reader{r: br, order: binary.BigEndian}}
	case len(head) == 4 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return &lfReader{r: &utf16Reader{r: br, order: binary.LittleEndian}}
	case len(head) == 4 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return &lfReader{r: &utf16Reader{r: br, order: binary.BigEndian}}
	}
	return &lfReader{r: br}
}

// lfReader turns CRLF and lone CR into LF, which is what YAML's line folding does with them: "\r\r\n" is two breaks.
type lfReader struct {
	r  io.Reader
	cr bool // the byte before was CR
}

// Read implements io.Reader.
func (l *lfReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if n == 0 || !l.cr && bytes.IndexByte(p[:n], '\r') < 0 {
		return n, err
	}
	out := 0
	for _, c := range p[:n] {
		switch {
		case c == '\n' && l.cr:
			l.cr = false
			continue
		case c == '\r':
			c, l.cr = '\n', true
		default:
			l.cr = false
		}
		p[out] = c
		out++
	}
	return out, err
}

// utf16Reader decodes UTF-16; lone surrogates become U+FFFD, as does an odd last byte.
type utf16Reader struct {
	r     *bufio.Reader
	order binary.ByteOrder
	out   []byte // decoded, not yet read
	high  rune   // a high surrogate waiting for its low one
	err   error
}

// Read implements io.Reader.
func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		u.fill()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

func (u *utf16Reader) fill() {
	var units [4096]byte
	n, err := io.ReadFull(u.r, units[:])
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	u.err = err
	u.out = u.out[:0]
	for i := 0; i+1 < n; i += 2 {
		c := rune(u.order.Uint16(units[i:]))
		switch {
		case u.high != 0:
			r := utf16.DecodeRune(u.high, c)
			u.high = 0
			u.out = utf8.AppendRune(u.out, r)
			if r == utf8.RuneError && !utf16.IsSurrogate(c) {
				u.out = utf8.AppendRune(u.out, c)
			}
		case utf16.IsSurrogate(c):
			u.high = c
		default:
			u.out = utf8.AppendRune(u.out, c)
		}
	}
	if u.err != nil && (n%2 == 1 || u.high != 0) {
		u.out = utf8.AppendRune(u.out, utf8.RuneError)
	}
}

// looksBinary judges by the first bytes of a text.
func looksBinary(head []byte) bool {
	odd := 0
	for _, c := range head {
		if c == 0 {
			return true
		}
		if c < 0x20 && c != '\n' && c != '\t' && c != 0x1b || c == 0x7f {
			odd++
		}
	}
	return odd*10 > len(head)
}
