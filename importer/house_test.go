package importer_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// house says which of our packages each package may import. A package that is
// not here has no room in the house.
func house() map[string][]string {
	return map[string][]string{
		"cmd/tripimport":   {"*"},
		"importer":         {},
		"importer/check":   {"importer"},
		"importer/ledger":  {"importer"},
		"importer/pace":    {"importer"},
		"importer/places":  {"importer"},
		"importer/results": {"importer", "importer/sheet"},
		"importer/sandbox": {"importer"},
		"importer/service": {"importer"},
		"importer/sheet":   {"importer"},
		"mapping":          {"importer"},
		"templates":        {},
	}
}

// TestHouse holds the arrows between the packages. A folder below a package
// belongs to it: only that package, its other folders and cmd may import it.
func TestHouse(t *testing.T) {
	const module = "tripimport"
	root := filepath.Join("..")
	rooms := house()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(file, root), string(filepath.Separator)))
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && rel != "" || d.Name() == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") {
			return nil
		}
		dir := path.Dir(rel)
		room, ok := roomOf(rooms, dir)
		if !ok {
			t.Errorf("%s: the house has no room %q (design, section 2)", rel, dir)
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			ours, ok := strings.CutPrefix(imported, module+"/")
			if !ok {
				continue
			}
			if !allowed(rooms, room, ours) {
				t.Errorf("%s: %s must not import %s", rel, room, ours)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// roomOf gives the package that a folder belongs to: itself, or the longest
// package above it.
func roomOf(rooms map[string][]string, dir string) (string, bool) {
	for ; dir != "." && dir != "/"; dir = path.Dir(dir) {
		// importer's own folders are packages of their own, never its parts.
		if _, ok := rooms[dir]; ok && (dir != "importer") {
			return dir, true
		}
		if dir == "importer" {
			break
		}
	}
	return dir, dir == "importer"
}

func allowed(rooms map[string][]string, room, imported string) bool {
	if imported == room || strings.HasPrefix(imported, room+"/") && room != "importer" {
		return true
	}
	may := rooms[room]
	return slices.Contains(may, "*") || slices.Contains(may, imported)
}

// TestTopLevel holds the top level of the repository.
func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	may := []string{"go.mod", "go.sum", "cmd", "importer", "mapping", "templates", "testdata", "README.md", "LICENSE"}
	for _, e := range entries {
		built := strings.HasPrefix(e.Name(), "tripimport")
		if !strings.HasPrefix(e.Name(), ".") && !built && !slices.Contains(may, e.Name()) {
			t.Errorf("%q stands at the top level; the layout is fixed (design, section 2)", e.Name())
		}
	}
}

// TestNoWorldAtTheRoot holds that the nouns and the run know no files, no
// network and no SQL.
func TestNoWorldAtTheRoot(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			for _, never := range []string{"os", "net", "net/http", "database/sql", "io/fs", "path/filepath"} {
				if spec.Path.Value == strconv.Quote(never) {
					t.Errorf("%s imports %s", file, never)
				}
			}
		}
	}
}
