package mapping

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

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
	m, err := Parse(name+".yaml", content, mappingtest.OpenIn("../testdata/samples"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bind binds a mapping of which something may be open.
func bind(t testing.TB, m *Mapping, rows []importer.Row) *Bound {
	t.Helper()
	b, err := m.bind(rows, rows[0].File)
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
