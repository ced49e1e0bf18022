package redact

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
)

// Commands: those behind the prompts of a pasted session, and those of a collector's manifest.

// shell is the prompt that all prompts become: the one that people paste names them and their machine.
const shell = "user@host:~$ "

// command keeps what the command behind a prompt says of the output below it: the verb, the resources, the namespace.
// Of a command whose output is not read nothing stays but that it was there.
func (f *file) command(p bundle.Piece) {
	if p.What != "" {
		f.count(ofLines)
		f.write("\n" + shell + p.What + "\n")
		return
	}
	f.write("\n" + shell + strings.Join(f.pasted(strings.Fields(p.Lines[0])), " ") + "\n")
}

var (
	// tools print what is read: those that the reader knows.
	tools = []string{"kubectl", "oc", "k", "cat", "less", "more", "head", "tail", "jq", "yq", "type", "Get-Content"}
	// readingVerbs have resources and names behind them, and no data.
	readingVerbs = []string{"get", "describe", "events", "top", "version", "cluster-info", "api-resources"}
	plainWord    = regexp.MustCompile(`^[a-z0-9][a-z0-9./,-]*$`)
	plainFlags   = []string{"-A", "--all-namespaces", "-w", "--watch", "--show-labels", "--show-kind", "--show-managed-fields"}
	valueFlags   = []string{"-n", "--namespace", "-o", "--output"}
)

// pasted gives the words of a command that may stay, up to the first pipe.
func (f *file) pasted(words []string) []string {
	out := []string{}
	reading := false
	for i := 0; i < len(words); i++ {
		w := words[i]
		flag, value, joined := strings.Cut(w, "=")
		switch {
		case strings.ContainsAny(w, "|;&<>`$()"):
			return out
		case i < 2 && slices.Contains(tools, w):
			out = append(out, w)
		case slices.Contains(valueFlags, flag):
			if !joined && i+1 < len(words) {
				i++
				value = words[i]
			}
			if plainWord.MatchString(value) {
				out = append(out, flag, value)
			}
		case slices.Contains(plainFlags, w):
			out = append(out, w)
		case slices.Contains(readingVerbs, w):
			reading = true
			out = append(out, w)
		case reading && plainWord.MatchString(w) && !f.patterns.secret(w):
			out = append(out, w)
		case strings.HasPrefix(w, "-"):
			f.count(ofArgs)
			if !joined && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") && !slices.Contains(readingVerbs, words[i+1]) {
				i++ // it may be the flag's value
			}
		default:
			f.count(ofArgs)
		}
	}
	return out
}

// commandLine hides words of a command line that is given as one text.
func (f *file) commandLine(text string) string {
	after, out := "", []string{}
	for _, w := range strings.Fields(text) {
		var hidden bool
		if hidden, after = f.patterns.hides(w, after); hidden && !hasMark(w) {
			f.count(ofArgs)
			w = f.patterns.hiddenText(w)
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// command is a command line in one text.
func command(f *file, v any) any {
	if s, ok := v.(string); ok {
		return f.commandLine(s)
	}
	return scalar(f, v)
}
