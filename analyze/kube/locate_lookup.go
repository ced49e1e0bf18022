package kube

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// LineOf implements Locator.
func (t *lineTable) LineOf(path string) int {
	line, whole := t.walk(path)
	if !whole {
		return 0
	}
	return line
}

// nearest gives the line of the longest part of a path that is there, 0 for none.
func (t *lineTable) nearest(path string) int {
	line, _ := t.walk(path)
	return line
}

// walk follows a path as far as it leads, and says whether that was to its end.
func (t *lineTable) walk(path string) (line int, whole bool) {
	if path == "" {
		return t.line, true
	}
	if t.ends == nil {
		t.findEnds()
	}
	r := lineReader{table: t, line: t.line}
	for {
		var st step
		st, path = cutStep(path)
		found, open := r.seek(st)
		if !found {
			return line, false
		}
		line = r.line
		if path == "" {
			return line, true
		}
		if !open {
			return line, false
		}
	}
}

// lineReader walks a line table.
type lineReader struct {
	table *lineTable
	at    int
	line  int
}

// record is one record; op is opEnd behind the last one.
type record struct {
	op   byte
	id   byte
	hash uint32
}

func (r record) open() bool { return r.op == opOpen || r.op == opItem }

func (r *lineReader) next() record {
	ops := r.table.ops
	if r.at >= len(ops) {
		return record{}
	}
	rec := record{op: ops[r.at]}
	r.at++
	switch rec.op {
	case opEnd:
		return rec
	case opField, opName, opOpen:
		rec.id = ops[r.at]
		r.at++
	}
	if n := ops[r.at]; n < 0x80 {
		r.line += int(n)
		r.at++
	} else {
		n, size := binary.Uvarint(ops[r.at:])
		r.at += size
		r.line += int(n)
	}
	if rec.op == opName || rec.op == opKey {
		rec.hash = binary.LittleEndian.Uint32(ops[r.at:])
		r.at += 4
	}
	return rec
}

// skip moves behind the end of what the last record opened.
func (r *lineReader) skip() {
	if r.jump() {
		return
	}
	for depth := 1; depth > 0 && r.at < len(r.table.ops); {
		rec := r.next()
		switch {
		case rec.open() && r.jump():
		case rec.open():
			depth++
		case rec.op == opEnd:
			depth--
		}
	}
}

// jump is skip for the larger blocks, whose ends are written down when a table is first asked.
func (r *lineReader) jump() bool {
	e, found := r.table.block(r.at)
	if found {
		r.at, r.line = int(e.to), r.line+int(e.lines)
	}
	return found
}

// seek looks for a step among the records up to the next end at this depth.
func (r *lineReader) seek(st step) (found, open bool) {
	ids := allPlans().ids
	id, known := ids[st.name]
	index, want := 0, selection{}
	var key uint32
	if st.brack {
		key, want = hash(st.name), selects(st.name, ids)
		if want.index < 0 && want.known && r.longList() {
			return r.seekItem(itemName{want.id, want.hash}), true
		}
	}
	for {
		rec := r.next()
		switch rec.op {
		case opEnd:
			return false, false
		case opField, opName, opOpen:
			found = known && !st.brack && rec.id == id
		case opKey:
			if !st.brack {
				key = hash(st.name)
			}
			found = rec.hash == key
		case opItem, opValue:
			found = st.brack && want.picks(index, *r, rec.open())
			index++
		}
		if found {
			return true, rec.open()
		}
		if rec.open() {
			r.skip()
		}
	}
}

// selection is what a step in brackets asks of a list item: an index, or a text of a field.
type selection struct {
	index int // -1 for none
	id    byte
	known bool
	hash  uint32
}

// selects reads "name=app", "0", or a name alone.
func selects(name string, ids map[string]byte) selection {
	key, text, ok := strings.Cut(name, "=")
	if !ok {
		if c := name + " "; c[0] <= '9' {
			if n, err := strconv.Atoi(name); err == nil {
				return selection{index: n}
			}
		}
		key, text = "name", name
	}
	s := selection{index: -1, hash: hash(text)}
	s.id, s.known = ids[key]
	return s
}

// picks says whether the item whose record was read last is meant; has it fields, they begin where the reader is.
func (s selection) picks(index int, r lineReader, open bool) bool {
	if s.index >= 0 {
		return s.index == index
	}
	for open && s.known {
		rec := r.next()
		switch {
		case rec.op == opEnd:
			return false
		case rec.open():
			r.skip()
		case rec.op == opName && rec.id == s.id:
			return rec.hash == s.hash
		}
	}
	return false
}
