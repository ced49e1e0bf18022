package knowledge

import "regexp"

// StopCall is a way in which people end a proxy: a call, a signal, a wrapper, a controller.
type StopCall struct {
	ID      string   `json:"id"`
	Helper  string   `json:"helper"` // id of the helper it ends, "" if that can not be told
	Kind    string   `json:"kind"`   // call | kill | wrapper | controller
	Pattern string   `json:"pattern"`
	Note    string   `json:"note"`
	Sources []string `json:"sources"` // source ids in the table, printable references in a result

	re *regexp.Regexp
}

// Matches looks for the call in a command line, script, hook or variable name.
func (s StopCall) Matches(text string) bool { return s.re != nil && s.re.MatchString(text) }

// StopCalls lists the known ways, the specific before the general.
func (b *Base) StopCalls() []StopCall { return append([]StopCall(nil), b.stops...) }

// StopCallsIn lists the known ways that appear in a text; a general one is left out where a specific one matches.
func (b *Base) StopCallsIn(text string) []StopCall {
	var list []StopCall
	for _, s := range b.stops {
		if s.Matches(text) && (s.Helper != "" || s.Kind != "call" || len(list) == 0) {
			list = append(list, s)
		}
	}
	return list
}
