package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tripimport/importer"
	"tripimport/importer/sheet"
)

// TRIPIMPORT_UPDATE=1 makes the tests of this file's neighbours write the
// spreadsheets that they generate into testdata and templates. Without it they
// hold the committed files against what the generators give, so that neither
// can go stale.

// rewrite reports whether the generated spreadsheets are to be written anew.
func rewrite() bool { return os.Getenv("TRIPIMPORT_UPDATE") != "" }

// root gives a path below the repository; tests run in the command's folder.
func root(parts ...string) string {
	return filepath.Join(append([]string{"..", ".."}, parts...)...)
}

// A said is what one command line said and how it ended.
type said struct {
	status   int
	out, err string
}

// command runs this program in process, in a folder of its own that holds
// copies of the repository's files at their own paths, with a home of its own
// and nothing set up.
func command(t *testing.T, files []string, args ...string) (s said, folder string) {
	t.Helper()
	folder = t.TempDir()
	for _, name := range files {
		copyFile(t, root(filepath.FromSlash(name)), filepath.Join(folder, filepath.FromSlash(name)))
	}
	return commandIn(t, folder, args...), folder
}

// commandIn runs this program in process in a folder that is there.
func commandIn(t *testing.T, folder string, args ...string) said {
	t.Helper()
	home := filepath.Join(folder, "home")
	env := map[string]string{"TRIPIMPORT_HOME": home, "NO_COLOR": "1"}
	var out, err bytes.Buffer
	here, wrong := os.Getwd()
	if wrong != nil {
		t.Fatal(wrong)
	}

	t.Chdir(folder)
	defer t.Chdir(here)
	status := execute(args, environment{
		In: &bytes.Buffer{}, Out: &out, Err: &err,
		Env: func(name string) (string, bool) {
			value, ok := env[name]
			return value, ok
		},
	})
	return said{status, out.String(), err.String()}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// readSheet gives all rows of a spreadsheet as the program reads them.
func readSheet(t *testing.T, path string) []importer.Row {
	t.Helper()
	file, err := sheet.Open(path, sheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var rows []importer.Row
	for row, err := range file.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row.Clone())
	}
	return rows
}

// stale is what a test says of a committed file that its generator no longer
// gives.
func stale(name string) string {
	return fmt.Sprintf("%s is not what its generator gives: run TRIPIMPORT_UPDATE=1 go test ./cmd/tripimport", name)
}
