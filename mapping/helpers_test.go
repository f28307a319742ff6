package mapping

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tripimport/importer"
)

// readCSV reads a schedule as the reader of the product would.
func readCSV(t testing.TB, path string) []importer.Row {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return rowsOf(t, filepath.Base(path), string(content))
}

func rowsOf(t testing.TB, name, content string) []importer.Row {
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

// openIn opens tables in a folder.
func openIn(dir string) func(string) (io.ReadCloser, error) {
	return func(name string) (io.ReadCloser, error) { return os.Open(filepath.Join(dir, name)) }
}

// openText opens tables that are given as texts.
func openText(tables map[string]string) func(string) (io.ReadCloser, error) {
	return func(name string) (io.ReadCloser, error) {
		if text, ok := tables[name]; ok {
			return io.NopCloser(strings.NewReader(text)), nil
		}
		return nil, os.ErrNotExist
	}
}

// template parses a mapping of the templates folder.
func template(t testing.TB, name string) *Mapping {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "templates", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(name+".yaml", content, openIn("../testdata/samples"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func bind(t testing.TB, m *Mapping, rows []importer.Row) *Bound {
	t.Helper()
	b, err := m.Bind(rows, rows[0].File)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sentences says what became of a row, one line for each trip and problem.
func sentences(m importer.Mapped) []string {
	var lines []string
	if m.LeftOut != "" {
		word := "left out"
		if m.Cancelled {
			word = "cancelled"
		}
		lines = append(lines, word+": "+m.LeftOut)
	}
	for _, t := range m.Trips {
		s := fmt.Sprintf("%s %v", t.ID, t.Type)
		if t.Leg != importer.OnlyLeg {
			s = fmt.Sprintf("%v %s", t.Leg, s)
		}
		if !t.Pickup.PickupTime.IsZero() {
			s += " pickup " + t.Pickup.PickupTime.String()
		}
		if !t.Dropoff.Appt.IsZero() {
			s += " appointment " + t.Dropoff.Appt.String()
		}
		s += " " + t.SpaceType
		for _, a := range t.AdditionalRiders {
			s += fmt.Sprintf(" +%d %s", a.Count, a.SpaceType)
		}
		s += " from " + t.Pickup.Address() + " to " + t.Dropoff.Address()
		lines = append(lines, s)
	}
	for _, p := range m.AllProblems() {
		lines = append(lines, fmt.Sprintf("%v %s at %v: %s (%s)", p.Severity, p.Code, p.Cells[0], p.Message, p.Fix))
	}
	return lines
}
