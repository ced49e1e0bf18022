package kube

import "encoding/binary"

// lineTable is a Locator that needs no text: the decoders write down the line of each field that they keep, in the
// order of the text, in two or three bytes. A pod takes about a kilobyte of it, a tenth of its text.
type lineTable struct {
	line int // of the object's first line
	ops  []byte
	ends []blockEnd // made when the table is first asked, nil before
	// items are those of long lists, by the offset of the list; made when one of the list is first asked for.
	items map[int]map[itemName]itemAt
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
	lent   lineTable
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

// now lends a table of what was written, for as long as nothing more is.
func (w *lineWriter) now(line int) *lineTable {
	w.lent = lineTable{line: line, ops: w.ops, ends: []blockEnd{}}
	return &w.lent
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
