package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// TestFieldsOfOtherCommandsInDocs: docs/report.md names every field of what a command prints that makes no report.
func TestFieldsOfOtherCommandsInDocs(t *testing.T) {
	rows := map[string]string{}
	_, section, _ := strings.Cut(docPages(t)["docs/report.md"], "\n## Other commands\n")
	for row := range strings.Lines(section) {
		if command, fields, ok := strings.Cut(strings.TrimPrefix(row, "| `"), "` | "); ok {
			rows[command] = fields
		}
	}
	for command, data := range map[string]any{"explain": explanation{}, "predict": prediction{}, "compare": comparison{}, "fix": plan{},
		"rules": entry{}, "versions": knowledge.Matrix{}, "version": versionInfo{}, "lint-data": lintResult{}} {
		for _, field := range jsonFields(reflect.TypeOf(data)) {
			if !strings.Contains(rows[command], "`"+field+"`") {
				t.Errorf("docs/report.md, Other commands, %s: lacks %s", command, field)
			}
		}
	}
}

// jsonFields gives the names of a struct's fields in JSON, and those of the structs below it that are this package's own or
// knowledge's: what is a report's is described there.
func jsonFields(t reflect.Type) []string {
	for t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || strings.HasSuffix(t.PkgPath(), "/evidence") {
		return nil
	}
	var names []string
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			continue // no program reads it
		}
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(append(names, name), jsonFields(t.Field(i).Type)...)
	}
	return names
}
