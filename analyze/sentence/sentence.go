// Package sentence keeps what people read as format and arguments until a report is finished, so that it can be given in
// another language. It knows no language: whoever renders hands in a catalogue.
package sentence

import (
	"fmt"
	"strings"
)

// Text is a sentence, or part of one. The English format is its own key.
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
	format, translated := t.Format, false
	if f, ok := translate[t.Format]; ok {
		format, translated = f, true
	}
	if len(t.Args) == 0 {
		return format
	}
	args := make([]any, len(t.Args))
	for i, a := range t.Args {
		args[i] = in(a, translate)
		if text, ok := args[i].(string); ok && translated {
			args[i] = joint(text)
		}
	}
	if !translated {
		return fmt.Sprintf(format, args...)
	}
	return settle(fmt.Sprintf(format, args...))
}

// in gives an argument in a language.
func in(arg any, translate map[string]string) any {
	switch a := arg.(type) {
	case Text:
		return a.In(translate)
	case List:
		return a.In(translate)
	case string:
		return oneLine.Replace(Phrase(a, translate))
	}
	return arg
}

// oneLine keeps what comes from a bundle on the line of its sentence: a name with a line break in it must not become a
// line of its own that looks like ours.
var oneLine = strings.NewReplacer("\n", `\n`, "\r", `\r`)

// Phrase gives a fixed English phrase in a language. What has no space in it may be a name from the bundle and stays.
func Phrase(s string, translate map[string]string) string {
	if strings.Contains(s, " ") {
		if other, ok := translate[s]; ok {
			return other
		}
	}
	return s
}

// List is what a sentence joins as its language does: names, or Texts.
type List struct {
	Items []any
	// Join is And or Or; Empty is said of no item.
	Join, Empty string
}

// The keys with which a List is joined.
const (
	Nothing = "nothing"
	None    = "none"
	Comma   = ", "
	And     = "%s and %s"
	Or      = "%s or %s"
)

// ListOf makes a List that is joined with "and".
func ListOf[T any](items []T) List {
	l := List{Join: And, Empty: Nothing}
	for _, i := range items {
		l.Items = append(l.Items, i)
	}
	return l
}

// String joins in English.
func (l List) String() string { return l.In(nil) }

// In joins in a language.
func (l List) In(translate map[string]string) string {
	say := func(key string) string { return Text{Format: key}.In(translate) }
	if len(l.Items) == 0 {
		return say(l.Empty)
	}
	all := make([]string, len(l.Items))
	for i, item := range l.Items {
		all[i] = fmt.Sprint(in(item, translate))
	}
	if len(all) == 1 {
		return all[0]
	}
	last := len(all) - 1
	return Text{Format: l.Join, Args: []any{strings.Join(all[:last], say(Comma)), all[last]}}.In(translate)
}

// Fixed marks a phrase that is kept as plain text and yet has a place in the catalogues.
func Fixed(s string) string { return s }
