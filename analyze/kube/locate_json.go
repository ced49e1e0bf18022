package kube

import (
	"encoding/json"
)

// cursor walks JSON text that is known to be valid.
type cursor struct {
	b []byte
	i int
}

// locateJSON gives the number of newlines before the line of a path, -1 when it is not there.
func locateJSON(raw []byte, steps []step) int {
	c := cursor{b: raw}
	c.space()
	at := c.i
	for _, st := range steps {
		found := false
		if st.brack && c.peek() == '[' {
			at, found = c.pick(st)
		} else {
			at, found = c.member(st.name)
		}
		if !found {
			return -1
		}
	}
	return newlines(raw[:at])
}

func (c *cursor) peek() byte {
	if c.i < len(c.b) {
		return c.b[c.i]
	}
	return 0
}

func (c *cursor) space() {
	for c.i < len(c.b) && (c.b[c.i] == ' ' || c.b[c.i] == '\n' || c.b[c.i] == '\t' || c.b[c.i] == '\r') {
		c.i++
	}
}

// skip moves behind the value at the cursor and gives its text.
func (c *cursor) skip() []byte {
	start, depth := c.i, 0
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case '"':
			c.str()
			if depth == 0 {
				return c.b[start:c.i]
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				if depth == 0 {
					c.i++
				}
				return c.b[start:c.i]
			}
		case ',', ' ', '\n', '\t', '\r', ':':
			if depth == 0 {
				return c.b[start:c.i]
			}
		}
		c.i++
	}
	return c.b[start:c.i]
}

// str moves behind the string at the cursor.
func (c *cursor) str() {
	for c.i++; c.i < len(c.b); c.i++ {
		switch c.b[c.i] {
		case '\\':
			c.i++
		case '"':
			c.i++
			return
		}
	}
}

// member finds a key of the object at the cursor, moves to its value and gives the offset of the key.
func (c *cursor) member(key string) (int, bool) {
	if c.peek() != '{' {
		return 0, false
	}
	c.i++
	for {
		c.space()
		if c.peek() != '"' {
			return 0, false
		}
		at := c.i
		name := unquote(c.skip())
		c.space()
		c.i++ // the colon
		c.space()
		if name == key {
			return at, true
		}
		c.skip()
		c.space()
		if c.peek() != ',' {
			return 0, false
		}
		c.i++
	}
}

// pick finds the item of the list at the cursor that a step selects, moves to it and gives its offset.
func (c *cursor) pick(st step) (int, bool) {
	c.i++
	for index := 0; ; index++ {
		c.space()
		if c.peek() == ']' || c.peek() == 0 {
			return 0, false
		}
		at := c.i
		if st.picks(index, func(key string) string { return cursor{b: c.b, i: at}.scalar(key) }) {
			c.i = at
			return at, true
		}
		c.i = at
		c.skip()
		c.space()
		if c.peek() == ',' {
			c.i++
		}
	}
}

// scalar gives the text of a member of the object at the cursor.
func (c cursor) scalar(key string) string {
	if _, ok := c.member(key); !ok {
		return ""
	}
	return unquote(c.skip())
}

func unquote(b []byte) string {
	var s string
	if json.Unmarshal(b, &s) == nil {
		return s
	}
	return string(b)
}
