package knowledge

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// StopCall is a way in which people end a proxy: a call, a signal, a wrapper, a controller.
type StopCall struct {
	ID      string `json:"id"`
	Helper  string `json:"helper"` // id of the helper it ends, "" if that cannot be told
	Kind    string `json:"kind"`   // call | kill | wrapper | controller
	Pattern string `json:"pattern"`
	Note    string `json:"note"`
	// Post says that the call is answered only when it is made with POST.
	Post    bool     `json:"post"`
	Sources []string `json:"sources"` // source ids in the table, printable references in a result

	// ByGet says of a call that was found that it is made with GET, wherever it stands in the text.
	ByGet bool `json:"-"`

	re *regexp.Regexp
	// words are texts of which every match holds one; nil if there are none. Looking for them first makes the search
	// some hundred times faster, and every command line of every pod is searched.
	words []string
}

// Matches looks for the call in a command line, script, hook or variable name.
func (s StopCall) Matches(text string) bool {
	found, _ := s.find(text)
	return found
}

// find looks for the call, and says whether it is made with GET in every place.
func (s StopCall) find(text string) (found, byGet bool) {
	if s.re == nil || s.words != nil && !containsOne(text, s.words) {
		return false, false
	}
	return s.calls(text)
}

func containsOne(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// wordsOf gives texts of which every match of a pattern holds at least one, nil if none can be told.
func wordsOf(pattern string) []string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	return required(re)
}

func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if words := required(sub); shortest(words) > shortest(best) {
				best = words
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			words := required(sub)
			if words == nil {
				return nil
			}
			all = append(all, words...)
		}
		return all
	}
	return nil
}

func shortest(words []string) int {
	if len(words) == 0 {
		return 0
	}
	return len(slices.MinFunc(words, func(a, b string) int { return len(a) - len(b) }))
}

// StopCalls lists the known ways, the specific before the general.
func (b *Base) StopCalls() []StopCall { return append([]StopCall(nil), b.stops...) }

// StopCallsIn lists the known ways that appear in a text; a general one is left out where a specific one matches.
func (b *Base) StopCallsIn(text string) []StopCall {
	var list []StopCall
	for _, s := range b.stops {
		found, byGet := s.find(text)
		if found && (s.Helper != "" || s.Kind != "call" || len(list) == 0) {
			s.ByGet = byGet
			list = append(list, s)
		}
	}
	return list
}
