package main

import (
	"slices"
	"testing"

	"github.com/xuri/excelize/v2"
)

// A plainBook is a workbook in the plain layout while it is made.
type plainBook struct {
	*excelize.File
	t      *testing.T
	sheet  string
	styles map[plainKind]int
}

// newPlainBook makes a workbook with one sheet.
func newPlainBook(t *testing.T, sheet string) *plainBook {
	w := &plainBook{File: excelize.NewFile(), t: t, sheet: sheet, styles: map[plainKind]int{}}
	t.Cleanup(func() { _ = w.Close() })
	w.must(w.SetSheetName("Sheet1", sheet))
	w.must(w.SetDefaultFont("Calibri"))
	// excelize would write its own author's name and the time.
	w.must(w.SetDocProps(&excelize.DocProperties{Creator: "tripimport", LastModifiedBy: "tripimport", Created: "2026-01-01T00:00:00Z", Modified: "2026-01-01T00:00:00Z"}))
	return w
}

func (w *plainBook) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// columns lays the sheet's columns out for some rows: headers, widths, and for
// each cell to come the format of its kind. style gives a column's header its
// style.
func (w *plainBook) columns(rows int, style func(plainColumn) int) {
	for i, c := range plainLayout() {
		name, err := excelize.ColumnNumberToName(i + 1)
		w.must(err)
		w.must(w.SetColStyle(w.sheet, name, w.cellStyle(c.kind)))
		w.must(w.SetColWidth(w.sheet, name, name, c.width))
		w.set(1, i+1, c.header, style(c))
	}

	w.must(w.SetRowHeight(w.sheet, 1, 32))
	w.must(w.SetPanes(w.sheet, &excelize.Panes{Freeze: true, XSplit: 1, YSplit: 1, TopLeftCell: "B2", ActivePane: "bottomRight"}))
	last, err := excelize.CoordinatesToCellName(len(plainLayout()), rows+1)
	w.must(err)
	w.must(w.SetSheetDimension(w.sheet, "A1:"+last))
	landscape, across, down := "landscape", 3, 0
	w.must(w.SetPageLayout(w.sheet, &excelize.PageLayoutOptions{Orientation: &landscape, FitToWidth: &across, FitToHeight: &down}))
	fit := true
	w.must(w.SetSheetProps(w.sheet, &excelize.SheetPropsOptions{FitToPage: &fit}))
	w.must(w.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Titles", RefersTo: "'" + w.sheet + "'!$A:$A,'" + w.sheet + "'!$1:$1", Scope: w.sheet}))
}

// set writes a cell.
func (w *plainBook) set(row, col int, value any, style int) {
	w.t.Helper()
	cell, err := excelize.CoordinatesToCellName(col, row)
	w.must(err)
	w.must(w.SetCellValue(w.sheet, cell, workbookValue(value)))
	w.must(w.SetCellStyle(w.sheet, cell, cell, style))
}

// cellStyle gives the style of a kind's cells, made once.
func (w *plainBook) cellStyle(k plainKind) int {
	if _, made := w.styles[k]; !made {
		w.styles[k] = w.style(k, nil, nil)
	}
	return w.styles[k]
}

func (w *plainBook) style(k plainKind, font *excelize.Font, fill *excelize.Fill) int {
	s := &excelize.Style{Font: font, Alignment: &excelize.Alignment{Vertical: "center"}}
	if font == nil {
		s.Font = letters("000000")
	}
	if fill != nil {
		s.Fill = *fill
	}

	if format := k.format(); format != "General" {
		s.CustomNumFmt = &format
	}
	if slices.Contains([]plainKind{asDate, asTime, asNumber}, k) {
		s.Alignment.Horizontal = "center"
	}

	id, err := w.NewStyle(s)
	w.must(err)
	return id
}

// headerStyle marks how much a column is needed.
func (w *plainBook) headerStyle(n need) int {
	fill, font := "1F4E78", letters("FFFFFF")
	switch n {
	case sometimes:
		fill, font = "BDD7EE", letters("1F2937")
	case optional:
		fill, font = "EDEDED", letters("1F2937")
	case always:
	}

	font.Bold = true
	id, err := w.NewStyle(&excelize.Style{
		Font:      font,
		Fill:      excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{fill}},
		Alignment: &excelize.Alignment{Vertical: "center", WrapText: true},
		Border:    []excelize.Border{{Type: "bottom", Style: 1, Color: "1F2937"}, {Type: "right", Style: 1, Color: "FFFFFF"}},
	})
	w.must(err)
	return id
}

// letters gives the workbook's font in a colour.
func letters(colour string) *excelize.Font {
	return &excelize.Font{Family: "Calibri", Size: 11, Color: colour}
}

// bytes gives the workbook as a file.
func (w *plainBook) bytes() []byte {
	b, err := w.WriteToBuffer()
	w.must(err)
	return b.Bytes()
}
