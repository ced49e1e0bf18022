package kube

import (
	"bytes"
	"unicode/utf8"
)

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
