package kube

import (
	"slices"
	"strings"
	"testing"
)

// However a map is written, its pairs are in order and found.
func TestPairs(t *testing.T) {
	want := Pairs{{"a", "1"}, {"b/c", ""}, {"z", "3"}}
	for name, text := range map[string]string{
		"as kubectl prints it": "kind: Pod\nmetadata:\n  annotations:\n    a: \"1\"\n    b/c: \"\"\n    z: \"3\"\n  name: x\n",
		"in another order":     "kind: Pod\nmetadata:\n  annotations:\n    z: \"3\"\n    b/c: \"\"\n    a: \"1\"\n  name: x\n",
		"as JSON":              `{"kind":"Pod","metadata":{"annotations":{"z":"3","a":"0","b/c":"","a":"1"},"name":"x"}}`,
	} {
		set := &Set{}
		d := &Decoder{Set: set, Report: func(int, string) {}}
		if err := d.Object(Text{Raw: []byte(text), Line: 1}, ""); err != nil || len(set.Pods) != 1 {
			t.Fatalf("%s: %v, %d pods", name, err, len(set.Pods))
		}
		got := set.Pods[0].Meta.Annotations
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
		for _, e := range want {
			if v, ok := got.Lookup(e.Key); !ok || v != e.Value || !got.Has(e.Key) || got.Get(e.Key) != e.Value {
				t.Errorf("%s: %s is %q, %t", name, e.Key, v, ok)
			}
		}
		for _, key := range []string{"", "b", "zz", strings.Repeat("a", 9)} {
			if got.Has(key) || got.Get(key) != "" {
				t.Errorf("%s: %q is there", name, key)
			}
		}
	}
}

// kubectl prints a map without entries as {}.
func TestPairsEmpty(t *testing.T) {
	for _, text := range []string{"apiVersion: v1\nkind: Pod\nmetadata:\n  annotations: {}\n  name: x\n",
		`{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{},"name":"x"}}`} {
		set := &Set{}
		d := &Decoder{Set: set, Report: func(int, string) {}}
		if err := d.Object(Text{Raw: []byte(text), Line: 1}, ""); err != nil || len(set.Pods) != 1 {
			t.Fatalf("%s: %v, %d pods", text, err, len(set.Pods))
		}
		if got := set.Pods[0].Meta.Annotations; got == nil || len(got) != 0 {
			t.Errorf("%s: %#v", text, got)
		}
	}
}
