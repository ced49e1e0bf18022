package kube

import "encoding/binary"

// lineTable is a Locator that needs no text: the decoders write down the line of each field that they keep, in the
// order of the text, in two or three bytes. A pod takes about a kilobyte of it, a tenth of its text.
type lineTable struct {
	line int // of the object's first line
	ops  []byte
}

// The records of a line table. Each is followed by the number of lines since the one before, as a uvarint; records of
// fields by the id of the name before that, and some by a hash of a text behind it.
const (
	opEnd   byte = iota // of the last item, or of the last field that was opened; no line
	opItem              // an item of a list, its fields up to opEnd
	opValue             // an item of a list that has no fields
	opField             // a field with a scalar
	opName              // a field that tells list items apart, with the hash of its value
	opOpen              // a field with fields, items or keys, up to opEnd
	opKey               // a key of a map, with the hash of the key
)

// lineWriter writes line tables, and keeps the finished ones together in larger pieces of memory.
type lineWriter struct {
	ops    []byte
	last   int
	room   []byte
	tables []lineTable
}

const (
	tableRoom  = 32 << 10
	tableCount = 32
)

func (w *lineWriter) reset(line int) { w.ops, w.last = w.ops[:0], line }

func (w *lineWriter) at(line int) {
	w.ops = binary.AppendUvarint(w.ops, uint64(max(0, line-w.last)))
	w.last = line
}

func (w *lineWriter) field(f *field, line int, open bool) {
	op := opField
	if open {
		op = opOpen
	}
	if delta := line - w.last; delta >= 0 && delta < 0x80 { // what at does, for nearly all fields
		w.ops = append(w.ops, op, f.id, byte(delta))
		w.last = line
		return
	}
	w.ops = append(w.ops, op, f.id)
	w.at(line)
}

func (w *lineWriter) name(f *field, line int, value string) {
	w.ops = append(w.ops, opName, f.id)
	w.at(line)
	w.ops = binary.LittleEndian.AppendUint32(w.ops, hash(value))
}

func (w *lineWriter) key(hash uint32, line int) {
	w.ops = append(w.ops, opKey)
	w.at(line)
	w.ops = binary.LittleEndian.AppendUint32(w.ops, hash)
}

func (w *lineWriter) item(line int, open bool) {
	if open {
		w.ops = append(w.ops, opItem)
	} else {
		w.ops = append(w.ops, opValue)
	}
	w.at(line)
}

func (w *lineWriter) end() { w.ops = append(w.ops, opEnd) }

// table copies what was written.
func (w *lineWriter) table(line int) *lineTable {
	n := len(w.ops)
	if n > cap(w.room)-len(w.room) {
		w.room = make([]byte, 0, max(tableRoom, n))
	}
	if len(w.tables) == cap(w.tables) {
		w.tables = make([]lineTable, 0, tableCount)
	}
	from := len(w.room)
	w.room = append(w.room, w.ops...)
	w.tables = append(w.tables, lineTable{line: line, ops: w.room[from : from+n : from+n]})
	return &w.tables[len(w.tables)-1]
}

// hash takes in every byte of a text, eight at once.
func hash(s string) uint32 {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(len(s)) * prime
	for len(s) >= 8 {
		word := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		h = (h ^ h>>32 ^ word) * prime
		s = s[8:]
	}
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * prime
	}
	return uint32(h ^ h>>32)
}

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
