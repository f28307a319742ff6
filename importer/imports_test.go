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

// allowedImports lists, for each package of the program, the packages of the
// program that it may import. A folder below a package belongs to the package
// unless it has a line of its own.
func allowedImports() map[string][]string {
	return map[string][]string{
		// The commands: importer/app, and the packages of the types that it uses.
		"cmd/tripimport": {
			"importer", "importer/app", "importer/ledger", "importer/nightly", "importer/nightly/mail",
			"importer/nightly/timer", "importer/places", "importer/results", "importer/sandbox",
			"importer/serve", "importer/sheet", "mapping", "mapping/propose", "templates",
		},

		// The shared types, and the packages that use them.
		"importer":                 {"importer/usps"}, // an identity tells units from streets
		"importer/ahead":           {},
		"importer/run":             {"importer", "importer/ahead", "importer/judge"},
		"importer/judge":           {"importer"},
		"importer/usps":            {},
		"importer/check":           {"importer", "importer/usps"},
		"importer/pace":            {"importer"},
		"importer/listcsv":         {},
		"importer/places":          {"importer", "importer/listcsv", "importer/netfailure", "importer/usps"},
		"importer/results":         {"importer"},
		"importer/returned":        {"importer", "importer/sheet", "importer/results"},
		"importer/sandbox":         {"importer"},
		"importer/netfailure":      {},
		"importer/service":         {"importer", "importer/netfailure"},
		"importer/sheet":           {"importer", "importer/ahead"},
		"importer/ledger":          {"importer"},
		"importer/ledger/sqlite":   {"importer", "importer/ledger", "importer/ledger/tables"},
		"importer/ledger/tables":   {"importer", "importer/ledger", "importer/ledger/mark"},
		"importer/ledger/postgres": {"importer", "importer/ledger", "importer/ledger/tables", "importer/netfailure", "importer/pace"}, // its tests pace,
		"mapping":                  {"importer", "importer/listcsv", "importer/usps"},
		"mapping/propose":          {"importer", "importer/usps", "mapping"},
		"templates":                {},

		// What a night uses beside the jobs. Each is ignorant of the night.
		"importer/nightly/mail":  {"importer", "importer/netfailure"},
		"importer/nightly/ping":  {"importer", "importer/netfailure"},
		"importer/nightly/timer": {},

		// The only package that connects the others.
		"importer/app": {"*"},

		// Faces of the jobs, like the commands.
		"importer/serve":   {"importer", "importer/app", "importer/results"},
		"importer/nightly": {"importer", "importer/app", "importer/nightly/mail", "importer/nightly/ping", "importer/nightly/timer", "importer/results"},

		// What only tests import.
		"importer/triptest":            {"importer"},
		"importer/ledger/ledgertest":   {"importer", "importer/ledger", "importer/ledger/sqlite", "importer/ledger/postgres"},
		"importer/ledger/pgtest":       {},
		"importer/results/resultstest": {"importer", "importer/results"},
		"importer/sandbox/inject":      {"importer/sandbox"},
		"mapping/mappingtest":          {"importer"},
	}
}

// testPackages returns the packages that only test files, and each other, may
// import.
func testPackages() []string {
	return []string{"importer/triptest", "importer/ledger/ledgertest", "importer/ledger/pgtest", "importer/results/resultstest", "importer/sandbox/inject", "mapping/mappingtest"}
}

const module = "tripimport/"

// TestAllowedImports names each import between packages of the program that
// allowedImports does not have.
func TestAllowedImports(t *testing.T) {
	eachImport(t, "..", func(file, dir, imported string) {
		importing, ok := packageOf(dir)
		if !ok {
			t.Errorf("%s: the package %q is not in the table: add it, with what it may import", file, dir)
			return
		}
		ours, ok := strings.CutPrefix(imported, module)
		if !ok {
			return
		}
		target, ok := packageOf(ours)
		switch testFile := strings.HasSuffix(file, "_test.go"); {
		case !ok:
			t.Errorf("%s: it imports %q, which is not in the table", file, imported)
		case slices.Contains(testPackages(), target):
			if !testFile && !slices.Contains(testPackages(), importing) {
				t.Errorf("%s: only tests may import %s", file, target)
			}
		case testFile && slices.Contains([]string{"cmd/tripimport", "importer/nightly", "importer/serve"}, importing): // their tests are of the whole program
		case !mayImport(importing, target):
			t.Errorf("%s: %s must not import %s", file, importing, target)
		}
	})
}

// TestChosenLibraries names each of the libraries that were chosen for the program which it does not import.
func TestChosenLibraries(t *testing.T) {
	used := map[string]bool{}
	eachImport(t, "..", func(file, _, imported string) {
		used[imported] = used[imported] || !strings.HasSuffix(file, "_test.go")
	})
	for _, library := range []string{
		"github.com/xuri/excelize/v2", "github.com/gocarina/gocsv", "golang.org/x/time/rate", "github.com/schollz/progressbar/v3",
	} {
		if !used[library] {
			t.Errorf("the program does not import %s", library)
		}
	}
}

// packageOf returns the package that a folder belongs to: itself, or the nearest
// one above it that has a line in the table. No other folder belongs to importer.
func packageOf(dir string) (string, bool) {
	packages := allowedImports()
	for name := dir; name != "."; name = path.Dir(name) {
		if _, ok := packages[name]; ok && (name != "importer" || dir == "importer") {
			return name, true
		}
	}
	return "", false
}

func mayImport(importing, target string) bool {
	may := allowedImports()[importing]
	switch {
	case importing == target, slices.Contains(may, target):
		return true
	case slices.Contains(may, "*"):
		return !strings.HasPrefix(target, "cmd/") && target != "importer/nightly" && target != "importer/serve"
	}
	return false
}

// eachImport calls visit for every import of every Go file below root, with the
// file's path and folder relative to it.
func eachImport(t *testing.T, root string, visit func(file, dir, imported string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		file = filepath.ToSlash(file)
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && file != "." || d.Name() == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			visit(file, path.Dir(file), imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMayImport tests the table itself.
func TestMayImport(t *testing.T) {
	for _, test := range []struct {
		dir, imported string
		want          bool
	}{
		{"importer/sheet/xlsx", "importer", true},
		{"importer/app", "importer/sheet/xlsx", true},
		{"importer/returned", "importer/results", true},
		{"importer/app", "importer/ledger/sqlite", true},
		{"importer", "importer/run", false},
		{"importer/run", "importer/ledger", false},
		{"importer/ledger", "importer/ledger/sqlite", false},
		{"importer/sheet", "importer/results", false},
		{"importer/check", "importer/places", false},
		{"importer/app", "cmd/tripimport", false},
		{"cmd/tripimport", "importer/app", true},
		{"cmd/tripimport", "importer/run", false},
		{"cmd/tripimport", "importer/ledger/sqlite", false},
		{"mapping", "importer/check", false},
		{"mapping", "mapping/propose", false},
	} {
		importing, _ := packageOf(test.dir)
		target, _ := packageOf(test.imported)
		if got := mayImport(importing, target); got != test.want {
			t.Errorf("%s imports %s: allowed %v, want %v", test.dir, test.imported, got, test.want)
		}
	}
}

// TestTopLevel fails for a file or folder that does not belong to the top level of
// the repository.
func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	may := []string{"go.mod", "go.sum", "cmd", "importer", "mapping", "templates", "testdata", "README.md", "LICENSE"}
	for _, e := range entries {
		built := strings.HasPrefix(e.Name(), "tripimport")
		if !strings.HasPrefix(e.Name(), ".") && !built && !slices.Contains(may, e.Name()) {
			t.Errorf("%q is at the top level, whose layout is fixed: put it into one of %v", e.Name(), may)
		}
	}
}

// TestNeverImported fails for imports of packages for files, the network and SQL
// in packages that must not use them.
func TestNeverImported(t *testing.T) {
	files := []string{"os", "io/fs", "path/filepath"}
	network := []string{"net", "net/http"}
	never := map[string][]string{
		"importer":       slices.Concat(files, network, []string{"database/sql"}),
		"importer/run":   slices.Concat(files, network, []string{"database/sql"}),
		"importer/check": slices.Concat(files, network, []string{"database/sql"}),
		"importer/usps":  slices.Concat(files[:1], network, []string{"database/sql"}),
	}
	eachImport(t, "..", func(file, dir, imported string) {
		if !strings.HasSuffix(file, "_test.go") && slices.Contains(never[dir], imported) {
			t.Errorf("%s: %s must not import %s", file, dir, imported)
		}
	})
}
