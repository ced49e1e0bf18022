package knowledge

import (
	"net/url"
	"regexp"
	"strings"
)

// Not every text that names a call makes it: a script's comment calls nothing, and a call to another host ends nothing here.

// calls says that one of the matches is more than a comment, and no call to another host.
func (s StopCall) calls(text string) bool {
	c := comments{text: text, word: true}
	for _, at := range s.re.FindAllStringIndex(text, -1) {
		if !c.hold(at[0]) && !(s.Kind == "call" && elsewhere(text, at[0])) {
			return true
		}
	}
	return false
}

// comments reads a shell's text once, from front to back: a script may have as many calls as lines.
type comments struct {
	text string
	// i is how far it is read, until the end of the comment that begins there, 0 outside of one.
	i, until int
	quote    byte
	word     bool // whether the next character begins a word
}

// hold says that a place is in a comment: behind a # that begins a word outside quotes, on its line. Places are asked for
// in their order.
func (c *comments) hold(at int) bool {
	for c.i < at {
		if c.until > at {
			return true
		}
		if c.until > 0 {
			c.i, c.until, c.word = c.until, 0, true
			continue
		}
		switch ch := c.text[c.i]; {
		case c.quote != 0:
			if ch == c.quote {
				c.quote = 0
			}
		case ch == '\'' || ch == '"':
			c.quote = ch
		case ch == '#' && c.word:
			if c.until = len(c.text) + 1; strings.IndexByte(c.text[c.i:], '\n') >= 0 {
				c.until = c.i + strings.IndexByte(c.text[c.i:], '\n') + 1
			}
			continue
		}
		c.word = strings.IndexByte(" \t\n;&|(", c.text[c.i]) >= 0
		c.i++
	}
	return false
}

// address is a host with a port, as it stands before a path or the place of a match without a scheme.
var address = regexp.MustCompile(`^[A-Za-z0-9.-]+:[0-9]`)

// longestAddress is more than an address has before the place of a call: names of hosts end at 253 bytes.
const longestAddress = 512

// elsewhere says that a place stands in an address of another host than this pod. A variable may hold either.
func elsewhere(text string, at int) bool {
	text = text[max(0, at-longestAddress):]
	at = min(at, longestAddress)
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
