package importer_test

import (
	"encoding/csv"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tripimport/importer"
)

// TestCodes checks that each code is in the list once, with its meaning.
func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range importer.Codes() {
		if seen[c.Code] || c.Meaning == "" || c.Stage == "" || c.Code != strings.ToLower(c.Code) {
			t.Errorf("%+v", c)
		}
		seen[c.Code] = true
	}
}

// TestCodesFile checks that the columns of codes.csv have no other words than those
// that Codes reads.
func TestCodesFile(t *testing.T) {
	f, err := os.Open("codes.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	stages := []string{"file", "mapping", "check", "places", "run"}
	at := 0 // they come in this order
	for _, r := range records[1:] {
		stage := slices.Index(stages, r[0])
		if stage < at || r[2] != "fault" && r[2] != "notice" || r[3] == "" {
			t.Errorf("%q", r)
		}
		at = max(at, stage)
	}
}

// TestCodesAreListed checks that every code that a package reports is in the list,
// and that some package reports every code of the list.
func TestCodesAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, c := range importer.Codes() {
		listed[c.Code] = true
	}
	reported := reportedCodes(t, "importer", "importer/judge", "importer/run", "importer/check", "importer/places", "importer/sheet", "mapping", "mapping/values")
	for code, where := range reported {
		if !listed[code] {
			t.Errorf("%s: the code %q is not in importer.Codes", where, code)
		}
	}
	for code := range listed {
		if _, ok := reported[code]; !ok {
			t.Errorf("nothing reports the code %q of importer.Codes", code)
		}
	}
}

// reportedCodes returns the codes of the problems that the packages report, each
// with the position of a statement that reports it. A code is what a call passes for a parameter
// named code, what a function returns for a result of that name, what a
// variable of that name is set to, and the code of a literal of a problem.
func reportedCodes(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	fset := token.NewFileSet()
	reported := map[string]string{}
	constants := map[string]string{} // importer's exported ones, for all packages
	var exported []codeParameter
	for _, dir := range dirs {
		s := codeScan{fset: fset, constants: constants, exported: exported}
		s.parse(t, dir)
		s.declarations(dir == "importer")
		exported = s.exported
		for _, f := range s.files {
			ast.Inspect(f, func(n ast.Node) bool { s.visit(n, reported); return true })
		}
	}
	return reported
}

// A codeParameter is a function's parameter named code.
type codeParameter struct {
	function string
	index    int
}

// A codeScan looks through one package.
type codeScan struct {
	fset       *token.FileSet
	files      []*ast.File
	constants  map[string]string
	exported   []codeParameter
	parameters []codeParameter
}

func (s *codeScan) parse(t *testing.T, dir string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	for _, path := range paths {
		// The list itself reports nothing.
		if strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "codes.go" && dir == "importer" {
			continue
		}
		f, err := parser.ParseFile(s.fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		s.files = append(s.files, f)
	}
}

// declarations collects the package's text constants, and its functions with a
// parameter named code. Those of the root package are kept for the others.
func (s *codeScan) declarations(root bool) {
	if !root {
		local := map[string]string{}
		for name, value := range s.constants {
			local["importer."+name] = value
		}
		s.constants = local
	}
	for _, f := range s.files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if i, ok := named("code", d.Type.Params); ok {
					s.parameters = append(s.parameters, codeParameter{d.Name.Name, i})
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					s.constant(spec)
				}
			}
		}
	}
	if root {
		s.exported = slices.Clone(s.parameters)
		return
	}
	for _, p := range s.exported {
		if ast.IsExported(p.function) {
			s.parameters = append(s.parameters, p)
		}
	}
}

func (s *codeScan) constant(spec ast.Spec) {
	value, ok := spec.(*ast.ValueSpec)
	if !ok || len(value.Values) != len(value.Names) {
		return
	}
	for i, name := range value.Names {
		if text, ok := s.text(value.Values[i]); ok {
			s.constants[name.Name] = text
		}
	}
}

// named returns the index of the string of that name in a list of parameters or
// results.
func named(name string, list *ast.FieldList) (index int, ok bool) {
	for _, field := range list.List {
		kind, isName := field.Type.(*ast.Ident)
		for _, n := range field.Names {
			if n.Name == name && isName && kind.Name == "string" {
				return index, true
			}
			index++
		}
	}
	return 0, false
}

func (s *codeScan) visit(n ast.Node, reported map[string]string) {
	note := func(e ast.Expr) {
		if code, ok := s.text(e); ok && code != "" {
			reported[code] = s.fset.Position(e.Pos()).String()
		}
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		for _, p := range s.parameters {
			if p.function == name && p.index < len(n.Args) {
				note(n.Args[p.index])
			}
		}
	case *ast.CompositeLit:
		s.literal(n, note)
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if name, ok := left.(*ast.Ident); ok && name.Name == "code" && len(n.Rhs) == len(n.Lhs) {
				note(n.Rhs[i])
			}
		}
	case *ast.FuncDecl:
		s.returns(n, note)
	}
}

// returns looks at what a function returns for its result named code.
func (s *codeScan) returns(f *ast.FuncDecl, note func(ast.Expr)) {
	if f.Type.Results == nil || f.Body == nil {
		return
	}
	index, ok := named("code", f.Type.Results)
	if !ok {
		return
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && index < len(r.Results) {
			note(r.Results[index])
		}
		return true
	})
}

// literal looks at the literals of problems: importer.Problem, and Unreadable,
// whose first field is the code.
func (s *codeScan) literal(n *ast.CompositeLit, note func(ast.Expr)) {
	name := ""
	switch kind := n.Type.(type) {
	case *ast.Ident:
		name = kind.Name
	case *ast.SelectorExpr:
		name = kind.Sel.Name
	}
	for i, e := range n.Elts {
		pair, keyed := e.(*ast.KeyValueExpr)
		switch {
		case name != "Problem" && name != "Unreadable":
		case !keyed && i == 0:
			note(e)
		case keyed:
			if key, ok := pair.Key.(*ast.Ident); ok && strings.EqualFold(key.Name, "code") {
				note(pair.Value)
			}
		}
	}
}

// text returns the value of a literal or of a known constant.
func (s *codeScan) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		text, ok := s.constants[e.Name]
		return text, ok
	case *ast.SelectorExpr:
		if pkg, ok := e.X.(*ast.Ident); ok && pkg.Name == "importer" {
			text, ok := s.constants["importer."+e.Sel.Name]
			return text, ok
		}
	}
	return "", false
}
