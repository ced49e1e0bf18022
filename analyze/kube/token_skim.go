package kube

import (
	"encoding/binary"
	"math/bits"
)

// skim moves over the line here if it is of the form that most lines have: an unquoted key and an unquoted value that
// begins with a letter or a slash, with no other colon or comment sign. False means that it is another, and that the
// lexer has not moved. Half of a pod is such lines that nobody wants.
func (l *lexer) skim(col int) bool {
	const ones = 0x0101010101010101
	b := l.b[l.i:]
	colon, end := 0, -1
	for n := 0; n+8 <= len(b); n += 8 {
		x := binary.LittleEndian.Uint64(b[n:])
		line, marks := zeroBytes(x^ones*'\n'), zeroBytes(x^ones*':')
		below := line&-line - 1 // all bits where there is no line end
		if zeroBytes(x^ones*'#')&below != 0 {
			return false
		}
		if marks &= below; marks != 0 {
			if colon > 0 || marks&(marks-1) != 0 {
				return false
			}
			colon = n + bits.TrailingZeros64(marks)/8
		}
		if line != 0 {
			end = n + bits.TrailingZeros64(line)/8
			break
		}
	}
	if colon == 0 || colon+2 >= end || b[colon+1] != ' ' || !easyStart[b[colon+2]] || b[end-1] == ' ' || !easyKey(b[:colon]) {
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

// zeroBytes marks the bytes of x that are zero by their high bits. A byte above a zero byte may be marked wrongly; the
// lowest mark never is.
func zeroBytes(x uint64) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	return (x - ones) &^ x & high
}

// easyStart are the bytes that begin nothing but an unquoted scalar, and no number.
var easyStart = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '/'
	}
	return t
}()

// easyKey says that an unquoted key is surely a string: it begins with a letter and holds no blank.
func easyKey(key []byte) bool {
	if !easyStart[key[0]] || len(key) <= 5 && knownWord(key) || len(key) > maxKey {
		return false
	}
	for _, c := range key {
		if c == ' ' {
			return false
		}
	}
	return true
}
