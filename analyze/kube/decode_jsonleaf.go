package kube

import (
	"encoding/json"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// str decodes a string with its quotes.
func (r *jsonReader) str(b []byte) string {
	inner := b[1 : len(b)-1]
	for _, c := range inner {
		if c == '\\' || c >= utf8.RuneSelf {
			return unquote(b)
		}
	}
	return r.strings.get(inner)
}

// text reads a string. A number or a bare word where text belongs is taken as it is written.
func (r *jsonReader) text(v reflect.Value) bool {
	switch r.peek() {
	case '"':
		v.SetString(r.str(r.skip()))
	case '{', '[':
		return r.wrong("text")
	default:
		v.SetString(r.strings.get(r.skip()))
	}
	return true
}

// jsonString decodes a string with its quotes.
func jsonString(b []byte) string {
	inner := b[1 : len(b)-1]
	for _, c := range inner {
		if c == '\\' || c >= utf8.RuneSelf {
			return unquote(b)
		}
	}
	return string(inner)
}

func (r *jsonReader) time(v reflect.Value) bool {
	switch r.peek() {
	case '"':
		v.Set(reflect.ValueOf(ParseTime(r.str(r.skip()))))
	case 'n':
		r.skip()
	default:
		return r.wrong("a time")
	}
	return true
}

func (r *jsonReader) firstKey(v reflect.Value) bool {
	if r.peek() != '{' {
		return r.wrong("a mapping")
	}
	var e EnvSource
	_ = e.UnmarshalJSON(r.skip())
	v.SetString(string(e))
	return true
}

func (r *jsonReader) number(v reflect.Value) bool {
	c := *r
	n, err := strconv.ParseInt(string(c.skip()), 10, 64)
	if err != nil {
		return r.wrong("a whole number")
	}
	v.SetInt(n)
	r.i = c.i
	return true
}

func unquote(b []byte) string {
	var s string
	if json.Unmarshal(b, &s) == nil {
		return s
	}
	return string(b)
}
