package lang

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "add missing keys to the catalogue with an empty value, and remove unused ones")

const catalogueFile = "zh.json"

// said are the folders whose sentences people read.
var said = []string{"rules", "analyze", "analyze/facts", "analyze/knowledge", "cmd/analyze"}

// titled are tables that hold sentences, each with the lines that do.
var titled = map[string]*regexp.Regexp{
	"rules/data/issues.yaml":     regexp.MustCompile(`(?m)^  (?:title|symptom|workaround|caveat): (.+)$`),
	"rules/data/istio.yaml":      regexp.MustCompile(`(?m)^  (?:title|note): (.+)$`),
	"rules/data/placement.yaml":  regexp.MustCompile(`(?m), note: ("(?:[^"\\]|\\.)*")`),
	"rules/data/sidecars.yaml":   regexp.MustCompile(`(?m)(?:^  (?:native|stop|signal|note)|, note): ("(?:[^"\\]|\\.)*")`),
	"rules/data/kubernetes.yaml": regexp.MustCompile(`(?m)^- \{id: (?:refused-by-api-server|stuck-in-init|rejected-by-kubelet), summary: ("[^"]+")`),
}

// TestEverySentenceInEveryLanguage fails for a sentence of the sources that the catalogue lacks, and for one that no
// source says any more. scripts/update-messages repairs the list; a person, or someone who speaks the language, then
// fills what is empty.
func TestEverySentenceInEveryLanguage(t *testing.T) {
	raw, err := os.ReadFile(catalogueFile)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	if err := json.Unmarshal(raw, &have); err != nil {
		t.Fatal(err)
	}
	keys := sentences(t)
	if *update {
		repair(t, have, keys)
		return
	}
	for key, where := range keys {
		switch other, ok := have[key]; {
		case !ok:
			t.Errorf("%s: %q is in English only: run scripts/update-messages and translate it", where, key)
		case strings.TrimSpace(other) == "" && key != "":
			t.Errorf("%s: %q has no translation", where, key)
		case !slices.Equal(verbs(key), verbs(other)):
			t.Errorf("%q has the verbs %q, its translation %q has %q", key, verbs(key), other, verbs(other))
		}
	}
	for key := range have {
		if _, ok := keys[key]; !ok {
			t.Errorf("%q is said nowhere any more: run scripts/update-messages", key)
		}
	}
	if !bytes.Equal(raw, encode(t, have)) {
		t.Errorf("%s is not sorted by key, or not indented: run scripts/update-messages", catalogueFile)
	}
}

func repair(t *testing.T, have, keys map[string]string) {
	for key, where := range keys {
		if have[key] == "" {
			t.Logf("missing: %s: %q", where, key)
			have[key] = ""
		}
	}
	for key := range have {
		if _, ok := keys[key]; !ok {
			t.Logf("unused: %q = %q", key, have[key])
			delete(have, key)
		}
	}
	if err := os.WriteFile(catalogueFile, encode(t, have), 0o644); err != nil { //nolint:gosec // a source file
		t.Fatal(err)
	}
}

// encode sorts by key: encoding/json does so for maps.
func encode(t *testing.T, m map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// sentences gives every sentence of the sources with the place where it is said.
func sentences(t *testing.T) map[string]string {
	t.Helper()
	keys := map[string]string{}
	root := filepath.Join("..", "..")
	for _, dir := range said {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no source (%v)", dir, err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				scan(t, file, keys)
			}
		}
	}
	joins(t, filepath.Join(root, "analyze/sentence/sentence.go"), keys)
	for file, lines := range titled {
		b, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		found := lines.FindAllStringSubmatch(string(b), -1)
		if len(found) == 0 {
			t.Errorf("%s: no title found", file)
		}
		for _, m := range found {
			title := m[1]
			if s, err := strconv.Unquote(title); err == nil {
				title = s
			}
			if title != "" {
				keys[title] = file
			}
		}
	}
	return keys
}

// scan finds say("..."), Say("...") and Fixed("...") and the titles of rules and verdicts.
func scan(t *testing.T, file string, keys map[string]string) {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	add := func(e ast.Expr) {
		if s, ok := literal(e); ok && s != "" {
			keys[s] = set.Position(e.Pos()).String()
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if name := called(n); len(n.Args) > 0 && (name == "say" || name == "Say" || name == "Fixed") {
				add(n.Args[0])
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Title" {
				add(n.Value)
			}
		}
		return true
	})
}

// joins finds the constants with which lists are joined.
func joins(t *testing.T, file string, keys map[string]string) {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			for _, e := range v.Values {
				if s, ok := literal(e); ok {
					keys[s] = set.Position(e.Pos()).String()
				}
			}
		}
		return true
	})
}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// literal gives a string that stands in the source, joined by + or not.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		a, okA := literal(e.X)
		b, okB := literal(e.Y)
		return a + b, okA && okB
	}
	return "", false
}

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?([a-zA-Z%])`)

// verbs lists the verbs of a format by the argument that they print.
func verbs(format string) []string {
	var out []string
	next := 1
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			next, _ = strconv.Atoi(m[1])
		}
		out = append(out, fmt.Sprintf("%03d%s", next, m[2]))
		next++
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestVerbs(t *testing.T) {
	if a, b := verbs("%s of %d, 100%%"), verbs("%[2]d / %[1]s"); !slices.Equal(a, b) {
		t.Errorf("%q, %q", a, b)
	}
	if a, b := verbs("%s of %s"), verbs("%s"); slices.Equal(a, b) {
		t.Error("a lost argument was not seen")
	}
}

func TestCatalogue(t *testing.T) {
	if zh, err := Catalogue("zh"); err != nil || len(zh) == 0 {
		t.Errorf("%d sentences, %v", len(zh), err)
	}
	if en, err := Catalogue("en"); err != nil || en != nil {
		t.Errorf("English: %v, %v", en, err)
	}
	if _, err := Catalogue("fr"); err == nil {
		t.Error("a language that does not exist was given")
	}
}

// neverOne are sentences with a number before a noun in the plural, each with why there is never one.
var neverOne = map[string]string{
	"%d of %d pods, for example %s: %s":              "of one pod its own summary is said",
	"all %d pods, for example %s: %s":                "of one pod its own summary is said",
	"%d of %d pods; one of them: %s":                 "of one pod its own message is said",
	"all %d pods; one of them: %s":                   "of one pod its own answer is said",
	"%d runs":                                        "one run is said before it",
	"%d runs from %s to %s (schedule %q, %s)":        "one run is said before it",
	"more than %d runs from %s on (schedule %q, %s)": "it is the bound of counting",
	"%d Jobs of the CronJob were held open at once":  "one Job is said after it",
	"%d Jobs of the CronJob are open at once, and none is known to be held: they still work, or wait for something else": "fewer than two are no pile",
	"no: %d of %d nodes too old or unreadable, and one is enough":                                                        "the only node is said before it",
}

// TestCountedNouns: "1 entries" is no English. Where one of a thing may be counted, another sentence is said for it
// (rules/counted.go).
func TestCountedNouns(t *testing.T) {
	counted := regexp.MustCompile(`%(\[\d+\])?d (more |of %d )?[A-Za-z]+s\b`)
	keys := sentences(t)
	for key, where := range keys {
		m := counted.FindString(key)
		if m == "" || neverOne[key] != "" || strings.Contains(where, "counted.go") {
			continue
		}
		t.Errorf("%s: %q has %q", where, key, m)
	}
}
