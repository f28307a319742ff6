package returned

import (
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
)

// What a sheet can't hold comes back from the key of its row, unless it is too long for a key.
func TestHostileCells(t *testing.T) {
	hostile := []string{
		"=cmd|' /C calc'!A0", "+1", "@x", "\tx", "\rx", "-2+3", "-83.0458", "'quoted", strings.Repeat("long ", 700) + "\x01",
		"bell\a and \x01\x02 control", "right\u202eleft", "_x000D_", "_x005F_x0041_x0042_", "line\nbreak", "\"5' & up\" ", "]]>", "<script>alert(1)</script>", "é漢字🚐", "  spaces  ",
	}
	for _, format := range results.Formats() {
		t.Run(string(format), func(t *testing.T) {
			var rows []importer.RowResult
			for i, h := range hostile {
				r := resultstest.Result(i+2, importer.Booked)
				r.Row.Cells[2] = resultstest.Text(h)
				rows = append(rows, r)
			}
			name, _ := resultstest.Write(t, resultstest.Options(t, format), resultstest.RunStart(), rows)
			got := sourceRows(t, open(t, name).Source())
			for i := range rows {
				if format == results.CSV { // its line breaks are all alike
					rows[i].Row.Cells[2].Text = strings.ReplaceAll(hostile[i], "\r", "\n")
				}
				sameCells(t, got[i], rows[i].Row)
			}
			if format == results.CSV {
				return
			}
			f := resultstest.OpenWorkbook(t, name)
			for i := range rows {
				if formula, err := f.GetCellFormula(sheetName, at(i+2, 3)); err != nil || formula != "" {
					t.Errorf("%q became the formula %q (%v)", hostile[i], formula, err)
				}
			}
		})
	}
}

// Whatever text a cell has, or one to the right of the columns, comes back from either
// format. A CSV file's line breaks are all alike, and it has no NUL.
func TestAnyText(t *testing.T) {
	letters := rapid.SliceOfN(rapid.SampledFrom([]string{
		"a", "F", "0", " ", "_", "_x", "_x1_", "_x005F_", "_x0041_", "x0041_", "_x000D_", "<", ">", "&", "&amp;", "]]>", "\"", "'", "''", "=", "+", "-", "@",
		",", ";", "|", `\`, "\t", "\n", "\r", "é", "漢", "🚐", "\u202e", "\u00a0", "0\x000", "\x01", "\x1a", "\x7f", "\ufeff", "\ufffd",
	}), 1, 12)
	lineBreak := regexp.MustCompile("\r+\n")
	csvText := strings.NewReplacer("\r", "\n", "\x00", " ")
	for _, format := range results.Formats() {
		t.Run(string(format), func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				var rows []importer.RowResult
				text := func() importer.Cell {
					s := strings.Join(letters.Draw(r, "text"), "")
					if strings.TrimSpace(s) == "" {
						return importer.Cell{} // as schedules are read
					}
					return resultstest.Text(lineBreak.ReplaceAllString(s, "\n"))
				}
				for i := range 30 {
					row := resultstest.Result(i+2, importer.Booked)
					row.Row.Cells[2] = text()
					row.Row.Cells = append(row.Row.Cells, text(), text(), resultstest.Text("end"))
					rows = append(rows, row)
				}
				name, _ := resultstest.Write(t, resultstest.Options(t, format), resultstest.RunStart(), rows)
				back := open(t, name)
				for i, row := range sourceRows(t, back.Source()) {
					for _, col := range []int{3, 21, 22, 23} {
						want := rows[i].Row.Cell(col)
						if format == results.CSV {
							want.Text = csvText.Replace(want.Text)
						}
						if got := row.Cell(col); got != want {
							r.Fatalf("column %d: %s %q came back as %s %q", col, want.Type, want.Text, got.Type, got.Text)
						}
					}
				}
				if len(back.Edits) != 0 {
					r.Fatalf("texts that nobody touched were taken for edits: %v", back.Edits)
				}
			})
		})
	}
}

// A number keeps all its digits: a spreadsheet cuts none off.
func TestLongNumbers(t *testing.T) {
	var rows []importer.RowResult
	for i, text := range []string{"-83.04575891234568", "0.3333333333333333", "41002000000000020", "1.2345678901234568e-10", "-0.5"} {
		r := resultstest.Result(i+2, importer.Booked)
		r.Row.Cells[10] = importer.Cell{Type: importer.Number, Text: text}
		rows = append(rows, r)
	}
	name, _ := resultstest.Write(t, resultstest.Options(t, results.XLSX), resultstest.RunStart(), rows)
	back := open(t, name)
	for i, row := range sourceRows(t, back.Source()) {
		sameCells(t, row, rows[i].Row)
	}
	if len(back.Edits) != 0 {
		t.Errorf("numbers that nobody touched were taken for edits: %v", back.Edits)
	}
}

// A record with too many fields is fixed by moving its cells.
func TestRaggedRow(t *testing.T) {
	o := resultstest.Options(t, results.XLSX)
	o.Input.Sheet = ""
	r := resultstest.Result(2, importer.Fix)
	r.Row.Sheet = ""
	r.Row.Width = 22
	r.Row.Cells = append(r.Row.Cells, resultstest.Text(`one | two\`), resultstest.Text("two"))
	r.Trips = nil
	good := resultstest.Result(3, importer.Booked)
	good.Row.Sheet, good.Row.Width = "", 20
	name, _ := resultstest.Write(t, o, resultstest.RunStart(), []importer.RowResult{r, good})
	got := sourceRows(t, open(t, name).Source())
	sameCells(t, got[0], r.Row)
	f, err := excelize.OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	set(t, f, sheetName, at(2, 21), "")
	set(t, f, sheetName, at(2, 20), "two")
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	back := open(t, name)
	want := resultstest.Result(2, importer.Booked).Row
	want.Sheet, want.Width = "", 20
	want.Cells[19] = resultstest.Text("two")
	sameCells(t, sourceRows(t, back.Source())[0], want)
	if len(back.Edits) != 0 {
		t.Errorf("a ragged row's cells are not free to move: %v", back.Edits)
	}
}

// LibreOffice saves the workbook its own way.
func TestLibreOfficeSaves(t *testing.T) {
	soffice, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice is not installed: soffice is not in the path")
	}
	rows := resultstest.Night(40)
	for i, text := range []string{
		"=1+1", "'=1+1", "''Twas", "'", "''", "+13135550100", "-2+3", "-83.5", "'-83.5", "@x", "  two  ", "a\nb", "a\rb", "\tx", "00123", "1e5",
		"12/2/2026", "TRUE", "\"q\"", "a\x01b", "_x000D_", "_x1_", "é漢🚐", "\u202ex", `a|b\`, "\u00a0x", "#N/A",
	} {
		rows[i].Row.Cells[2] = resultstest.Text(text)
		rows[i].Row.Cells = append(rows[i].Row.Cells, resultstest.Text(text), resultstest.Text("end"))
	}
	rows[21].Problems[0].Message = `"booked by hand" is not a space type` // in our note
	name, _ := resultstest.Write(t, resultstest.Options(t, results.XLSX), resultstest.RunStart(), rows)
	f, err := excelize.OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	comment(t, f, "B35", "Dana:\nleave it")
	set(t, f, sheetName, at(3, 6), "Wheelchair")
	set(t, f, sheetName, at(15, 15), "04821")
	set(t, f, sheetName, "I5", "not there")
	if err := errors.Join(f.Save(), f.Close()); err != nil {
		t.Fatal(err)
	}
	rows[1].Row.Cells[5], rows[13].Row.Cells[14] = resultstest.Text("Wheelchair"), resultstest.Text("04821")
	dir := t.TempDir()
	cmd := exec.Command(soffice, "-env:UserInstallation=file://"+filepath.ToSlash(dir)+"/profile", "--headless",
		"--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", dir, name)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r := open(t, filepath.Join(dir, filepath.Base(name)))
	if len(r.Edits) != 0 || len(r.Deleted()) != 0 {
		t.Errorf("saving alone made edits %v, lost %v", r.Edits, r.Deleted())
	}
	if a := r.Answers; len(a) != 2 || a[0].Row != 5 || a[0].Verdict != importer.NotThere || a[1].At.A1() != "B35" || a[1].Text != "Dana: leave it" {
		t.Errorf("answers %+v", a)
	}
	got := sourceRows(t, r.Source())
	for i := range rows {
		sameCells(t, got[i], rows[i].Row)
	}
}

// Several long texts that no sheet can show do not make the key of their row too long for its cell, which would damage
// the results of all rows. What the key has no room for comes back as it is shown.
func TestManyHostileCells(t *testing.T) {
	r := resultstest.Result(2, importer.Booked)
	for i := 2; i < 9; i++ {
		r.Row.Cells[i] = resultstest.Text(strings.Repeat("<br>&\v", 600) + at(i, i))
	}
	r.Row.Cells[18] = resultstest.Text("no\vanswer")
	name, _ := resultstest.Write(t, resultstest.Options(t, results.XLSX), resultstest.RunStart(), []importer.RowResult{r})
	back := open(t, name)
	got := sourceRows(t, back.Source())[0]
	for i, want := range r.Row.Cells {
		if i > 2 && i < 9 {
			want.Text = strings.ReplaceAll(want.Text, "\v", "\ufffd")
		}
		if got.Cells[i].Text != want.Text {
			t.Errorf("cell %d came back as %q", i, got.Cells[i].Text)
		}
	}
	if len(back.Edits) != 0 {
		t.Errorf("texts that nobody touched were taken for edits: %v", back.Edits)
	}
}

// A column with a header as long as a paragraph is found again, wherever the results cut it, and in any script.
func TestLongHeaders(t *testing.T) {
	o := resultstest.Options(t, results.XLSX)
	o.Input.Columns[2].Header = strings.Repeat("word ", 60)
	o.Input.Columns[18].Header = strings.Repeat("備考", 50)
	r := resultstest.Result(2, importer.Booked)
	name, _ := resultstest.Write(t, o, resultstest.RunStart(), []importer.RowResult{r})
	sameCells(t, sourceRows(t, open(t, name).Source())[0], r.Row)
}
