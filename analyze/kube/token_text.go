package kube

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// plainBytes gives the length of the part of a text, from its start, that is valid UTF-8 and holds nothing that YAML
// treats specially beyond ASCII: no control character but LF, no DEL, no C1, no line or paragraph separator, no byte
// order mark, no U+FFFE and U+FFFF. It looks at 32 bytes at once.
func plainBytes(text []byte) int {
	b := text
	for len(b) >= 32 {
		w, x, y, z := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
		if (w|x|y|z)&highBits == 0 && (special(w)|special(x)|special(y)|special(z))&highBits == 0 {
			b = b[32:]
			continue
		}
		n := plainRunes(b)
		if n == 0 {
			return len(text) - len(b)
		}
		b = b[n:]
	}
	for len(b) > 0 {
		n := plainRunes(b)
		if n == 0 {
			break
		}
		b = b[n:]
	}
	return len(text) - len(b)
}

const highBits = 0x8080808080808080

// special has the high bit of each byte set that is a control character other than LF, or DEL. No byte of x may be
// above 0x7f: then none of these sums carries into the next byte.
func special(x uint64) uint64 {
	const (
		low7  = 0x7f7f7f7f7f7f7f7f
		lf    = 0x0a0a0a0a0a0a0a0a
		to128 = 0x6060606060606060 // what lifts 0x20 to 0x80
	)
	return ^(x+to128)&(x^lf+low7) | ^(x ^ low7 + low7)
}

// plainRunes gives the length of up to 32 runes that are allowed.
func plainRunes(b []byte) int {
	n := 0
	for k := 0; k < 32 && n < len(b); k++ {
		c := b[n]
		if c < utf8.RuneSelf {
			if c < 0x20 && c != '\n' || c == 0x7f {
				return n
			}
			n++
			continue
		}
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size == 1 || r <= 0x9f || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff {
			return n
		}
		n += size
	}
	return n
}

// sureText says that an unquoted scalar is a string by the rules of YAML 1.1, beyond doubt. Names, images, uids,
// addresses and quantities pass; whatever might be a number, a time or a truth value does not.
func sureText(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	switch c := b[0]; {
	case c == '~':
		return len(b) > 1
	case c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.':
		return sureNoNumber(b)
	case len(b) <= 5:
		return !knownWord(b)
	}
	return true
}

// knownWord says whether a short word is a truth value or null in YAML 1.1.
func knownWord(b []byte) bool {
	switch string(b) {
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON",
		"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF", "null", "Null", "NULL":
		return true
	}
	return false
}

// sureNoNumber says that a scalar that begins like a number is none, and no time either: it holds a byte that no number
// of its kind can hold. Precision matters: one uid in two hundred begins like a binary number.
func sureNoNumber(b []byte) bool {
	if len(b) > 4 && b[4] == '-' && digits(b[:4]) {
		return false // a date
	}
	if !hasDigit(b) {
		return !notFinite(b)
	}
	var few [64]byte
	body, held := unsigned(dense(b, few[:0])), decimalBytes
	if len(body) > 2 && body[0] == '0' {
		switch body[1] | 0x20 {
		case 'x':
			body, held = body[2:], "0123456789abcdefABCDEF"
		case 'b':
			body, held = unsigned(body[2:]), "01" // the library takes 0b-1 too
		case 'o':
			body, held = body[2:], "01234567"
		}
	}
	decimal := len(held) == len(decimalBytes)
	dots, exponents := 0, 0
	for i, c := range body {
		switch {
		case c == '.':
			dots++
		case c|0x20 == 'e' && decimal:
			exponents++
		}
		if strings.IndexByte(held, c) < 0 || (c == '-' || c == '+') && i > 0 && body[i-1]|0x20 != 'e' {
			return true
		}
	}
	return dots > 1 || exponents > 1
}

// decimalBytes are what a number in base ten or sixty is written with.
const decimalBytes = "0123456789eE+-.:"

// dense gives a text without its underscores, put into space if it has any: the library leaves them out of a number
// wherever they stand, also before a sign, and within 0x.
func dense(b, space []byte) []byte {
	if bytes.IndexByte(b, '_') < 0 {
		return b
	}
	for _, c := range b {
		if c != '_' {
			space = append(space, c)
		}
	}
	return space
}

// notFinite says that a scalar may be .inf or .nan, which have no JSON.
func notFinite(b []byte) bool {
	b = unsigned(b)
	return len(b) == 4 && b[0] == '.' && !hasDigit(b)
}

func unsigned(b []byte) []byte {
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		return b[1:]
	}
	return b
}

func digits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func hasDigit(b []byte) bool {
	for _, c := range b {
		if c >= '0' && c <= '9' {
			return true
		}
	}
	return false
}

// isTimestamp says that an unquoted scalar is a time as old kubectl printed it: 2021-03-29T08:38:20Z. The library gives
// it as text.
func isTimestamp(b []byte) bool {
	const form = "0000-00-00T00:00:00Z"
	if len(b) != len(form) {
		return false
	}
	for i, c := range b {
		if form[i] == '0' && (c < '0' || c > '9') || form[i] != '0' && c != form[i] {
			return false
		}
	}
	return true
}
