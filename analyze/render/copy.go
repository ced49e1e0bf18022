package render

import (
	"reflect"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// complete gives a report that says the same before and after a trip through JSON: lists are empty instead of null, and
// each byte that is not UTF-8 is the replacement character that JSON would make of it.
func complete(r *analyze.Report) *analyze.Report {
	return rewrite(r, rewriter{line: asJSON, block: asJSON})
}

// clean gives a complete report with every string in it made safe to show. Renderers for people work on this one only,
// so that none of them can forget a field.
func clean(r *analyze.Report) *analyze.Report {
	return rewrite(r, rewriter{
		line:  func(s string) string { return Text(asJSON(s)) },
		block: func(s string) string { return Lines(asJSON(s)) },
	})
}

// asJSON gives the string that encoding s to JSON and decoding it would give.
func asJSON(s string) string {
	if plain(s) {
		return s
	}
	return string([]rune(s))
}

// rewriter maps every string of a report: line for most, block for those that may have several lines.
type rewriter struct {
	line, block func(string) string
	// shapes are the fields worth a look, by struct.
	shapes map[reflect.Type][]shownField
}

// shownField is a field that holds strings, or a list or map that must not be nil.
type shownField struct {
	index int
	// leftOut says that an empty one is not written at all.
	leftOut bool
}

// rewrite returns r with its strings mapped and its nil lists and maps made empty. What needs no change is shared with
// r, and a report is nearly all of that: renderers must not write to what they are given.
func rewrite(r *analyze.Report, m rewriter) *analyze.Report {
	m.shapes = map[reflect.Type][]shownField{}
	out, changed := m.value(reflect.ValueOf(r).Elem(), m.line)
	if !changed {
		return r
	}
	copied := out.Interface().(analyze.Report)
	return &copied
}

// value maps one value, and says whether that changed it; otherwise v itself is given. The texts of a remedy are
// written by rules, to be pasted, and may have several lines.
func (m rewriter) value(v reflect.Value, text func(string) string) (out reflect.Value, changed bool) {
	switch v.Kind() {
	case reflect.String:
		s := v.String()
		mapped := text(s)
		if mapped == s {
			return v, false
		}
		return reflect.ValueOf(mapped).Convert(v.Type()), true
	case reflect.Struct:
		return m.fields(v, text)
	case reflect.Pointer:
		if v.IsNil() {
			return v, false
		}
		e, changed := m.value(v.Elem(), text)
		if !changed {
			return v, false
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(e)
		return out, true
	case reflect.Slice:
		return m.list(v, text)
	case reflect.Map:
		return m.dictionary(v, text)
	default:
		return v, false
	}
}

func (m rewriter) fields(v reflect.Value, text func(string) string) (out reflect.Value, changed bool) {
	if v.Type() == reflect.TypeFor[analyze.Remedy]() {
		text = m.block
	}
	for _, at := range m.shape(v.Type()) {
		f := v.Field(at.index)
		if at.leftOut && f.IsNil() {
			continue
		}
		e, new := m.value(f, text)
		if !new {
			continue
		}
		if !changed {
			out, changed = reflect.New(v.Type()).Elem(), true
			out.Set(v)
		}
		out.Field(at.index).Set(e)
	}
	if !changed {
		return v, false
	}
	return out, true
}

// shape gives the fields of a struct that may have to be changed.
func (m rewriter) shape(t reflect.Type) []shownField {
	shown, known := m.shapes[t]
	if known {
		return shown
	}
	for i := range t.NumField() {
		f := t.Field(i)
		switch f.Type.Kind() {
		case reflect.Slice, reflect.Map:
			shown = append(shown, shownField{i, strings.HasSuffix(f.Tag.Get("json"), ",omitempty")})
		case reflect.String, reflect.Struct, reflect.Pointer:
			shown = append(shown, shownField{index: i})
		}
	}
	m.shapes[t] = shown
	return shown
}

func (m rewriter) list(v reflect.Value, text func(string) string) (out reflect.Value, changed bool) {
	if v.IsNil() {
		return reflect.MakeSlice(v.Type(), 0, 0), true
	}
	for i := range v.Len() {
		e, new := m.value(v.Index(i), text)
		if !new {
			continue
		}
		if !changed {
			out, changed = reflect.MakeSlice(v.Type(), v.Len(), v.Len()), true
			reflect.Copy(out, v)
		}
		out.Index(i).Set(e)
	}
	if !changed {
		return v, false
	}
	return out, true
}

// dictionary maps the keys of a map, whose values are numbers.
func (m rewriter) dictionary(v reflect.Value, text func(string) string) (out reflect.Value, changed bool) {
	out = reflect.MakeMapWithSize(v.Type(), v.Len())
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, k := range keys { // in order: two keys may become one
		key, _ := m.value(k, text)
		out.SetMapIndex(key, v.MapIndex(k))
	}
	return out, true
}
