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
	pairs   []entry         // of the map that is being read
	words   []string        // of the list of texts that is being read
	times   [64]Time        // that were read lately
	few     *fewValues
	known   memory
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
		target.SetString(text)
		y.lines.name(f, line, text)
	case f.plan.shape == shapeString:
		y.lines.field(f, line, false)
		target.SetString(y.text(f.plan, col))
	case f.plan.nested:
		y.lines.field(f, line, true)
		y.value(f.plan, target, col)
		y.lines.end()
	default:
		y.lines.field(f, line, false)
		y.value(f.plan, target, col)
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

// pointer reads a value that may be absent. Truth values and small numbers are all the same few.
func (y *yamlReader) pointer(p *plan, v reflect.Value, parent int) {
	switch p.shape {
	case shapeBool:
		v.Set(reflect.ValueOf(&y.few.truths[y.truth(parent)]))
	case shapeInt:
		n := y.number(parent)
		if n < 0 || n >= int64(len(y.few.numbers)) {
			v.Set(reflect.ValueOf(&n))
			return
		}
		v.Set(reflect.ValueOf(&y.few.numbers[n]))
	default:
		n := reflect.New(p.typ)
		y.value(p, n.Elem(), parent)
		v.Set(n)
	}
}

// fewValues are what pointers to truth values and to small numbers point to.
type fewValues struct {
	truths  [2]bool
	numbers [64]int64
}

func newFewValues() *fewValues {
	f := &fewValues{truths: [2]bool{false, true}}
	for i := range f.numbers {
		f.numbers[i] = int64(i)
	}
	return f
}

// leaf reads a scalar.
func (y *yamlReader) leaf(p *plan, v reflect.Value, parent int) {
	switch p.shape {
	case shapeString, shapeScalar:
		v.SetString(y.text(p, parent))
	case shapeTime:
		*v.Addr().Interface().(*Time) = y.time(y.text(p, parent))
	case shapeInt:
		v.SetInt(y.number(parent))
	case shapeBool:
		v.SetBool(y.truth(parent) == 1)
	}
}

func (y *yamlReader) number(parent int) int64 {
	text, kind := y.bare(parent)
	n, ok := smallInt(text)
	if kind != plainScalar || !ok {
		y.fail()
	}
	return n
}

// truth reads true as 1 and false as 0.
func (y *yamlReader) truth(parent int) int {
	text, kind := y.bare(parent)
	switch {
	case kind == plainScalar && string(text) == "true":
		return 1
	case kind != plainScalar || string(text) != "false":
		y.fail()
	}
	return 0
}

// time parses a time, or gives the one that it gave for the same text lately: those of one pod are few.
func (y *yamlReader) time(text string) Time {
	if len(text) < 8 {
		return ParseTime(text)
	}
	known := &y.times[(text[len(text)-2]^text[len(text)-3]<<3)%byte(len(y.times))]
	if known.Raw != text {
		*known = ParseTime(text)
	}
	return *known
}

// bare reads a scalar that must be there.
func (y *yamlReader) bare(parent int) ([]byte, scalarKind) {
	if !y.inline() {
		y.fail()
		return nil, plainScalar
	}
	if text, ok := y.easy(parent); ok {
		return text, plainScalar
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
	if text, ok := y.easy(parent); ok {
		if len(text) <= 5 && knownWord(text) {
			if string(text) != "null" {
				y.fail()
			}
			return ""
		}
		return y.strings.get(text)
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
	if p.elem.shape == shapeString {
		y.texts(p.elem, v)
		return
	}
	// Items are read into a list that is used again, and copied from there when their number is known. A list within a
	// list of the same type can not use it.
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
		y.words = append(y.words, y.text(p, col))
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
	y.entries(p, parent)
	switch m := v.Addr().Interface().(type) {
	case *map[string]string:
		*m = make(map[string]string, len(y.pairs))
		for _, e := range y.pairs {
			(*m)[e.key] = e.value
		}
	case *Quantities:
		*m = make(Quantities, len(y.pairs))
		for _, e := range y.pairs {
			(*m)[e.key] = Scalar(e.value)
		}
	default:
		y.fail()
	}
}

// entry is a key of a map and its text.
type entry struct{ key, value string }

// entries reads the keys and texts of a map into pairs.
func (y *yamlReader) entries(p *plan, parent int) {
	y.pairs = y.pairs[:0]
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
		y.pairs = append(y.pairs, entry{k.key, y.text(p.elem, col)})
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
