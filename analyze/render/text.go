package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text makes bundle text safe to show on a terminal or a page, on one line: whatever could move the cursor, recolour,
// reorder or hide other text becomes a visible escape such as \x1b or \u202e. It is THE one place where that is
// decided; every renderer for people gets its report through clean, which calls it.
//
// Escaped are C0 and C1 controls (newlines too), invalid UTF-8, bidi overrides and isolates, zero-width and other
// invisible characters, tag and variation characters, line separators, private use and unassigned code points.
// Backslashes stay: an escape is for reading, not for decoding.
func Text(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case !unsafeRune(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += size
	}
	return b.String()
}

// Lines is Text for text that may keep its line breaks, as a patch does: each line is made safe by itself, tabs become
// spaces, and a carriage return before a line break is dropped.
func Lines(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if plain(s) {
		return s
	}
	parts := strings.Split(s, "\n")
	for i, p := range parts {
		parts[i] = Text(strings.ReplaceAll(p, "\t", "    "))
	}
	return strings.Join(parts, "\n")
}

// plain says that s is printable ASCII, which nearly every string of a report is. It looks at eight bytes at once: none
// may have its high bit set, nor get it from what lifts '~'+1 to 0x80, and all must get it from what lifts ' ' there.
func plain(s string) bool {
	const (
		high      = 0x8080808080808080
		liftDel   = 0x0101010101010101
		liftBlank = 0x6060606060606060
	)
	for len(s) >= 8 {
		x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		if x&high != 0 || (x+liftDel|^(x+liftBlank))&high != 0 {
			return false
		}
		s = s[8:]
	}
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// unsafeRune says that r is not a visible mark of its own. Combining marks are kept: names in many scripts need them.
func unsafeRune(r rune) bool {
	return !unicode.IsGraphic(r) ||
		unicode.Is(unicode.Cf, r) ||
		unicode.Is(unicode.Variation_Selector, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}
