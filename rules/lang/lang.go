// Package lang holds the sentences of the rules, the reasoning and the commands in other languages than English. A
// catalogue maps the English format, which is its own key, to one with the same verbs; indexed verbs (%[2]s) where the
// order differs. GLOSSARY.md says which term is used for what.
package lang

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed zh.json
var chinese []byte

// Catalogue gives the sentences of a language by their English format; nil for English.
func Catalogue(language string) (map[string]string, error) {
	switch language {
	case "", "en":
		return nil, nil
	case "zh":
		all := map[string]string{}
		if err := json.Unmarshal(chinese, &all); err != nil {
			return nil, fmt.Errorf("reading the Chinese sentences: %w", err)
		}
		return all, nil
	}
	return nil, fmt.Errorf("unknown language %q: use en or zh", language)
}
