package render

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

const schemaFile = "../../docs/report.schema.json"

// TestSchemaAcceptsEveryGolden validates what json prints for each case against the published schema.
func TestSchemaAcceptsEveryGolden(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	for name := range cases() {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(render(t, "json", loadCase(t, name), Options{})))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := schema.Validate(map[string]any{"apiVersion": analyze.APIVersion, "kind": analyze.Kind}); err == nil {
		t.Error("the schema accepts a report without workloads")
	}
}

// TestSchemaAndDocsNameEveryField: a field added to the report is added to the schema and to docs/report.md.
func TestSchemaAndDocsNameEveryField(t *testing.T) {
	b, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Defs map[string]map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	docs, err := os.ReadFile("../../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	w := schemaWalk{t: t, defs: doc.Defs, docs: docs, seen: map[reflect.Type]bool{}}
	w.compare("report", reflect.TypeFor[analyze.Report](), doc.Defs["report"])
}

// schemaWalk compares the Go types of the report with the schema, side by side.
type schemaWalk struct {
	t    *testing.T
	defs map[string]map[string]any
	docs []byte
	seen map[reflect.Type]bool
}

func (w schemaWalk) compare(at string, typ reflect.Type, schema map[string]any) {
	if ref, ok := schema["$ref"].(string); ok {
		schema = w.defs[strings.TrimPrefix(ref, "#/$defs/")]
	}
	switch typ.Kind() {
	case reflect.Pointer:
		w.compare(at, typ.Elem(), schema)
	case reflect.Slice:
		items, ok := schema["items"].(map[string]any)
		if !ok {
			w.t.Errorf("%s: the schema has no list", at)
			return
		}
		w.compare(at+"[]", typ.Elem(), items)
	case reflect.Struct:
		if !w.seen[typ] {
			w.seen[typ] = true
			w.fields(at, typ, schema)
		}
	}
}

func (w schemaWalk) fields(at string, typ reflect.Type, schema map[string]any) {
	props, _ := schema["properties"].(map[string]any)
	left := maps.Clone(props)
	var required, stated []string
	for i := range typ.NumField() {
		name, opts, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if opts != "omitempty" {
			required = append(required, name)
		}
		sub, ok := props[name].(map[string]any)
		if !ok {
			w.t.Errorf("%s.%s is not in %s", at, name, schemaFile)
			continue
		}
		if !bytes.Contains(w.docs, []byte("`"+name+"`")) {
			w.t.Errorf("%s.%s is not in docs/report.md", at, name)
		}
		delete(left, name)
		w.compare(at+"."+name, typ.Field(i).Type, sub)
	}
	for name := range left {
		w.t.Errorf("%s.%s is in the schema and not in the report", at, name)
	}
	for _, r := range schema["required"].([]any) {
		stated = append(stated, r.(string))
	}
	slices.Sort(stated)
	slices.Sort(required)
	if !slices.Equal(stated, required) {
		w.t.Errorf("%s: the schema requires %v, the report always has %v", at, stated, required)
	}
}
