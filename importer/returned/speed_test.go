package returned_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
	"tripimport/importer/sheet"
)

// The size of a very large night: far more than a broker sends.
const (
	longRows    = 100_000
	longColumns = 25
)

// longSchedule writes a workbook of 100,000 x 25 typed cells.
func longSchedule(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), resultstest.File)
	f := excelize.NewFile()
	sw, err := f.NewStreamWriter("Sheet1")
	if err != nil {
		b.Fatal(err)
	}
	head := make([]any, longColumns)
	for i := range head {
		head[i] = "Column " + strconv.Itoa(i+1)
	}
	if err := sw.SetRow("A1", head); err != nil {
		b.Fatal(err)
	}
	row := make([]any, longColumns)
	for n := 2; n <= longRows+1; n++ {
		for i := range row {
			switch i % 5 {
			case 0:
				row[i] = fmt.Sprintf("text %d of row %d", i, n)
			case 1:
				row[i] = 42.33 + float64(n*i%9973)/1e4
			default:
				row[i] = []string{"Ambulatory", "Elm Street", "Lansing", "48201"}[(n+i)%4]
			}
		}
		if err := sw.SetRow("A"+strconv.Itoa(n), row); err != nil {
			b.Fatal(err)
		}
	}
	if err := sw.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.SaveAs(path); err != nil {
		b.Fatal(err)
	}
	return path
}

// readWithExcelize is the peer: merely reading the file.
func readWithExcelize(b *testing.B, path string) {
	f, err := excelize.OpenFile(path, excelize.Options{RawCellValue: true})
	if err != nil {
		b.Fatal(err)
	}
	rows, err := f.Rows("Sheet1")
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for rows.Next() {
		cells, err := rows.Columns()
		if err != nil {
			b.Fatal(err)
		}
		n += len(cells)
	}
	if n != (longRows+1)*longColumns {
		b.Fatalf("%d cells", n)
	}
	if err := rows.Close(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}

// readAndWrite reads the file and writes its results, one row in fifty at
// fault.
func readAndWrite(b *testing.B, path string) {
	file, err := sheet.Open(path, sheet.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	o := resultstest.Options(b, results.XLSX)
	in := results.Input{InputInfo: importer.InputInfo{Name: resultstest.File}, Sheet: "Sheet1"}
	for i := range longColumns {
		in.Columns = append(in.Columns, importer.Column{Num: i + 1, Header: "Column " + strconv.Itoa(i+1)})
	}
	o.Input = in
	w := results.New(o)
	defer w.Close()
	h := resultstest.RunStart()
	h.Check = true
	if err := w.Start(h); err != nil {
		b.Fatal(err)
	}
	var e importer.RunResult
	for row, err := range file.Rows() {
		if err != nil {
			b.Fatal(err)
		}
		if row.Num == 1 {
			continue
		}
		r := importer.RowResult{Row: row, State: importer.Ready, Trips: []importer.TripResult{{
			Trip:    importer.Trip{ID: row.Cell(1).Text, Row: row.Ref(0), Origin: resultstest.Origin{}},
			Outcome: importer.Outcome{State: importer.Ready},
		}}}
		if row.Num%50 == 0 {
			r = resultstest.WithFault(r, "space-type-unknown", importer.FieldSpaceType, "not in the mapping's table", "add it")
		}
		e.Totals.Add(&r)
		e.Totals.RowsRead++
		e.Totals.TripsRead++
		if err := w.Row(r); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.End(e); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(w.Summary().Files[0])
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/1e6, "MB-written")
}

// BenchmarkLongResults compares reading 100,000 x 25 cells and writing their results with
// the time that excelize takes only to read them.
func BenchmarkLongResults(b *testing.B) {
	path := longSchedule(b)
	var ours, peer time.Duration
	for b.Loop() {
		start := time.Now()
		readAndWrite(b, path)
		ours += time.Since(start)
		start = time.Now()
		readWithExcelize(b, path)
		peer += time.Since(start)
	}
	b.ReportMetric(ours.Seconds()/float64(b.N), "s/read+write")
	b.ReportMetric(peer.Seconds()/float64(b.N), "s/excelize-read")
	b.ReportMetric(ours.Seconds()/peer.Seconds(), "ratio")
	b.ReportMetric(longRows*float64(b.N)/ours.Seconds(), "rows/s")
}

// BenchmarkLongMemory reports the peak memory of reading 100,000 x 25 cells and writing
// their results, on Linux.
func BenchmarkLongMemory(b *testing.B) {
	path := longSchedule(b)
	debug.FreeOSMemory()
	// Forget the peak so far, which is that of making the schedule.
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Skipf("the system does not tell peak memory: %v", err)
	}
	for b.Loop() {
		readAndWrite(b, path)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kB, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(kB)/1e3, "MB-peak")
}
