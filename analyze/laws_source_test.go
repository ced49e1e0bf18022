package analyze_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The laws on source text: where the process may be touched, that versions are data, that there is no hidden state.

// processCalls are the calls that belong to cmd/analyze alone: a library that exits, prints or looks at the clock can
// not be tested and makes two runs on one bundle differ.
var processCalls = map[string][]string{
	"os":   {"Exit", "Stdout", "Stderr", "Stdin", "Getenv", "LookupEnv", "Environ"},
	"fmt":  {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
	"time": {"Now", "Since", "Until", "Sleep"},
	"log":  {"Print", "Printf", "Println", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln"},
}

// versionLiteral is x.y.z, or a Kubernetes or Istio minor such as 1.27.
var versionLiteral = regexp.MustCompile(`\b\d+\.\d+\.\d+\b|\b1\.[1-9]\d\b`)

// versionAllowed are the string literals that look like versions and are none, with the reason.
var versionAllowed = map[string]string{
	"cmd/analyze/predict.go": "an example in a help text",
}

type sourceFile struct {
	name string // relative to the module's root, with slashes
	ast  *ast.File
	fset *token.FileSet
}

func (f sourceFile) at(p token.Pos) string {
	return f.name + ":" + strconv.Itoa(f.fset.Position(p).Line)
}

// sources parses every Go file of ours that is no test.
func sources(t *testing.T) []sourceFile {
	t.Helper()
	var all []sourceFile
	fset := token.NewFileSet()
	err := filepath.WalkDir("..", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && p != "..") {
			return filepath.SkipDir
		}
		if filepath.Ext(p) != ".go" || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, p, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("..", p)
		all = append(all, sourceFile{filepath.ToSlash(rel), f, fset})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no source files found")
	}
	return all
}

func TestOnlyTheCommandTouchesTheProcess(t *testing.T) {
	for _, f := range sources(t) {
		if strings.HasPrefix(f.name, "cmd/analyze/") || strings.HasPrefix(f.name, "scripts/") { // programs of their own
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && slices.Contains(processCalls[pkg.Name], sel.Sel.Name) {
				t.Errorf("%s: %s.%s belongs to cmd/analyze; have it handed in", f.at(sel.Pos()), pkg.Name, sel.Sel.Name)
			}
			return true
		})
	}
}

func TestVersionsAreData(t *testing.T) {
	for _, f := range sources(t) {
		if versionAllowed[f.name] != "" {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if found := versionLiteral.FindString(lit.Value); found != "" {
				t.Errorf("%s: version %s in code; it belongs in rules/data with its source", f.at(lit.Pos()), found)
			}
			return true
		})
	}
}

func TestNoInit(t *testing.T) {
	for _, f := range sources(t) {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s: func init runs unasked; call it where it is needed", f.at(fn.Pos()))
			}
		}
	}
}
