package podgen

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// now is when the lists were taken.
var now = time.Date(2025, 3, 14, 9, 26, 53, 0, time.UTC)

//go:embed words.txt
var wordText string

//go:embed scalars.yaml
var scalarText string

// words are the words to choose from, by what they are for.
var words = parseWords(wordText)

func parseWords(text string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(text) {
		use, list, _ := strings.Cut(line, ":")
		out[use] = strings.Fields(list)
	}
	return out
}

// Texts of every style of scalar, as kubectl prints them at the place that they are for: where a line is folded
// depends on the column.
var (
	oddNotes  = scalars("      example.com/")
	oddValues = scalars("        value: ")
	oddArgs   = scalars("      - ")[:len(oddValues)]
	scripts   = scalars("      - ")[len(oddValues):]
)

// scalars gives the texts in scalars.yaml behind a prefix, with the lines that belong to them.
func scalars(prefix string) []string {
	var out []string
	deeper := strings.Repeat(" ", len(prefix)-len(strings.TrimLeft(prefix, " "))+1)
	open := false
	for line := range strings.Lines(scalarText) {
		switch rest, found := strings.CutPrefix(line, prefix); {
		case found && !strings.HasPrefix(rest, "name: ODD"):
			out, open = append(out, rest), true
		case open && (strings.HasPrefix(line, deeper) || line == "\n"):
			out[len(out)-1] += line
		default:
			open = false
		}
	}
	for i := range out {
		out[i] = strings.TrimSuffix(out[i], "\n")
	}
	return out
}

// chance makes what an object is made of. Objects have one each, by their number, so that none depends on another.
type chance struct{ *rand.Rand }

func newChance(kind uint64, i int) chance {
	return chance{rand.New(rand.NewPCG(kind, uint64(i)*0x9e3779b97f4a7c15+1))}
}

func (c chance) in(p float64) bool { return c.Float64() < p }

func (c chance) one(of []string) string { return of[c.IntN(len(of))] }

// Pick gives one of the words for a use.
func (c chance) Pick(use string) string { return c.one(words[use]) }

// Hex gives n hex digits.
func (c chance) Hex(n int) string { return c.letters("0123456789abcdef", n) }

// Suffix gives n letters as Kubernetes makes names with. The first is none that a number begins with: a name of digits
// alone would have to stand in quotes.
func (c chance) Suffix(n int) string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	return c.letters(letters[:20], 1) + c.letters(letters, n-1)
}

func (c chance) letters(from string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = from[c.IntN(len(from))]
	}
	return string(b)
}

// NewUID gives a uid.
func (c chance) NewUID() string {
	return c.Hex(8) + "-" + c.Hex(4) + "-4" + c.Hex(3) + "-a" + c.Hex(3) + "-" + c.Hex(12)
}

// Number gives a number within bounds.
func (c chance) Number(from, to int) int { return from + c.IntN(to-from+1) }

// ago gives a time up to so long ago.
func (c chance) ago(most time.Duration) time.Time {
	return now.Add(-time.Duration(c.IntN(int(most/time.Second))) * time.Second)
}

// Earlier gives a time in the last months.
func (c chance) Earlier() string { return stamp(c.ago(90 * 24 * time.Hour)) }

// Now gives the time at which the lists were taken.
func (c chance) Now() string { return stamp(now) }

func stamp(t time.Time) string { return t.Format(time.RFC3339) }

func (c chance) address(net string) string {
	return fmt.Sprintf("%s.%d.%d", net, c.IntN(256), c.IntN(256))
}
