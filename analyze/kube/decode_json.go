package kube

import (
	"fmt"
	"reflect"
	"strings"
)

// jsonReader fills a struct from JSON text that is known to be valid. Unlike encoding/json it wants keys to the
// letter (that package takes Phase for phase), says when a key is set twice, and loses nothing but a field when the
// field's value is of the wrong type, as redaction leaves them.
type jsonReader struct {
	cursor
	report func(line int, message string)
	// line of the text at offset counted.
	line, counted int
	fixed         bool // the text is converted YAML: its lines mean nothing
	lines         lineWriter
	strings       *stringCache
	path          []place
	partial       reflect.Value // the last struct that was left out for want of a field
}

// place is one step of the way to the value that is being read: a key, or the index of an item.
type place struct {
	key   string
	index int
}

// at gives the way to the value that is being read.
func (r *jsonReader) at() string {
	var b strings.Builder
	for i, p := range r.path {
		switch {
		case p.key == "":
			fmt.Fprintf(&b, "[%d]", p.index)
		case strings.ContainsAny(p.key, "./"):
			b.WriteString("[" + p.key + "]")
		case i > 0:
			b.WriteString("." + p.key)
		default:
			b.WriteString(p.key)
		}
	}
	return b.String()
}

func (r *jsonReader) push(key string) { r.path = append(r.path, place{key: key}) }

func (r *jsonReader) pop() { r.path = r.path[:len(r.path)-1] }

// here gives the line of the cursor.
func (r *jsonReader) here() int {
	if r.fixed {
		return r.line
	}
	if r.i > r.counted {
		r.line += newlines(r.b[r.counted:r.i])
		r.counted = r.i
	}
	return r.line
}

// wrong reports a value of the wrong type and skips it.
func (r *jsonReader) wrong(want string) bool {
	line := r.here()
	value := oneLine(string(r.skip()))
	if len(value) > 40 {
		value = value[:40] + "..."
	}
	r.report(line, fmt.Sprintf("%s is %s where %s belongs; it was left out", r.at(), strings.ToValidUTF8(value, "?"), want))
	return false
}

// value reads the value at the cursor; false means that it was of the wrong type.
func (r *jsonReader) value(p *plan, v reflect.Value) bool {
	c := r.peek()
	if c == 'n' && p.shape != shapeTime { // null is an absent value
		r.skip()
		return p.shape != shapeInt && p.shape != shapeBool
	}
	switch p.shape {
	case shapeString, shapeScalar:
		return r.text(v)
	case shapeTime:
		return r.time(v)
	case shapeFirstKey:
		return r.firstKey(v)
	case shapeBool:
		if c != 't' && c != 'f' {
			return r.wrong("true or false")
		}
		v.SetBool(c == 't')
		r.skip()
		return true
	case shapeInt:
		return r.number(v)
	case shapePointer:
		n := reflect.New(p.elem.typ)
		if !r.value(p.elem, n.Elem()) {
			r.partial = n
			return false
		}
		v.Set(n)
		return true
	case shapeStruct:
		return r.object(p, v)
	case shapeSlice:
		return r.array(p, v)
	case shapeMap:
		return r.mapping(p, v)
	default:
		r.skip()
		return true
	}
}

// array reads a list; an item of the wrong type is left out.
func (r *jsonReader) array(p *plan, v reflect.Value) bool {
	if r.peek() != '[' {
		return r.wrong("a list")
	}
	r.i++
	n := 0
	out := reflect.MakeSlice(p.typ, 0, 4)
	open := p.elem.shape == shapeStruct
	r.push("")
	for r.more(']') {
		r.path[len(r.path)-1].index = n
		r.lines.item(r.here(), open)
		item := reflect.New(p.elem.typ).Elem()
		if r.value(p.elem, item) {
			r.bound(item, longestText)
			out = reflect.Append(out, item)
		}
		if open {
			r.lines.end()
		}
		n++
	}
	r.pop()
	v.Set(out)
	return true
}

// more moves to the next member of a list or object; false means that it has ended, and the cursor is behind it.
func (r *jsonReader) more(end byte) bool {
	r.space()
	if r.peek() == ',' {
		r.i++
		r.space()
	}
	if r.peek() == end || r.peek() == 0 {
		r.i++
		return false
	}
	return true
}

// key moves over a key to its value and gives the key.
func (r *jsonReader) key() string {
	key := r.str(r.skip())
	r.space()
	r.i++ // the colon
	r.space()
	return key
}

func (r *jsonReader) mapping(p *plan, v reflect.Value) bool {
	if r.peek() != '{' {
		return r.wrong("a mapping")
	}
	r.i++
	typ := p.typ
	if typ == reflect.TypeFor[Pairs]() {
		typ = reflect.TypeFor[map[string]string]()
	}
	out := reflect.MakeMap(typ)
	for r.more('}') {
		line := r.here()
		key := r.key()
		if len(key) > LongestName {
			r.report(line, fmt.Sprintf("%s has a key of %d bytes, more than it can have; it was left out", r.at(), len(key)))
			r.skip()
			continue
		}
		r.lines.key(hash(key), line)
		r.push(key)
		item := reflect.New(p.elem.typ).Elem()
		if r.value(p.elem, item) {
			r.bound(item, longestText)
			k := reflect.ValueOf(key)
			if out.MapIndex(k).IsValid() {
				r.twice(line)
			}
			out.SetMapIndex(k, item)
		}
		r.pop()
	}
	if typ != p.typ {
		out = reflect.ValueOf(PairsOf(out.Interface().(map[string]string)))
	}
	v.Set(out)
	return true
}

func (r *jsonReader) twice(line int) {
	r.report(line, r.at()+" is set twice; the last value is used")
}

// object reads a struct. It is of the wrong type when a field is missing without which it would lie.
func (r *jsonReader) object(p *plan, v reflect.Value) bool {
	if r.peek() != '{' {
		return r.wrong("a mapping")
	}
	begin := r.here()
	r.i++
	var seen uint64
	required := 0
	for r.more('}') {
		line := r.here()
		key := r.key()
		f := p.field(key)
		if f == nil {
			r.skip()
			continue
		}
		r.push(key)
		if bit := uint64(1) << (f.order(p) & 63); seen&bit != 0 {
			r.twice(line)
		} else {
			seen |= bit
		}
		if r.member(f, v, line) && f.required {
			required++
		}
		r.pop()
	}
	if required < p.required {
		r.report(begin, r.at()+" has no readable "+p.needed()+"; it was left out")
		return false
	}
	return true
}

// order gives the position of a field in its plan.
func (f *field) order(p *plan) int {
	for i := range p.fields {
		if &p.fields[i] == f {
			return i
		}
	}
	return 0
}

// member reads the value of a field and writes down its line.
func (r *jsonReader) member(f *field, v reflect.Value, line int) bool {
	open := f.plan.nested
	target := fieldOf(v, f)
	if f.key {
		ok := r.value(f.plan, target)
		r.bound(target, f.longest())
		r.lines.name(f, line, target.String())
		return ok
	}
	r.lines.field(f, line, open)
	ok := r.value(f.plan, target)
	if !ok && f.name == "terminated" {
		if state, is := v.Addr().Interface().(*ContainerState); is {
			state.Uncoded, _ = r.partial.Interface().(*Terminated)
		}
	}
	r.bound(target, f.longest())
	if open {
		r.lines.end()
	}
	return ok
}

func fieldOf(v reflect.Value, f *field) reflect.Value {
	if len(f.index) == 1 {
		return v.Field(f.index[0])
	}
	for _, i := range f.index {
		v = v.Field(i)
	}
	return v
}
