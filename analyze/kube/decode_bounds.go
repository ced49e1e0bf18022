package kube

import (
	"fmt"
	"reflect"
	"strings"
)

// What the API server stores is bounded: a name has 253 bytes at most, an object a megabyte and a half. Longer texts come from
// a stranger; a report would repeat them in every line about the object. They are cut, and listed.
const (
	// LongestName is the bound, in bytes, of names, kinds, uids and keys of maps.
	LongestName = 1 << 10
	longestWord = 64 << 10
	longestText = 3 << 19 // of commands, variables, and values of maps
)

// longest gives the bound for a field that holds text.
func (f *field) longest() int {
	switch {
	case f.key || f.name == "namespace":
		return LongestName
	case f.plan.shape == shapeString:
		return longestWord
	}
	return longestText
}

// bound cuts a text that is longer than any can be.
func (r *jsonReader) bound(v reflect.Value, most int) {
	if v.Kind() != reflect.String || v.Len() <= most {
		return
	}
	r.report(r.here(), fmt.Sprintf("%s has %d bytes, more than it can have; it was cut after %d", r.at(), v.Len(), most))
	v.SetString(strings.ToValidUTF8(strings.Clone(v.String()[:most]), ""))
}
