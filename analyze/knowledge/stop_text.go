package knowledge

import (
	"net/url"
	"regexp"
	"strings"
)

// Not every text that names a call makes it: a script's comment calls nothing, and a call to another host ends nothing here.

// calls says that one of the matches is more than a comment, and no call to another host; and whether all of these are made with
// GET.
func (s StopCall) calls(text string) (found, byGet bool) {
	c := comments{text: text, word: true}
	for _, at := range s.re.FindAllStringIndex(text, -1) {
		if c.hold(at[0]) || s.Kind == "call" && elsewhere(text, at[0]) {
			continue
		}
		if found = true; !s.Post || !madeWithGet(text, at[0]) {
			return true, false
		}
	}
	return found, found
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

// How curl and wget choose the method of a request.
var (
	client = regexp.MustCompile(`(^|[\s;&|({!"'` + "`" + `])([^\s"']*/)?(curl|wget)\s`)
	// over is where a command ends, but for the & of a redirection.
	over = regexp.MustCompile(`[;|)` + "`" + `]|[^>]&`)
	// methodGiven is a named method; otherMethod whatever may make a request another than GET: its name, a body, a file to send,
	// a configuration read from elsewhere.
	methodGiven = regexp.MustCompile(`\s(-X|--request|--method)[\s=]*["']?(GET|HEAD)\b`)
	otherMethod = regexp.MustCompile(`(?i:post|put)|\s["']?(-[A-Za-z0-9#]*[XdFTKe]|--(request|data|json|form|upload|config|url-query|method|body|execute|next))`)
)

// longestCommand bounds how much of a command line is looked at around a call.
const longestCommand = 4096

// madeWithGet says of a call in a shell's text that it is made by curl or wget with GET. What the line leaves open, with a variable
// or in more words than are looked at, is not said to be.
func madeWithGet(text string, at int) bool {
	begin, end := lineAround(text, at)
	if end-begin > longestCommand {
		return false
	}
	line := " " + text[begin:end] + " "
	place := at - begin + 1
	calls := client.FindAllStringIndex(line[:place], -1)
	if len(calls) == 0 {
		return false
	}
	rest := line[place:]
	if end := over.FindStringIndex(rest); end != nil {
		rest = rest[:end[0]]
	}
	command := line[calls[len(calls)-1][0]:place] + rest + " "
	if strings.ContainsAny(line[calls[len(calls)-1][1]:place], ";&|") || strings.Contains(command, "$") {
		return false
	}
	return methodGiven.MatchString(command) || !otherMethod.MatchString(command)
}

// lineAround gives the line of a place in a shell's text; a newline behind a backslash does not end it, and neither does one
// between the words of a command that is no script but curl or wget itself.
func lineAround(text string, at int) (begin, end int) {
	if first, _, more := strings.Cut(text, "\n"); more && len(text) <= longestCommand && client.MatchString(first+" ") && !strings.ContainsAny(first, " \t") {
		return 0, len(text)
	}
	begin, end = at, at
	for begin > 0 && !(text[begin-1] == '\n' && (begin < 2 || text[begin-2] != '\\')) && at-begin <= longestCommand {
		begin--
	}
	for end < len(text) && !(text[end] == '\n' && text[end-1] != '\\') && end-at <= longestCommand {
		end++
	}
	return begin, end
}
