package xlsx_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/sheet/xlsx"

	"github.com/xuri/excelize/v2"
)

// TestOracle checks that every cell of workbooks that excelize wrote agrees with
// the raw value that excelize reads, in both date systems.
func TestOracle(t *testing.T) {
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 7))
		file := randomWorkbook(t, r, seed%2 == 0)
		if n := compare(t, fmt.Sprintf("seed %d", seed), file); n == 0 {
			t.Errorf("seed %d: no cell was compared", seed)
		}
	}
}

// randomWorkbook writes a workbook of cells of every kind.
func randomWorkbook(tb testing.TB, r *rand.Rand, date1904 bool) []byte {
	tb.Helper()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	check(tb, f.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &date1904}))
	var styles []int
	for _, code := range []string{"m/d/yyyy", "h:mm AM/PM", "yyyy-mm-dd\\Thh:mm:ss", "[h]:mm", "00000", "0.00", "#,##0", "General"} {
		id, err := f.NewStyle(&excelize.Style{CustomNumFmt: &code})
		check(tb, err)
		styles = append(styles, id)
	}
	for row := 1; row <= 30; row++ {
		for col := 1; col <= 12; col++ {
			at, err := excelize.CoordinatesToCellName(col+r.IntN(3)*20, row*(1+r.IntN(2)))
			check(tb, err)
			check(tb, f.SetCellValue("Sheet1", at, randomValue(r)))
			if r.IntN(2) == 0 {
				check(tb, f.SetCellStyle("Sheet1", at, at, styles[r.IntN(len(styles))]))
			}
		}
	}
	var b bytes.Buffer
	check(tb, f.Write(&b))
	return b.Bytes()
}

func randomValue(r *rand.Rand) any {
	switch r.IntN(10) {
	case 0:
		return r.IntN(1_000_000)
	case 1:
		return r.Float64() * 100_000
	case 2:
		return r.NormFloat64() * 1e20
	case 3:
		return r.IntN(2) == 0
	case 4:
		return time.Date(1950+r.IntN(100), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), 0, time.UTC)
	case 5:
		return float64(r.IntN(86_400)) / 86_400
	case 6:
		return ""
	case 7:
		return "a < b & \"c\" \u00e9 \u6f22 _x0041_ \n x"
	case 8:
		return strings.Repeat("long ", r.IntN(300))
	}
	return fmt.Sprintf("%05d", r.IntN(100_000))
}

// compare reads all sheets with both readers and gives the number of cells that
// it compared.
func compare(t *testing.T, name string, file []byte) int {
	t.Helper()
	theirs, err := excelize.OpenReader(bytes.NewReader(file), excelize.Options{RawCellValue: true})
	check(t, err)
	defer func() { _ = theirs.Close() }()
	props, err := theirs.GetWorkbookProps()
	check(t, err)
	date1904 := props.Date1904 != nil && *props.Date1904
	ours, err := xlsx.Open(bytes.NewReader(file), int64(len(file)), name)
	check(t, err)
	n := 0
	for _, s := range ours.Sheets() {
		want, err := theirs.GetRows(s.Name)
		check(t, err)
		seen := 0
		for row, err := range ours.Rows(s, &xlsx.Notes{}) {
			check(t, err)
			for ; seen < row.Num-1; seen++ {
				checkBlankRow(t, name, s.Name, want, seen)
			}
			seen++
			var raw []string
			if row.Num <= len(want) {
				raw = want[row.Num-1]
			}
			for col := 1; col <= max(len(raw), len(row.Cells)); col++ {
				at := s.Name + "!" + row.Ref(col).A1()
				text := ""
				if col <= len(raw) {
					text = raw[col-1]
				}
				n++
				if !agree(row.Cell(col), text, date1904) {
					t.Errorf("%s %s: %s %q (format %q), excelize has %q", name, at, row.Cell(col).Type, row.Cell(col).Text, row.Cell(col).Format, text)
				}
			}
		}
		for ; seen < len(want); seen++ {
			checkBlankRow(t, name, s.Name, want, seen)
		}
	}
	return n
}

// checkBlankRow checks that a row which our reader left out is blank.
func checkBlankRow(t *testing.T, name, sheet string, want [][]string, i int) {
	t.Helper()
	if i >= len(want) {
		return
	}
	for col, text := range want[i] {
		at := fmt.Sprintf("%s!%s%d", sheet, importer.ColumnName(col+1), i+1)
		if strings.TrimSpace(text) != "" {
			t.Errorf("%s %s: not read, excelize has %q", name, at, text)
		}
	}
}

// agree reports whether a cell has the same value as excelize's raw one.
func agree(c importer.Cell, raw string, date1904 bool) bool {
	switch c.Type {
	case importer.Empty:
		return strings.TrimSpace(raw) == ""
	case importer.Bool:
		return c.Text == "TRUE" && (raw == "1" || raw == "TRUE") || c.Text == "FALSE" && (raw == "0" || raw == "FALSE")
	case importer.ErrorCell:
		return c.Text == raw || c.Text == importer.NotCalculated && raw == ""
	case importer.Text:
		return c.Text == strings.ReplaceAll(raw, "\r\n", "\n")
	case importer.Number:
		return sameNumber(c, raw)
	}
	v, err := strconv.ParseFloat(raw, 64)
	if err != nil {
		return c.Text == raw // an ISO date, as it stands in the file
	}
	return sameTime(c, v, date1904)
}

// sameNumber compares numbers without leading zeros and the literal text of
// their format.
func sameNumber(c importer.Cell, raw string) bool {
	a, err1 := strconv.ParseFloat(c.Text, 64)
	b, err2 := strconv.ParseFloat(raw, 64)
	if err1 != nil && strings.Contains(c.Format, "0") {
		digits := func(s string) string {
			return strings.TrimLeft(strings.Map(func(r rune) rune {
				if r < '0' || r > '9' {
					return -1
				}
				return r
			}, s), "0")
		}
		return digits(c.Text) == digits(raw)
	}
	return err1 == nil && err2 == nil && a == b
}

// sameTime compares a date or time with a serial as excelize converts it, which
// drops fractions of a second.
func sameTime(c importer.Cell, serial float64, date1904 bool) bool {
	const precision = 501 * time.Millisecond
	if c.Type == importer.Duration {
		var h, m int
		var s float64
		_, err := fmt.Sscanf(c.Text, "%d:%d:%g", &h, &m, &s)
		return err == nil && math.Abs(serial*86_400-float64(h)*3_600-float64(m)*60-s) <= precision.Seconds()
	}
	want, err := excelize.ExcelDateToTime(serial, date1904)
	if err != nil {
		return false
	}
	layout := "2006-01-02T15:04:05"
	switch c.Type {
	case importer.DateCell:
		layout = time.DateOnly
	case importer.TimeCell:
		layout = time.TimeOnly
		want = time.Date(0, 1, 1, want.Hour(), want.Minute(), want.Second(), want.Nanosecond(), time.UTC)
	}
	got, err := time.Parse(layout, c.Text)
	return err == nil && got.Sub(want).Abs() <= precision
}

// TestOracleCorpus does the same for a corpus of real workbooks, which is not
// part of the project. It is skipped if the corpus is not beside the repository.
func TestOracleCorpus(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "..", "shared", "corpus", "xlsx")
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	check(t, err)
	if len(files) == 0 {
		t.Skip("no corpus beside the repository (../shared/corpus)")
	}
	compared, cells := 0, 0
	for _, path := range files {
		name := filepath.Base(path)
		switch {
		case strings.HasPrefix(name, "derived__"):
			continue // damaged and hostile: excelize reads those wrong, or for very long
		case name == "sheetjs__wtf_path.xlsx":
			continue // excelize does not find its string table and leaves 18 cells empty
		}
		file, err := os.ReadFile(path)
		check(t, err)
		if _, _, err := readSheet(file, 0); err != nil {
			continue
		}
		f, err := excelize.OpenReader(bytes.NewReader(file))
		if err != nil {
			continue
		}
		check(t, f.Close())
		compared++
		cells += compare(t, name, file)
	}
	t.Logf("%d cells of %d files compared", cells, compared)
}
