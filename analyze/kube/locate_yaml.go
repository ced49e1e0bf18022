package kube

import (
	"bytes"
	"strings"
)

// block is a run of lines of a YAML document: the text of one mapping or of one list. Lines of text that was read as
// YAML already are told apart by indentation alone; whatever is written in flow style is found as its parent.
type block struct {
	lines [][]byte
	// first is the number of lines before the block.
	first int
}

// locateYAML gives the number of newlines before the line of a path, -1 when it is not there.
func locateYAML(raw []byte, steps []step) int {
	b := block{lines: bytes.Split(raw, []byte("\n"))}.trim()
	if len(b.lines) == 0 {
		return -1
	}
	if len(steps) == 0 {
		return b.first
	}
	if col, dash := b.column(0); dash && !steps[0].brack {
		b = b.items(col)[0].body()
	}
	at := -1
	for i, st := range steps {
		var next block
		ok := false
		if col, dash := b.column(0); st.brack && dash {
			next, ok = b.pick(col, st)
		} else {
			next, ok = b.value(st.name)
		}
		if !ok {
			return -1
		}
		at = next.first
		if i == len(steps)-1 {
			return at
		}
		b = next.body()
	}
	return at
}

// trim drops leading lines that say nothing.
func (b block) trim() block {
	for len(b.lines) > 0 && silent(b.lines[0]) {
		b.lines, b.first = b.lines[1:], b.first+1
	}
	return b
}

// silent says that a line is blank, a comment or a document mark.
func silent(line []byte) bool {
	t := bytes.TrimSpace(line)
	return len(t) == 0 || t[0] == '#' || bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("%"))
}

// column gives the column of a line's first character and whether that is the dash of a list item.
func (b block) column(i int) (col int, dash bool) {
	if i >= len(b.lines) {
		return 0, false
	}
	line := b.lines[i]
	for col < len(line) && line[col] == ' ' {
		col++
	}
	rest := line[col:]
	return col, len(rest) > 0 && rest[0] == '-' && (len(rest) == 1 || rest[1] == ' ')
}

// items cuts a list whose dashes stand at a column.
func (b block) items(col int) []block {
	var out []block
	start := 0
	for i := 1; i <= len(b.lines); i++ {
		if i < len(b.lines) {
			if c, dash := b.column(i); !dash || c != col || silent(b.lines[i]) {
				continue
			}
		}
		out = append(out, block{lines: b.lines[start:i], first: b.first + start})
		start = i
	}
	return out
}

// body is what stands behind the first line's key, or a list item with its dash blanked out.
func (b block) body() block {
	if len(b.lines) == 0 {
		return b
	}
	col, dash := b.column(0)
	if !dash {
		return block{lines: b.lines[1:], first: b.first + 1}.trim()
	}
	lines := append([][]byte{}, b.lines...)
	first := append([]byte{}, lines[0]...)
	first[col] = ' '
	lines[0] = first
	return block{lines: lines, first: b.first}.trim()
}

// pick finds the list item that a step selects.
func (b block) pick(col int, st step) (block, bool) {
	for i, it := range b.items(col) {
		body := it.body()
		if st.picks(i, body.has) {
			return it, true
		}
	}
	return block{}, false
}

// value finds a key of a mapping: a block that begins with the key's line.
func (b block) value(key string) (block, bool) {
	col, _ := b.column(0)
	for i := 0; i < len(b.lines); i++ {
		c, dash := b.column(i)
		if c != col || dash || silent(b.lines[i]) {
			continue
		}
		if name, _, ok := cutKey(b.lines[i][c:]); !ok || name != key {
			continue
		}
		end := i + 1
		for end < len(b.lines) {
			c, dash := b.column(end)
			if !silent(b.lines[end]) && (c < col || c == col && !dash) {
				break
			}
			end++
		}
		return block{lines: b.lines[i:end], first: b.first + i}, true
	}
	return block{}, false
}

// has gives a test for the value of a key.
func (b block) has(key string) func(string) bool {
	return func(want string) bool { return b.scalar(key) == want }
}

// scalar gives the value of a key on one line, without quotes.
func (b block) scalar(key string) string {
	v, ok := b.value(key)
	if !ok {
		return ""
	}
	col, _ := v.column(0)
	_, rest, _ := cutKey(v.lines[0][col:])
	return strings.Trim(strings.TrimSpace(string(rest)), `"'`)
}

// cutKey splits `key: value`; the key may be quoted.
func cutKey(line []byte) (string, []byte, bool) {
	if len(line) > 0 && (line[0] == '"' || line[0] == '\'') {
		if end := bytes.IndexByte(line[1:], line[0]); end > 0 && end+2 < len(line) && line[end+2] == ':' {
			return string(line[1 : end+1]), line[end+3:], true
		}
		return "", nil, false
	}
	for i, c := range line {
		if c == ':' && (i+1 == len(line) || line[i+1] == ' ') {
			return string(line[:i]), line[i+1:], true
		}
	}
	return "", nil, false
}
