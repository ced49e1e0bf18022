package bundle

import "bytes"

// jsonScan finds the end of a JSON value in text that arrives in pieces. It only balances brackets and minds strings;
// whether the value is valid is for encoding/json to say.
type jsonScan struct {
	depth    int
	str, esc bool
	// oneLine says that the value may not go beyond its line: a log's record, or an answer of the API server as such.
	oneLine bool
}

// newScan says how the value that begins here may extend. What is laid out over many lines breaks its first line after
// a bracket or a comma.
func (c *content) newScan() jsonScan {
	line := bytes.TrimRight(c.w.head(1<<10), " \t")
	last := line[len(line)-1]
	return jsonScan{oneLine: last != '{' && last != '[' && last != ','}
}

// end gives the offset behind the value, or -1 when the text does not reach that far; stop says that it never will.
func (s *jsonScan) end(text []byte) (n int, stop bool) {
	for i, b := range text {
		switch {
		case s.esc:
			s.esc = false
		case s.str:
			switch b {
			case '\\':
				s.esc = true
			case '"':
				if s.str = false; s.depth == 0 {
					return i + 1, false
				}
			case '\n':
				return -1, true
			}
		case b == '"':
			s.str = true
		case b == '{' || b == '[':
			s.depth++
		case b == '}' || b == ']':
			if s.depth--; s.depth <= 0 {
				return i + 1 + min(s.depth, 0), false
			}
		case b == '\n' && s.oneLine:
			return -1, true
		case s.depth == 0 && (b == ',' || b <= ' '):
			return i, false
		}
	}
	return -1, false
}

// jsonEnd gives the offset behind the value at an offset; ok is false when the text ends first, or the value is too big
// or has no end.
func (c *content) jsonEnd(off int, s jsonScan) (end int, ok bool) {
	from := off
	for {
		rest := c.w.rest()
		n, stop := s.end(rest[from:])
		if n >= 0 {
			return from + n, true
		}
		from = len(rest)
		if stop || from-off > maxPiece || !c.w.fill() {
			return from, false
		}
	}
}

// jsonSpace gives the offset of the next byte that is no white space.
func (c *content) jsonSpace(off int) int {
	for {
		b, ok := c.w.at(off)
		if !ok || b != ' ' && b != '\n' && b != '\t' && b != '\r' {
			return off
		}
		off++
	}
}
