package sheet

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/importer/sheet/xlsx"
)

// A workbookFile is one sheet of an XLSX or XLSM workbook.
type workbookFile struct {
	file  *File
	book  *xlsx.Workbook
	sheet xlsx.Sheet
	notes xlsx.Notes // of the last reading
}

// openWorkbook opens a workbook and chooses its sheet.
func (f *File) openWorkbook(o Options) error {
	book, err := xlsx.Open(f.file, f.size, f.name)
	if err != nil {
		return err
	}

	w := &workbookFile{file: f, book: book}
	if w.sheet, err = w.chooseSheet(o.Sheet); err != nil {
		return err
	}

	f.form, f.sheetName, f.sheets = "xlsx", w.sheet.Name, book.Sheets()
	f.rows, f.notices = w.rows, w.notices
	f.comments = func() (map[int]map[int]string, error) { return book.Comments(w.sheet) }
	if o.Sheet == "" {
		f.noticeOtherSheets(w)
	}
	return nil
}

// chooseSheet returns the sheet of that name or number. For an empty string it
// gives the first visible sheet that is not empty.
func (w *workbookFile) chooseSheet(want string) (xlsx.Sheet, error) {
	var visible []xlsx.Sheet
	for _, s := range w.book.Sheets() {
		if want != "" && strings.EqualFold(s.Name, want) {
			return s, nil
		}
		if !s.Hidden {
			visible = append(visible, s)
		}
	}

	n, err := strconv.Atoi(want)
	switch {
	case want == "" && len(visible) > 0:
		return w.firstFilled(visible), nil
	case want == "":
		return xlsx.Sheet{}, refuse(w.file.name, "all of its sheets are hidden", "unhide the sheet with the trips, or name it in the mapping")
	case err == nil && n >= 1 && n <= len(visible):
		return visible[n-1], nil
	}
	return xlsx.Sheet{}, refuse(w.file.name, fmt.Sprintf("it has no sheet %q", want), "its sheets are: "+w.sheetNames())
}

// firstFilled returns the first of the sheets that is not blank, and the first of
// all if every one is.
func (w *workbookFile) firstFilled(sheets []xlsx.Sheet) xlsx.Sheet {
	return sheets[max(0, slices.IndexFunc(sheets, func(s xlsx.Sheet) bool { return !w.isBlank(s) }))]
}

// sheetNames lists the names of all sheets for a message.
func (w *workbookFile) sheetNames() string {
	return strings.Join(importer.Each(w.book.Sheets(), sheetName), ", ")
}

// sheetName returns the name of a sheet for a message.
func sheetName(s xlsx.Sheet) string {
	if s.Hidden {
		return s.Name + " (hidden)"
	}
	return s.Name
}

// noticeOtherSheets adds a notice about the sheets that are not read.
func (f *File) noticeOtherSheets(w *workbookFile) {
	others := slices.DeleteFunc(slices.Clone(w.book.Sheets()), func(s xlsx.Sheet) bool { return s.Name == w.sheet.Name || w.isBlank(s) })
	if len(others) > 0 {
		f.addNotice("other-sheets", "only sheet "+w.sheet.Name+" was read, not "+strings.Join(importer.Each(others, sheetName), ", "),
			"name the sheet in the mapping if the trips are on another one; a hidden one is read if it is named")
	}
}

// isBlank reports whether a sheet has nothing, as the second and third one of many workbooks. A damaged sheet is not
// blank, so that reading it gives the error.
func (w *workbookFile) isBlank(s xlsx.Sheet) bool {
	next, stop := iter.Pull2(w.book.Rows(s, &xlsx.Notes{}))
	defer stop()
	_, _, some := next()
	return !some
}

func (w *workbookFile) rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		for row, err := range w.book.Rows(w.sheet, &w.notes) {
			if !yield(row, err) || err != nil {
				return
			}
		}
		w.file.merged = w.notes.Merged
	}
}

func (w *workbookFile) notices() []importer.Problem {
	n := &w.notes
	return slices.Concat(
		countNotice(n.HiddenRows, "hidden-rows", fmt.Sprintf("%s read like the others (first: row %d)", importer.Counted(n.HiddenRows.N, "hidden row was", "hidden rows were"), n.HiddenRows.First.Row),
			"delete the hidden rows that are not to be booked"),
		countNotice(n.StruckRows, "struck-rows", fmt.Sprintf("%s read like the others (first: row %d)", importer.Counted(n.StruckRows.N, "row that is struck through was", "rows that are struck through were"), n.StruckRows.First.Row),
			"delete the rows that are not to be booked"),
		countNotice(n.Uncalculated, "not-calculated", importer.Counted(n.Uncalculated.N, "formula was", "formulas were")+" not calculated when the file was saved",
			importer.FixNotCalculated),
		w.noticeMerged(),
	)
}

func (w *workbookFile) noticeMerged() []importer.Problem {
	if len(w.notes.Merged) == 0 {
		return nil
	}
	first := w.notes.Merged[0]
	c := xlsx.Count{N: len(w.notes.Merged), First: importer.Ref{File: w.file.name, Sheet: w.sheet.Name, Row: first.FirstRow, Col: first.FirstCol}}
	return countNotice(c, "merged-cells", importer.Counted(c.N, "merged cell spans", "merged cells span")+" several rows; below the headers each of these rows has the value",
		"if only the first of them is meant, unmerge the cells")
}

// countNotice returns a notice about what was counted, none if nothing was.
func countNotice(c xlsx.Count, code, message, fix string) []importer.Problem {
	if c.N == 0 {
		return nil
	}
	return []importer.Problem{notice(code, message, fix, c.First)}
}
