package render

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render/columns"
)

// severity is the word for a severity; it always stands beside the colour.
func (c catalogue) severity(s analyze.Severity) string {
	switch s {
	case analyze.Error, analyze.Warning, analyze.Info:
		return c.say("severity." + string(s))
	default:
		return strings.ToUpper(string(s))
	}
}

func severityStyle(s analyze.Severity) columns.Style {
	switch s {
	case analyze.Error:
		return red
	case analyze.Warning:
		return yellow
	default:
		return cyan
	}
}

// sorted returns workloads worst first, in the report's order within a severity.
func sorted(ws []analyze.Workload) []analyze.Workload {
	out := slices.Clone(ws)
	slices.SortStableFunc(out, func(a, b analyze.Workload) int {
		return cmp.Compare(severityRank(a.Severity), severityRank(b.Severity))
	})
	return out
}

// wholeCluster is how a report names the cluster as a whole.
const wholeCluster = "Cluster/cluster"

// object names an object; the cluster as a whole by its word.
func (c catalogue) object(ref string) string {
	if ref == "" || ref == wholeCluster {
		return c.say("object.cluster")
	}
	return ref
}

// openings are the words that a clause may begin with and that are no names.
var openings = []string{"the", "a", "an", "every", "all", "no", "only", "another", "this", "both", "one", "each", "nothing",
	"its", "where", "not", "whether", "what", "some", "events", "pod", "container", "init container", "native sidecar"}

// sentence puts a rule's clause into the form of a sentence. Only words that cannot be a name get a capital: the first
// word may as well be a container's.
func (c catalogue) sentence(s string) string {
	if s == "" {
		return s
	}
	if c.lang != "en" {
		if stop := c.say("stop"); chinese(s) && !strings.HasSuffix(s, stop) && !strings.HasSuffix(s, "？") && !strings.HasSuffix(s, "：") {
			s += stop
		}
		return s
	}
	if slices.ContainsFunc(openings, func(word string) bool { return strings.HasPrefix(s, word+" ") }) {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if !strings.ContainsRune(".!?:;", rune(s[len(s)-1])) {
		s += "."
	}
	return s
}

// chinese says that a text is: a report may have been written in another language than it is shown in.
func chinese(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// lead is a title that text follows on its line; a full-width colon needs no blank behind it.
func (c catalogue) lead(title string) string {
	if strings.HasSuffix(title, "：") {
		return title
	}
	return title + " "
}

func joinCodes(c catalogue, codes []analyze.Code) string {
	var names []string
	for _, code := range codes {
		names = append(names, string(code))
	}
	return c.names(names)
}

func itoa(n int) string { return strconv.Itoa(n) }

func orDash(s string) string { return orElse(s, "-") }

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
