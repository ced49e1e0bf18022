package columns

import "github.com/olekukonko/tablewriter/pkg/twwidth"

// measure is how wide characters are, whatever the environment says. The zero value counts those of ambiguous width as
// narrow, as nearly every terminal draws them.
func measure() twwidth.Options { return twwidth.Options{} }

// fixMeasure makes the library measure as we do. Its setting is process-wide, so it is set before every table; it is
// always the same value, hence tables drawn at the same time do not disturb each other.
func fixMeasure() { twwidth.SetOptions(measure()) }

// Width is the number of terminal columns that s takes; wide characters take two, colours none.
func Width(s string) int {
	if ascii(s) {
		return len(s)
	}
	return twwidth.WidthWithOptions(s, measure())
}

// ascii says that s is printable ASCII, which nearly every text is.
func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
