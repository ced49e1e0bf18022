package analyze

import (
	"fmt"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// Text is a sentence that people read; see package sentence.
type Text = sentence.Text

// Say makes a Text. Arguments may be Texts.
func Say(format string, args ...any) Text { return sentence.Say(format, args...) }

// Span gives a duration as people say it, in at most two units: 14h32m, 3d4h, 52s.
func Span(d time.Duration) string {
	d = d.Round(time.Second)
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%ds", d/time.Minute, d%time.Minute/time.Second)
	case d < day:
		return fmt.Sprintf("%dh%dm", d/time.Hour, d%time.Hour/time.Minute)
	default:
		return fmt.Sprintf("%dd%dh", d/day, d%day/time.Hour)
	}
}
