package kube

import (
	"bytes"
	"reflect"
	"strings"
	"sync"
)

// fast reads one object of YAML as kubectl prints it: a document, or an item of a list with its dash. It gives false,
// and has done nothing, when the text is not surely of that form.
func (d *Decoder) fast(t Text, hint string) bool {
	if t.Truncated || len(t.Gaps) > 0 || plainBytes(t.Raw) < len(t.Raw) {
		return false
	}
	y := d.yaml()
	y.start(t.Raw, t.Line)
	first := y.line
	if y.dash {
		y.enter()
	}
	return !y.bad && y.col >= 0 && !y.dash && d.fastObject(y, first, -1, hint)
}

// Items reads items of a list as kubectl prints them, from the first on, whose dash stands at a column. The text must
// end where an item ends. It gives the number of items and of bytes that were read: the item that follows is not surely
// of kubectl's form, and is for Object.
func (d *Decoder) Items(text []byte, col, line int, hint string) (items, size int) {
	if n := plainBytes(text); n < len(text) {
		text = text[:bytes.LastIndex(text[:n], []byte("\n"+strings.Repeat(" ", col)+"- "))+1]
	}
	y := d.yaml()
	y.start(text, line)
	for y.col == col && y.dash {
		first := y.line
		y.enter()
		if y.bad || y.dash || !d.fastObject(y, first, col, hint) {
			return items, size
		}
		items++
		size = lineStart(y.b, y.i)
	}
	return items, size
}

// lineStart gives the offset of the start of the line that an offset is in.
func lineStart(b []byte, i int) int { return bytes.LastIndexByte(b[:i], '\n') + 1 }

// readers lends out what reading takes; a bundle may hold ten thousand small files. What a reader remembers from one
// file is right for the next, for it goes by the text alone.
var readers = sync.Pool{New: func() any {
	count := allPlans().count
	return &yamlReader{keys: make([]knownKeys, count), slices: make([]reflect.Value, count), few: newFewValues()}
}}

func (d *Decoder) yaml() *yamlReader {
	if d.reader == nil {
		d.reader = readers.Get().(*yamlReader)
	}
	return d.reader
}

// Close gives back what the decoder has borrowed. The decoder can go on after it.
func (d *Decoder) Close() {
	if d.reader != nil {
		d.reader.start(nil, 0)
		readers.Put(d.reader)
		d.reader = nil
	}
}

// fastObject reads the mapping that begins here and keeps it.
func (d *Decoder) fastObject(y *yamlReader, first, dash int, hint string) bool {
	named, apiVersion := y.peekKind()
	kind := named
	if kind == "" {
		kind = hint
	}
	if kind == "" || kind == "Status" || len(kind) > 4 && kind[len(kind)-4:] == "List" {
		return false
	}
	p := planOf(apiVersion, kind)
	if d.Reduce && p.typ == reflect.TypeFor[Pod]() && seemsOfService(y.b[y.i:]) && d.fastService(y, p, first, dash, named, apiVersion) {
		return true
	}
	obj, ok := y.object(p, first, dash)
	if !ok {
		return false
	}
	o := baseOf(obj)
	if o.Kind != named || o.APIVersion != apiVersion || o.Meta.Name == "" && o.Meta.GenerateName == "" && o.Meta.UID == "" {
		return false
	}
	o.Kind = kind
	o.Origin = Origin{File: d.File, Line: first, Strength: d.Strength, Lines: y.lines.table(first)}
	d.keep(obj.Interface())
	return true
}

// fastService reads as much of a pod as it takes to reduce it. Where it is none that can be reduced, the reader stands
// where it stood before.
func (d *Decoder) fastService(y *yamlReader, p *plan, first, dash int, kind, apiVersion string) bool {
	begin := y.lexer
	y.lean = true
	obj, ok := y.object(p, first, dash)
	y.lean = false
	if ok {
		pod := obj.Interface().(*Pod)
		pod.Origin = Origin{File: d.File, Line: first, Strength: d.Strength, Lines: y.lines.now(first)}
		if pod.Kind == kind && pod.APIVersion == apiVersion && pod.ordinaryService() {
			pod.Kind = "Pod"
			d.count()
			d.keepService(pod)
			return true
		}
	}
	y.lexer = begin
	return false
}

// object reads the mapping that begins here. Behind it there must be the end of the text, or the dash of the next item
// at a column.
func (y *yamlReader) object(p *plan, first, dash int) (obj reflect.Value, ok bool) {
	obj = reflect.New(p.typ)
	y.depth = 0
	y.lines.reset(first)
	y.mapping(p, obj.Elem(), y.col)
	return obj, !y.bad && (y.col < 0 || y.dash && y.col == dash)
}

// peekKind finds kind and apiVersion of the mapping that begins here, without reading it: they must be known before.
// What it finds is checked once the object is read.
func (y *yamlReader) peekKind() (kind, apiVersion string) {
	rest := y.b[y.i:]
	for n := 0; len(rest) > 0 && n < maxPeek; n++ {
		line := rest
		end := bytes.IndexByte(rest, '\n')
		if end >= 0 {
			line = rest[:end]
		}
		if v, ok := bytes.CutPrefix(line, []byte("kind: ")); ok {
			return y.strings.get(v), apiVersion
		}
		if v, ok := bytes.CutPrefix(line, []byte("apiVersion: ")); ok {
			apiVersion = y.strings.get(v)
		}
		// The next line at this column.
		for {
			if end < 0 {
				return "", apiVersion
			}
			rest = rest[end+1:]
			if !indentedBeyond(rest, y.col) {
				break
			}
			end = bytes.IndexByte(rest, '\n')
		}
		if !indentedTo(rest, y.col) {
			return "", apiVersion
		}
		rest = rest[y.col:]
	}
	return "", apiVersion
}

// maxPeek is how many keys may stand before kind.
const maxPeek = 32

func indentedTo(b []byte, col int) bool {
	for i := range col {
		if i >= len(b) || b[i] != ' ' {
			return false
		}
	}
	return true
}

// indentedBeyond says whether a line belongs to the value of a key at a column: it is blank or stands deeper, or is a
// list item below it.
func indentedBeyond(b []byte, col int) bool {
	i := 0
	for i < len(b) && b[i] == ' ' {
		i++
	}
	return i < len(b) && (b[i] == '\n' || i > col || i == col && b[i] == '-')
}
