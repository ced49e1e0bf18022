package render

import (
	"regexp"
	"strings"
)

// parting is put where a service would turn plain text into a link or a mention. An entity or a backslash would not
// do: those are undone before mentions are looked for.
const parting = "<!-- -->"

// md makes text from a report inert in Markdown: it shows as it is and starts no markup, no HTML, no link, no mention
// and no reference to an issue. It is the one place for running text; names and values go through code.
func md(s string) string {
	s = strings.TrimLeft(s, " ")
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '@' || r == '#':
			b.WriteRune(r)
			b.WriteString(parting)
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == ':' && strings.HasPrefix(s[i:], "://"):
			b.WriteString(":" + parting)
		case r == '.' && strings.HasSuffix(strings.ToLower(s[:i]), "www"),
			r == '-' && strings.HasSuffix(strings.ToLower(s[:i]), "gh"):
			b.WriteString(parting)
			b.WriteRune(r)
		case r == '!':
			b.WriteString(`\!` + parting)
		case r == '\n':
			b.WriteString("<br>")
		case r == '_' && alphanumeric(s, i-1) && alphanumeric(s, i+1):
			b.WriteRune(r) // within a word it means nothing
		case strings.ContainsRune("\\`*_{}[]|~$^", r), i == 0 && strings.ContainsRune("-+=", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return notAList(b.String())
}

// Markdown is text made inert as in a report, for the other documents that are Markdown.
func Markdown(s string) string { return md(s) }

// Fence is a code block that its content cannot end, for the other documents that are Markdown.
func Fence(lang, s string) string { return fence(lang, s) }

func alphanumeric(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] >= 'A' && s[i] <= 'Z' || s[i] >= 'a' && s[i] <= 'z')
}

// notAList keeps a text that starts like a list item ("1. ") from becoming one.
func notAList(s string) string {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits < len(s) && (s[digits] == '.' || s[digits] == ')') {
		return s[:digits] + `\` + s[digits:]
	}
	return s
}

// code puts a name or a value into a code span, in which nothing has a meaning.
func code(s string) string {
	if s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestTicks(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.TrimSpace(s) != s {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// codeCell is code within a table row, where a pipe would end the cell.
func codeCell(s string) string { return strings.ReplaceAll(code(s), "|", `\|`) }

// fence makes a code block that its content cannot end.
func fence(lang, s string) string {
	ticks := strings.Repeat("`", max(3, longestTicks(s)+1))
	return ticks + lang + "\n" + strings.TrimRight(s, "\n") + "\n" + ticks
}

var backticks = regexp.MustCompile("`+")

func longestTicks(s string) int {
	longest := 0
	for _, run := range backticks.FindAllString(s, -1) {
		longest = max(longest, len(run))
	}
	return longest
}
