package kube

import "slices"

// Line tables are walked from their beginning. What is asked of large ones goes by two indexes, made when they are asked.

// blockEnd says where a block ends.
type blockEnd struct {
	from, to uint32 // offsets behind the record that opens it, and behind its end
	lines    uint32 // from that record to the last one within
}

// worthJumping is the size of blocks, in bytes, below which walking is as quick.
const worthJumping = 48

// findEnds lists the larger blocks. The first question so writes to the table: one goroutine may ask at a time.
func (t *lineTable) findEnds() {
	type opened struct{ at, line int }
	var open []opened
	var ends []blockEnd
	for r := (lineReader{table: t}); r.at < len(t.ops); {
		switch rec := r.next(); {
		case rec.open():
			open = append(open, opened{r.at, r.line})
		case rec.op == opEnd && len(open) > 0:
			o := open[len(open)-1]
			open = open[:len(open)-1]
			if r.at-o.at >= worthJumping {
				ends = append(ends, blockEnd{uint32(o.at), uint32(r.at), uint32(r.line - o.line)})
			}
		}
	}
	slices.SortFunc(ends, func(a, b blockEnd) int { return int(a.from) - int(b.from) })
	t.ends = append(make([]blockEnd, 0, len(ends)), ends...)
}

// block gives the larger block that begins at an offset.
func (t *lineTable) block(from int) (blockEnd, bool) {
	i, found := slices.BinarySearchFunc(t.ends, from, func(e blockEnd, at int) int { return int(e.from) - at })
	if !found {
		return blockEnd{}, false
	}
	return t.ends[i], true
}

// manyBytes is the size of a list from which on its items are found by an index: a question for each item of a list of
// thousands would cost the square of their number.
const manyBytes = 4 << 10

// longList says that the reader stands at the beginning of a large list.
func (r *lineReader) longList() bool {
	e, found := r.table.block(r.at)
	return found && e.to-e.from >= manyBytes && r.table.ops[r.at] == opItem
}

// itemName is a text that an item of a list has for a field which tells items apart.
type itemName struct {
	id   byte
	hash uint32
}

// itemAt is where the fields of an item begin.
type itemAt struct{ at, line int }

// seekItem moves into the first item of a name in the list that begins here.
func (r *lineReader) seekItem(name itemName) bool {
	t := r.table
	items, ok := t.items[r.at]
	if !ok {
		if t.items == nil {
			t.items = map[int]map[itemName]itemAt{}
		}
		items = r.index()
		t.items[r.at] = items
	}
	to, found := items[name]
	if found {
		r.at, r.line = to.at, to.line
	}
	return found
}

// index lists the items of the list that begins at the reader, which stays there.
func (r lineReader) index() map[itemName]itemAt {
	items := map[itemName]itemAt{}
	for {
		rec := r.next()
		if rec.op == opEnd {
			return items
		}
		if rec.op != opItem {
			continue
		}
		fields := r
		for inside := fields.next(); inside.op != opEnd; inside = fields.next() {
			if inside.open() {
				fields.skip()
			}
			name := itemName{inside.id, inside.hash}
			if _, known := items[name]; inside.op == opName && !known {
				items[name] = itemAt{r.at, r.line}
			}
		}
		r.at, r.line = fields.at, fields.line
	}
}
