package sheet_test

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tripimport/importer/sheet"

	"github.com/xuri/excelize/v2"
)

// The benchmarks read 100,000 rows of 25 cells with text, numbers, dates and
// times. They report the rows a second of our reader and of another library in
// the same run, and the ratio of the two:
//
//	go test ./importer/sheet -bench . -benchtime 3x -run '^$'
const (
	benchRows = 100_000
	benchCols = 25
)

// invented returns a cell of a made-up schedule: texts, ids, numbers, dates and
// times.
func invented(row, col int) any {
	switch col % 12 {
	case 0:
		return 70_000 + row
	case 1:
		return fmt.Sprintf("Rider %d of Invented Avenue", row%9_000)
	case 2:
		return fmt.Sprintf("%d Larkmoor Ave, Dearborn & Co", row%3_000)
	case 3:
		return "Wheelchair"
	case 4:
		return 46_000 + row%300
	case 5:
		return float64(row%96) / 96
	case 6:
		return fmt.Sprintf("MI%07d", row)
	case 7:
		return 42.25 + float64(row%10_000)/1e5
	case 8:
		return -83.5 - float64(row%10_000)/1e5
	case 9:
		return "4805550" + fmt.Sprintf("%03d", row%1_000)
	case 10:
		return row%7 == 0
	}
	return "Door to door, ring twice"
}

// writeBenchWorkbook writes the schedule with excelize's StreamWriter. At
// 100,000 rows that is about 96 MB of sheet XML.
func writeBenchWorkbook(tb testing.TB, path string, rows int) {
	tb.Helper()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	day, err := f.NewStyle(&excelize.Style{NumFmt: 14})
	check(tb, err)
	clock, err := f.NewStyle(&excelize.Style{NumFmt: 20})
	check(tb, err)
	w, err := f.NewStreamWriter("Sheet1")
	check(tb, err)
	cells := make([]any, benchCols)
	for row := 1; row <= rows; row++ {
		for i := range cells {
			cells[i] = invented(row, i)
			switch i % 12 {
			case 4:
				cells[i] = excelize.Cell{StyleID: day, Value: cells[i]}
			case 5:
				cells[i] = excelize.Cell{StyleID: clock, Value: cells[i]}
			}
		}
		check(tb, w.SetRow(fmt.Sprintf("A%d", row), cells))
	}
	check(tb, w.Flush())
	check(tb, f.SaveAs(path))
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func BenchmarkXLSX(b *testing.B) {
	path := filepath.Join(b.TempDir(), "schedule.xlsx")
	writeBenchWorkbook(b, path, benchRows)
	var ours, theirs time.Duration
	b.ReportAllocs()
	for b.Loop() {
		ours += readAll(b, path)
		b.StopTimer()
		theirs += readByExcelize(b, path)
		b.StartTimer()
	}
	report(b, "excelize", ours, theirs)
}

// report reports both speeds and their ratio.
func report(b *testing.B, peer string, ours, theirs time.Duration) {
	rows := float64(benchRows) * float64(b.N)
	b.ReportMetric(rows/ours.Seconds(), "rows/s")
	b.ReportMetric(rows/theirs.Seconds(), peer+"-rows/s")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times-"+peer)
}

// readAll opens a file, reads every cell, and gives the time that it took.
func readAll(tb testing.TB, path string) time.Duration {
	tb.Helper()
	start := time.Now()
	f, err := sheet.Open(path, sheet.Options{})
	check(tb, err)
	rows, length := 0, 0
	for row, err := range f.Rows() {
		check(tb, err)
		rows++
		for _, c := range row.Cells {
			length += len(c.Text)
		}
	}
	check(tb, f.Close())
	if rows != benchRows || length == 0 {
		tb.Fatalf("read %d rows", rows)
	}
	return time.Since(start)
}

func readByExcelize(tb testing.TB, path string) time.Duration {
	tb.Helper()
	start := time.Now()
	f, err := excelize.OpenFile(path, excelize.Options{RawCellValue: true})
	check(tb, err)
	rows, err := f.Rows("Sheet1")
	check(tb, err)
	n := 0
	for rows.Next() {
		_, err := rows.Columns()
		check(tb, err)
		n++
	}
	check(tb, rows.Close())
	check(tb, f.Close())
	if n != benchRows {
		tb.Fatalf("excelize read %d rows", n)
	}
	return time.Since(start)
}

func BenchmarkCSV(b *testing.B) {
	path := filepath.Join(b.TempDir(), "schedule.csv")
	writeBenchCSV(b, path)
	var ours, theirs time.Duration
	b.ReportAllocs()
	for b.Loop() {
		ours += readAll(b, path)
		b.StopTimer()
		theirs += readByCSV(b, path)
		b.StartTimer()
	}
	report(b, "encoding/csv", ours, theirs)
}

func writeBenchCSV(tb testing.TB, path string) {
	tb.Helper()
	out, err := os.Create(path)
	check(tb, err)
	w := csv.NewWriter(out)
	record := make([]string, benchCols)
	for row := 1; row <= benchRows; row++ {
		for i := range record {
			record[i] = fmt.Sprint(invented(row, i))
		}
		check(tb, w.Write(record))
	}
	w.Flush()
	check(tb, w.Error())
	check(tb, out.Close())
}

func readByCSV(tb testing.TB, path string) time.Duration {
	tb.Helper()
	start := time.Now()
	in, err := os.Open(path)
	check(tb, err)
	r := csv.NewReader(in)
	n, length := 0, 0
	for {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		check(tb, err)
		n++
		for _, text := range record {
			length += len(text)
		}
	}
	check(tb, in.Close())
	if n != benchRows || length == 0 {
		tb.Fatalf("encoding/csv read %d rows", n)
	}
	return time.Since(start)
}
