package analyze_test

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// A package-level variable is a table: given its value where it is declared and never written to again. State would
// make two runs in one process differ, and tests that run side by side disturb each other.

// stateAllowed are variables (folder.name) that may lack an initial value, with the reason.
var stateAllowed = map[string]string{}

func TestNoPackageState(t *testing.T) {
	byPackage := map[string][]sourceFile{}
	for _, f := range sources(t) {
		dir := filepath.Dir(f.name)
		byPackage[dir] = append(byPackage[dir], f)
	}
	for dir, files := range byPackage {
		names := resolve(dir, files)
		for _, f := range files {
			declared(t, dir, f)
			written(t, f, names)
		}
	}
}

// nothingImported makes the type checker resolve names of the package at hand only, which is quick and enough.
type nothingImported struct{}

func (nothingImported) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }

func resolve(dir string, files []sourceFile) *types.Info {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	var parsed []*ast.File
	for _, f := range files {
		parsed = append(parsed, f.ast)
	}
	check := types.Config{Importer: nothingImported{}, Error: func(error) {}}
	_, _ = check.Check(dir, files[0].fset, parsed, info) // errors about what was not imported
	return info
}

// declared reports variables that start without a value: they can only be state.
func declared(t *testing.T, dir string, f sourceFile) {
	t.Helper()
	for _, d := range f.ast.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, s := range gen.Specs {
			spec := s.(*ast.ValueSpec)
			for _, name := range spec.Names {
				if len(spec.Values) == 0 && !embedded(gen, spec) && stateAllowed[dir+"."+name.Name] == "" {
					t.Errorf("%s: variable %s has no value: package state", f.at(name.Pos()), name.Name)
				}
			}
		}
	}
}

// embedded says that the toolchain fills the variable (go:embed).
func embedded(gen *ast.GenDecl, spec *ast.ValueSpec) bool {
	for _, doc := range []*ast.CommentGroup{gen.Doc, spec.Doc} {
		if doc == nil {
			continue
		}
		for _, c := range doc.List {
			if strings.HasPrefix(c.Text, "//go:embed ") {
				return true
			}
		}
	}
	return false
}

// written reports assignments to package-level variables of this package or another, to their elements and fields.
func written(t *testing.T, f sourceFile, names *types.Info) {
	t.Helper()
	report := func(e ast.Expr) {
		root := rootOf(e)
		if root == nil {
			return
		}
		switch o := names.Uses[root].(type) {
		case *types.PkgName:
			t.Errorf("%s: writes to a variable of package %s", f.at(e.Pos()), o.Name())
		case *types.Var:
			if o.Parent() == o.Pkg().Scope() {
				t.Errorf("%s: writes to the package-level variable %s", f.at(e.Pos()), o.Name())
			}
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				for _, e := range s.Lhs {
					report(e)
				}
			}
		case *ast.IncDecStmt:
			report(s.X)
		}
		return true
	})
}

// rootOf gives x of x, x.f, x[i], *x and any mix of them.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}
