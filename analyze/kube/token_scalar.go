package kube

import "bytes"

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
	rest := l.b[start:]
	if !easyStart[rest[0]] {
		return nil, false
	}
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		return nil, false
	}
	text := rest[:end]
	if text[end-1] == ':' || bytes.IndexByte(text, ' ') >= 0 && !harmless(text) {
		return nil, false
	}
	l.i = start + end
	if l.next(); l.col > parent || l.bad {
		l.i, l.line, l.bad = start, line, false
		return nil, false
	}
	return text, true
}

// harmless says that no colon, no comment sign and no blank at the end of a text ends an unquoted scalar.
func harmless(text []byte) bool {
	for i := 1; i < len(text); i++ {
		if text[i] == ' ' && text[i-1] == ':' || text[i] == '#' && text[i-1] == ' ' {
			return false
		}
	}
	last := text[len(text)-1]
	return last != ':' && last != ' '
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
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		end = len(rest)
	}
	text := rest[:end]
	l.i += end
	if end == 0 || !harmless(text) {
		l.fail()
		return nil
	}
	return text
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
