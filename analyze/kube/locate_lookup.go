package kube

import "encoding/binary"

// LineOf implements Locator.
func (t *lineTable) LineOf(path string) int {
	steps := splitPath(path)
	if len(steps) == 0 {
		return t.line
	}
	r := lineReader{ops: t.ops, line: t.line, ids: allPlans().ids}
	return r.find(steps)
}

// lineReader walks a line table.
type lineReader struct {
	ops  []byte
	line int
	ids  map[string]byte
}

// record is one record; op is opEnd behind the last one.
type record struct {
	op   byte
	id   byte
	hash uint32
}

func (r *lineReader) next() record {
	if len(r.ops) == 0 {
		return record{}
	}
	rec := record{op: r.ops[0]}
	r.ops = r.ops[1:]
	switch rec.op {
	case opEnd:
		return rec
	case opField, opName, opOpen:
		rec.id = r.ops[0]
		r.ops = r.ops[1:]
	}
	n, size := binary.Uvarint(r.ops)
	r.ops = r.ops[size:]
	r.line += int(n)
	if rec.op == opName || rec.op == opKey {
		rec.hash = binary.LittleEndian.Uint32(r.ops)
		r.ops = r.ops[4:]
	}
	return rec
}

// skip moves behind the end of what the last record opened.
func (r *lineReader) skip() {
	for depth := 1; depth > 0 && len(r.ops) > 0; {
		switch r.next().op {
		case opItem, opOpen:
			depth++
		case opEnd:
			depth--
		}
	}
}

// find looks for a path among the records up to the next end at this depth, and gives its line, 0 for none.
func (r *lineReader) find(steps []step) int {
	st := steps[0]
	id, known := r.ids[st.name]
	for index := 0; ; {
		rec := r.next()
		hit, open := false, rec.op == opOpen || rec.op == opItem
		switch rec.op {
		case opEnd:
			return 0
		case opField, opName, opOpen:
			hit = known && !st.brack && rec.id == id
		case opKey:
			hit = rec.hash == hash(st.name)
		case opItem, opValue:
			hit = st.brack && st.picks(index, func(key string) func(string) bool { return r.has(key) })
			index++
		}
		switch {
		case hit && len(steps) == 1:
			return r.line
		case hit && open:
			return r.find(steps[1:])
		case hit:
			return 0
		case open:
			r.skip()
		}
	}
}

// has gives a test for the value of a field of the item whose record was read last.
func (r *lineReader) has(key string) func(string) bool {
	ahead := *r
	id, known := r.ids[key]
	return func(value string) bool {
		for depth := 1; known && depth > 0 && len(ahead.ops) > 0; {
			rec := ahead.next()
			switch rec.op {
			case opItem, opOpen:
				depth++
			case opEnd:
				depth--
			case opName:
				if depth == 1 && rec.id == id {
					return rec.hash == hash(value)
				}
			}
		}
		return false
	}
}
