package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/check"
	"tripimport/mapping"
)

// roundTripText returns n rows of the layout round-trip-rows as a CSV file.
func roundTripText(n int) []byte {
	var b bytes.Buffer
	b.WriteString("Order #,Passenger First Name,Passenger Last Name,Passenger DOB (mm/dd/yyyy),Passenger Member ID #,Phone Number,PU Address,PU Apt/Suite,DO Name,DO Address,Mode of Transportation,Additional Ambulatory Seats,Additional Wheelchair Seats,Date of service,Appointment time,Pick up time,Will call,Round Trip,Return Trip Time,Notes\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,Ada,Row%d,03/09/1951,%010d,3135550110,\"%d Alder Ct, Dearborn, MI 48124\",Apt 2B,Harbor Clinic,\"2200 Bay St, Detroit, MI 48226\",Wheelchair,1,0,12/02/2026,%02d:30,%02d:45,No,Yes,%02d:15,walker\n",
			70000+i, i, 45120000+i, 100+i%5000, 9+i%6, 8+i%6, 15+i%6)
	}
	return b.Bytes()
}

// rowsOf returns the rows of a CSV file.
func rowsOf(text []byte) []importer.Row {
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		panic(err)
	}

	rows := make([]importer.Row, 0, len(records))
	for i, r := range records {
		row := importer.Row{File: "schedule.csv", Num: i + 1, Width: len(r), Cells: make([]importer.Cell, len(r))}
		for c, text := range r {
			if strings.TrimSpace(text) != "" {
				row.Cells[c] = importer.Cell{Type: importer.Text, Text: text}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// BenchmarkMapAndCheck maps and checks rows as the second pass does, and compares that with
// encoding/csv reading the same rows: round trips of 20 columns, and the single trips of 36
// columns of BenchmarkCheckLong. Run it with -cpu 1 for the rows/s of one core. The trips
// have coordinates.
func BenchmarkMapAndCheck(b *testing.B) {
	const rows = 20_000
	b.Run("round trips", func(b *testing.B) { mapAndCheck(b, "round-trip-rows", roundTripText(rows)) })
	b.Run("36 columns", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "long.csv")
		(&office{TB: b}).write(path, inventedRows(rows, func(int) bool { return false }))
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		mapAndCheck(b, "plain", text)
	})
}

// mapAndCheck maps and checks the rows of a CSV file by a template.
func mapAndCheck(b *testing.B, name string, text []byte) {
	template, err := findTemplate(name)
	if err != nil {
		b.Fatal(err)
	}

	m, err := mapping.Parse(name+".yaml", []byte(template.Text), nil)
	if err != nil {
		b.Fatal(err)
	}

	rows := rowsOf(text)
	bound, err := m.Bind(rows[:10], "schedule.csv")
	if err != nil {
		b.Fatal(err)
	}

	today, _ := importer.NewDate(2026, time.December, 1)
	place := func(m *importer.Mapped) { // where the schedule has no coordinates
		for i := range m.Trips {
			t := &m.Trips[i]
			if !t.Pickup.Position.IsSet() {
				t.Pickup.Position = importer.Position{Latitude: 42.3001, Longitude: -83.24, HasLatitude: true, HasLongitude: true, Source: "places list"}
				t.Dropoff.Position = importer.Position{Latitude: 42.3301, Longitude: -83.04, HasLatitude: true, HasLongitude: true, Source: "places list"}
			}
		}
	}

	b.ReportAllocs()
	faulty, done := 0, 0
	c := check.New(today)
	var mapped importer.Mapped // used again and again, as in both passes of a check
	for _, row := range rows[1:] {
		mapped = bound.Map(row, mapped.Trips)
		c.Note(&mapped)
	}

	var ours, theirs time.Duration
	for b.Loop() {
		begun := time.Now()
		for _, row := range rows[1:] {
			mapped = bound.Map(row, mapped.Trips)
			place(&mapped)
			c.Check(&mapped, bound.Rules())
			if mapped.Faulty() {
				faulty++
			}
			done++
		}
		ours += time.Since(begun)

		b.StopTimer()
		begun = time.Now()
		countRecords(b, bytes.NewReader(text))
		theirs += time.Since(begun)
		b.StartTimer()
	}

	if faulty > 0 {
		b.Fatalf("%d of %d rows are faulty", faulty, done)
	}
	b.ReportMetric(float64(done)/ours.Seconds(), "rows/s")
	b.ReportMetric(float64(done)/theirs.Seconds(), "encoding/csv-rows/s")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times-encoding/csv")
}

// BenchmarkCheckLong checks 100,000 rows as the command does and compares that with
// libraries merely reading the same file: a clean CSV file of 36 columns with
// encoding/csv, and workbooks of 25 columns, clean and with a fault in every 100th row,
// with excelize.
func BenchmarkCheckLong(b *testing.B) {
	const rows = 100_000
	b.Run("clean CSV", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "long.csv")
		(&office{TB: b}).write(path, inventedRows(rows, func(int) bool { return false }))
		checkBeside(b, path, exitDone, readByCSV)
	})
	b.Run("clean XLSX", func(b *testing.B) { checkBeside(b, longSchedule(b, rows, 0), exitDone, readByExcelize) })
	b.Run("XLSX with faults", func(b *testing.B) { checkBeside(b, longSchedule(b, rows, 100), exitFix, readByExcelize) })
}

// BenchmarkCheckGrows checks 10,000 rows and 1,000,000, and compares the time that each
// row takes. It takes minutes.
func BenchmarkCheckGrows(b *testing.B) {
	const few, times = 10_000, 100
	dir := b.TempDir()
	for _, n := range []int{few, few * times} {
		var text bytes.Buffer
		fmt.Fprintln(&text, "Trip ID,Rider ID,Provider,Funding Source,Space Type,Date,Pickup Time,Appointment Time,Will Call,Round Trip,Return Time,"+
			"Pickup Address,Pickup City,Pickup State,Pickup ZIP,Pickup Latitude,Pickup Longitude,Dropoff Address,Dropoff City,Dropoff State,Dropoff ZIP,Dropoff Latitude,Dropoff Longitude")
		for i := range n {
			fmt.Fprintf(&text, "N-%d,R-%d,Lakeshore Transit,County Medicaid Plan,AMB,2026-12-02,08:%02d,10:%02d,No,Yes,15:30,"+
				"%d Larkmoor Ave,Milwaukee,WI,53212,43.0601,-87.9101,2200 Foundrygate St,Milwaukee,WI,53204,43.0231,-87.9266\n", i, i, i%60, i%60, 1+i%9000)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(n, ".csv")), text.Bytes(), 0o600); err != nil {
			b.Fatal(err)
		}
	}

	var small, large time.Duration
	for b.Loop() {
		small += checkFile(b, filepath.Join(dir, fmt.Sprint(few, ".csv")), exitDone)
		large += checkFile(b, filepath.Join(dir, fmt.Sprint(few*times, ".csv")), exitDone)
	}
	b.ReportMetric(large.Seconds()/float64(b.N), "s/large-check")
	b.ReportMetric(large.Seconds()/small.Seconds()/times, "times-as-long-a-row")
}

// checkFile checks a file and returns how long that took.
func checkFile(b *testing.B, path string, want int) time.Duration {
	b.Helper()
	begun := time.Now()
	dir := b.TempDir()
	status := execute([]string{"check", "--today", "2026-12-01", "-m", "plain", path},
		environment{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Environment: app.Environment{Approved: true, Lookup: func(name string) (string, bool) {
			return dir, name == "TRIPIMPORT_HOME"
		}}})
	if status != want {
		b.Fatalf("status %d", status)
	}
	return time.Since(begun)
}

// checkBeside checks a file and reads it with a peer, in turn, both with the memory
// settings of the program.
func checkBeside(b *testing.B, path string, want int, read func(b *testing.B, path string) int) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	limitMemory()
	var ours, theirs time.Duration
	for b.Loop() {
		begun := time.Now()
		rows := read(b, path)
		theirs += time.Since(begun)
		ours += checkFile(b, path, want)
		if rows != 100_001 {
			b.Fatalf("the peer read %d rows", rows)
		}
	}
	b.ReportMetric(ours.Seconds()/float64(b.N), "s/check")
	b.ReportMetric(theirs.Seconds()/float64(b.N), "s/peer-read")
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), "ratio")
}

// readByCSV reads a file with encoding/csv and returns how many records it has.
func readByCSV(b *testing.B, path string) int {
	b.Helper()
	text, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = text.Close() }()
	return countRecords(b, text)
}

// countRecords reads a CSV file with encoding/csv.
func countRecords(b *testing.B, text io.Reader) int {
	b.Helper()
	r := csv.NewReader(text)
	for n := 0; ; n++ {
		if _, err := r.Read(); err == io.EOF {
			return n
		} else if err != nil {
			b.Fatal(err)
		}
	}
}

// readByExcelize reads a workbook with excelize and returns how many rows it has.
func readByExcelize(b *testing.B, path string) int {
	b.Helper()
	f, err := excelize.OpenFile(path, excelize.Options{RawCellValue: true})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	rows, err := f.Rows("Trips")
	if err != nil {
		b.Fatal(err)
	}

	n := 0
	for rows.Next() {
		if _, err := rows.Columns(); err != nil {
			b.Fatal(err)
		}
		n++
	}
	return n
}

// longSchedule writes a workbook in the plain layout, 25 columns wide. Each row with a
// number that faultyEvery divides has no rider; 0 for none.
func longSchedule(b *testing.B, rows, faultyEvery int) string {
	b.Helper()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}

	must(f.SetSheetName("Sheet1", "Trips"))
	day, clock := "m/d/yyyy", "h:mm AM/PM"
	dayStyle, err := f.NewStyle(&excelize.Style{CustomNumFmt: &day})
	must(err)
	clockStyle, err := f.NewStyle(&excelize.Style{CustomNumFmt: &clock})
	must(err)
	s, err := f.NewStreamWriter("Trips")
	must(err)
	var head []any
	for _, name := range []string{
		"Trip ID", "Rider ID", "Provider", "Funding Source", "Space Type", "Pickup Address", "Pickup City", "Pickup State", "Pickup ZIP",
		"Pickup Latitude", "Pickup Longitude", "Dropoff Name", "Dropoff Address", "Dropoff City", "Dropoff State", "Dropoff ZIP",
		"Dropoff Latitude", "Dropoff Longitude", "Date", "Pickup Time", "Appointment Time", "Will Call", "Round Trip", "Return Time", "Pickup Notes",
	} {
		head = append(head, name)
	}

	must(s.SetRow("A1", head))
	for i := range rows {
		at := float64(8*60+i%300) / (24 * 60)
		rider := fmt.Sprintf("R-%06d", i)
		if faultyEvery > 0 && (i+1)%faultyEvery == 0 {
			rider = ""
		}
		must(s.SetRow(fmt.Sprintf("A%d", i+2), []any{
			fmt.Sprintf("L-%06d", i), rider, "Lakeshore Transit", "County Medicaid Plan", "AMB",
			fmt.Sprintf("%d Alder Ct", 1+i%9000), "Dearborn", "MI", "48124", 42.30 + float64(i%100)/1e4, -83.24, "Harbor Clinic",
			fmt.Sprintf("%d Bay St", 1+i%700), "Detroit", "MI", "48226", 42.3301, -83.04 - float64(i%100)/1e4,
			excelize.Cell{StyleID: dayStyle, Value: 46358},
			excelize.Cell{StyleID: clockStyle, Value: at},
			excelize.Cell{StyleID: clockStyle, Value: at + 0.04},
			"No", "No", nil, fmt.Sprintf("note %d", i),
		}))
	}

	must(s.Flush())
	path := filepath.Join(b.TempDir(), "long.xlsx")
	must(f.SaveAs(path))
	return path
}
