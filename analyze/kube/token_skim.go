package kube

import "bytes"

// skim moves over the line here if it is of the form that half of all lines have: an unquoted key, one blank, and an
// unquoted value without blanks that begins with a letter or a slash. Nothing in such a value can end it but the line.
// False means that the line is another, and that the lexer has not moved.
func (l *lexer) skim(col int) bool {
	b := l.b[l.i:]
	end := bytes.IndexByte(b, '\n')
	if end < 0 {
		return false
	}
	line := b[:end]
	blank := bytes.IndexByte(line, ' ')
	if blank < 2 || blank+1 == end || line[blank-1] != ':' || !easyKey(line[:blank-1]) {
		return false
	}
	value := line[blank+1:]
	if !easyStart[value[0]] || line[end-1] == ':' || bytes.IndexByte(value, ' ') >= 0 {
		return false
	}
	start, from := l.i, l.line
	l.i += end
	if l.next(); l.col > col || l.bad {
		l.i, l.line, l.col, l.dash, l.bad = start, from, col, false, false
		return false
	}
	return true
}

// easyStart are the bytes that begin nothing but an unquoted scalar, and no number.
var easyStart = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '/'
	}
	return t
}()

// easyKey says that an unquoted key without blanks is surely a string.
func easyKey(key []byte) bool {
	return easyStart[key[0]] && len(key) <= maxKey && (len(key) > 5 || !knownWord(key))
}
