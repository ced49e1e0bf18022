package kube

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// Generic gives the text of one object or list with all its fields, as maps, lists, strings, booleans, nil and
// json.Number: for copies, which must hold more than the few fields that are read here. What stands there is read as
// Decoder.Object reads it, and the item of a list without its dash.
func Generic(t Text) (any, error) {
	raw := t.Raw
	if t.Format == YAML {
		text, err := yaml.YAMLToJSON(quoteTexts(raw))
		if err != nil {
			return nil, fmt.Errorf("not readable as YAML: %s", oneLine(err.Error()))
		}
		if bytes.HasPrefix(text, []byte("[")) && bytes.HasPrefix(bytes.TrimLeft(raw, " "), []byte("-")) {
			c := cursor{b: text, i: 1}
			text = c.skip()
		}
		raw = text
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("not readable as JSON: %w", err)
	}
	return v, nil
}

// KindOf tells an object's kind as Decoder.Object does: its own, else the hint, else what its fields tell.
func KindOf(m map[string]any, hint string) (apiVersion, kind string) {
	apiVersion, _ = m["apiVersion"].(string)
	if kind, _ = m["kind"].(string); kind != "" {
		return apiVersion, kind
	}
	if hint != "" {
		return apiVersion, hint
	}
	text, err := json.Marshal(m)
	if err != nil {
		return apiVersion, ""
	}
	return apiVersion, guessKind(cursor{b: text})
}

// ItemsOf gives the items of a list of objects, and the hint for those that name no kind; false when m is none.
func ItemsOf(m map[string]any, hint string) (items []any, itemHint string, ok bool) {
	kind, _ := m["kind"].(string)
	items, ok = m["items"].([]any)
	if !ok || kind != "" && !strings.HasSuffix(kind, "List") {
		return nil, "", false
	}
	if of := strings.TrimSuffix(kind, "List"); of != "" {
		hint = of
	}
	return items, hint, true
}

// Known says whether objects of a kind are read into a struct of this package; of others only the metadata is.
func Known(apiVersion, kind string) bool { return planOf(apiVersion, kind) != allPlans().other }

// Kinds lists the kinds with a struct in this package.
func Kinds() []string { return slices.Sorted(maps.Keys(allPlans().byKind)) }
