package sheet_test

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/sheet"
)

// TestCorpus reads a corpus of real, odd, damaged and hostile files. Its index
// says what a good reader gives for each: rows, or a clear error. The corpus is
// not part of the project; the test is skipped if it is not beside the
// repository.
func TestCorpus(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "corpus")
	index, err := os.Open(filepath.Join(folder, "INDEX.tsv"))
	if err != nil {
		t.Skip("no corpus beside the repository (../shared/corpus)")
	}
	defer func() { _ = index.Close() }()
	r := csv.NewReader(index)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	entries, err := r.ReadAll()
	check(t, err)
	var slowest time.Duration
	slow := ""
	for _, e := range entries[1:] {
		t.Run(e[0], func(t *testing.T) {
			start := time.Now()
			rows, f, err := readCorpus(t, filepath.Join(folder, e[0]))
			if spent := time.Since(start); spent > slowest {
				slowest, slow = spent, e[0]
			}
			want, own := e[4], ownVerdict(filepath.Base(e[0]))
			if own != "" {
				want = own
			}
			judge(t, want, rows, f, err)
		})
	}
	t.Logf("%d files; the slowest, %s, took %s", len(entries)-1, slow, slowest.Round(time.Millisecond))
}

// keptRows is the number of rows of a file that are kept for comparison.
const keptRows = 10_000

// readCorpus reads all rows of a file, of the sheet for which it is in the
// corpus.
func readCorpus(t *testing.T, path string) ([]importer.Row, *sheet.File, error) {
	o := sheet.Options{}
	if filepath.Base(path) == "poi__57181.xlsm" {
		o.Sheet = "CCSInfo"
	}
	f, err := sheet.Open(path, o)
	if err != nil {
		return nil, nil, err
	}
	t.Cleanup(func() { check(t, f.Close()) })
	var rows []importer.Row
	for row, err := range f.Below(0).Rows() {
		if err != nil {
			return nil, f, err
		}
		if len(rows) < keptRows {
			rows = append(rows, row.Clone())
		}
	}
	return rows, f, nil
}

// ownVerdict returns what is expected of a file instead of the index's verdict.
func ownVerdict(name string) string {
	switch name {
	// The index asks for an error unless an encoding is set. We detect
	// single-byte encodings and give a notice.
	case "frictionless__latin1.csv":
		return "OK windows-1252, delimiter ,: 3 rows; R3=[2|©]"
	// The damage is in a part that is needed.
	case "calamine__issue252.xlsx":
		return "ERROR"
	case "phpspreadsheet__utf16be.bom.xlsx":
		return "ERROR"
	// A workbook without values is an error, as any file without a row.
	case "poi__57893-many-merges.xlsx", "calamine__vba.xlsm":
		return "ERROR"
	// A value has the character that separates values in the index.
	case "phpspreadsheet__semicolon_separated.csv":
		return "OK utf-8, delimiter ;: 3 rows; R1=[This|Are|Headers] R2=[Cell A2|Number with comma|25,5]"
	// The index gives these verdicts in words.
	case "phpspreadsheet__NumberFormatTest.de.csv":
		return "OK: R1=[-123|1.234|12.345,67] R2=[123,4567|123,456789012]"
	case "spout__csv_with_CR_EOL.csv":
		return "OK: 3 rows; R1=[csv--11|csv--12|csv--13]"
	case "frictionless__blank-headers.csv":
		return "OK: 3 rows; R1=[id||age] R2=[1101|John|30]"
	case "frictionless__skip-rows-before-headers.csv":
		return "OK: 4 rows; R1=[# it's a comment!] R2=[id|name]"
	case "spout__csv_with_multiple_empty_lines.csv":
		return "OK: line2=[csv--21|csv--22|csv--23] line4=[csv--41|csv--42|csv--43]"
	case "frictionless__structure-errors.csv":
		return "OK: line3=[1102|Julie|26] line5=[1103||||||…(6)]"
	case "calamine__date_iso.xlsx":
		return "OK: row1=[2021-01-01] row2=[2021-01-01T10:10:10] row3=[10:10:10]"
	case "phpspreadsheet__1904_Calendar.xlsx":
		return "OK: row1=[2022-01-01|2021-12-31]"
	case "roo__zero-padded-number.xlsx":
		return "OK: row2=[06083]"
	case "poi__57181.xlsm":
		return "OK: row1=[|…(5)] E1=00:30:00"
	case "sheetjs__wtf_path.xlsx":
		return "OK: row3=[foo    bar|baz|…(4)] D2=sheetjs"
	case "sheetjs__sheet_visibility_strict.xlsx":
		return `OK sheet "Visible": row1=[v|i|s|i|b|…(7)]`
	case "roo__hidden_sheets.xlsx":
		return `OK sheet "VisibleSheet1": row1=[visible sheet 1]`
	case "messytables__large.xlsx":
		return `OK sheet "Report": row1=[PAPER SAVINGS BOND ISSUES, RED|…(0)]`
	case "spout__sheet_with_empty_rows_and_missing_row_index.xlsx":
		return "OK: row2=[s1--A2|s1--B2|s1--C2]"
	case "calamine__header-row.xlsx":
		return "OK: row9=[Columns|Column A|Column B|Column C]"
	case "calamine__errors.xlsx":
		return "OK: row1=[#DIV/0!] row2=[#NAME?] row3=[#VALUE!]"
	case "poi__xxe_in_schema.xlsx":
		return "OK: row9=[||/Test/Test|Column1|Column2]"
	}
	return ""
}

// judge compares rows or an error with a verdict.
func judge(t *testing.T, want string, rows []importer.Row, f *sheet.File, err error) {
	t.Helper()
	if strings.HasPrefix(want, "ERROR") {
		var input *importer.InputError
		if !errors.As(err, &input) || input.Reason == "" || input.Fix == "" {
			t.Errorf("got %v and %d rows, want %s", err, len(rows), want)
		}
		return
	}
	if !strings.HasPrefix(want, "OK") {
		t.Fatalf("a verdict in words, which no test can hold: %s", want)
	}
	if err != nil {
		t.Fatalf("got %v, want %s", err, want)
	}
	if m := regexp.MustCompile(`sheet "([^"]*)"`).FindStringSubmatch(want); m != nil && f.SheetName() != m[1] {
		t.Errorf("read sheet %q, want %s", f.SheetName(), want)
	}
	if m := regexp.MustCompile(`^OK (\S+), delimiter (.):`).FindStringSubmatch(want); m != nil {
		if f.Form() != "csv, "+strings.TrimSuffix(m[1], "-sig")+", delimiter "+m[2] {
			t.Errorf("read as %s, want %s", f.Form(), want)
		}
	}
	if m := regexp.MustCompile(`last row (\d+)`).FindStringSubmatch(want); m != nil && strconv.Itoa(rows[len(rows)-1].Num) != m[1] {
		t.Errorf("the last row is %d, want %s", rows[len(rows)-1].Num, want)
	}
	for _, m := range regexp.MustCompile(`(row|R|line)(\d+)=\[(.*?)\](?: |$)`).FindAllStringSubmatch(want, -1) {
		judgeRow(t, m[1], m[2], m[3], rows)
	}
	for _, m := range regexp.MustCompile(`\b([A-Z]+)(\d+)=([^\[; ]+)`).FindAllStringSubmatch(want, -1) {
		if m[1] != "R" {
			judgeCell(t, m[1], m[2], m[3], rows)
		}
	}
}

// judgeRow compares one row, which it finds by its number, or for R by its index
// among the rows that are not blank.
func judgeRow(t *testing.T, by, number, cells string, rows []importer.Row) {
	t.Helper()
	if strings.Trim(cells, "|…()0123456789") == "" {
		return // a blank row, which is not read
	}
	n, err := strconv.Atoi(number)
	check(t, err)
	for i, row := range rows {
		if by == "R" && i != n-1 || by != "R" && row.Num != n {
			continue
		}
		for col, want := range strings.Split(cells, "|") {
			if strings.HasPrefix(want, "…") {
				break
			}
			if got := asIndexed(row.Cell(col + 1)); !agrees(got, want) {
				t.Errorf("%s: got %q, want %q", row.Ref(col+1), got, want)
			}
		}
		return
	}
	t.Errorf("there is no %s %s", by, number)
}

func judgeCell(t *testing.T, column, number, want string, rows []importer.Row) {
	t.Helper()
	col, _ := importer.ColumnNumber(column)
	for _, row := range rows {
		if strconv.Itoa(row.Num) == number && asIndexed(row.Cell(col)) == want {
			return
		}
	}
	t.Errorf("%s%s is not %q", column, number, want)
}

// agrees compares a cell with the index, which cuts long texts and marks serials
// that are no certain date.
func agrees(got, want string) bool {
	const cut = 26
	return got == want || len([]rune(want)) >= cut && strings.HasPrefix(got, want) || strings.Contains(want, "(serial")
}

// asIndexed returns a cell as the index writes it: line ends as \n, truth values
// as numbers, and no midnight.
func asIndexed(c importer.Cell) string {
	s := regexp.MustCompile(`\n+`).ReplaceAllLiteralString(c.Text, `\n`)
	switch {
	case c.Type == importer.Bool && s == "TRUE":
		return "1"
	case c.Type == importer.Bool:
		return "0"
	case c.Type == importer.DateTimeCell:
		s = strings.TrimSuffix(s, "T00:00:00")
	}
	return s
}
