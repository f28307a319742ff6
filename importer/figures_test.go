package importer_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFigures measures the program without its tests and prints what it found:
// go test ./importer -run TestFigures -v. It fails for an exported name without a
// comment, and for a function with more than mostBranches branches.
func TestFigures(t *testing.T) {
	const mostBranches = 15
	var f figures
	f.read(t, "..")

	for _, name := range f.undocumented {
		t.Errorf("%s is exported and has no comment that says what it promises", name)
	}
	for _, fn := range f.functions {
		if fn.branches > mostBranches {
			t.Errorf("%s has %d branches (cyclomatic complexity), %d at most: split it, or make a table of it", fn.name, fn.branches, mostBranches)
		}
	}

	slices.SortFunc(f.functions, func(a, b function) int { return a.lines - b.lines })
	n := len(f.functions)
	longest := f.functions[n-1]
	t.Logf("%d lines of code (no tests, blanks, comments), %d of them in cmd, %d in packages that only tests import", f.code, f.inCommands, f.forTests)
	t.Logf("%d functions: median %d lines, p90 %d, longest %d (%s)", n, f.functions[n/2].lines, f.functions[n*9/10].lines, longest.lines, longest.name)
	t.Logf("%.0f %% of all lines are blank, %.0f %% comments", 100*float64(f.blank)/float64(f.all), 100*float64(f.comments)/float64(f.all))
	t.Logf("%d exported names", f.exported)
}

// figures are what is measured of the program.
type figures struct {
	all, code, blank, comments int
	inCommands, forTests       int // lines of code
	functions                  []function
	exported                   int
	undocumented               []string
}

type function struct {
	name            string
	lines, branches int
}

func (f *figures) read(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		return f.readFile(path)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (f *figures) readFile(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	name := filepath.ToSlash(strings.TrimPrefix(file, ".."+string(filepath.Separator)))
	for line := range strings.Lines(string(text)) {
		f.all++
		switch line = strings.TrimSpace(line); {
		case line == "":
			f.blank++
		case strings.HasPrefix(line, "//"):
			f.comments++
		default:
			f.code++
			switch folder := path.Dir(name); {
			case strings.HasPrefix(name, "cmd/"):
				f.inCommands++
			case strings.HasSuffix(folder, "test"), strings.HasSuffix(folder, "/inject"):
				f.forTests++
			}
		}
	}

	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, decl := range parsed.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			f.exportedName(name+": "+d.Name.Name, d.Name, d.Doc, exportedReceiver(d))
			if d.Body != nil {
				lines := fset.Position(d.Body.Rbrace).Line - fset.Position(d.Pos()).Line + 1
				f.functions = append(f.functions, function{name + ": " + d.Name.Name, lines, branches(d.Body)})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				f.exportedSpec(name, d, spec)
			}
		}
	}
	return nil
}

// exportedReceiver reports whether a function has no receiver, or one of an exported
// type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	name, ok := of.(*ast.Ident)
	return !ok || name.IsExported()
}

func (f *figures) exportedName(where string, name *ast.Ident, doc *ast.CommentGroup, visible bool) {
	if !name.IsExported() || !visible {
		return
	}
	f.exported++
	if doc == nil {
		f.undocumented = append(f.undocumented, where)
	}
}

// exportedSpec takes the comment of the group for that of its names, as godoc
// does for constants.
func (f *figures) exportedSpec(file string, d *ast.GenDecl, spec ast.Spec) {
	either := func(docs ...*ast.CommentGroup) *ast.CommentGroup {
		for _, doc := range docs {
			if doc != nil {
				return doc
			}
		}
		return nil
	}
	switch s := spec.(type) {
	case *ast.TypeSpec:
		f.exportedName(file+": "+s.Name.Name, s.Name, either(s.Doc, d.Doc), true)
	case *ast.ValueSpec:
		for _, name := range s.Names {
			f.exportedName(file+": "+name.Name, name, either(s.Doc, s.Comment, d.Doc), true)
		}
	}
}

// branches is the cyclomatic complexity of a function: one and one for each
// branch.
func branches(body *ast.BlockStmt) int {
	n := 1
	ast.Inspect(body, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// Figures of the test itself: a switch has one branch for each case.
func TestBranches(t *testing.T) {
	src := `package p
func f(a, b bool) int { switch { case a && b: return 1; case a: return 2; default: return 3 } }`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := branches(file.Decls[0].(*ast.FuncDecl).Body); got != 4 {
		t.Error(fmt.Sprint("branches: ", got))
	}
}
