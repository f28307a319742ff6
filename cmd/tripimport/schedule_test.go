package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/check"
	"tripimport/mapping"
	"tripimport/templates"
)

// scheduleSeed is the seed of the committed schedule.
const scheduleSeed = 20261202

// TestSchedule compares the two committed spreadsheets with the generated schedule, cell
// by cell, as the program reads them.
func TestSchedule(t *testing.T) {
	night := makeSchedule(scheduleSeed)
	if updating() {
		writeFile(t, repoPath("testdata", "schedule.csv"), plainCSV(t, plainHeaders(), night))
		writeFile(t, repoPath("testdata", "schedule.xlsx"), plainWorkbook(t, night))
	}

	t.Run("csv", func(t *testing.T) {
		compareRows(t, "schedule.csv", night, func(value any, _ plainKind) importer.Cell {
			if text := csvText(value); text != "" {
				return importer.Cell{Type: importer.Text, Text: text}
			}
			return importer.Cell{}
		})
	})

	t.Run("xlsx", func(t *testing.T) {
		compareRows(t, "schedule.xlsx", night, workbookCell)
	})
}

// compareRows compares a committed spreadsheet with the generated schedule.
func compareRows(t *testing.T, name string, night []plainRow, cellOf func(any, plainKind) importer.Cell) {
	rows := readSheet(t, repoPath("testdata", name))
	if len(rows) != len(night)+1 {
		t.Fatalf("%d rows, want a header and %d: %s", len(rows), len(night), stale(name))
	}

	for i, c := range plainLayout() {
		if got := rows[0].Cell(i + 1).Text; got != c.header {
			t.Errorf("column %d is headed %q, want %q: %s", i+1, got, c.header, stale(name))
		}
	}

	for i, want := range night {
		for col, c := range plainLayout() {
			got, want := rows[i+1].Cell(col+1), cellOf(want[c.header], c.kind)
			if want.Type == importer.Empty && got.Type == importer.Empty {
				continue // a blank cell may have kept its column's format
			}
			if diff := cmp.Diff(want, got); diff != "" {
				ref := rows[i+1].Ref(col + 1)
				ref.Header = c.header
				t.Fatalf("%s: %s\n%s", ref, stale(name), diff)
			}
		}
	}
}

// TestScheduleIsOneNight compares the trips of the CSV file with those of the workbook.
func TestScheduleIsOneNight(t *testing.T) {
	fromCSV, fromWorkbook := mapPlain(t, "schedule.csv"), mapPlain(t, "schedule.xlsx")
	if diff := cmp.Diff(properties(fromCSV), properties(fromWorkbook)); diff != "" {
		t.Error(diff)
	}
}

// TestScheduleIsMixed counts what the schedule has, so that it stays as varied as a real
// one.
func TestScheduleIsMixed(t *testing.T) {
	counts := map[string]int{}
	for _, m := range mapPlain(t, "schedule.csv") {
		counts["row"]++
		if len(m.Trips) == 2 {
			counts["round trip"]++
			if m.Trips[1].Type == importer.WillCall {
				counts["round trip back on call"]++
			}
		}
		for i := range m.Trips {
			tally(counts, &m.Trips[i])
		}
	}

	for what, least := range map[string]int{
		"row": 200, "round trip": 80, "round trip back on call": 25,
		"appointment": 120, "appointment without pickup time": 30, "return": 80, "will call": 40,
		"AMB": 100, "WCH": 50, "STR": 10, "companion AMB": 40, "companion WCH": 3, "distance": 80, "note": 60,
		"Lakeshore Transit": 200, "Prairie Wheels": 15,
		"Lakeshore Transit: County Medicaid Plan": 80, "Lakeshore Transit: Harborview Health": 30,
		"Lakeshore Transit: Private Pay": 10, "Prairie Wheels: County Medicaid Plan": 15,
		"2026-12-02": 240, "2026-12-03": 10,
	} {
		if counts[what] < least {
			t.Errorf("%d of %q, want %d or more", counts[what], what, least)
		}
	}

	if counts["row"] != 200 || counts["Prairie Wheels"] != counts["Prairie Wheels: County Medicaid Plan"] {
		t.Errorf("the night has other rows than it should: %v", counts)
	}
}

// tally counts a trip under everything that it is an example of.
func tally(counts map[string]int, t *importer.Trip) {
	has := func(what string, holds bool) {
		if holds {
			counts[what]++
		}
	}

	has(t.Date().String(), true)
	has(t.SpaceType, true)
	has(t.Provider, true)
	has(t.Provider+": "+t.FundingSource, true)
	has("appointment", t.Type == importer.Appointment)
	has("appointment without pickup time", t.Type == importer.Appointment && t.Pickup.PickupTime.IsZero())
	has("return", t.Type == importer.Return)
	has("will call", t.Type == importer.WillCall)
	has("distance", t.BillableDistance.Given)
	has("note", t.Pickup.Comment+t.Dropoff.Comment != "")
	for _, r := range t.AdditionalRiders {
		has("companion "+r.SpaceType, true)
	}
}

// TestScheduleIsInvented requires that all phones are fictional numbers.
func TestScheduleIsInvented(t *testing.T) {
	fictional := regexp.MustCompile(`^\(\d{3}\) 555-01\d\d$`)
	for _, row := range makeSchedule(scheduleSeed) {
		for _, header := range []string{"Rider Phone", "Pickup Phone", "Dropoff Phone"} {
			if phone, ok := row[header].(string); ok && !fictional.MatchString(phone) {
				t.Errorf("%s: %s %s", row["Trip ID"], header, phone)
			}
		}
	}
}

// TestEveryPlainColumnMatters changes a cell in each column of the layout. Some row must
// give other trips then, or a problem, since templates/plain.yaml maps every column.
func TestEveryPlainColumnMatters(t *testing.T) {
	bound, rows := bindPlain(t, "schedule.csv")
	for col, c := range plainLayout() {
		matters := slices.ContainsFunc(rows, func(row importer.Row) bool {
			before := bound.Map(row, nil)
			changed := row.Clone()
			for len(changed.Cells) <= col {
				changed.Cells = append(changed.Cells, importer.Cell{})
			}
			changed.Cells[col] = importer.Cell{Type: importer.Text, Text: "Yes"}
			after := bound.Map(changed, nil)
			return before.LeftOut != after.LeftOut || after.Faulty() || !cmp.Equal(properties([]importer.Mapped{before}), properties([]importer.Mapped{after}))
		})
		if !matters {
			t.Errorf("templates/plain.yaml does not use the column %q", c.header)
		}
	}
}

// TestCheckScheduleSaysNothing checks the schedule. The check ends with status 0, prints
// nothing about any row and leaves no file.
func TestCheckScheduleSaysNothing(t *testing.T) {
	for _, name := range []string{"testdata/schedule.xlsx", "testdata/schedule.csv"} {
		s, folder := command(t, []string{name}, "check", "--sandbox", name)
		if s.status != exitDone {
			t.Errorf("%s: exit %d\n%s%s", name, s.status, s.out, s.err)
		}
		for line := range strings.Lines(s.out + s.err) {
			// The chosen mapping and a rehearsal's past dates are not about rows.
			if strings.Contains(line, "notice") && !strings.Contains(line, "chosen by its columns") && !strings.Contains(line, "the first trips are of") {
				t.Errorf("%s: %s", name, line)
			}
		}
		if left := filesIn(t, folder); !slices.Equal(left, []string{name}) {
			t.Errorf("a check without a problem left %v", left)
		}
	}
}

// TestScheduleHasNoProblems runs all rules over the schedule, as on the day before it.
func TestScheduleHasNoProblems(t *testing.T) {
	today, _ := importer.NewDate(2026, 12, 1)
	checker := check.New(today)
	bound, rows := bindPlain(t, "schedule.xlsx")
	var night []importer.Mapped
	for _, row := range rows {
		m := bound.Map(row, nil)
		checker.Note(&m)
		night = append(night, m)
	}

	for i := range night {
		checker.Check(&night[i], bound.Rules())
		for _, p := range night[i].AllProblems() {
			t.Errorf("%s: %s [%s]", p.Cells[0], p.Message, p.Code)
		}
		if night[i].LeftOut != "" {
			t.Errorf("row %d is left out: %s", night[i].Row.Num, night[i].LeftOut)
		}
	}
}

// bindPlain binds the plain template to a spreadsheet of testdata, and returns the rows
// below the header.
func bindPlain(t *testing.T, name string) (*mapping.Bound, []importer.Row) {
	t.Helper()
	rows := readSheet(t, repoPath("testdata", name))
	m, err := mapping.Parse("plain.yaml", readFile(t, repoPath("templates", "plain.yaml")), templates.Open)
	if err != nil {
		t.Fatal(err)
	}

	bound, err := m.Bind(rows[:1], name)
	if err != nil {
		t.Fatal(err)
	}
	return bound, rows[1:]
}

// mapPlain maps a spreadsheet of testdata with the plain template.
func mapPlain(t *testing.T, name string) []importer.Mapped {
	t.Helper()
	bound, rows := bindPlain(t, name)
	var mapped []importer.Mapped
	for _, row := range rows {
		mapped = append(mapped, bound.Map(row, nil))
	}
	return mapped
}

// properties returns the provider and the properties of every trip.
func properties(rows []importer.Mapped) [][]importer.PropertyValue {
	var all [][]importer.PropertyValue
	for i := range rows {
		for j := range rows[i].Trips {
			trip := &rows[i].Trips[j]
			all = append(all, append(trip.Properties(), importer.PropertyValue{Key: "provider", Value: trip.Provider}))
		}
	}
	return all
}

// plainCSV returns rows as a CSV file.
func plainCSV(t *testing.T, headers []string, rows []plainRow) []byte {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(headers); err != nil {
		t.Fatal(err)
	}

	for _, row := range rows {
		var fields []string
		for _, header := range headers {
			fields = append(fields, csvText(row[header]))
		}
		if err := w.Write(fields); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	return b.Bytes()
}

// plainWorkbook returns rows as a workbook with typed dates and times.
func plainWorkbook(t *testing.T, rows []plainRow) []byte {
	t.Helper()
	w := newPlainBook(t, "Schedule")
	w.columns(len(rows), func(plainColumn) int { return w.headerStyle(always) })
	for i, row := range rows {
		for col, c := range plainLayout() {
			if value := row[c.header]; value != nil {
				w.set(i+2, col+1, value, w.cellStyle(c.kind))
			}
		}
	}
	return w.bytes()
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func writeFile(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// filesIn lists the files in a folder and in its testdata.
func filesIn(t *testing.T, folder string) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*", "testdata/*"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				names = append(names, filepath.ToSlash(strings.TrimPrefix(path, folder+string(filepath.Separator))))
			}
		}
	}
	slices.Sort(names)
	return names
}
