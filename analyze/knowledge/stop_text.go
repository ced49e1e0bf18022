package knowledge

import (
	"net/url"
	"regexp"
	"strings"
)

// Not every text that names a call makes it: a script's comment calls nothing, and a call to another host ends nothing here.

// calls says that one of the matches is more than a comment, and no call to another host.
func (s StopCall) calls(text string) bool {
	for _, at := range s.re.FindAllStringIndex(text, -1) {
		if !commented(text, at[0]) && !(s.Kind == "call" && elsewhere(text, at[0])) {
			return true
		}
	}
	return false
}

// commented says that a place is in a comment of a shell's: behind a # that begins a word outside quotes, on its line.
func commented(text string, at int) bool {
	if !strings.Contains(text[:at], "#") {
		return false
	}
	var quote byte
	word := true // whether the next character begins a word
	for i := 0; i < at; i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '#' && word:
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 || i+end >= at {
				return true
			}
			i += end
			continue
		}
		word = strings.IndexByte(" \t\n;&|(", c) >= 0
	}
	return false
}

// address is a host with a port, as it stands before a path or the place of a match without a scheme.
var address = regexp.MustCompile(`^[A-Za-z0-9.-]+:[0-9]`)

// elsewhere says that a place stands in an address of another host than this pod. A variable may hold either.
func elsewhere(text string, at int) bool {
	begin := strings.LastIndexAny(text[:at], " \t\n'\"`=(<,") + 1
	end := at + 1
	for end < len(text) && strings.IndexByte(" \t\n'\"`/", text[end]) < 0 {
		end++
	}
	word := text[begin:end]
	if !strings.Contains(word, "://") {
		if !address.MatchString(word) {
			return false
		}
		word = "http://" + word
	}
	if strings.ContainsAny(word, "${%") {
		return false
	}
	u, err := url.Parse(word)
	if err != nil {
		return false
	}
	host := u.Hostname()
	unspecified := strings.Trim(host, "0.:") == ""
	return !unspecified && host != "localhost" && host != "::1" && !strings.HasPrefix(host, "127.")
}
