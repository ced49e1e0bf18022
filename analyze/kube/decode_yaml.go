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
	slices  map[*plan]reflect.Value // lists that are being read, by plan: their memory is used again and again
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
	next, required := 0, 0
	var last []byte
	for y.col == col && !y.dash {
		line := y.line
		key := y.key()
		if y.bad {
			return
		}
		if last != nil && bytes.Compare(key, last) <= 0 {
			y.fail()
			return
		}
		last = key
		for next < len(p.fields) && p.fields[next].name < string(key) {
			next++
		}
		if next < len(p.fields) && p.fields[next].name == string(key) {
			y.member(&p.fields[next], v, col, line)
			if p.fields[next].required {
				required++
			}
			continue
		}
		if p.nearly(key) || !sureText(key) && !bytes.Equal(key, []byte(".")) {
			y.fail() // the library might take it for one of ours, or for no string
			return
		}
		y.skip(col)
	}
	y.depth--
	if y.col > col || y.col == col && y.dash || required < p.required {
		y.fail()
	}
}

// nearly says that a key that is none of the fields may differ from one in case alone.
func (p *plan) nearly(key []byte) bool {
	for i := range p.fields {
		if f := &p.fields[i]; len(f.name) == len(key) && f.name[0]|0x20 == key[0]|0x20 && bytes.EqualFold([]byte(f.name), key) {
			return true
		}
	}
	for _, c := range key {
		if c >= 0x80 {
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
		y.value(f.plan, target, col)
		y.lines.name(f, line, target.String())
	case f.plan.opens():
		y.lines.field(f, line, true)
		y.value(f.plan, target, col)
		y.lines.end()
	default:
		y.lines.field(f, line, false)
		y.value(f.plan, target, col)
	}
}

// value reads a value below a key, or behind a dash, whose parent stands at a column.
func (y *yamlReader) value(p *plan, v reflect.Value, parent int) {
	switch p.shape {
	case shapePointer:
		n := reflect.New(p.elem.typ)
		y.value(p.elem, n.Elem(), parent)
		v.Set(n)
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
	default:
		y.leaf(p, v, parent)
	}
}

// leaf reads a scalar.
func (y *yamlReader) leaf(p *plan, v reflect.Value, parent int) {
	switch p.shape {
	case shapeString, shapeScalar:
		v.SetString(y.text(p, parent))
	case shapeTime:
		*v.Addr().Interface().(*Time) = ParseTime(y.text(p, parent))
	case shapeInt:
		text, kind := y.bare(parent)
		n, ok := smallInt(text)
		if kind != plainScalar || !ok {
			y.fail()
		}
		v.SetInt(n)
	case shapeBool:
		text, kind := y.bare(parent)
		if kind != plainScalar || string(text) != "true" && string(text) != "false" {
			y.fail()
			return
		}
		v.SetBool(text[0] == 't')
	}
}

// bare reads a scalar that must be there.
func (y *yamlReader) bare(parent int) ([]byte, scalarKind) {
	if !y.inline() {
		y.fail()
		return nil, plainScalar
	}
	return y.scalar(parent)
}

// text reads a scalar where text or a time belongs: null and nothing at all are no text.
func (y *yamlReader) text(p *plan, parent int) string {
	if !y.inline() {
		if y.next(); y.col > parent {
			y.fail()
		}
		return ""
	}
	text, kind := y.scalar(parent)
	switch {
	case y.bad:
		return ""
	case kind != plainScalar, sureText(text), isTimestamp(text), p.shape == shapeScalar && sureNumber(text):
		return y.strings.get(text)
	case string(text) != "null":
		y.fail()
	}
	return ""
}

// smallInt reads up to nine digits.
func smallInt(b []byte) (int64, bool) {
	d := b
	if len(d) > 1 && d[0] == '-' && d[1] != '0' {
		d = d[1:]
	}
	if len(d) == 0 || len(d) > 9 || !digits(d) || d[0] == '0' && len(d) > 1 {
		return 0, false
	}
	var n int64
	for _, c := range d {
		n = n*10 + int64(c-'0')
	}
	if len(d) < len(b) {
		n = -n
	}
	return n, true
}

// sureNumber says that a number or truth value comes back as the text that it is written with.
func sureNumber(b []byte) bool {
	_, ok := smallInt(b)
	return ok || string(b) == "true" || string(b) == "false"
}

// list reads a list, whose dashes stand at the parent's column or deeper.
func (y *yamlReader) list(p *plan, v reflect.Value, parent int) {
	if y.inline() {
		if !y.empty('[') {
			y.fail()
		}
		v.Set(reflect.MakeSlice(p.typ, 0, 0))
		return
	}
	y.next()
	if !y.dash || y.col < parent || !y.deeper() {
		y.fail()
		return
	}
	// Items are read into a list that is used again, and copied from there when their number is known. A list within a
	// list of the same type can not use it.
	scratch, ok := y.slices[p]
	if !ok {
		scratch = reflect.MakeSlice(p.typ, 16, 16)
	}
	delete(y.slices, p)
	open, n := p.elem.shape == shapeStruct, 0
	for col := y.col; y.col == col && y.dash; n++ {
		if n == scratch.Len() {
			grown := reflect.MakeSlice(p.typ, 2*n, 2*n)
			reflect.Copy(grown, scratch)
			scratch = grown
		}
		y.lines.item(y.line, open)
		y.enter()
		y.item(p.elem, scratch.Index(n), col)
		if open {
			y.lines.end()
		}
	}
	y.depth--
	out := reflect.MakeSlice(p.typ, n, n)
	reflect.Copy(out, scratch)
	v.Set(out)
	for i := range n {
		scratch.Index(i).SetZero()
	}
	y.slices[p] = scratch
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
	y.mapping(p, v, y.col)
}

// dictionary reads a map. Keys must ascend here too.
func (y *yamlReader) dictionary(p *plan, v reflect.Value, parent int) {
	if y.inline() {
		if !y.empty('{') {
			y.fail()
		}
		v.Set(reflect.MakeMap(p.typ))
		return
	}
	if y.next(); y.col <= parent || y.dash {
		y.fail()
		return
	}
	switch m := v.Addr().Interface().(type) {
	case *map[string]string:
		out := make(map[string]string, 8)
		y.entries(p.elem, parent, func(k, v string) { out[k] = v })
		*m = out
	case *Quantities:
		out := make(Quantities, 2)
		y.entries(p.elem, parent, func(k, v string) { out[k] = Scalar(v) })
		*m = out
	default:
		y.fail()
	}
}

// entries reads the keys and texts of a map.
func (y *yamlReader) entries(p *plan, parent int, put func(key, value string)) {
	var last string
	for col, n := y.col, 0; y.col == col && !y.dash; n++ {
		line, quoted := y.line, y.b[y.i] == '"' || y.b[y.i] == '\''
		raw := y.key()
		if y.bad || !quoted && !sureText(raw) {
			y.fail()
			return
		}
		key := y.strings.get(raw)
		if n > 0 && key <= last {
			y.fail()
			return
		}
		last = key
		y.lines.key(key, line)
		put(key, y.text(p, col))
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
