package kube

import (
	"bytes"
	"reflect"
)

// yamlReader fills structs from YAML as kubectl prints it. It gives the very same values as sigs.k8s.io/yaml would, or
// refuses (lexer.bad); after a refusal nothing that it has filled may be used.
type yamlReader struct {
	lexer
	lines   lineWriter
	strings stringCache
	depth   int
	keys    []knownKeys     // by plan
	slices  []reflect.Value // lists that are being read, by plan: their memory is used again and again
	pairs   []Pair          // of the map that is being read
	words   []string        // of the list of texts that is being read
	times   [64]Time        // that were read lately
	few     *fewValues
	known   memory
	// lean asks for no more of a pod than it takes to reduce it.
	lean bool
}

// maxDepth bounds recursion.
const maxDepth = 64

func (y *yamlReader) deeper() bool {
	if y.depth++; y.depth > maxDepth {
		y.fail()
		return false
	}
	return true
}

// mapping reads a struct whose keys stand at a column. Keys must ascend, as kubectl sorts them; so none is there twice.
func (y *yamlReader) mapping(p *plan, v reflect.Value, col int) {
	if !y.deeper() {
		return
	}
	known := &y.keys[p.number]
	at, required := 0, 0
	var last []byte
	for y.col == col && !y.dash {
		line := y.line
		k, next := y.nextKnown(known, at)
		if k == nil {
			k, next = y.newKey(p, known, last)
		}
		if y.bad {
			return
		}
		at, last = next, k.name()
		if k.f == nil {
			y.skip(col)
			continue
		}
		if k.f.required {
			required++
		}
		y.member(k.f, v, col, line)
	}
	y.depth--
	if y.col > col || y.col == col && y.dash || required < p.required {
		y.fail()
	}
}

// nearly says that a key that is none of the fields may differ from one in case alone.
func (p *plan) nearly(key []byte) bool {
	if p.lengths&(1<<(len(key)&63)) == 0 {
		return false
	}
	for i := range p.fields {
		if f := &p.fields[i]; len(f.name) == len(key) && f.name[0]|0x20 == key[0]|0x20 && bytes.EqualFold([]byte(f.name), key) {
			return true
		}
	}
	return false
}

// member reads the value of a field, behind its key, and writes down its line.
func (y *yamlReader) member(f *field, v reflect.Value, col, line int) {
	target := fieldOf(v, f)
	switch {
	case f.key:
		text := y.text(f.plan, col)
		y.within(text, f.longest())
		target.SetString(text)
		y.lines.name(f, line, text)
	case f.plan.shape == shapeString:
		y.lines.field(f, line, false)
		text := y.text(f.plan, col)
		y.within(text, f.longest())
		target.SetString(text)
	case f.plan.nested:
		y.lines.field(f, line, true)
		if y.lean && f.lean != nil {
			y.value(f.lean, target, col)
		} else {
			y.value(f.plan, target, col)
		}
		y.lines.end()
	default:
		y.lines.field(f, line, false)
		y.value(f.plan, target, col)
	}
}

// within refuses a text that is longer than any can be: the other way cuts it, and says so.
func (y *yamlReader) within(text string, most int) {
	if len(text) > most {
		y.fail()
	}
}

// value reads a value below a key, or behind a dash, whose parent stands at a column. What pods repeat is read once.
func (y *yamlReader) value(p *plan, v reflect.Value, parent int) {
	if p.window > 0 && !y.inline() {
		h := y.begin(p, parent, false)
		if !y.recall(h, v) {
			y.read(p, v, parent)
			y.remember(h, v)
		}
		return
	}
	y.read(p, v, parent)
}

func (y *yamlReader) read(p *plan, v reflect.Value, parent int) {
	switch p.shape {
	case shapePointer:
		y.pointer(p.elem, v, parent)
	case shapeStruct:
		if y.inline() {
			if !y.empty('{') || p.required > 0 {
				y.fail()
			}
			return
		}
		if y.next(); y.col > parent && !y.dash {
			y.mapping(p, v, y.col)
		} else {
			y.fail()
		}
	case shapeSlice:
		y.list(p, v, parent)
	case shapeMap:
		y.dictionary(p, v, parent)
	case shapeFirstKey:
		y.firstKey(v, parent)
	case shapeUnknown:
		y.fail()
	default:
		y.leaf(p, v, parent)
	}
}
