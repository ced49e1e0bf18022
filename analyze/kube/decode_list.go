package kube

import "reflect"

// list reads a list, whose dashes stand at the parent's column or deeper.
func (y *yamlReader) list(p *plan, v reflect.Value, parent int) {
	if y.inline() {
		if !y.empty('[') {
			y.fail()
			return
		}
		v.Set(reflect.MakeSlice(p.typ, 0, 0))
		return
	}
	y.next()
	if !y.dash || y.col < parent || !y.deeper() {
		y.fail()
		return
	}
	if p.elem.shape == shapeString {
		y.texts(p.elem, v)
		return
	}
	// Items are read into a list that is used again, and copied from there when their number is known. A list within a
	// list of the same type cannot use it.
	scratch := y.slices[p.number]
	if !scratch.IsValid() {
		scratch = reflect.New(p.typ).Elem()
	}
	y.slices[p.number] = reflect.Value{}
	open, n := p.elem.shape == shapeStruct, 0
	for col := y.col; y.col == col && y.dash; n++ {
		if n == scratch.Len() {
			scratch.Grow(max(8, n))
			scratch.SetLen(scratch.Cap())
		}
		y.lines.item(y.line, open)
		y.enter()
		y.item(p.elem, scratch.Index(n), col)
		if open {
			y.lines.end()
		}
	}
	y.depth--
	v.Grow(n)
	v.SetLen(n)
	reflect.Copy(v, scratch)
	scratch.SetLen(n)
	scratch.Clear()
	scratch.SetLen(scratch.Cap())
	y.slices[p.number] = scratch
}

// texts reads a list of texts.
func (y *yamlReader) texts(p *plan, v reflect.Value) {
	y.words = y.words[:0]
	for col := y.col; y.col == col && y.dash; {
		y.lines.item(y.line, false)
		y.enter()
		if y.bad {
			break
		}
		word := y.text(p, col)
		y.within(word, longestText)
		y.words = append(y.words, word)
	}
	y.depth--
	if list, ok := v.Addr().Interface().(*[]string); ok {
		*list = append(make([]string, 0, len(y.words)), y.words...)
	} else {
		y.fail()
	}
	clear(y.words)
}

// item reads an item of a list, behind its dash, which stands at a column.
func (y *yamlReader) item(p *plan, v reflect.Value, col int) {
	if y.bad {
		return
	}
	if p.shape != shapeStruct {
		y.value(p, v, col)
		return
	}
	if y.b[y.i] == '{' {
		y.value(p, v, col)
		return
	}
	if y.dash {
		y.fail()
		return
	}
	if p.window == 0 {
		y.mapping(p, v, y.col)
		return
	}
	h := y.begin(p, col, true)
	if !y.recall(h, v) {
		y.mapping(p, v, y.col)
		y.remember(h, v)
	}
}

// dictionary reads a map. Keys must ascend here too.
func (y *yamlReader) dictionary(p *plan, v reflect.Value, parent int) {
	y.pairs = y.pairs[:0]
	if y.inline() {
		if !y.empty('{') {
			y.fail()
			return
		}
	} else {
		if y.next(); y.col <= parent || y.dash {
			y.fail()
			return
		}
		y.entries(p, parent)
	}
	switch m := v.Addr().Interface().(type) {
	case *Pairs:
		*m = append(make(Pairs, 0, len(y.pairs)), y.pairs...)
	case *map[string]string:
		*m = make(map[string]string, len(y.pairs))
		for _, e := range y.pairs {
			(*m)[e.Key] = e.Value
		}
	case *Quantities:
		*m = make(Quantities, len(y.pairs))
		for _, e := range y.pairs {
			(*m)[e.Key] = Scalar(e.Value)
		}
	default:
		y.fail()
	}
}

// entries reads the keys and texts of a map into pairs.
func (y *yamlReader) entries(p *plan, parent int) {
	known := &y.keys[p.number]
	at := 0
	var last []byte
	for col := y.col; y.col == col && !y.dash; {
		line := y.line
		k, next := y.nextKnown(known, at)
		if k == nil {
			k, next = y.newEntry(known, last)
		}
		if y.bad {
			return
		}
		at, last = next, k.name()
		y.lines.key(k.hash, line)
		text := y.text(p.elem, col)
		y.within(text, longestText)
		y.pairs = append(y.pairs, Pair{k.key, text})
	}
	if y.col > parent {
		y.fail()
	}
}

// firstKey reads a mapping of one key, and keeps the key.
func (y *yamlReader) firstKey(v reflect.Value, parent int) {
	if y.inline() {
		y.fail()
		return
	}
	if y.next(); y.col <= parent || y.dash {
		y.fail()
		return
	}
	col := y.col
	key := y.key()
	if y.bad || !sureText(key) {
		y.fail()
		return
	}
	v.SetString(y.strings.get(key))
	y.skip(col)
	if y.col > parent {
		y.fail()
	}
}
