package mapping

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// TestSameTrips compares everything that the templates, the samples and the test schedules
// become with what they became before: each property of each trip, each problem at its cells
// and each row that is left out.
func TestSameTrips(t *testing.T) {
	var all strings.Builder
	add := func(name string, m *Mapping, rows []importer.Row) {
		b := bind(t, m, rows)
		for _, row := range rows {
			if row.Num > b.HeaderRow() {
				mapped := b.Map(row, nil)
				fmt.Fprintf(&all, "%s row %d%s\n", name, row.Num, everything(&mapped))
			}
		}
	}

	for _, name := range mappingtest.Layouts() {
		add(name, decided(t, name), mappingtest.ReadCSV(t, "../testdata/layouts/"+name+".csv"))
	}
	for _, name := range []string{"round-trip-rows", "two-leg-rows", "single-datetime"} {
		add(name, template(t, name), mappingtest.ReadCSV(t, "../testdata/samples/"+name+".csv"))
	}
	add("serials-repeated-headers", template(t, "serials-repeated-headers"), typedRows())
	add("schedule", template(t, "plain"), mappingtest.ReadCSV(t, "../testdata/schedule.csv")[:60])

	content, err := os.ReadFile("../testdata/faults.yaml")
	if err != nil {
		t.Fatal(err)
	}
	faults, err := Parse("faults.yaml", content, nil)
	if err != nil {
		t.Fatal(err)
	}
	add("faults", faults, mappingtest.ReadCSV(t, "../testdata/faults.csv"))
	mappingtest.Golden(t, "sametrips", all.String())
}

// everything writes all that a row became.
func everything(m *importer.Mapped) string {
	var b strings.Builder
	switch {
	case m.Cancelled:
		b.WriteString("\n  cancelled: " + m.LeftOut)
	case m.LeftOut != "":
		b.WriteString("\n  left out: " + m.LeftOut)
	}
	fmt.Fprintf(&b, "\n  key %q", strings.Join([]string{m.Key.ID, m.Key.Date.String()}, "|"))
	for _, w := range m.NewWords {
		fmt.Fprintf(&b, "\n  waits: %s", w.Cell.A1())
	}
	for i := range m.Trips {
		trip := &m.Trips[i]
		fmt.Fprintf(&b, "\n  trip %s link %q", trip.Leg.Code(), trip.Link)
		for _, p := range importer.TripProperties() {
			if value := p.AppendValue(nil, trip); len(value) > 0 {
				fmt.Fprintf(&b, "\n    %s = %s", p.Field, value)
			}
		}
	}
	for _, p := range m.AllProblems() {
		fmt.Fprintf(&b, "\n  %v %s %s", p.Severity, p.Code, p.Field)
		for _, cell := range p.Cells {
			b.WriteString(" " + cell.A1())
		}
		b.WriteString(": " + p.Message)
	}
	return b.String()
}
