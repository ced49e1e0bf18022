package kube

// cursor walks JSON text that is known to be valid.
type cursor struct {
	b []byte
	i int
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

// member finds a key of the object at the cursor and moves to its value; false when it is not there.
func (c *cursor) member(key string) bool {
	if c.peek() != '{' {
		return false
	}
	c.i++
	for {
		c.space()
		if c.peek() != '"' {
			return false
		}
		name := jsonString(c.skip())
		c.space()
		c.i++ // the colon
		c.space()
		if name == key {
			return true
		}
		c.skip()
		c.space()
		if c.peek() != ',' {
			return false
		}
		c.i++
	}
}

// path moves from the object at the start of the text to the value below some keys.
func (c *cursor) path(keys ...string) bool {
	c.i = 0
	c.space()
	for _, k := range keys {
		if !c.member(k) {
			return false
		}
	}
	return true
}

// text gives the string below some keys, "" when there is none.
func (c cursor) text(keys ...string) string {
	if !c.path(keys...) || c.peek() != '"' {
		return ""
	}
	return jsonString(c.skip())
}
