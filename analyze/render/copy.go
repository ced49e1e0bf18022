package render

import (
	"reflect"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// complete copies a report so that it says the same before and after a trip through JSON: lists are empty instead of
// null, and each byte that is not UTF-8 is the replacement character that JSON would make of it.
func complete(r *analyze.Report) *analyze.Report {
	return rewrite(r, rewriter{line: asJSON, block: asJSON})
}

// clean copies a report with every string in it made safe to show. Renderers for people work on this copy only, so
// that none of them can forget a field.
func clean(r *analyze.Report) *analyze.Report {
	return rewrite(r, rewriter{line: Text, block: lines})
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

// rewrite returns a deep copy of r with its strings mapped and its nil lists and maps made empty.
func rewrite(r *analyze.Report, m rewriter) *analyze.Report {
	out := m.value(reflect.ValueOf(*r), m.line).Interface().(analyze.Report)
	return &out
}

// value copies one value. The texts of a remedy are written by rules, to be pasted, and may have several lines.
func (m rewriter) value(v reflect.Value, text func(string) string) reflect.Value {
	switch v.Kind() {
	case reflect.String:
		return reflect.ValueOf(text(v.String())).Convert(v.Type())
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[analyze.Remedy]() {
			text = m.block
		}
		out := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			out.Field(i).Set(m.value(v.Field(i), text))
		}
		return out
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(m.value(v.Elem(), text))
		return out
	case reflect.Slice:
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(m.value(v.Index(i), text))
		}
		return out
	case reflect.Map:
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys { // in order: two keys may become one
			out.SetMapIndex(m.value(k, text), v.MapIndex(k))
		}
		return out
	default:
		return v
	}
}
