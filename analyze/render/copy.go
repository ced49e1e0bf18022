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

// clean gives a report with every string in it made safe to show. Renderers for people work on this one only, so that
// none of them can forget a field.
func clean(r *analyze.Report) *analyze.Report {
	return rewrite(r, rewriter{line: Text, block: Lines})
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
}

// rewrite returns r with its strings mapped and its nil lists and maps made empty. What needs no change is shared with
// r, and a report is nearly all of that: renderers must not write to what they are given.
func rewrite(r *analyze.Report, m rewriter) *analyze.Report {
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
	for i := range v.NumField() {
		f := v.Field(i)
		if (f.Kind() == reflect.Slice || f.Kind() == reflect.Map) && f.IsNil() && leftOut(v.Type(), i) {
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
		out.Field(i).Set(e)
	}
	if !changed {
		return v, false
	}
	return out, true
}

// leftOut says that an empty field is not written at all.
func leftOut(t reflect.Type, field int) bool {
	return strings.HasSuffix(t.Field(field).Tag.Get("json"), ",omitempty")
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
