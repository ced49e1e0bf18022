package main

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules/lang"
)

// languages are the values of --lang.
func languages() []string { return []string{"en", "zh"} }

// forPeople says that a format is read by people. Only these follow the locale: a program that reads a report must not
// find other sentences in it because of who ran the analysis.
func forPeople(format string) bool {
	switch format {
	case "table", "wide", "markdown", "html":
		return true
	}
	return false
}

// language gives the language of a format: that of --lang, or for people that of the locale.
func (a *app) language(format string) string {
	if a.global.lang != "" {
		return a.global.lang
	}
	if forPeople(format) && a.localeIsChinese() {
		return "zh"
	}
	return "en"
}

// localeIsChinese looks at the variables in the order in which programs do.
func (a *app) localeIsChinese() bool {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := a.Env(name); v != "" {
			return v == "zh" || strings.HasPrefix(v, "zh_") || strings.HasPrefix(v, "zh.") || strings.HasPrefix(v, "zh-")
		}
	}
	return false
}

// words are the sentences of a language by their English format; nil is English.
type words map[string]string

func wordsOf(language string) (words, error) { return lang.Catalogue(language) }

// say says a sentence of a command.
func (w words) say(format string, args ...any) string { return sentence.Say(format, args...).In(w) }

func (w words) text(t analyze.Text) string { return t.In(w) }

func (w words) texts(list []analyze.Text) []string {
	all := []string{}
	for _, t := range list {
		all = append(all, t.In(w))
	}
	return all
}

// phrase gives a fixed phrase that was made as plain text.
func (w words) phrase(s string) string { return sentence.Phrase(s, w) }

// some is texts where none is left out of a document.
func (w words) some(list []analyze.Text) []string {
	if len(list) == 0 {
		return nil
	}
	return w.texts(list)
}
