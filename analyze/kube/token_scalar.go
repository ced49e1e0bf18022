package kube

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// scalarKind says how a scalar was written.
type scalarKind uint8

const (
	plainScalar scalarKind = iota
	quotedScalar
	blockScalar
)

// scalar reads a scalar that begins here, for a parent at a column, and moves to the next line. The text is valid until
// the next call.
func (l *lexer) scalar(parent int) (text []byte, kind scalarKind) {
	if l.bad || l.i >= len(l.b) {
		l.fail()
		return nil, plainScalar
	}
	switch c := l.b[l.i]; c {
	case '"':
		text, kind = l.double(parent), quotedScalar
	case '\'':
		text, kind = l.single(parent), quotedScalar
	case '|':
		text, kind = l.block(parent), blockScalar
	case '>', '{', '[', ']', '}', '&', '*', '!', '%', '@', '`', '#', ',':
		l.fail()
	case '-', '?', ':':
		if l.i+1 >= len(l.b) || l.b[l.i+1] == ' ' || l.b[l.i+1] == '\n' {
			l.fail()
			break
		}
		text = l.plain(parent)
	default:
		text = l.plain(parent)
	}
	return text, kind
}

// easy reads an unquoted scalar that stands in one line and begins with a letter or a slash, as most do, and moves to
// the next line. False means that the scalar here is another, and that the lexer has not moved.
func (l *lexer) easy(parent int) ([]byte, bool) {
	start, line := l.i, l.line
	if !easyStart[l.b[start]] {
		return nil, false
	}
	rest := l.b[start:]
	end, special := lineEnd(rest)
	if special && !harmless(rest[:end]) || rest[end-1] == ' ' {
		return nil, false
	}
	l.i = start + end
	if l.next(); l.col > parent || l.bad {
		l.i, l.line, l.bad = start, line, false
		return nil, false
	}
	return rest[:end], true
}

// harmless says that no colon and no comment sign in a text ends an unquoted scalar.
func harmless(text []byte) bool {
	for i := 1; i < len(text); i++ {
		if text[i] == ' ' && text[i-1] == ':' || text[i] == '#' && text[i-1] == ' ' {
			return false
		}
	}
	return text[len(text)-1] != ':'
}

// plain reads an unquoted scalar, which may go on in lines that are indented deeper than the parent.
func (l *lexer) plain(parent int) []byte {
	text := l.plainLine()
	line := l.line
	l.next()
	if l.col <= parent {
		return text
	}
	l.buf = append(l.buf[:0], text...)
	for !l.bad && l.col > parent {
		l.fold(l.line - line)
		line = l.line
		l.buf = append(l.buf, l.plainLine()...)
		l.next()
	}
	return l.buf
}

// fold joins two lines of a scalar: one break is a blank, more are one break less.
func (l *lexer) fold(breaks int) {
	if breaks == 1 {
		l.buf = append(l.buf, ' ')
		return
	}
	for ; breaks > 1; breaks-- {
		l.buf = append(l.buf, '\n')
	}
}

// plainLine gives the rest of the line. It must hold nothing that ends an unquoted scalar.
func (l *lexer) plainLine() []byte {
	rest := l.b[l.i:]
	end, special := lineEnd(rest)
	text := rest[:end]
	l.i += end
	if end == 0 || text[end-1] == ' ' || special && !harmless(text) {
		l.fail()
		return nil
	}
	return text
}

// lineEnd gives the length of the line that a text begins with, and whether there may be a colon or a comment sign in
// it. It looks at eight bytes at once.
func lineEnd(b []byte) (n int, special bool) {
	const ones = 0x0101010101010101
	for ; n+8 <= len(b); n += 8 {
		x := binary.LittleEndian.Uint64(b[n:])
		found := zeroBytes(x^ones*':') | zeroBytes(x^ones*'#')
		if end := zeroBytes(x ^ ones*'\n'); end != 0 {
			return n + bits.TrailingZeros64(end)/8, special || found&(end&-end-1) != 0
		}
		special = special || found != 0
	}
	for ; n < len(b) && b[n] != '\n'; n++ {
		special = special || b[n] == ':' || b[n] == '#'
	}
	return n, special
}

// single reads '...', in which ” stands for one quote.
func (l *lexer) single(parent int) []byte {
	l.i++
	if end := l.quoteEnd('\''); end >= 0 && (l.i+end+1 >= len(l.b) || l.b[l.i+end+1] != '\'') {
		text := l.b[l.i : l.i+end]
		l.i += end + 1
		l.next()
		return text
	}
	l.buf = l.buf[:0]
	for !l.bad {
		rest := l.b[l.i:]
		end := bytes.IndexAny(rest, "'\n")
		switch {
		case end < 0:
			l.fail()
		case rest[end] == '\n':
			l.buf = append(l.buf, rest[:end]...)
			l.i += end
			l.breakQuoted(parent, len(rest[:end]))
		case end+1 < len(rest) && rest[end+1] == '\'':
			l.buf = append(l.buf, rest[:end+1]...)
			l.i += end + 2
		default:
			l.buf = append(l.buf, rest[:end]...)
			l.i += end + 1
			l.next()
			return l.buf
		}
	}
	return nil
}

// quoteEnd gives the offset of a quote in the line, -1 when there is none before its end.
func (l *lexer) quoteEnd(quote byte) int {
	rest := l.b[l.i:]
	end := bytes.IndexByte(rest, quote)
	if end < 0 || bytes.IndexByte(rest[:end], '\n') >= 0 {
		return -1
	}
	return end
}

// breakQuoted folds a line break in a quoted scalar. Blanks before it are no part of the text, unless they are escaped;
// n is how many bytes at the end of the buffer are not escaped.
func (l *lexer) breakQuoted(parent, n int) {
	for n > 0 && len(l.buf) > 0 && l.buf[len(l.buf)-1] == ' ' {
		l.buf = l.buf[:len(l.buf)-1]
		n--
	}
	line := l.line
	l.nextQuoted(parent)
	if !l.bad {
		l.fold(l.line - line)
	}
}

// nextQuoted moves to the next line of a quoted scalar that is not blank. It must be right of the parent.
func (l *lexer) nextQuoted(parent int) {
	b := l.b
	for {
		if l.i >= len(b) {
			l.fail()
			return
		}
		l.i++ // the break
		l.line++
		start := l.i
		for l.i < len(b) && b[l.i] == ' ' {
			l.i++
		}
		if l.i < len(b) && b[l.i] != '\n' {
			if l.i-start <= parent {
				l.fail()
			}
			return
		}
	}
}

// double reads "...", with the escapes of libyaml.
func (l *lexer) double(parent int) []byte {
	l.i++
	if end := l.quoteEnd('"'); end >= 0 && bytes.IndexByte(l.b[l.i:l.i+end], '\\') < 0 {
		text := l.b[l.i : l.i+end]
		l.i += end + 1
		l.next()
		return text
	}
	l.buf = l.buf[:0]
	raw := 0 // bytes at the end of buf that are not escaped
	for !l.bad {
		rest := l.b[l.i:]
		end := bytes.IndexAny(rest, "\"\\\n")
		if end < 0 {
			l.fail()
			return nil
		}
		l.buf = append(l.buf, rest[:end]...)
		raw += end
		l.i += end
		switch rest[end] {
		case '"':
			l.i++
			l.next()
			return l.buf
		case '\n':
			l.breakQuoted(parent, raw)
			raw = 0
		default:
			l.escape(parent)
			raw = 0
		}
	}
	return nil
}

// escape reads an escape sequence. One before the end of a line joins it with the next.
func (l *lexer) escape(parent int) {
	if l.i+1 >= len(l.b) {
		l.fail()
		return
	}
	c := l.b[l.i+1]
	if c == '\n' {
		l.i++
		line := l.line
		l.nextQuoted(parent)
		for n := l.line - line; n > 1; n-- {
			l.buf = append(l.buf, '\n')
		}
		return
	}
	l.i += 2
	if s := escapes[c]; s != "" {
		l.buf = append(l.buf, s...)
		return
	}
	switch c {
	case 'x':
		l.hex(2)
	case 'u':
		l.hex(4)
	case 'U':
		l.hex(8)
	default:
		l.fail()
	}
}

var escapes = [256]string{'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b",
	' ': " ", '"': "\"", '\'': "'", '\\': "\\", 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029"}

func (l *lexer) hex(n int) {
	if l.i+n > len(l.b) {
		l.fail()
		return
	}
	var r rune
	for _, c := range l.b[l.i : l.i+n] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			l.fail()
			return
		}
		r = r<<4 | rune(c)
	}
	if r < 0 || !utf8.ValidRune(r) {
		l.fail()
		return
	}
	l.i += n
	l.buf = utf8.AppendRune(l.buf, r)
}

// block reads a literal block: |, |-, |+, with a digit for its indentation when its first line is indented itself.
func (l *lexer) block(parent int) []byte {
	chomp, indent := byte(0), 0
	for l.i++; l.i < len(l.b) && l.b[l.i] != '\n'; l.i++ {
		switch c := l.b[l.i]; {
		case (c == '-' || c == '+') && chomp == 0:
			chomp = c
		case c >= '1' && c <= '9' && indent == 0:
			indent = max(parent, 0) + int(c-'0')
		default:
			l.fail()
			return nil
		}
	}
	l.buf = l.buf[:0]
	breaks := 0 // line breaks that are not yet written
	for first := true; ; first = false {
		blank, ok := l.blockLine(parent, &indent, first)
		if !ok {
			break
		}
		breaks += blank
		for ; breaks > 0; breaks-- {
			l.buf = append(l.buf, '\n')
		}
		end := bytes.IndexByte(l.b[l.i:], '\n')
		if end < 0 {
			l.buf = append(l.buf, l.b[l.i:]...)
			l.i = len(l.b)
			l.next()
			return l.buf // without a last line break there is nothing to keep or to cut
		}
		l.buf = append(l.buf, l.b[l.i:l.i+end]...)
		l.i += end
		breaks = 1
	}
	return l.chomped(chomp)
}

// blockLine moves from a line's end to the text of the block's next line, and counts the blank lines between. False
// means that the block ends here; the lexer stays at the end of its last line.
func (l *lexer) blockLine(parent int, indent *int, first bool) (blank int, ok bool) {
	b := l.b
	for j := l.i; j < len(b); {
		start := j + 1
		j = start
		for j < len(b) && b[j] == ' ' && (*indent == 0 || j-start < *indent) {
			j++
		}
		switch {
		case j >= len(b):
			if j > start {
				l.fail() // blanks at the end of the text
			}
			return 0, false
		case b[j] == '\n':
			if first && j > start {
				l.fail() // leading blank lines with blanks decide on the indentation in ways of their own
				return 0, false
			}
			blank++
			continue
		case *indent == 0 && j-start > parent:
			*indent = j - start
		case *indent == 0 || j-start < *indent:
			if first {
				l.fail() // no content
			}
			return 0, false
		}
		l.i = j
		l.line += blank + 1
		return blank, true
	}
	return 0, false
}

// chomped ends a block: its last line break is kept but for |-, and the blank lines behind it for |+.
func (l *lexer) chomped(chomp byte) []byte {
	if l.bad || len(l.buf) == 0 {
		l.fail()
		return nil
	}
	if l.i < len(l.b) && chomp != '-' {
		l.buf = append(l.buf, '\n')
	}
	if chomp == '+' {
		for j := l.i + 1; j < len(l.b); j++ {
			k := j
			for k < len(l.b) && l.b[k] == ' ' {
				k++
			}
			if k >= len(l.b) || l.b[k] != '\n' {
				break
			}
			l.buf = append(l.buf, '\n')
			j = k
		}
	}
	l.next()
	return l.buf
}

// skipScalar moves over a scalar or an empty collection that nobody wants. It is checked all the same: what the library
// refuses must not be accepted.
func (l *lexer) skipScalar(parent int) {
	if _, ok := l.easy(parent); ok {
		return
	}
	if l.i < len(l.b) && (l.b[l.i] == '{' && l.empty('{') || l.b[l.i] == '[' && l.empty('[')) {
		return
	}
	if text, kind := l.scalar(parent); kind == plainScalar && notFinite(text) {
		l.fail()
	}
}
