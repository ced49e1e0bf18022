package analyze

import (
	"fmt"
	"time"
)

// Text is a sentence that people read, kept as format and arguments until the report is finished, so that it can be
// given in another language. The English format is its own key.
type Text struct {
	Format string
	Args   []any
}

// Say makes a Text. Arguments may be Texts.
func Say(format string, args ...any) Text { return Text{Format: format, Args: args} }

// IsZero says that there is no sentence.
func (t Text) IsZero() bool { return t.Format == "" }

// String gives the English sentence.
func (t Text) String() string { return t.In(nil) }

// In gives the sentence in a language: translate maps an English format to one with the same verbs in the same order
// (indexed verbs where the order differs); nil, or a format it does not have, gives English.
func (t Text) In(translate map[string]string) string {
	format := t.Format
	if f, ok := translate[t.Format]; ok {
		format = f
	}
	if len(t.Args) == 0 {
		return format
	}
	args := make([]any, len(t.Args))
	for i, a := range t.Args {
		if inner, ok := a.(Text); ok {
			a = inner.In(translate)
		}
		args[i] = a
	}
	return fmt.Sprintf(format, args...)
}

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
