package knowledge

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// unknownField is how encoding/json names a key that no struct has; it has no error type for it.
var unknownField = regexp.MustCompile(`unknown field "(.*)"$`)

// misread says what is wrong with the text of a table: the library's words name neither line nor, where YAML is the
// trouble, the file's own format.
func misread(name string, raw []byte, err error) error {
	wrong := new(json.UnmarshalTypeError)
	if m := unknownField.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s: unknown key %q", placeOf(name, raw, m[1]), m[1])
	}
	if errors.As(err, &wrong) {
		has, wanted := plainKind(wrong.Value), plainKind(wrong.Type.Kind().String())
		if wrong.Field == "" {
			return fmt.Errorf("%s holds a %s where a %s is wanted", name, has, wanted)
		}
		key := wrong.Field[strings.LastIndex(wrong.Field, ".")+1:]
		return fmt.Errorf("%s: %s holds a %s where a %s is wanted", placeOf(name, raw, key), wrong.Field, has, wanted)
	}
	return fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "error converting YAML to JSON: "))
}

// plainKind gives the name that a kind of value has in YAML.
func plainKind(kind string) string {
	switch kind {
	case "slice", "array":
		return "list"
	case "struct", "object":
		return "map"
	case "bool":
		return "truth value"
	case "int", "int64":
		return "number"
	}
	return kind
}

// placeOf gives the file and the lines that have a key. Where there are several, it is in one of them that the key is wrong.
func placeOf(name string, raw []byte, key string) string {
	has := regexp.MustCompile(`(^|[\s{,])["']?` + regexp.QuoteMeta(key) + `["']?\s*:(\s|$)`)
	var lines []string
	for i, line := range strings.Split(string(raw), "\n") {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") && has.MatchString(line) {
			lines = append(lines, fmt.Sprint(i+1))
		}
	}
	switch {
	case len(lines) == 0:
		return name
	case len(lines) == 1:
		return name + ":" + lines[0]
	}
	return fmt.Sprintf("%s, line %s or %s", name, strings.Join(lines[:len(lines)-1], ", "), lines[len(lines)-1])
}
