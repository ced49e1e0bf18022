package render

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// ruler measures text in terminal columns. It is made here and not taken from the library's default, which looks at
// the environment: the same report must give the same bytes on every machine. Ambiguous characters count as narrow.
func ruler() *runewidth.Condition {
	return &runewidth.Condition{EastAsianWidth: false, StrictEmojiNeutral: true}
}

// textWidth is the number of terminal columns that s takes; wide characters take two.
func textWidth(s string) int {
	if plain(s) {
		return len(s)
	}
	return ruler().StringWidth(s)
}

// pad fills s with spaces up to width columns.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-textWidth(s), 0))
}

// shorten cuts s to width columns, the last three of which then are dots.
func shorten(s string, width int) string {
	if textWidth(s) <= width {
		return s
	}
	return ruler().Truncate(s, width, "...")
}

// wrap breaks s into lines of at most width columns, between words or between wide characters, which need no space. A
// word is never broken, however long: it may be a name that someone wants to copy. 0 is no limit.
func wrap(s string, width int) []string {
	if width <= 0 || textWidth(s) <= width {
		return []string{s}
	}
	var out []string
	line, used := "", 0
	for _, tok := range tokens(s) {
		w := textWidth(strings.TrimRight(tok, " "))
		if used > 0 && used+w > width {
			out = append(out, strings.TrimRight(line, " "))
			line, used = "", 0
		}
		line += tok
		used += textWidth(tok)
	}
	return append(out, strings.TrimRight(line, " "))
}

// tokens splits s where a line may end: behind spaces and around wide characters, but not before the punctuation that
// East Asian text never starts a line with.
func tokens(s string) []string {
	var out []string
	start, wide := 0, false
	for i, r := range s {
		w := ruler().RuneWidth(r) == 2
		closing := strings.ContainsRune("，。、；：？！）》」』】”’", r)
		afterSpace := i > 0 && s[i-1] == ' ' && r != ' '
		if i > start && !closing && (afterSpace || w || wide && r != ' ') {
			out = append(out, s[start:i])
			start = i
		}
		if w || closing {
			wide = true
		} else if ruler().RuneWidth(r) > 0 { // a combining mark belongs to what stands before it
			wide = false
		}
	}
	return append(out, s[start:])
}
