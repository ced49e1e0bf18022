package knowledge

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// The text of the files is looked at before YAML is, because YAML hides the damage: an unquoted 1.30 arrives as the
// string "1.3", off as "false" and 012 as "10".

var (
	// bareNumber is a plain value that YAML may take for a number although it was meant as text.
	bareNumber = regexp.MustCompile(`^[-+]?\d+\.\d[\d.]*(-[\w.]+)?$|^0\d+$|^\d+[eE]\d+$|^[<>=!]+\d`)
	bareBool   = regexp.MustCompile(`^(?i:on|off|yes|no|y|n|~|null)$`)
	plainBool  = regexp.MustCompile(`^(?i:true|false)$`)
	quoted     = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'`)
)

// boolKeys are the keys whose values are truth values.
func boolKeys() []string {
	return []string{"exists", "default", "locked", "mesh", "deletes", "needsImage", "settingVisible", "providerRun", "post", "proxyless"}
}

// lintText checks the text of the tables that are there, and that nothing else is.
func lintText(fsys fs.FS) []error {
	var errs []error
	known := map[string]bool{}
	for _, f := range (&tables{}).files() {
		known[f.name] = true
		raw, err := readTable(fsys, f.name)
		if err != nil {
			continue // what cannot be read is the reader's business
		}
		for i, line := range strings.Split(string(raw), "\n") {
			for _, problem := range lintLine(line) {
				errs = append(errs, fmt.Errorf("%s:%d: %s", f.name, i+1, problem))
			}
		}
	}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return append(errs, fmt.Errorf("listing rule data: %w", err))
	}
	for _, e := range entries {
		name := e.Name()
		if (strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")) && !known[name] {
			errs = append(errs, fmt.Errorf("%s: not a table of rule data", name))
		}
	}
	return errs
}

// lintLine finds plain values that should be quoted. Quoted text is blanked first, so that prose may say anything.
func lintLine(line string) []string {
	blank := quoted.ReplaceAllString(line, `""`)
	if i := strings.Index(blank, "#"); i == 0 || i > 0 && blank[i-1] == ' ' {
		blank = blank[:i]
	}
	var problems []string
	if strings.Contains(blank, "\t") {
		problems = append(problems, "tab character")
	}
	for _, item := range strings.FieldsFunc(blank, func(r rune) bool { return strings.ContainsRune("{}[],", r) }) {
		problems = append(problems, lintItem(item)...)
	}
	return problems
}

// lintItem looks at one "key: value", "- value" or value.
func lintItem(item string) []string {
	item = strings.TrimSpace(item)
	for strings.HasPrefix(item, "- ") {
		item = strings.TrimSpace(item[2:])
	}
	key, value, isPair := strings.Cut(item, ":")
	if !isPair {
		key, value = "", item
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	var problems []string
	if bareBool.MatchString(key) || plainBool.MatchString(key) || bareNumber.MatchString(key) {
		problems = append(problems, fmt.Sprintf("key %s is not quoted", key))
	}
	switch {
	case bareNumber.MatchString(value):
		problems = append(problems, fmt.Sprintf("version or constraint %s is not quoted", value))
	case bareBool.MatchString(value):
		problems = append(problems, fmt.Sprintf("%s is not quoted", value))
	case plainBool.MatchString(value) && !slices.Contains(boolKeys(), key):
		problems = append(problems, fmt.Sprintf("%s is not quoted", value))
	}
	return problems
}
