package columns

import "strings"

// Pad fills s with spaces up to width columns.
func Pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-Width(s), 0))
}

const dots = "..."

// Shorten cuts s to width columns, the last three of which then are dots.
func Shorten(s string, width int) string {
	if len(s) <= width || Width(s) <= width {
		return s
	}
	used := 0
	for i, r := range s {
		if used += Width(string(r)); used > width-len(dots) {
			return s[:i] + dots
		}
	}
	return s
}

// Wrap breaks s into lines of at most width columns, between words or between wide characters, which need no space. A
// word is never broken, however long: it may be a name that someone wants to copy. 0 is no limit.
func Wrap(s string, width int) []string {
	if width <= 0 || Width(s) <= width {
		return []string{s}
	}
	var out []string
	line, used := "", 0
	for _, tok := range tokens(s) {
		w := Width(strings.TrimRight(tok, " "))
		if used > 0 && used+w > width {
			out = append(out, strings.TrimRight(line, " "))
			line, used = "", 0
		}
		line += tok
		used += Width(tok)
	}
	return append(out, strings.TrimRight(line, " "))
}

// tokens splits s where a line may end: behind spaces and around wide characters, but not before the punctuation that
// East Asian text never starts a line with.
func tokens(s string) []string {
	var out []string
	start, wide := 0, false
	for i, r := range s {
		n := Width(string(r))
		w := n == 2
		closing := strings.ContainsRune("，。、；：？！）》」』】”’", r)
		afterSpace := i > 0 && s[i-1] == ' ' && r != ' '
		if i > start && !closing && (afterSpace || w || wide && r != ' ') {
			out = append(out, s[start:i])
			start = i
		}
		if w || closing {
			wide = true
		} else if n > 0 { // a combining mark belongs to what stands before it
			wide = false
		}
	}
	return append(out, s[start:])
}
