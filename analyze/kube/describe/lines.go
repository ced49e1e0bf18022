package describe

import "strings"

// line is one line of describe text: "    Image:   nginx" has indent 4, key "Image" and value "nginx".
type line struct {
	number int
	text   string
	indent int
	key    string
	value  string
}

// is says whether the line has a key at an indentation.
func (l line) is(indent int, key string) bool { return l.indent == indent && l.key == key }

func parseLine(text string, number int) line {
	l := line{number: number, text: text}
	for l.indent < len(text) && text[l.indent] == ' ' {
		l.indent++
	}
	rest := text[l.indent:]
	i := strings.IndexByte(rest, ':')
	if i <= 0 || i+1 < len(rest) && rest[i+1] != ' ' && rest[i+1] != '\t' {
		return l
	}
	l.key, l.value = rest[:i], strings.TrimSpace(rest[i+1:])
	return l
}

// cursor walks the lines of one object.
type cursor struct {
	lines []line
	i     int
}

func (c *cursor) more() bool { return c.i < len(c.lines) }

func (c *cursor) cur() line {
	if c.more() {
		return c.lines[c.i]
	}
	return line{}
}

// deeper gives the next line if it is indented by at least n and advances. A blank line belongs to the line below it:
// editors remove the blanks that kubectl prints for an empty argument.
func (c *cursor) deeper(n int) (line, bool) {
	at := c.i
	for at < len(c.lines) && strings.TrimSpace(c.lines[at].text) == "" && c.lines[at].indent < n {
		at++
	}
	if at >= len(c.lines) || c.lines[at].indent < n {
		return line{}, false
	}
	c.i++
	return c.lines[c.i-1], true
}

// texts gives the lines as they stand in the file.
func (c *cursor) texts() []string {
	out := make([]string, len(c.lines))
	for i, l := range c.lines {
		out[i] = l.text
	}
	return out
}

// order holds the keys that kubectl prints at one level, in its order.
type order []string

// place gives the position of a key, -1 when kubectl prints no such key there.
func (o order) place(key string) int {
	for i, k := range o {
		if k == key {
			return i
		}
	}
	return -1
}
