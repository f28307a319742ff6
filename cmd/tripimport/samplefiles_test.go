package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

// copied makes a sample by copying a file of testdata.
func copied(name string) func(*testing.T, string) string {
	return func(t *testing.T, dir string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		copyFile(t, filepath.Join("..", "..", "testdata", "samples", name), path)
		return path
	}
}

// typedRoundTrips makes the sample of round trips as a workbook with typed dates and
// times.
func typedRoundTrips(t *testing.T, dir string) string {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "testdata", "samples", "round-trip-rows.csv"))
	if err != nil {
		t.Fatal(err)
	}

	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}

	for _, r := range records[1:] {
		day, err := time.Parse("01/02/2006", r[13])
		if err != nil {
			t.Fatal(err)
		}
		r[13] = "d:" + day.Format(time.DateOnly)
		for _, c := range []int{14, 15, 18} {
			if r[c] != "" {
				r[c] = "t:" + r[c]
			}
		}
	}
	return workbook(t, filepath.Join(dir, "round-trip-rows.xlsx"), "Trips", records, false)
}

// serialRows makes a sample with repeated headers and without rider ids. Its dates are
// serial numbers, its times fractions, its ZIP codes numbers, and it has an error cell.
func serialRows(from1904 bool) func(*testing.T, string) string {
	const table = `Logisticare Code|Trip IDs|Date of trip|LOS|Name|Days of Week|Type of address|Address 1|Address 2|City|State|Zip code|Phone number|Time of pickup|Drop off address type|Drop off address 1|DO address 2|City|State|DO Zip code|Phone|Appointment time|DOB|Age|Sex|Phone|Comments|Comments|Comments
TX09|1-61704-A|d:2026-12-09|W|HOLLOWAY, MARGUERITE|W|Residence|640 Bluestem Trl||Austin|TX|z:78748|5125550191|t:06:45|Willow Branch Family Integral|2210 E Pecan Grove|Bldg. C|Austin|TX|78702-3310|5125550192|t:08:00|d:1950-06-17|76|F|5125550191|PCA : 1|AEsc : 0 CEsc : 0|
TX09|1-61704-B|d:2026-12-09|W|HOLLOWAY, MARGUERITE|W|Willow Branch Family Integral|2210 E Pecan Grove|Bldg. C|Austin|TX|78702-3310|5125550192|t:10:15|Hill Lab & Imaging|915 Hill Spur 620 S|Ste 4|Lakeway|TX|z:78734|5125550193|t:11:00|d:1950-06-17|76|F|5125550191|PCA : 1||
TX09|1-61704-C|d:2026-12-09|W|HOLLOWAY, MARGUERITE|W|Hill Lab & Imaging|915 Hill Spur 620 S|Ste 4|Lakeway|TX|z:78734|5125550193|t:00:00|Residence|640 Bluestem Trl||Austin|TX|z:78748|5125550191|t:00:00|d:1950-06-17|76|F|5125550191|PCA : 1|Call when ready|
TX09|01-61855-A|12/11/2026|W/C|D'AMBROSIO, FELIX|F|Residence|17 Egret Sq , Apt . 208|//|Round Rock|TX|z:78664|512-555-0194|06:45|Cypress Row Wellness ( Austin-|1402 W Cypress Row||Austin|TX|78748-1180|5125550195|8:00 AM|03/28/1961|65|M|512-555-0194|*|No Gc|
TX09|1-61902-A|TBD|ZZ|OKAFOR-LINDE, PETRA|F|Residence|P.O. Box 41||Austin|TX|787|5125550196|e:|Capital Foot Clinic|58 Capitol Pl||Austin|TX|z:78701||t:09:30|d:1970-02-13|56|F||||`

	var records [][]string
	for line := range strings.SplitSeq(table, "\n") {
		records = append(records, strings.Split(line, "|"))
	}

	return func(t *testing.T, dir string) string {
		t.Helper()
		return workbook(t, filepath.Join(dir, "serials-repeated-headers.xlsx"), "Trip List", records, from1904)
	}
}

// workbook writes a workbook with one sheet. A cell that begins with d:, t: or z: is a
// number in the format of a date, a time or a ZIP code; e: makes an error.
func workbook(t *testing.T, path, sheet string, records [][]string, from1904 bool) string {
	t.Helper()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	must(f.SetSheetName("Sheet1", sheet))
	must(f.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &from1904}))
	style := func(format string) int {
		id, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
		must(err)
		return id
	}

	styles := map[string]int{"d:": style("m/d/yyyy"), "t:": style("h:mm AM/PM"), "z:": style("00000")}
	for r, record := range records {
		for c, text := range record {
			cell, err := excelize.CoordinatesToCellName(c+1, r+1)
			must(err)
			kind := text[:min(2, len(text))]
			switch kind {
			case "d:", "t:", "z:":
				must(f.SetCellValue(sheet, cell, serial(t, kind, text[2:], from1904)))
				must(f.SetCellStyle(sheet, cell, cell, styles[kind]))
			case "e:":
				must(f.SetCellFormula(sheet, cell, "NA()"))
			default:
				must(f.SetCellStr(sheet, cell, text))
			}
		}
	}
	must(f.SaveAs(path))
	return path
}

// serial returns the number of a date, a time or a ZIP code.
func serial(t *testing.T, kind, text string, from1904 bool) float64 {
	t.Helper()
	epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if from1904 {
		epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}

	switch kind {
	case "d:":
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return day.Sub(epoch).Hours() / 24
	case "t:":
		at, err := time.Parse("15:04", text)
		if err != nil {
			t.Fatal(err)
		}
		return float64(at.Hour()*60+at.Minute()) / (24 * 60)
	}

	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
