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
	var doc map[string]any
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	docs, err := os.ReadFile("../../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	defs := doc["$defs"].(map[string]any)
	var walk func(at string, typ reflect.Type, schema map[string]any)
	seen := map[reflect.Type]bool{}
	walk = func(at string, typ reflect.Type, schema map[string]any) {
		if ref, ok := schema["$ref"].(string); ok {
			schema = defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		}
		switch typ.Kind() {
		case reflect.Pointer:
			walk(at, typ.Elem(), schema)
		case reflect.Slice:
			if schema["type"] != "array" {
				t.Errorf("%s: the schema has no list", at)
				return
			}
			walk(at+"[]", typ.Elem(), schema["items"].(map[string]any))
		case reflect.Struct:
			if seen[typ] {
				return
			}
			seen[typ] = true
			props, _ := schema["properties"].(map[string]any)
			left := maps.Clone(props)
			var required []string
			for i := range typ.NumField() {
				name, opts, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
				if opts != "omitempty" {
					required = append(required, name)
				}
				sub, ok := props[name].(map[string]any)
				if !ok {
					t.Errorf("%s.%s is not in %s", at, name, schemaFile)
					continue
				}
				if !bytes.Contains(docs, []byte("`"+name+"`")) {
					t.Errorf("%s.%s is not in docs/report.md", at, name)
				}
				delete(left, name)
				walk(at+"."+name, typ.Field(i).Type, sub)
			}
			for name := range left {
				t.Errorf("%s.%s is in the schema and not in the report", at, name)
			}
			var stated []string
			for _, r := range schema["required"].([]any) {
				stated = append(stated, r.(string))
			}
			slices.Sort(stated)
			slices.Sort(required)
			if !slices.Equal(stated, required) {
				t.Errorf("%s: the schema requires %v, the report always has %v", at, stated, required)
			}
		}
	}
	walk("report", reflect.TypeFor[analyze.Report](), defs["report"].(map[string]any))
}
