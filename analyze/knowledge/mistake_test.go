package knowledge

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestMistakesNameTheirLine: whoever wrote the file has to find the place.
func TestMistakesNameTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"helpers:\n- {id: x,\n   colour: red}\n":              `sidecars.yaml:3: unknown key "colour"`,
		"helpers:\n# colour: x\n- id: x\n  \"colour\": red\n": `sidecars.yaml:4: unknown key "colour"`,
		"helpers:\n- {id: x, colour: red}\n- {colour: red}\n": `sidecars.yaml, line 2 or 3: unknown key "colour"`,
		"helpers:\n- id: x\n  names: foo\n":                   `sidecars.yaml:3: helpers.names holds a string where a list is wanted`,
		"helpers:\n- id: x\n  mesh: 7\n":                      `sidecars.yaml:3: helpers.mesh holds a number where a truth value is wanted`,
		"helpers: {id: x}\n":                                  `sidecars.yaml:1: helpers holds a map where a list is wanted`,
		"- id: x\n":                                           `sidecars.yaml holds a list where a map is wanted`,
		"helpers:\n- id: [x\n":                                `sidecars.yaml: yaml: line 2: did not find`,
		"helpers:\n- id: x\n  id: y\n":                        `line 3: key "id" already set`,
	} {
		_, err := read(fstest.MapFS{"sidecars.yaml": {Data: []byte(text)}}, true)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "JSON") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
