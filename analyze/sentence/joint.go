package sentence

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// joint is an argument of a translated sentence. It marks where it begins and ends, so that the spaces around it can be
// set as the script of the language needs them; what stands inside it is nobody's to change.
type joint string

// Marks are control characters that no text of a report keeps.
const (
	begins = '\x01'
	ends   = '\x02'
)

// Format marks what %s prints. Other verbs quote, and bring their own quotation marks.
func (j joint) Format(f fmt.State, verb rune) {
	if verb != 's' {
		fmt.Fprintf(f, fmt.FormatString(f, verb), string(j))
		return
	}
	fmt.Fprintf(f, "%c%s%c", begins, string(j), ends)
}

// settle takes the marks out: no space beside full-width punctuation or between ideographs, one between an ideograph and
// a Latin letter or a digit.
func settle(s string) string {
	if !strings.ContainsAny(s, string(begins)+string(ends)) {
		return s
	}
	out := ""
	for s != "" {
		mark := strings.IndexAny(s, string(begins)+string(ends))
		if mark < 0 {
			return out + s
		}
		out, s = join(out+s[:mark], strings.TrimLeft(s[mark:], string(begins)+string(ends)))
	}
	return out
}

// join sets the space between two parts of a sentence that meet at a mark.
func join(before, after string) (string, string) {
	left, right := strings.TrimSuffix(before, " "), strings.TrimPrefix(after, " ")
	last, _ := utf8.DecodeLastRuneInString(left)
	next, _ := utf8.DecodeRuneInString(right)
	spaced := len(left) < len(before) || len(right) < len(after)
	switch {
	case left == "" || right == "":
	case spaced && (fullWidth(last) || fullWidth(next) || ideograph(last) && ideograph(next)):
		return left, right
	case !spaced && (ideograph(last) && latin(next) || latin(last) && ideograph(next)):
		return before + " ", after
	}
	return before, after
}

func fullWidth(r rune) bool { return strings.ContainsRune("，。；：、（）？！", r) }

func ideograph(r rune) bool { return unicode.Is(unicode.Han, r) }

func latin(r rune) bool { return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
