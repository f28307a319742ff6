package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

// BenchmarkRehearsal measures the README's first command as a new user runs it: a
// rehearsal of 200 rows, from the start of the process to the results, with a ledger of
// rehearsals that is made for it. It compares that with excelize writing the cells of the
// same results alone. The two take turns, so that other load of the machine affects both.
func BenchmarkRehearsal(b *testing.B) {
	schedule, err := os.ReadFile(filepath.Join("..", "..", "testdata", "schedule.xlsx"))
	if err != nil {
		b.Fatal(err)
	}

	var ours, alone, ratios []float64
	for b.Loop() {
		folder := b.TempDir()
		o := &office{TB: b, folder: folder, env: map[string]string{"TRIPIMPORT_HOME": filepath.Join(folder, "home"), "TZ": "America/Chicago"}}
		o.schedule = filepath.Join(folder, "schedule.xlsx")
		o.must(os.WriteFile(o.schedule, schedule, 0o600))
		results := filepath.Join(folder, "results.xlsx")

		began := time.Now()
		if text, err := o.process("import", "--sandbox", "-o", results, o.schedule).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, text)
		}
		ours = append(ours, time.Since(began).Seconds())

		book := readCells(b, results)
		began = time.Now()
		book.write(b, filepath.Join(folder, "alone.xlsx"))
		alone = append(alone, time.Since(began).Seconds())
		ratios = append(ratios, ours[len(ours)-1]/alone[len(alone)-1])
	}

	b.ReportMetric(1000*median(ours), "ms/rehearsal")
	b.ReportMetric(1000*median(alone), "ms/excelize")
	b.ReportMetric(median(ratios), "times-excelize")
}

// A cellBook is the cells of a workbook, by its sheets.
type cellBook map[string][][]string

// readCells reads a workbook with excelize.
func readCells(b *testing.B, path string) cellBook {
	b.Helper()
	f, err := excelize.OpenFile(path)
	if err != nil {
		b.Fatal(err)
	}

	book := cellBook{}
	for _, name := range f.GetSheetList() {
		rows, err := f.GetRows(name)
		if err != nil {
			b.Fatal(err)
		}
		book[name] = rows
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return book
}

// write writes the cells as a new workbook.
func (book cellBook) write(b *testing.B, path string) {
	b.Helper()
	f := excelize.NewFile()
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	for name, rows := range book {
		_, err := f.NewSheet(name)
		must(err)
		out, err := f.NewStreamWriter(name)
		must(err)
		for i, row := range rows {
			cells := make([]any, len(row))
			for j, text := range row {
				cells[j] = text
			}
			must(out.SetRow("A"+strconv.Itoa(i+1), cells))
		}
		must(out.Flush())
	}
	must(f.SaveAs(path))
	must(f.Close())
}
