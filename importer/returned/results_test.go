package returned

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
	"tripimport/importer/results/seal"
)

// sheetName is that of the Results.
const sheetName = "Results"

func testKey(string) ([]byte, error) { return resultstest.Key(), nil }

func open(t *testing.T, path string) *Results {
	t.Helper()
	r, err := Open(path, testKey)
	if err != nil {
		var in *importer.InputError
		if errors.As(err, &in) {
			t.Fatalf("%s (%s)", in, in.Fix)
		}
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func sourceRows(t *testing.T, s importer.Source) []importer.Row {
	t.Helper()
	var rows []importer.Row
	for row, err := range s.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row.Clone())
	}
	return rows
}

// sameCells compares rows by what a mapping sees of them.
func sameCells(t *testing.T, got, want importer.Row) {
	t.Helper()
	if got.Num != want.Num || got.Sheet != want.Sheet || got.File != want.File || got.Width != want.Width {
		t.Errorf("row %s %s %d (%d), want %s %s %d (%d)", got.File, got.Sheet, got.Num, got.Width, want.File, want.Sheet, want.Num, want.Width)
	}
	for col := 1; col <= max(len(got.Cells), len(want.Cells)); col++ {
		g, w := got.Cell(col), want.Cell(col)
		if g.Type != w.Type || g.Text != w.Text {
			t.Errorf("row %d, column %s: %s %q, want %s %q", want.Num, importer.ColumnName(col), g.Type, g.Text, w.Type, w.Text)
		}
	}
}

// What nobody has touched comes back as it went: numbers, columns, types.
func TestUntouchedResultsComeBack(t *testing.T) {
	for _, format := range results.Formats() {
		t.Run(string(format), func(t *testing.T) {
			rows := resultstest.Night(40)
			name, _ := resultstest.Write(t, resultstest.Options(t, format), resultstest.RunStart(), rows)
			r := open(t, name)
			if r.Run != "r-0001" || r.Ledger != "ledger-1" || r.Rehearsal || r.Check || len(r.Deleted()) != 0 || r.rows != 40 {
				t.Errorf("identity %+v", r.RunRecord)
			}
			if diff := cmp.Diff(resultstest.Input(), r.Input, cmpopts.IgnoreFields(results.Input{}, "Shown")); diff != "" {
				t.Error(diff)
			}
			if s := r.Source(); s.Name() != resultstest.File || s.Hash() != "5ee1" {
				t.Errorf("source %s %s", s.Name(), s.Hash())
			}
			got := sourceRows(t, r.Source())
			if len(got) != len(rows) {
				t.Fatalf("%d rows, want %d", len(got), len(rows))
			}
			for i := range rows {
				sameCells(t, got[i], rows[i].Row)
			}
			if len(r.Edits) != 0 || len(r.Answers) != 0 {
				t.Errorf("edits %v, answers %v", r.Edits, r.Answers)
			}
		})
	}
}

// edited writes a night, lets edit change the workbook, and opens it.
func edited(t *testing.T, edit func(f *excelize.File)) (*Results, error) {
	t.Helper()
	name, _ := resultstest.Write(t, resultstest.Options(t, results.XLSX), resultstest.RunStart(), resultstest.Night(20))
	f, err := excelize.OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	edit(f)
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(name, testKey)
	if err == nil {
		t.Cleanup(func() { _ = r.Close() })
	}
	return r, err
}

// at is the address in the Results of a source column in the row of that
// number.
func at(row, column int) string {
	return importer.ColumnName(len(seal.OwnHeaders())+1+column) + strconv.Itoa(row)
}

func set(t *testing.T, f *excelize.File, sheet, cell string, value any) {
	t.Helper()
	if err := f.SetCellValue(sheet, cell, value); err != nil {
		t.Fatal(err)
	}
}

func shown(t *testing.T, f *excelize.File, sheet, cell string) string {
	t.Helper()
	v, err := f.GetCellValue(sheet, cell)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The row numbers of the night happen to be those of the Results.
func TestFixedCells(t *testing.T) {
	r, err := edited(t, func(f *excelize.File) {
		set(t, f, sheetName, at(3, 6), "Wheelchair")
		set(t, f, sheetName, at(15, 15), "48201")
		set(t, f, sheetName, "A1", "State of things") // our own column: of no interest
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := sourceRows(t, r.Source())
	if got := rows[1].Cell(6).Text; got != "Wheelchair" {
		t.Errorf("mobility %q", got)
	}
	if got := rows[13].Cell(15); got.Text != "48201" || got.Type != importer.Text {
		t.Errorf("zip %v", got)
	}
	if len(r.Edits) != 0 {
		t.Errorf("fixed cells count as edits: %v", r.Edits)
	}
}

// An edit of one cell to another passenger's content says so.
func TestCopiedCell(t *testing.T) {
	r, err := edited(t, func(f *excelize.File) {
		set(t, f, sheetName, at(9, 5), shown(t, f, sheetName, at(10, 5)))
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Edits) != 1 || r.Edits[0].String() != "Results!R9 (Phone), which was not marked, now the same as in row 10, which may be another passenger's" {
		t.Errorf("edits %v", r.Edits)
	}
}

func TestEditsNeedAYes(t *testing.T) {
	r, err := edited(t, func(f *excelize.File) { set(t, f, sheetName, at(4, 7), "7 Oak Ave") })
	if err != nil {
		t.Fatal(err)
	}
	want := []Edit{{
		At: importer.Ref{Sheet: sheetName, Row: 4, Col: len(seal.OwnHeaders()) + 8, Header: "PU Address"},
		Is: "7 Oak Ave",
	}}
	if diff := cmp.Diff(want, r.Edits); diff != "" {
		t.Error(diff)
	}
}

// People move and widen columns, filter, rename the sheet, write beside and
// above the table, sort and delete whole rows.
func TestHarmlessChanges(t *testing.T) {
	r, err := edited(t, func(f *excelize.File) {
		for _, err := range []error{
			f.SetSheetName(sheetName, "Tuesday"),
			f.SetColWidth("Tuesday", "B", "D", 3),
			f.SetColVisible("Tuesday", "M", true),
			f.InsertRows("Tuesday", 1, 2),
			f.InsertCols("Tuesday", "C", 1),
			f.RemoveRow("Tuesday", 23),
			f.MergeCell("Tuesday", "AZ9", "AZ12"),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		set(t, f, "Tuesday", "A1", "checked by Ann")
		set(t, f, "Tuesday", "C4", "my note")
		set(t, f, "Tuesday", "AZ9", "beside the table")
		set(t, f, "Tuesday", "A40", "below the table")
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Edits) != 0 || r.rows != 19 || len(r.Deleted()) != 0 {
		t.Errorf("%d edits, %d rows, deleted %v", len(r.Edits), r.rows, r.Deleted())
	}
	for i, row := range sourceRows(t, r.Source()) {
		want := resultstest.Night(20)[i].Row
		sameCells(t, row, want)
	}
}

// refused returns the reason why the edited workbook was refused.
func refused(t *testing.T, edit func(f *excelize.File)) *importer.InputError {
	t.Helper()
	_, err := edited(t, edit)
	var in *importer.InputError
	if !errors.As(err, &in) {
		t.Fatalf("the file was taken (%v)", err)
	}
	if !strings.Contains(in.Fix, "tripimport runs results r-0001 --input lakeshore.xlsx") {
		t.Errorf("%s: no way to a fresh copy: %s", in.Reason, in.Fix)
	}
	return in
}

func TestMixedRowsAreRefused(t *testing.T) {
	swap := func(f *excelize.File, a, b string) {
		x, y := shown(t, f, sheetName, a), shown(t, f, sheetName, b)
		set(t, f, sheetName, a, y)
		set(t, f, sheetName, b, x)
	}
	for name, c := range map[string]struct {
		row  int
		edit func(f *excelize.File)
	}{
		"a column sorted alone": {2, func(f *excelize.File) {
			for i := 2; i <= 11; i++ {
				swap(f, at(i, 5), at(23-i, 5))
			}
		}},
		"two cells swapped": {6, func(f *excelize.File) { swap(f, at(6, 7), at(7, 7)) }},
		"the rider's id":    {6, func(f *excelize.File) { set(t, f, sheetName, at(6, 4), "0000099999") }},
		"the trip's id":     {6, func(f *excelize.File) { set(t, f, sheetName, at(6, 1), "99999") }},
		"a block pasted": {9, func(f *excelize.File) {
			for _, col := range []int{3, 5, 7} {
				set(t, f, sheetName, at(9, col), shown(t, f, sheetName, at(10, col)))
			}
		}},
		"a row copied": {22, func(f *excelize.File) {
			if err := f.DuplicateRowTo(sheetName, 6, 22); err != nil {
				t.Fatal(err)
			}
		}},
		"a row added":                {22, func(f *excelize.File) { set(t, f, sheetName, at(22, 3), "New Rider") }},
		"a key moved":                {7, func(f *excelize.File) { swap(f, "M6", "M7") }},
		"a key damaged":              {6, func(f *excelize.File) { set(t, f, sheetName, "M6", "k2.1.6.0") }},
		"a copied column of answers": {1, func(f *excelize.File) { set(t, f, sheetName, "AZ1", "what we found") }},
		"a header lost":              {1, func(f *excelize.File) { set(t, f, sheetName, at(1, 5), "Telephone") }},
		"our columns sorted apart": {6, func(f *excelize.File) {
			for i := range seal.OwnHeaders() {
				col := importer.ColumnName(i + 1)
				swap(f, col+"5", col+"6")
			}
		}},
		"an answer merged into two rows": {6, func(f *excelize.File) {
			set(t, f, sheetName, "I5", "there")
			if err := f.MergeCell(sheetName, "I5", "I6"); err != nil {
				t.Fatal(err)
			}
		}},
		"answers sorted alone": {2, func(f *excelize.File) { set(t, f, sheetName, "I2", "not there") }},
		"status and answers sorted": {5, func(f *excelize.File) {
			set(t, f, sheetName, "I5", "not there")
			swap(f, "A5", "A6")
		}},
		"headers sorted with the rows": {1, func(f *excelize.File) {
			for i := range 8 {
				if err := f.DuplicateRowTo(sheetName, i+2, i+1); err != nil {
					t.Fatal(err)
				}
				if err := f.RemoveRow(sheetName, i+3); err != nil {
					t.Fatal(err)
				}
			}
		}},
		"a cut cell": {6, func(f *excelize.File) {
			set(t, f, sheetName, at(7, 5), shown(t, f, sheetName, at(6, 5)))
			set(t, f, sheetName, at(6, 5), "")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			in := refused(t, c.edit)
			if in.At.Row != c.row && !strings.Contains(in.Reason, strconv.Itoa(c.row)) {
				t.Errorf("%s, want row %d named", in, c.row)
			}
		})
	}
}

// A copied sheet has all rows twice: both sheets are named, and which of them to delete.
func TestCopiedSheet(t *testing.T) {
	in := refused(t, func(f *excelize.File) {
		from, err := f.GetSheetIndex(sheetName)
		if err != nil {
			t.Fatal(err)
		}
		to, err := f.NewSheet("Before fixing")
		if err == nil {
			err = f.CopySheet(from, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	if text := in.Error(); !strings.Contains(text, sheetName+", row 2") || !strings.Contains(text, "Before fixing, row 2") || !strings.Contains(in.Fix, "the sheet that is a copy") {
		t.Errorf("%s: %s", text, in.Fix)
	}
}

// A row that was copied into another sheet, without the headers, is not read there: it is named, and may be deleted.
func TestCopiedRow(t *testing.T) {
	in := refused(t, func(f *excelize.File) {
		if _, err := f.NewSheet("To phone"); err != nil {
			t.Fatal(err)
		}
		set(t, f, "To phone", "M2", shown(t, f, sheetName, "M6"))
	})
	if in.At.String() != "To phone, row 2" || !strings.Contains(in.Fix, "delete the row here if it is a copy") {
		t.Errorf("%s: %s", in, in.Fix)
	}
}

// A key swapped with all its cells is a sort; one without is a mix-up. Sorting
// whole rows is fine.
func TestWholeRowsMayBeSorted(t *testing.T) {
	r, err := edited(t, func(f *excelize.File) {
		if err := f.DuplicateRowTo(sheetName, 4, 22); err != nil {
			t.Fatal(err)
		}
		if err := f.RemoveRow(sheetName, 4); err != nil {
			t.Fatal(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := sourceRows(t, r.Source())
	if len(rows) != 20 || rows[19].Num != 4 {
		t.Fatalf("%d rows, the last is row %d", len(rows), rows[19].Num)
	}
	sameCells(t, rows[19], resultstest.Night(20)[2].Row)
}

func TestAnswers(t *testing.T) {
	const guid = "5F0C1234-0000-4000-8000-00000000ABCD"
	type want struct {
		verdict importer.Verdict
		guid    string
	}
	for text, w := range map[string]want{
		guid: {importer.There, strings.ToLower(guid)}, "There.": {importer.There, ""}, "not  There": {importer.NotThere, ""}, "No": {importer.NoVerdict, ""},
		"ask Ann": {importer.NoVerdict, ""}, "not " + guid: {importer.NoVerdict, ""}, "no, I think": {importer.NoVerdict, ""}, "not yet": {importer.NoVerdict, ""},
		guid + " or " + strings.Replace(guid, "1", "2", 1): {importer.NoVerdict, ""},
	} {
		r, err := edited(t, func(f *excelize.File) { set(t, f, sheetName, "I5", text) })
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Answers) != 1 {
			t.Fatalf("%q: answers %v", text, r.Answers)
		}
		a := r.Answers[0]
		if a.Verdict != w.verdict || a.GUID != w.guid || a.Row != 5 || a.Shown.State != importer.Unknown {
			t.Errorf("%q: %+v", text, a)
		}
	}
}

// Under another header it is a remark, unless it may be an answer: then it has no effect, and its trip waits.
func TestAnswerUnderAnotherHeader(t *testing.T) {
	for text, want := range map[string]int{"there": 1, "5f0c1234-0000-4000-8000-00000000abcd": 1, "ask Ann": 0} {
		r, err := edited(t, func(f *excelize.File) {
			set(t, f, sheetName, "I1", "Ann says")
			set(t, f, sheetName, "I5", text)
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Answers) != want || want > 0 && (r.Answers[0].Verdict != importer.NoVerdict || r.Answers[0].Text != text) {
			t.Errorf("%q: answers %+v", text, r.Answers)
		}
	}
}

// What may be an answer in another cell of the row holds its trips, and so does an answer that is struck through: it may be
// taken back, and one with a part about a leg of which nothing is asked. Row 5 may be booked, row 3 has a fault, row 4 is booked,
// and row 8 half booked.
func TestAnswersInOtherCells(t *testing.T) {
	for _, c := range []struct {
		cell, text string
		struck     bool
		want       string
	}{
		{cell: "J3", text: "booked by hand, Dana", want: "booked by hand, Dana"},
		{cell: "J3", text: "see the list"},
		{cell: "K3", text: "see the list", want: "see the list"},
		{cell: "A3", text: "Booked", want: "Booked"},
		{cell: "A3", text: "fixed", want: "fixed"},
		{cell: "A5", text: " MAY BE BOOKED: look first"},
		{cell: "A5", text: "done", want: "done"},
		{cell: at(3, 5), text: "booked by hand, Dana", want: "booked by hand, Dana"},
		{cell: at(3, 5), text: "9 Fern St"},
		{cell: "AZ5", text: "there", want: "there"},
		{cell: "AZ5", text: "Not there.", want: "Not there."},
		{cell: "AZ3", text: "not there"},
		{cell: "AZ5", text: "book"},
		{cell: "AZ5", text: "not yet"},
		{cell: "I5", text: "not there", struck: true, want: "not there (struck through)"},
		{cell: "I8", text: "outbound: not there; return: booked by hand", want: "outbound: not there; return: booked by hand"},
	} {
		r, err := edited(t, func(f *excelize.File) {
			set(t, f, sheetName, c.cell, c.text)
			style, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Strike: c.struck}})
			if err := errors.Join(err, f.SetCellStyle(sheetName, c.cell, c.cell, style)); err != nil {
				t.Fatal(err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range r.Answers {
			if got = append(got, a.Text); a.Verdict != importer.NoVerdict {
				t.Errorf("%s, %q: it counts as %q", c.cell, c.text, a.Verdict)
			}
		}
		if got := strings.Join(slices.Compact(got), "\n"); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.cell, c.text, got, c.want)
		}
	}
}

// What names a booked leg too, of which nothing is asked, is no answer about the other one.
func TestAnswerBesideBookedLeg(t *testing.T) {
	r, err := edited(t, func(f *excelize.File) { set(t, f, sheetName, "I8", "outbound: there; return: booked by hand") })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Answers) != 1 || r.Answers[0].Leg != importer.ReturnLeg || r.Answers[0].Verdict != importer.NoVerdict || !r.Answers[0].KeepsUnsent() {
		t.Errorf("%+v", r.Answers)
	}
}

func TestAnswersByLeg(t *testing.T) {
	legs := []seal.TripKey{{Leg: importer.OutboundLeg, Outcome: importer.Outcome{State: importer.Unknown}}, {Leg: importer.ReturnLeg, Outcome: importer.Outcome{State: importer.Unknown}}}
	const a, b = "11111111-0000-4000-8000-000000000001", "22222222-0000-4000-8000-000000000002"
	for text, want := range map[string][2]string{
		"outbound: " + a + "\nreturn: " + b: {"1" + a, "1" + b},
		"Return: not there; outbound: " + a: {"1" + a, "2"},
		"not there":                         {"2", "2"},
		a:                                   {"0", "0"},
		"return: " + b:                      {"", "1" + b},
		"there; return: not there":          {"1", "2"},
		"RETURN : there":                    {"0", "0"},
		"outbound: no; return: there":       {"0", "1"},
	} {
		e := editedRow{answer: text, key: seal.RowKey{Trips: legs}}
		got := [2]string{}
		for _, x := range (&Results{}).answersOf(&e) {
			got[x.Leg-1] = strconv.Itoa(int(x.Verdict)) + x.GUID
		}
		if got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestAnswerOfLegs gives answers in rows whose trips are open to different ones.
func TestAnswerOfLegs(t *testing.T) {
	refused := seal.TripKey{Leg: importer.ReturnLeg, Outcome: importer.Outcome{State: importer.Refused}}
	lost := seal.TripKey{Leg: importer.OutboundLeg, Outcome: importer.Outcome{State: importer.Unknown, Attempt: 12}}
	booked := seal.TripKey{Leg: importer.OutboundLeg, Outcome: importer.Outcome{State: importer.Booked}}
	for _, c := range []struct {
		trips        []seal.TripKey
		answer, want string
	}{
		{[]seal.TripKey{lost, refused}, "there", "outbound there"},
		{[]seal.TripKey{lost, refused}, "leave it", "return leave it"},
		{[]seal.TripKey{lost, refused}, "booked by hand", "outbound booked by hand, return booked by hand"},
		{[]seal.TripKey{lost, refused}, "meant", "outbound meant, return meant"},
		{[]seal.TripKey{booked, refused}, "booked by hand", "return booked by hand"},
		{[]seal.TripKey{booked, refused}, "outbound: there", "return "},
		{[]seal.TripKey{{Outcome: importer.Outcome{State: importer.Unknown}}}, "return: there", " "},
		{[]seal.TripKey{lost, refused}, "outbound: not there; there", "outbound not there, return there"},
		{[]seal.TripKey{lost, refused}, "outbound: not there; leave it", "outbound not there, return leave it"},
		{[]seal.TripKey{lost, refused}, "outbound: not there; she called", "outbound not there, return "},
		{[]seal.TripKey{lost, refused}, "return: leave it, outbound: not there", "outbound , return "},
		{[]seal.TripKey{lost, refused}, "outbound: not there and return: leave it", "outbound , return "},
		{[]seal.TripKey{booked}, "there", "outbound "},
	} {
		e := editedRow{answer: c.answer, key: seal.RowKey{Trips: c.trips}}
		var got []string
		for _, a := range (&Results{}).answersOf(&e) {
			got = append(got, a.Leg.String()+" "+a.Verdict.String())
			if a.Leg == importer.OutboundLeg && a.Verdict != importer.NoVerdict && a.Shown.Attempt != 12 {
				t.Errorf("%q is about attempt %d", c.answer, a.Shown.Attempt)
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%q: %q, want %q", c.answer, got, c.want)
		}
	}

	e := editedRow{answer: "there", key: seal.RowKey{Trips: []seal.TripKey{booked}}}
	if e.misplacedAnswer() == "" {
		t.Error("an answer beside a booked trip was taken for a remark")
	}
}
