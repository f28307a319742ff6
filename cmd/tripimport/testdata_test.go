package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/sheet"
	"tripimport/templates"
)

// updating reports whether the tests write the spreadsheets that they generate into
// testdata and templates (TRIPIMPORT_UPDATE=1). Otherwise they compare the committed
// files with the generated ones.
func updating() bool { return os.Getenv("TRIPIMPORT_UPDATE") != "" }

// repoPath returns the path of a file of the repository; tests run in the folder
// cmd/tripimport.
func repoPath(parts ...string) string {
	return filepath.Join(append([]string{"..", ".."}, parts...)...)
}

// An output is what one command line printed, and its exit status.
type output struct {
	status   int
	out, err string
}

// command runs this program in the test's process, in a new folder with copies of
// those files of the repository. It has a home of its own, with nothing set up.
func command(t *testing.T, files []string, args ...string) (s output, folder string) {
	t.Helper()
	folder = t.TempDir()
	for _, name := range files {
		copyFile(t, repoPath(filepath.FromSlash(name)), filepath.Join(folder, filepath.FromSlash(name)))
	}
	return commandIn(t, folder, args...), folder
}

// commandIn runs this program in the test's process, in that folder.
func commandIn(t *testing.T, folder string, args ...string) output {
	t.Helper()
	home := filepath.Join(folder, "home")
	env := map[string]string{"TRIPIMPORT_HOME": home}
	var out, err bytes.Buffer
	here, wrong := os.Getwd()
	if wrong != nil {
		t.Fatal(wrong)
	}

	t.Chdir(folder)
	defer t.Chdir(here)
	status := execute(args, environment{
		In:  &bytes.Buffer{},
		Out: &out,
		Err: &err,
		Environment: app.Environment{Approved: true, Lookup: func(name string) (string, bool) {
			value, ok := env[name]
			return value, ok
		}},
	})
	return output{status, out.String(), err.String()}
}

// copyFile copies a file and makes its folder.
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

// readSheet returns all rows of a spreadsheet as the program reads them.
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

// stale is the message about a committed file that differs from the generated one.
func stale(name string) string {
	return fmt.Sprintf("%s is not what its generator makes: run TRIPIMPORT_UPDATE=1 go test ./cmd/tripimport", name)
}

// findTemplate returns the template of that name.
func findTemplate(name string) (templates.Template, error) {
	t, found := templates.Find(name)
	if !found {
		return t, fmt.Errorf("there is no template %q", name)
	}
	return t, nil
}
