package kube

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// The library is the oracle: whatever the fast reader accepts, sigs.k8s.io/yaml must read as the same values.

// fastRead reads one object with the fast reader alone.
func fastRead(raw []byte) (*Set, bool) {
	set := &Set{}
	d := &Decoder{Set: set, Report: func(int, string) {}}
	return set, d.fast(Text{Raw: raw, Line: 1}, "")
}

// slowRead reads one object with the library and the JSON reader.
func slowRead(raw []byte) (*Set, []string, error) {
	set := &Set{}
	var problems []string
	d := &Decoder{Set: set, careful: true, Report: func(line int, m string) { problems = append(problems, fmt.Sprint(line, " ", m)) }}
	err := d.Object(Text{Raw: raw, Line: 1}, "")
	return set, problems, err
}

// libraryRead reads one object into the struct of its kind as encoding/json and sigs.k8s.io/yaml do.
func libraryRead(raw []byte, like any) (any, error) {
	if bytes.HasPrefix(bytes.TrimLeft(raw, " "), []byte("- ")) {
		list := reflect.New(reflect.SliceOf(reflect.TypeOf(like).Elem()))
		if err := yaml.Unmarshal(raw, list.Interface()); err != nil {
			return nil, err
		}
		if n := list.Elem().Len(); n != 1 {
			return nil, fmt.Errorf("%d items", n)
		}
		return list.Elem().Index(0).Addr().Interface(), nil
	}
	v := reflect.New(reflect.TypeOf(like).Elem()).Interface()
	return v, yaml.Unmarshal(raw, v)
}

// all gives the objects of a set, without where they were read.
func all(s *Set) []any {
	var out []any
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		for j := range v.Field(i).Len() {
			x := v.Field(i).Index(j)
			if o, ok := x.Interface().(interface{ Base() *Object }); ok {
				o.Base().Origin = Origin{}
			}
			out = append(out, x.Interface())
		}
	}
	return out
}

// compare gives what differs between the fast reader and the library for one object; empty when the fast reader
// refuses or the two agree.
func compare(raw []byte) (accepted bool, diff string) {
	set, ok := fastRead(raw)
	if !ok {
		if n := len(all(set)); n > 0 {
			return false, fmt.Sprintf("refused, yet %d objects are kept", n)
		}
		return false, ""
	}
	got := all(set)
	if len(got) != 1 {
		return true, fmt.Sprintf("%d objects", len(got))
	}
	slow, problems, err := slowRead(raw)
	if err != nil {
		return true, "accepted what the library refuses: " + err.Error()
	}
	for _, p := range problems {
		if !strings.Contains(p, "set twice") { // in a part that nobody wants
			return true, "accepted with a problem: " + p
		}
	}
	if want := all(slow); !reflect.DeepEqual(got, want) {
		return true, fmt.Sprintf("fast %s\nslow %s", show(got[0]), show(want...))
	}
	want, err := libraryRead(raw, got[0])
	if err != nil {
		return true, "accepted what the library cannot put into the struct: " + err.Error()
	}
	o := want.(interface{ Base() *Object }).Base()
	if o.Kind == "" {
		o.Kind = got[0].(interface{ Base() *Object }).Base().Kind
	}
	if !reflect.DeepEqual(got[0], want) {
		return true, fmt.Sprintf("fast    %s\nlibrary %s", show(got[0]), show(want))
	}
	return true, ""
}

func show(list ...any) string {
	b, _ := yaml.Marshal(list)
	return string(b)
}

// yamlObjects gives the texts of the objects in a fixture: documents, or the items of a list.
func yamlObjects(text string) []string {
	var out []string
	for _, doc := range strings.Split("\n"+text, "\n---\n") {
		at := strings.Index("\n"+doc, "\nitems:\n- ")
		if at < 0 {
			out = append(out, strings.TrimPrefix(doc, "\n"))
			continue
		}
		body := doc[at+len("items:\n"):]
		if end := strings.Index(body, "\nkind: "); end >= 0 {
			body = body[:end+1]
		}
		for i, item := range strings.Split("\n"+body, "\n- ") {
			if i > 0 {
				out = append(out, "- "+item+"\n")
			}
		}
	}
	return out
}

func fixtureFiles(t testing.TB, ext string) []string {
	var files []string
	err := filepath.WalkDir("../../fixtures", func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ext) && !strings.HasSuffix(path, "expect.yaml") && !strings.HasSuffix(path, "case.yaml") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 50 {
		t.Fatalf("%d fixtures: %v", len(files), err)
	}
	return files
}

// Every object of every fixture, both ways.
func TestFixturesBothWays(t *testing.T) {
	accepted, total := 0, 0
	for _, path := range fixtureFiles(t, ".yaml") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, raw := range yamlObjects(string(b)) {
			if !strings.Contains(raw, "kind: ") || strings.Contains(raw, "kind: List") {
				continue
			}
			ok, diff := compare([]byte(raw))
			if diff != "" {
				t.Errorf("%s, object %d: %s", path, i+1, diff)
			}
			if !strings.Contains(path, "fixtures/bundles/") {
				continue // written by people, not by kubectl
			}
			if total++; ok {
				accepted++
			} else {
				t.Logf("%s, object %d goes to the library", path, i+1)
			}
		}
	}
	t.Logf("%d of %d objects on the fast path", accepted, total)
	if accepted < total {
		t.Errorf("only %d of %d objects on the fast path", accepted, total)
	}
}

// A list, a map and a struct may stand in the line of their key: empty, as null, or filled.
func TestInlineValues(t *testing.T) {
	for _, key := range []string{"metadata", "metadata.annotations", "metadata.labels", "metadata.ownerReferences", "spec", "spec.containers",
		"spec.overhead", "spec.restartPolicy", "status", "status.conditions", "status.startTime"} {
		for _, value := range []string{"{}", "[]", "null", "~", "", "{a: b}", "[a]", "{a: {}}", "[{}]", "\"\"", "text"} {
			raw := "apiVersion: v1\nkind: Pod\n"
			outer, inner, nested := strings.Cut(key, ".")
			if outer != "metadata" {
				raw += "metadata:\n  name: p\n"
			}
			raw += outer + ": "
			if nested {
				raw = strings.TrimSuffix(raw, " ") + "\n  " + inner + ": "
			}
			raw += value + "\n"
			if key != "metadata" && outer == "metadata" {
				raw += "  name: p\n"
			}
			if _, diff := compare([]byte(raw)); diff != "" {
				t.Errorf("%s\n%s", raw, diff)
			}
		}
	}
}
