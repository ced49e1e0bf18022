package bundle

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"regexp"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

var errBinary = errors.New("no text: neither YAML or JSON nor other output of kubectl")

// newText gives the text of r as UTF-8 without byte order mark and with LF line ends, and says whether it was cleaned of
// what pasting left in it. PowerShell 5 writes UTF-16 with CRLF; without a byte order mark UTF-16 is known by its zero
// bytes.
func newText(r io.Reader) (text io.Reader, cleaned bool) {
	br := bufio.NewReaderSize(r, 4096)
	head, _ := br.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		_, _ = br.Discard(3)
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		_, _ = br.Discard(2)
		return &lfReader{r: &utf16Reader{r: br, order: binary.LittleEndian}}, false
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		_, _ = br.Discard(2)
		return &lfReader{r: &utf16Reader{r: br, order: binary.BigEndian}}, false
	case len(head) == 4 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return &lfReader{r: &utf16Reader{r: br, order: binary.LittleEndian}}, false
	case len(head) == 4 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return &lfReader{r: &utf16Reader{r: br, order: binary.BigEndian}}, false
	}
	if head, _ = br.Peek(4096); pasted.Match(head) {
		return &lfReader{r: transform.NewReader(br, paste{})}, true
	}
	return &lfReader{r: br}, false
}

// pasted finds what terminals and pages put between the characters of what is copied from them: colours, and blanks that
// are none, where blanks tell the structure.
var pasted = regexp.MustCompile("(?m)\x1b\\[|^\u00a0|[ \u00a0]\u00a0|\u00a0[ \u00a0]|\u200b")

const cleanedText = "the text has colours of a terminal, no-break spaces or invisible characters in it, as what is pasted has; they were read as blanks or left out"

// paste takes it out. Where a text begins without any, none is looked for.
type paste struct{ transform.NopResetter }

// Transform implements transform.Transformer.
func (paste) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		rest := src[nSrc:]
		give, take := rest[:1], 1
		switch {
		case bytes.HasPrefix(rest, noBreakSpace):
			give, take = []byte(" "), len(noBreakSpace)
		case bytes.HasPrefix(rest, zeroWidth):
			give, take = nil, len(zeroWidth)
		case rest[0] == 0x1b:
			give, take = nil, colour(rest)
		}
		if !atEOF && len(rest) < longestColour && (rest[0] == 0x1b || rest[0] == noBreakSpace[0] || rest[0] == zeroWidth[0]) {
			return nDst, nSrc, transform.ErrShortSrc
		}
		if len(dst)-nDst < len(give) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += copy(dst[nDst:], give)
		nSrc += take
	}
	return nDst, nSrc, nil
}

var zeroWidth = []byte("\u200b")

// longestColour is more than a terminal's sequence for a colour has.
const longestColour = 32

// colour gives the length of the sequence that an escape character begins: ESC [ 1 ; 31 m. One that does not end is the
// character alone.
func colour(b []byte) int {
	if len(b) < 2 || b[1] != '[' {
		return 1
	}
	for i := 2; i < min(len(b), longestColour); i++ {
		if b[i] >= 0x40 && b[i] <= 0x7e {
			return i + 1
		}
		if b[i] < 0x20 || b[i] > 0x3f {
			break
		}
	}
	return 1
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
