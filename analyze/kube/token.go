package kube

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// lexer walks YAML as kubectl prints it, line by line, and refuses everything else: sigs.k8s.io/yaml reads that. A
// refusal sets bad and puts the lexer at the end, column -1, so that every loop over keys or items ends by itself.
//
// It is in one of two places: at the first byte of a line (or behind the dash of an item) that is not yet read, with
// col and dash telling where that is; or, after key, behind a colon.
type lexer struct {
	b    []byte
	i    int
	col  int  // column of b[i], when it is a line's first byte that is not yet read
	dash bool // b[i] is the dash of a list item
	line int  // line of b[i] in the file
	bad  bool
	buf  []byte // of the scalar that was read last, when it is not in b as such
}

// start sets the lexer to the first line of a text.
func (l *lexer) start(b []byte, line int) {
	l.b, l.i, l.line, l.bad, l.col, l.dash = b, 0, line, false, -1, false
	l.settle()
}

func (l *lexer) fail() {
	l.bad, l.i, l.col, l.dash = true, len(l.b), -1, false
}

// next moves from the end of a line to the first byte of the next line that is not blank.
func (l *lexer) next() {
	if l.i >= len(l.b) {
		l.col, l.dash = -1, false
		return
	}
	if l.b[l.i] != '\n' {
		l.fail()
		return
	}
	l.i++
	l.line++
	l.settle()
}

// settle finds the first byte of a line at or below the line start that the lexer is at.
func (l *lexer) settle() {
	b := l.b
	i := l.i
	for {
		start := i
		i = behindBlanks(b, i)
		if i >= len(b) {
			l.i, l.col, l.dash = i, -1, false
			return
		}
		c := b[i]
		if c != '\n' {
			l.i, l.col, l.dash = i, i-start, false
			if c == '-' || c == '#' {
				l.mark(c)
			}
			return
		}
		i++
		l.line++
	}
}

// behindBlanks gives the offset of the first byte from i on that is no blank.
func behindBlanks(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		if other := binary.LittleEndian.Uint64(b[i:]) ^ 0x2020202020202020; other != 0 {
			return i + bits.TrailingZeros64(other)/8
		}
	}
	for i < len(b) && b[i] == ' ' {
		i++
	}
	return i
}

// mark looks at a line or an item that begins with a dash or a comment sign. A dash must stand before a blank and
// something else; a comment is refused.
func (l *lexer) mark(c byte) {
	if c == '#' {
		l.fail()
		return
	}
	rest := l.b[l.i:]
	switch {
	case len(rest) < 2 || rest[1] == '\n':
		l.fail()
	case rest[1] == ' ':
		if len(rest) < 3 || rest[2] == ' ' || rest[2] == '\n' {
			l.fail()
			return
		}
		l.dash = true
	}
}

// enter moves behind the dash of an item.
func (l *lexer) enter() {
	l.i += 2
	l.col += 2
	l.dash = false
	if c := l.b[l.i]; c == '-' || c == '#' {
		l.mark(c)
	}
}

// maxKey is less than what libyaml allows a key to have.
const maxKey = 1000

// key reads a key and its colon. Behind it the lexer is at the line's end, or at the first byte of a value.
func (l *lexer) key() []byte {
	b := l.b
	start := l.i
	c := b[start]
	if c == '"' || c == '\'' {
		return l.quotedKey(c)
	}
	if !keyStart[c] {
		l.fail()
		return nil
	}
	for j := start + 1; j < len(b); j++ {
		c := b[j]
		if int8(c) > ':' { // most bytes of most keys; those beyond ASCII are negative
			continue
		}
		switch {
		case c == ':' && (j+1 >= len(b) || b[j+1] == ' ' || b[j+1] == '\n'):
			l.i = j + 1
			if j-start > maxKey {
				l.fail()
			}
			l.behindColon()
			return b[start:j]
		case c == ' ' || c == '\n' || c >= 0x80: // the library might fold the latter into a key of ours
			l.fail()
			return nil
		}
	}
	l.fail()
	return nil
}

// keyStart are the bytes that an unquoted key may begin with.
var keyStart = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '/'
	}
	return t
}()

// quotedKey reads a quoted key that says what it looks like.
func (l *lexer) quotedKey(quote byte) []byte {
	b := l.b[l.i+1:]
	end := bytes.IndexByte(b, quote)
	if end < 0 || end > maxKey || bytes.IndexByte(b[:end], '\\') >= 0 || bytes.IndexByte(b[:end], '\n') >= 0 ||
		end+1 >= len(b) || b[end+1] != ':' || end+2 < len(b) && b[end+2] != ' ' && b[end+2] != '\n' {
		l.fail()
		return nil
	}
	l.i += end + 3
	l.behindColon()
	return b[:end]
}

// behindColon moves over the blank between a colon and a value in the same line.
func (l *lexer) behindColon() {
	if l.bad || l.i >= len(l.b) || l.b[l.i] == '\n' {
		return
	}
	l.i++
	if l.i >= len(l.b) || l.b[l.i] == ' ' || l.b[l.i] == '\n' {
		l.fail()
	}
}

// inline says whether a value stands in the line that the lexer is in.
func (l *lexer) inline() bool { return l.i < len(l.b) && l.b[l.i] != '\n' }

// empty reads {} or [] and gives true, or leaves the lexer where it is.
func (l *lexer) empty(open byte) bool {
	b := l.b
	if l.i+1 >= len(b) || b[l.i] != open || b[l.i+1] != open+2 {
		return false
	}
	l.i += 2
	l.next()
	return true
}
