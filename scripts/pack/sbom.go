package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// sbom prints a CycloneDX document that cyclonedx-gomod made of a binary. The checksums of that tool's own binary, which
// follow from the machine it was built on, are left out. Licences are put in from the modules' own files, where a test
// looks after them; the tool's guesses are not asked for.
func sbom(root, file string, out io.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	all, err := modules(root)
	if err != nil {
		return err
	}
	byPath := map[string]module{}
	for _, m := range all {
		byPath[m.path] = m
	}
	byPath["std"] = byPath[standardLibrary]
	metadata := object(doc["metadata"])
	for _, tool := range items(metadata["tools"]) {
		delete(tool, "hashes")
	}
	object(metadata["component"])["licenses"] = asLicenses([]string{"Apache-2.0"})
	for _, c := range items(doc["components"]) {
		m, known := byPath[fmt.Sprint(c["name"])]
		if !known {
			return fmt.Errorf("the bill of materials names %v, which the go command does not list", c["name"])
		}
		c["licenses"] = asLicenses(m.ids())
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

func asLicenses(ids []string) []any {
	var all []any
	for _, id := range ids {
		all = append(all, map[string]any{"license": map[string]any{"id": id}})
	}
	return all
}

// object gives a JSON object, an empty one for anything else.
func object(v any) map[string]any {
	if m, ok := v.(map[string]any); ok {
		return m
	}
	return map[string]any{}
}

// items gives the objects of a JSON list.
func items(v any) []map[string]any {
	list, _ := v.([]any)
	var all []map[string]any
	for _, x := range list {
		all = append(all, object(x))
	}
	return all
}
