package kube

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// paths gives every path that an object of a fixture has, as evidence writes them.
func paths(v any, at string, put func(path string)) {
	switch x := v.(type) {
	case map[string]any:
		for k, e := range x {
			p := at + "." + k
			if at == "" {
				p = k
			}
			if strings.ContainsAny(k, "./") {
				p = at + "[" + k + "]"
			}
			put(p)
			paths(e, p, put)
		}
	case []any:
		for i, e := range x {
			p := fmt.Sprintf("%s[%d]", at, i)
			if m, ok := e.(map[string]any); ok {
				for _, key := range []string{"name", "type"} {
					if s, ok := m[key].(string); ok && s != "" {
						p = at + "[" + key + "=" + s + "]"
						break
					}
				}
			}
			put(p)
			paths(e, p, put)
		}
	}
}

// The line table and the walk over the text must agree on every path that both know, for all real objects: the two share
// no code.
func TestLineTableAgreesWithTheText(t *testing.T) {
	compared := 0
	for _, path := range fixtureFiles(t, ".yaml") {
		if !strings.Contains(path, "fixtures/bundles/") {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range yamlObjects(string(b)) {
			set, ok := fastRead([]byte(raw))
			if !ok {
				continue
			}
			var tree any
			if err := yaml.Unmarshal([]byte(raw), &tree); err != nil {
				t.Fatal(err)
			}
			if list, ok := tree.([]any); ok {
				tree = list[0]
			}
			text := &Text{Raw: []byte(raw), Line: 1}
			table := locator(set)
			paths(tree, "", func(p string) {
				if n := table.LineOf(p); n > 0 {
					compared++
					if want := text.LineOf(p); n != want {
						t.Errorf("%s: %s is in line %d by the table, %d by the text", path, p, n, want)
					}
				}
			})
		}
	}
	if compared < 10000 {
		t.Errorf("only %d lines were compared", compared)
	}
}

// locator gives the line table of the only object in a set.
func locator(s *Set) Locator {
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		for j := range v.Field(i).Len() {
			if o, ok := v.Field(i).Index(j).Interface().(interface{ Base() *Object }); ok {
				return o.Base().Origin.Lines
			}
		}
	}
	return LineMap{}
}

// What a line says must be what the path asks for, in JSON too.
func TestLinesOfJSON(t *testing.T) {
	b, err := os.ReadFile("../../fixtures/bundles/ordinary-sidecar-holding-job/jobs-pods.json")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(b), "\n")
	set := &Set{}
	d := &Decoder{Set: set, Report: func(line int, m string) { t.Error(line, m) }}
	if err := d.Object(Text{Format: JSON, Raw: b, Line: 1}, ""); err != nil {
		t.Fatal(err)
	}
	var list struct{ Items []any }
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i, o := range []*Object{&set.Jobs[0].Object, &set.Pods[0].Object} {
		paths(list.Items[i], "", func(p string) {
			n := o.Origin.Lines.LineOf(p)
			if n == 0 || strings.HasSuffix(p, "]") {
				return
			}
			compared++
			key := p[strings.LastIndexByte(p, '.')+1:]
			if !strings.Contains(lines[n-1], `"`+key+`":`) {
				t.Errorf("%s is said to be in line %d: %s", p, n, lines[n-1])
			}
		})
	}
	if compared < 150 {
		t.Errorf("only %d lines were compared", compared)
	}
}

func TestSplitPath(t *testing.T) {
	for path, want := range map[string]string{
		"metadata.name": "metadata|name",
		"metadata.annotations[sidecar.istio.io/status]":    "metadata|annotations|[sidecar.istio.io/status]",
		"status.containerStatuses[name=a.b].state.running": "status|containerStatuses|[name=a.b]|state|running",
		"spec.containers[0]":                               "spec|containers|[0]",
		"spec.containers[name=a].env[name=X].value":        "spec|containers|[name=a]|env|[name=X]|value",
		"a[":                                    "a|[",
		"":                                      "",
		"metadata.ownerReferences[kind=Job][x]": "metadata|ownerReferences|[kind=Job]|[x]",
	} {
		var got []string
		for _, s := range splitPath(path) {
			if s.brack {
				s.name = "[" + s.name + "]"
			}
			got = append(got, s.name)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %s", path, strings.Join(got, "|"))
		}
	}
}

// Lines that were cut out of a text count all the same.
func TestGaps(t *testing.T) {
	text := Text{Raw: []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n"), Line: 10, Gaps: []int{11, 13}}
	for path, want := range map[string]int{"apiVersion": 10, "kind": 12, "metadata": 14, "metadata.name": 15} {
		if got := text.LineOf(path); got != want {
			t.Errorf("%s: line %d, want %d", path, got, want)
		}
	}
}

func FuzzLocate(f *testing.F) {
	f.Add("apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n  labels:\n    a: b\nspec:\n  containers:\n  - name: c\n    args:\n    - x\n", "spec.containers[name=c].args[0]")
	f.Add("- a: |\n    b\n  c: {d: e}\n", "a.b")
	f.Add("{}", "x[")
	f.Fuzz(func(t *testing.T, raw, path string) {
		text := &Text{Raw: []byte(raw), Line: 5}
		if n := text.LineOf(path); n != 0 && (n < 5 || n > 5+strings.Count(raw, "\n")) {
			t.Errorf("line %d of %q", n, raw)
		}
		if set, ok := fastRead([]byte(raw)); ok {
			if n := locator(set).LineOf(path); n != 0 && (n < 1 || n > 1+bytes.Count([]byte(raw), newline)) {
				t.Errorf("table: line %d of %q", n, raw)
			}
		}
		if json.Valid([]byte(raw)) {
			set := &Set{}
			d := &Decoder{Set: set, Report: func(int, string) {}}
			_ = d.Object(Text{Format: JSON, Raw: []byte(raw), Line: 1}, "Pod")
			_ = locator(set).LineOf(path)
		}
	})
}
