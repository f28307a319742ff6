package results_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
)

func cells(t *testing.T, f *excelize.File, sheet string) [][]string {
	t.Helper()
	rows, err := f.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestWorkbook(t *testing.T) {
	name, s := resultstest.Write(t, resultstest.Options(t, results.XLSX), resultstest.RunStart(), resultstest.Night(20))
	f := resultstest.OpenWorkbook(t, name)
	if got := f.GetSheetList(); strings.Join(got, ",") != "Summary,Results,Trips,tripimport" {
		t.Errorf("sheets %v", got)
	}
	if f.GetActiveSheetIndex() != 0 {
		t.Error("the Summary is not the sheet that shows first")
	}
	if visible, err := f.GetSheetVisible("tripimport"); err != nil || visible {
		t.Errorf("the identity shows: %v", err)
	}
	rows := cells(t, f, "Results")
	if len(rows) != 21 {
		t.Fatalf("%d rows, want a header and 20", len(rows))
	}
	wantHeader := "Status|Row|Trip|Passenger|Problem|How to fix it|Where|Notice|What we found|Needs|Trip GUID|Trip GUID 2|tripimport key|" +
		"Order|Trip Date|Rider|Member ID|Phone|Mobility|PU Address|PU City|PU Zip|PU Lat|PU Lng|Pickup|" +
		"DO Address|City|DO Zip|Appt Time|City (Q)|Return Time|column S|Status (T)|Beyond the last column"
	if got := strings.Join(rows[0], "|"); got != wantHeader {
		t.Errorf("header\n%s\nwant\n%s", got, wantHeader)
	}
	for i, row := range rows[1:] {
		if want := resultstest.Row(i + 2); row[1] != strconv.Itoa(want.Num) || row[13] != want.Cell(1).Text {
			t.Errorf("row %d is not in input order: %v", i, row[:14])
		}
	}
	if trips := cells(t, f, "Trips"); len(trips) != s.Trips.Sum+1 {
		t.Errorf("%d trips, want %d", len(trips)-1, s.Trips.Sum)
	}
	if height, err := f.GetRowHeight("Trips", 2); err != nil || height > 20 {
		t.Errorf("a booked trip is %v points high: %v", height, err)
	}
	id, _ := f.GetCellStyle("Results", "I5")
	if style, err := f.GetStyle(id); err != nil || len(style.Border) == 0 {
		t.Errorf("no line between two cells to answer in: %v", err)
	}
}

// Source cells keep their types: dates stay dates, ZIP codes their zeros, and blank cells blank.
func TestSourceCellsAreUntouched(t *testing.T) {
	name, _ := resultstest.Write(t, resultstest.Options(t, results.XLSX), resultstest.RunStart(), resultstest.Night(4))
	f := resultstest.OpenWorkbook(t, name)
	for cell, want := range map[string]struct {
		shown string
		kind  excelize.CellType
	}{
		"N2": {"70002", excelize.CellTypeInlineString},
		"O2": {"12/2/2026", excelize.CellTypeUnset},
		"Q2": {"0000041002", excelize.CellTypeInlineString},
		"V2": {"02147", excelize.CellTypeUnset},
		"X2": {"-83.0400027", excelize.CellTypeUnset},
		"Y2": {"9:10 AM", excelize.CellTypeUnset},
		"I5": {"", excelize.CellTypeUnset},
	} {
		shown, err := f.GetCellValue("Results", cell)
		if err != nil || shown != want.shown {
			t.Errorf("%s shows %q, want %q (%v)", cell, shown, want.shown, err)
		}
		if kind, err := f.GetCellType("Results", cell); err != nil || kind != want.kind {
			t.Errorf("%s has type %v, want %v (%v)", cell, kind, want.kind, err)
		}
	}
}

func TestRehearsalSaysSoOnEverySheet(t *testing.T) {
	h := resultstest.RunStart()
	h.Rehearsal, h.Check = true, true // a check with --sandbox
	name, s := resultstest.Write(t, resultstest.Options(t, results.XLSX), h, resultstest.Night(6))
	f := resultstest.OpenWorkbook(t, name)
	for _, sheet := range f.GetSheetList() {
		if sheet == "tripimport" {
			continue
		}
		if first, err := f.GetCellValue(sheet, "A1"); err != nil || first != "REHEARSAL: nothing was booked" {
			t.Errorf("%s begins with %q", sheet, first)
		}
	}
	if !strings.Contains(s.Text(80), "nothing was booked") {
		t.Error("the terminal does not say that nothing was booked")
	}
}

// The alarm that no results can be relied on is not cut where the sheet ends.
func TestAlarmIsWhole(t *testing.T) {
	w := results.New(resultstest.Options(t, results.XLSX))
	defer w.Close()
	if err := w.Start(resultstest.RunStart()); err != nil {
		t.Fatal(err)
	}
	if err := w.End(importer.RunResult{Totals: importer.Totals{RowsRead: 1, TripsRead: 1}}); err != nil {
		t.Fatal(err)
	}
	f := resultstest.OpenWorkbook(t, w.Summary().Files[0])
	if text, _ := f.GetCellValue("Summary", "A2"); text != w.Summary().Alarm || text == "" {
		t.Fatalf("row 2 of the Summary has %q", text)
	}
	id, err := f.GetCellStyle("Summary", "A2")
	if err != nil {
		t.Fatal(err)
	}
	style, err := f.GetStyle(id)
	height, _ := f.GetRowHeight("Summary", 2)
	if err != nil || style.Alignment == nil || !style.Alignment.WrapText || height < 30 {
		t.Errorf("the alarm is in a row %v points high, in the style %+v: %v", height, style, err)
	}
}

// A schedule with more rows than a sheet can hold is refused before anything is sent.
func TestTooManyRows(t *testing.T) {
	for _, plan := range []importer.PlanSummary{{Rows: importer.MaxRows}, {Rows: 7, Trips: importer.MaxRows}} {
		w := results.New(resultstest.Options(t, results.XLSX))
		h := resultstest.RunStart()
		h.Plan = plan
		if err := w.Start(h); err == nil || !strings.Contains(err.Error(), "csv") {
			t.Errorf("%d rows and %d trips: %v", plan.Rows, plan.Trips, err)
		}
		w.Close()
	}
}

// A taken name is never overwritten, and nothing but the results is left.
func TestTakenName(t *testing.T) {
	o, temporary := resultstest.Options(t, results.XLSX), temporaryFolder(t)
	if err := os.WriteFile(o.Path, []byte("in use"), 0o600); err != nil {
		t.Fatal(err)
	}
	name, s := resultstest.Write(t, o, resultstest.RunStart(), resultstest.Night(2))
	if want := strings.TrimSuffix(o.Path, ".xlsx") + "-2.xlsx"; name != want || s.Files[0] != want {
		t.Errorf("written to %s, want %s", name, want)
	}
	if text := s.Text(200); !strings.Contains(text, "results-2.xlsx") {
		t.Errorf("the second name is not said:\n%s", text)
	}
	if data, err := os.ReadFile(o.Path); err != nil || string(data) != "in use" {
		t.Error("the first file was touched")
	}
	left, err := os.ReadDir(filepath.Dir(o.Path))
	if err != nil || len(left) != 2 {
		t.Errorf("%v is left (%v)", left, err)
	}
	scratch, err := os.ReadDir(temporary)
	if err != nil || len(scratch) != 0 {
		t.Errorf("%v is left in the temporary folder (%v)", scratch, err)
	}
	if info, err := os.Stat(name); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("permissions %v (%v)", info.Mode(), err)
	}
}

// temporaryFolder gives the test a folder of its own for temporary files.
func temporaryFolder(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP"} {
		t.Setenv(name, dir)
	}
	return dir
}

func TestName(t *testing.T) {
	at := time.Date(2026, 12, 2, 3, 15, 0, 0, time.FixedZone("", -5*3600))
	if got := results.Name("in/a.xlsx", at, results.OfImport, results.XLSX); got != "in/a.xlsx.20261202T081500Z.results.xlsx" {
		t.Error(got)
	}
	for _, again := range []string{
		"in/a.xlsx.20261202T031500Z.results.xlsx", "in/a.xlsx.20261202T031500Z.results-2.csv", "in/a.xlsx.20261202T031500Z.results.xlsx.20261202T041500Z.results.xlsx",
	} {
		if got := results.Name(again, at, results.OfImport, results.XLSX); got != "in/a.xlsx.20261202T081500Z.results.xlsx" {
			t.Errorf("%s: %s", again, got)
		}
	}
	if got := results.Name("a.csv", at, results.OfRehearsal, results.CSV); got != "a.csv.20261202T081500Z.rehearsal.csv" {
		t.Error(got)
	}
}

// Redacted results have only ids and codes.
func TestRedacted(t *testing.T) {
	o := resultstest.Options(t, results.XLSX)
	o.Redact = true
	rows := resultstest.Night(40)
	name, s := resultstest.Write(t, o, resultstest.RunStart(), rows)
	var said strings.Builder
	f := resultstest.OpenWorkbook(t, name)
	for _, sheet := range f.GetSheetList() {
		for _, row := range cells(t, f, sheet) {
			said.WriteString(strings.Join(row, "\n") + "\n")
		}
	}
	said.WriteString(s.Text(100))
	text := said.String()
	if !strings.Contains(text, "space-type-unknown") || !strings.Contains(text, "70005") {
		t.Error("codes or ids are missing")
	}
	for _, secret := range []string{"Rider Number", "Elm St", "313-555", "Wheel chair XL", "0000041", "no answer within", "not eligible", "48201", "42.33", " 12:05"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q was not redacted", secret)
		}
	}
}
