// Package mappingtest reads small exports and golden files for the tests of
// mappings and proposals. Only tests import it.
package mappingtest

import (
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// Layouts are the broker layouts in testdata/layouts, each with a template of
// its own.
func Layouts() []string {
	return []string{
		"access2care", "access2care-v2", "isi", "kaizen", "logisticare", "mtm",
		"mtm-v2", "ride-to-care", "routegenie", "saferide", "southeastrans", "veyo",
	}
}

// ReadCSV reads the rows of a CSV file, like Rows.
func ReadCSV(t testing.TB, path string) []importer.Row {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Rows(t, filepath.Base(path), string(content))
}

// Rows reads the rows of a CSV file with that name and content as the importer
// does.
func Rows(t testing.TB, name, content string) []importer.Row {
	t.Helper()
	r := csv.NewReader(strings.NewReader(content))
	r.FieldsPerRecord = -1
	var rows []importer.Row
	for {
		record, err := r.Read()
		if err == io.EOF {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		line, _ := r.FieldPos(0)
		row := importer.Row{File: name, Num: line, Width: len(record)}
		for _, field := range record {
			cell := importer.Cell{Text: field, Type: importer.Text}
			if strings.TrimSpace(field) == "" {
				cell.Type = importer.Empty
			}
			row.Cells = append(row.Cells, cell)
		}
		rows = append(rows, row)
	}
}

// OpenIn opens tables in a folder.
func OpenIn(dir string) func(string) (io.ReadCloser, error) {
	return func(name string) (io.ReadCloser, error) { return os.Open(filepath.Join(dir, name)) }
}

// Golden compares got with testdata/NAME.golden. If TRIPIMPORT_UPDATE is set, it
// writes the file first; review it before you keep it.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if os.Getenv("TRIPIMPORT_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}
