package results

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
)

func TestSerials(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	sheet := &stream{w: &workbook{file: f}}
	var err error
	if sheet.StreamWriter, err = f.NewStreamWriter("Sheet1"); err != nil {
		t.Fatal(err)
	}
	dates := []struct{ text, want string }{
		{"1900-01-01", "1"}, {"1900-02-28", "59"}, {"1900-03-01", "61"}, {"2026-12-02", "46358"}, {"2026-12-02T08:30:00", "46358.354166666664"},
	}
	for _, date := range dates {
		value, _ := cellValue(importer.Cell{Type: importer.DateTimeCell, Text: date.text})
		sheet.put(cell{Value: value})
	}
	if err := errors.Join(sheet.w.err, sheet.Flush()); err != nil {
		t.Fatal(err)
	}
	for i, date := range dates {
		if got, err := f.GetCellValue("Sheet1", fmt.Sprint("A", i+1), excelize.Options{RawCellValue: true}); err != nil || got != date.want {
			t.Errorf("%s: %s, want %s (%v)", date.text, got, date.want, err)
		}
	}
	for text, want := range map[string]time.Duration{
		"26:15:00": 26*time.Hour + 15*time.Minute, "08:30": 8*time.Hour + 30*time.Minute, "-01:00:00": -time.Hour, "00:00:01.5": 1500 * time.Millisecond,
	} {
		if got, ok := timeOf(text); !ok || got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"TBD", "8", "1:2:3:4", "x:y", "1:-2", ":", "1:"} {
		if _, ok := timeOf(text); ok {
			t.Errorf("%s was taken for a time", text)
		}
	}
	for _, text := range []string{"TBD", "1899-12-31", "12/2/2026"} {
		if v, _ := cellValue(importer.Cell{Type: importer.DateCell, Text: text}); v != nil {
			t.Errorf("the unreadable date %s became %v", text, v)
		}
	}
}
