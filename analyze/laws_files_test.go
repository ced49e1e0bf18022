package analyze_test

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What reads a stranger's bundle cannot write: no file is made, changed or removed but in cmd/analyze, where the names
// come from the command line. And no code of ours asks for a connection: package net is linked by the flag library alone.

var writing = []string{"Chmod", "Chown", "Chtimes", "Create", "CreateTemp", "Link", "Mkdir", "MkdirAll", "MkdirTemp", "OpenFile",
	"Remove", "RemoveAll", "Rename", "Symlink", "Truncate", "WriteFile"}

// writes says which folders may: the command line, a release, and the test harness, which is not linked.
func writes(file string) bool {
	return strings.HasPrefix(file, "cmd/analyze/") || strings.HasPrefix(file, "scripts/") ||
		strings.HasPrefix(file, "fixtures/") && !strings.HasPrefix(file, "fixtures/demo/")
}

func TestOnlyTheCommandWritesFiles(t *testing.T) {
	for _, f := range sources(t) {
		if writes(f.name) {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains(writing, sel.Sel.Name) || sel.Sel.Name == "OpenFile" && readOnly(call.Args) {
				return true
			}
			if on, ok := sel.X.(*ast.Ident); ok && (on.Name == "os" || on.Name == "root") {
				t.Errorf("%s: %s.%s writes; have a writer handed in", f.at(sel.Pos()), on.Name, sel.Sel.Name)
			}
			return true
		})
	}
}

// readOnly says that a file is opened for reading.
func readOnly(args []ast.Expr) bool {
	var flags []string
	for _, arg := range args {
		ast.Inspect(arg, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && strings.HasPrefix(id.Name, "O_") {
				flags = append(flags, id.Name)
			}
			return true
		})
	}
	return slices.Contains(flags, "O_RDONLY") && !slices.ContainsFunc(flags, func(f string) bool {
		return f == "O_WRONLY" || f == "O_RDWR" || f == "O_CREATE" || f == "O_TRUNC" || f == "O_APPEND"
	})
}

// TestNothingAsksForAConnection: of the packages that know networks only those are imported that read addresses from text.
func TestNothingAsksForAConnection(t *testing.T) {
	readers := []string{"net/url", "net/netip"}
	for _, f := range sources(t) {
		for _, i := range f.ast.Imports {
			if path, _ := strconv.Unquote(i.Path.Value); path == "net" || strings.HasPrefix(path, "net/") && !slices.Contains(readers, path) {
				t.Errorf("%s: imports %s", f.at(i.Pos()), path)
			}
		}
	}
}
