package mapping

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"tripimport/importer"
)

// FuzzParse holds that no text brings the parser down, that what is wrong is
// said with its place, and that whatever parses can be bound and map rows.
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
	archive, err := txtar.ParseFile("testdata/faults.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range archive.Files {
		f.Add(string(file.Data))
	}
	for _, text := range []string{"a: &a [*a]", "mapping: 1\ntrip: &t {pickup: *t}", "? [a]\n: b", "--- a\n--- b", "trip: {trip_id: {join: [{join: [{join: [A]}]}]}}"} {
		f.Add(text)
	}
	rows := rowsOf(f, "export.csv", "Order #,Trip Number,Trip ID,Name\n1,2,3,4\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse("fuzz.yaml", []byte(text), openIn("../testdata/layouts"))
		if err != nil {
			var faults Faults
			if !errors.As(err, &faults) || len(faults) == 0 {
				t.Fatalf("not faults: %v", err)
			}
			for _, fault := range faults {
				if fault.Message == "" || fault.File == "fuzz.yaml" && fault.Line < 1 && !strings.Contains(fault.Message, "too large") {
					t.Fatalf("%+v", fault)
				}
				_ = fault.Long()
			}
			return
		}
		_ = Lint(m)
		m.Match(rows, "export.csv")
		if b, err := m.Bind(rows, "export.csv"); err == nil {
			b.Map(rows[1])
			b.Explain(rows[1])
		}
	})
}

// FuzzDateTime holds that no cell brings the reading of dates and times down,
// and that what is read is a day of the calendar and a time of a clock.
func FuzzDateTime(f *testing.F) {
	for _, s := range []string{
		"12/02/2026", "2/30/2026", "2026-12-02T08:15:00-05:00", "2026-12-02 08:15", "Dec 2, 2026 8:15 AM", "2-Dec-26",
		"Wed 12/02/2026", "12/02/2026 - 12/02/2026", "20261202", "46358", "46358.354166667", "0.15625", "930", "0930p",
		"8:30-9:00", "8:30 AM to 9:00 AM", "noon", "23:59:59", "24:00", "12:05 a.m.", "-1", "1e308", "NaN", "٣/٤/٢٠٢٦", "T", "Z", "/", "::",
	} {
		f.Add(s, uint8(0))
		f.Add(s, uint8(0xff))
	}
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string, how uint8) {
		forms := &dateForms{order: []string{"", "mdy", "dmy", "ymd"}[how&3]}
		if how&4 != 0 {
			forms.serials = 1900
		}
		if how&8 != 0 {
			forms.compact = []string{"YYYYMMDD", "MMDDYY"}
		}
		if how&16 != 0 {
			forms.offsets, forms.zone = []string{"keep", "convert"}[how>>5&1], zone
		}
		cell := found{text: clean(s), typ: importer.CellType(how >> 5)}
		if d, bad := forms.date(cell); bad == nil {
			if _, ok := importer.NewDate(d.Year, d.Month, d.Day); !ok {
				t.Fatalf("%q is read as the day %+v", s, d)
			}
		}
		d, at, bad := forms.timeOf(cell, []string{"", "start", "end"}[how%3])
		if bad != nil {
			if bad.code == "" || bad.message == "" || bad.fix == "" {
				t.Fatalf("%q: %+v", s, bad)
			}
			return
		}
		if !at.Valid() {
			t.Fatalf("%q is read as the time %+v", s, at)
		}
		if _, ok := importer.NewDate(d.Year, d.Month, d.Day); !ok && !d.IsZero() {
			t.Fatalf("%q is read as the day %+v", s, d)
		}
	})
}

// FuzzMap holds that no cells bring a mapping down, that a row maps alike every
// time, and that every trip says which row it is of.
func FuzzMap(f *testing.F) {
	f.Add("81520|Ottoline|Farraday|05/14/1949|0071230456|3135550151|907 Quince Bluff Dr, Dearborn, MI 48126|Apt 7C|Riverbend|3150 Coppersmith Ave, Detroit, MI 48209|Wheelchair|1|0|12/09/2026|10:00|09:05|No|Yes|14:20|x", uint8(1))
	f.Add(strings.Repeat("|", 19), uint8(2))
	f.Add("a|,|,,|, MI 48126|x, , MI 48126|1 E+5|1.5E+9|++|#|\"|Yes|yes|YES|1/1/1|0|0|Y|Y|0|\x00\u200b", uint8(6))
	rows := readCSV(f, "../testdata/samples/round-trip-rows.csv")
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
		m := b.Map(row)
		if again := b.Map(row); strings.Join(sentences(m), "\n") != strings.Join(sentences(again), "\n") {
			t.Fatal("the row maps otherwise the second time")
		}
		if len(m.Trips) == 0 {
			t.Fatal("the row gives no trip")
		}
		for i := range m.Trips {
			if m.Trips[i].Row.Row != 7 || m.Trips[i].Origin == nil {
				t.Fatalf("%+v", m.Trips[i].Row)
			}
		}
	})
}
