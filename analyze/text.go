package analyze

import "fmt"

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
