package kube

import (
	"bytes"
	"encoding/binary"
	"reflect"
)

// memory keeps blocks of text that were read lately, with what they hold. Pods of a cluster have the same variables,
// resources and probes over and over; a block that is the same to the byte is not read again. Its values are shared
// then: objects are never changed once they are decoded.
type memory struct{ blocks [1024]remembered }

// remembered is one block: whole lines below a key, or those of a list item.
type remembered struct {
	plan   *plan
	text   []byte
	parent int
	lines  int // line breaks in text
	value  reflect.Value
	ops    []byte // what the line table has of it
	last   int    // line of the last record, from the block's first line on
}

// maxRemembered bounds the text of a block.
const maxRemembered = 2 << 10

// here says where a block begins, for remembering it once it is read.
type here struct {
	block    *remembered
	plan     *plan
	parent   int
	at, line int
	ops      int
	inItem   bool
}

// begin looks up the block that begins here: behind a key, or behind a dash.
func (y *yamlReader) begin(p *plan, parent int, inItem bool) here {
	return here{block: &y.known.blocks[blockSlot(y.b[y.i:], p)], plan: p, parent: parent, at: y.i, line: y.line, ops: len(y.lines.ops), inItem: inItem}
}

// blockSlot hashes the beginning of a block: as much of it as blocks of its kind usually differ in, and no more, for
// what stands behind a short block is no part of it.
func blockSlot(rest []byte, p *plan) uint64 {
	if len(rest) < p.window {
		return 0
	}
	h := uint64(p.window)
	for i := 0; i < p.window; i += 8 {
		h = (h ^ h>>29 ^ binary.LittleEndian.Uint64(rest[i:])) * 0xff51afd7ed558ccd
	}
	return h >> 32 % uint64(len(memory{}.blocks))
}

// recall moves behind the block if it is the one that is remembered, and gives its value.
func (y *yamlReader) recall(h here, v reflect.Value) bool {
	r := h.block
	if r.plan != h.plan || r.parent != h.parent || len(r.text) == 0 || !bytes.HasPrefix(y.b[y.i:], r.text) || !y.endsAt(y.i+len(r.text), h) {
		return false
	}
	y.lines.ops = append(y.lines.ops, r.ops...)
	y.lines.last = y.line + r.last
	v.Set(r.value)
	y.i += len(r.text)
	y.line += r.lines
	y.settle()
	return true
}

// endsAt says whether the line that begins at an offset is no part of a block.
func (y *yamlReader) endsAt(end int, h here) bool {
	i := end
	for i < len(y.b) && y.b[i] == ' ' {
		i++
	}
	if i >= len(y.b) {
		return i == end
	}
	col, c := i-end, y.b[i]
	return c != '\n' && (col < h.parent || col == h.parent && (h.inItem || c != '-'))
}

// remember keeps a block that has been read.
func (y *yamlReader) remember(h here, v reflect.Value) {
	end := len(y.b)
	if y.col >= 0 {
		end = y.i - y.col
	}
	if y.bad || end-h.at > maxRemembered || end <= h.at || y.b[end-1] != '\n' {
		return
	}
	r, text := h.block, y.b[h.at:end]
	r.parent, r.text, r.lines = h.parent, append(r.text[:0], text...), y.line-h.line
	if y.col < 0 {
		r.lines = bytes.Count(text, newline)
	}
	if r.plan != h.plan {
		r.value = reflect.New(h.plan.typ).Elem()
	}
	r.plan = h.plan
	r.value.Set(v)
	r.ops, r.last = append(r.ops[:0], y.lines.ops[h.ops:]...), y.lines.last-h.line
}

var newline = []byte("\n")
