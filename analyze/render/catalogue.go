package render

import (
	"fmt"
	"strings"
)

// catalogue holds the renderer's own sentences in one language. Codes, field names and what rules wrote are not in it.
type catalogue struct {
	lang string
	text map[string]string
}

// newCatalogue returns the sentences of a language; empty is English.
func newCatalogue(lang string) (catalogue, error) {
	var column func(sentence) string
	switch lang {
	case "", "en":
		lang, column = "en", func(s sentence) string { return s.en }
	case "zh":
		column = func(s sentence) string { return s.zh }
	default:
		return catalogue{}, fmt.Errorf("unknown language %q: use en or zh", lang)
	}
	c := catalogue{lang: lang, text: map[string]string{}}
	for _, s := range sentences() {
		c.text[s.id] = column(s)
	}
	return c, nil
}

// say returns the sentence of an id with its arguments filled in. A test makes sure that every id in use exists.
func (c catalogue) say(id string, args ...any) string {
	s, ok := c.text[id]
	if !ok {
		return "[" + id + "]"
	}
	if len(args) == 0 {
		return s
	}
	return fmt.Sprintf(s, args...)
}

// names, parts and reasons join lists as the language does.
func (c catalogue) names(s []string) string { return strings.Join(s, c.say("join.names")) }

func (c catalogue) parts(s []string) string { return strings.Join(s, c.say("join.parts")) }

func (c catalogue) reasons(s []string) string { return strings.Join(s, c.say("join.reasons")) }

// count returns the sentence for n things: id.one or id.many, with n as its first argument.
func (c catalogue) count(id string, n int, args ...any) string {
	form := ".many"
	if n == 1 {
		form = ".one"
	}
	return c.say(id+form, append([]any{n}, args...)...)
}
