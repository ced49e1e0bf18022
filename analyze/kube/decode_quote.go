package kube

import "bytes"

// quoteTexts puts quotes around what stands bare where text belongs and YAML 1.1 would take for something else: the
// library makes "false" of a namespace n, and 1.3 of a tag 1.30, and the text would be gone. kubectl quotes such text
// itself; people and other tools do not.
func quoteTexts(raw []byte) []byte {
	q := quoter{texts: allPlans().texts, maps: allPlans().maps, scalar: -1, textMap: -1}
	rest := raw
	for len(rest) > 0 {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line = rest[:i+1]
		}
		rest = rest[len(line):]
		q.line(line, rest)
	}
	if !q.changed {
		return raw
	}
	return q.out
}

// quoter goes through YAML line by line; it knows of structure only what block scalars and maps of texts need.
type quoter struct {
	texts, maps map[string]bool
	out         []byte
	changed     bool
	scalar      int // column of the key whose block scalar this is, -1 for none
	textMap     int // column of the key whose map of texts this is, -1 for none
}

func (q *quoter) line(line, rest []byte) {
	bare := bytes.TrimRight(line, "\n")
	col, _ := block{lines: [][]byte{bare}}.column(0)
	if col == len(bare) || q.scalar >= 0 && col > q.scalar {
		q.out = append(q.out, line...)
		return
	}
	q.scalar = -1
	for bytes.HasPrefix(bare[col:], []byte("- ")) {
		col += 2
	}
	if col <= q.textMap {
		q.textMap = -1
	}
	key, value, ok := cutKey(bare[col:])
	value = bytes.TrimSpace(value)
	switch {
	case !ok:
	case len(value) == 0 && q.maps[key] && q.textMap < 0:
		q.textMap = col
	case len(value) > 0 && (value[0] == '|' || value[0] == '>'):
		q.scalar = col
	case (q.texts[key] || q.textMap >= 0) && quotable(value) && !deeperLine(rest, col):
		q.changed = true
		at := bytes.LastIndex(line, value)
		q.out = append(q.out, line[:at]...)
		q.out = append(q.out, '"')
		q.out = append(q.out, value...)
		q.out = append(q.out, '"')
		q.out = append(q.out, line[at+len(value):]...)
		return
	}
	q.out = append(q.out, line...)
}

// quotable says that a value is one bare word that is not surely text, and not null.
func quotable(v []byte) bool {
	if len(v) == 0 || string(v) == "null" || string(v) == "~" || string(v) == "Null" || string(v) == "NULL" || sureText(v) {
		return false
	}
	for _, c := range v {
		if c != '.' && c != ':' && c != '+' && c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

// deeperLine says whether the next line that is not blank stands right of a column.
func deeperLine(rest []byte, col int) bool {
	for line := range bytes.Lines(rest) {
		if c := len(line) - len(bytes.TrimLeft(line, " ")); len(bytes.TrimSpace(line)) > 0 {
			return c > col
		}
	}
	return false
}
