package render

import "time"

// scale maps times to percents of the width. A run of minutes before a hold of many hours would be a dot on an even
// scale, so the time behind the last change is drawn shorter then, behind a visible break.
type scale struct {
	from, knee, to time.Time
	broken         bool
}

// quietest is how many times as long as all that happened before it the quiet end may be on an even scale.
const quietest = 12

// newScale chooses between an even and a broken scale: broken when what happened would else be too narrow to be read.
func newScale(from, lastChange, to time.Time) scale {
	busy, quiet := lastChange.Sub(from), to.Sub(lastChange)
	return scale{from: from, knee: lastChange, to: to, broken: busy > 0 && quiet > quietest*busy}
}

// at gives the place of a time, within the drawing.
func (s scale) at(t time.Time) float64 {
	if t.Before(s.from) {
		return 0
	}
	if t.After(s.to) {
		return 100
	}
	switch {
	case !s.broken:
		return 100 * share(s.from, t, s.to)
	case !t.After(s.knee):
		return brokenAt * share(s.from, t, s.knee)
	default:
		return brokenAt + (100-brokenAt)*share(s.knee, t, s.to)
	}
}

// span gives the stretch between two times, at least least percent wide and never over the edge.
func (s scale) span(from, to time.Time, least float64) *span {
	x := s.at(from)
	w := max(s.at(to)-x, least)
	return &span{X: min(x, 100-w), W: w}
}

// share is how far t lies between from and to, from 0 to 1.
func share(from, t, to time.Time) float64 {
	whole := to.Sub(from)
	if whole <= 0 {
		return 0
	}
	return float64(t.Sub(from)) / float64(whole)
}
