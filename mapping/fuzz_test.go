package mapping

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// FuzzParse checks that no text makes the parser panic, that every finding has a
// position, and that whatever parses can be bound and maps rows.
func FuzzParse(f *testing.F) {
	paths, err := filepath.Glob("../templates/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(officeDecisions(string(text)))
	}
	archive, err := txtar.ParseFile("testdata/findings.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range archive.Files {
		f.Add(string(file.Data))
	}
	for _, text := range []string{"a: &a [*a]", "mapping: 1\ntrip: &t {pickup: *t}", "? [a]\n: b", "--- a\n--- b", "trip: {trip_id: {join: [{join: [[A]]}]}}"} {
		f.Add(text)
	}
	rows := mappingtest.Rows(f, "export.csv", "Order #,Trip Number,Trip ID,Name\n1,2,3,4\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse("fuzz.yaml", []byte(text), mappingtest.OpenIn("../testdata/layouts"))
		if err != nil {
			var findings Findings
			if !errors.As(err, &findings) || len(findings) == 0 {
				t.Fatalf("not faults: %v", err)
			}
			for _, finding := range findings {
				if finding.Message == "" || finding.File == "fuzz.yaml" && finding.Line < 1 && !strings.Contains(finding.Message, "too large") {
					t.Fatalf("%+v", finding)
				}
				_ = finding.Long()
			}
			return
		}
		_ = Lint(m)
		m.Match(rows, "export.csv")
		if b, err := m.Bind(rows, "export.csv"); err == nil {
			b.Map(rows[1], nil)
		}
	})
}

// FuzzMap checks that no cells make a mapping panic, that a row maps the same
// way every time, that every trip says which row it is from, and that it has the times of
// its type alone.
func FuzzMap(f *testing.F) {
	f.Add("81520|Ottoline|Farraday|05/14/1949|0071230456|3135550151|907 Quince Bluff Dr, Dearborn, MI 48126|Apt 7C|Riverbend|3150 Coppersmith Ave, Detroit, MI 48209|Wheelchair|1|0|12/09/2026|10:00|09:05|No|Yes|14:20|x", uint8(1))
	f.Add(strings.Repeat("|", 19), uint8(2))
	f.Add("a|,|,,|, MI 48126|x, , MI 48126|1 E+5|1.5E+9|++|#|\"|Yes|yes|YES|1/1/1|0|0|Y|Y|0|\x00\u200b", uint8(6))
	rows := mappingtest.ReadCSV(f, "../testdata/samples/round-trip-rows.csv")
	b := bind(f, template(f, "round-trip-rows"), rows)
	f.Fuzz(func(t *testing.T, text string, typ uint8) {
		row := importer.Row{File: "fuzz.csv", Num: 7, Width: len(rows[0].Cells)}
		for i, s := range strings.Split(text, "|") {
			cell := importer.Cell{Text: s, Type: importer.Text}
			if i%3 == int(typ%3) {
				cell.Type = importer.CellType(typ % 9)
			}
			row.Cells = append(row.Cells, cell)
		}
		m := b.Map(row, nil)
		if again := b.Map(row, nil); strings.Join(sentences(m), "\n") != strings.Join(sentences(again), "\n") {
			t.Fatal("the row maps otherwise the second time")
		}
		if len(m.Trips) == 0 {
			t.Fatal("the row gives no trip")
		}
		for i := range m.Trips {
			if m.Trips[i].Row.Row != 7 || m.Trips[i].Origin == nil {
				t.Fatalf("%+v", m.Trips[i].Row)
			}
			trip := &m.Trips[i]
			pickup, appt := trip.Pickup.PickupTime, trip.Dropoff.Appt
			if !appt.IsZero() && trip.Type != importer.Appointment || trip.Type == importer.WillCall && !pickup.IsZero() && pickup != importer.WillCallOn(pickup.Date) {
				t.Fatalf("a %v has the times %v and %v", trip.Type, pickup, appt)
			}
		}
	})
}
