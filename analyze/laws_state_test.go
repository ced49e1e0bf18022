package analyze_test

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// A package-level variable is a table: given its value where it is declared and never written to again. State would
// make two runs in one process differ, and tests that run side by side disturb each other.

// stateAllowed are variables that may lack an initial value, with the reason.
var stateAllowed = map[string]string{}

func TestNoPackageState(t *testing.T) {
	byPackage := map[string][]sourceFile{}
	for _, f := range sources(t) {
		dir := filepath.Dir(f.name)
		byPackage[dir] = append(byPackage[dir], f)
	}
	for dir, files := range byPackage {
		vars := map[string]bool{}
		for _, f := range files {
			declared(t, dir, f, vars)
		}
		for _, f := range files {
			written(t, f, vars)
		}
	}
}

// declared collects the package's variables, and reports those that start without a value: they can only be state.
func declared(t *testing.T, dir string, f sourceFile, vars map[string]bool) {
	t.Helper()
	for _, d := range f.ast.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, s := range gen.Specs {
			spec := s.(*ast.ValueSpec)
			for _, name := range spec.Names {
				vars[name.Name] = true
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

// written reports assignments to package-level variables of this package, to their elements and fields, and to
// exported variables of other packages.
func written(t *testing.T, f sourceFile, vars map[string]bool) {
	t.Helper()
	imports := map[string]bool{}
	for _, i := range f.ast.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		imports[path[strings.LastIndexByte(path, '/')+1:]] = true
	}
	report := func(e ast.Expr) {
		root := rootOf(e)
		if root == nil {
			return
		}
		local := root.Obj != nil && !isPackageLevel(f.ast, root.Obj)
		if !local && (vars[root.Name] || e != ast.Expr(root) && root.Obj == nil && imports[root.Name]) {
			t.Errorf("%s: writes to the package-level variable %s", f.at(e.Pos()), root.Name)
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

func isPackageLevel(f *ast.File, obj *ast.Object) bool { return f.Scope.Lookup(obj.Name) == obj }
