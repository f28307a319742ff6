package main

import (
	"slices"
	"testing"

	"github.com/xuri/excelize/v2"
)

// A plainBook makes a workbook in the plain layout.
type plainBook struct {
	*excelize.File
	t      *testing.T
	sheet  string
	styles map[plainKind]int
}

// newPlainBook makes a workbook with one empty sheet.
func newPlainBook(t *testing.T, sheet string) *plainBook {
	w := &plainBook{File: excelize.NewFile(), t: t, sheet: sheet, styles: map[plainKind]int{}}
	t.Cleanup(func() { _ = w.Close() })
	w.must(w.SetSheetName("Sheet1", sheet))
	w.must(w.SetDefaultFont("Calibri"))
	// By default excelize writes its author's name and the current time.
	w.must(w.SetDocProps(&excelize.DocProperties{Creator: "tripimport", LastModifiedBy: "tripimport", Created: "2026-01-01T00:00:00Z", Modified: "2026-01-01T00:00:00Z"}))
	return w
}

func (w *plainBook) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// columns writes the headers of a sheet with that many rows, and sets the widths and
// the formats of the columns. style returns the style of a column's header.
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

// cellStyle returns the style of the cells of a kind. It makes it once.
func (w *plainBook) cellStyle(k plainKind) int {
	if _, made := w.styles[k]; !made {
		w.styles[k] = w.style(k, nil, nil)
	}
	return w.styles[k]
}

// style makes the style of a kind, with a font and a fill; nil for the usual ones.
func (w *plainBook) style(k plainKind, font *excelize.Font, fill *excelize.Fill) int {
	s := &excelize.Style{Font: font, Alignment: &excelize.Alignment{Vertical: "center"}}
	if font == nil {
		s.Font = fontOf("000000")
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

// headerStyle returns the style of a header, by how much its column is needed.
func (w *plainBook) headerStyle(n need) int {
	fill, font := "1F4E78", fontOf("FFFFFF")
	switch n {
	case sometimes:
		fill, font = "BDD7EE", fontOf("1F2937")
	case optional:
		fill, font = "EDEDED", fontOf("1F2937")
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

// fontOf returns the workbook's font in a colour.
func fontOf(colour string) *excelize.Font {
	return &excelize.Font{Family: "Calibri", Size: 11, Color: colour}
}

// bytes returns the workbook as a file.
func (w *plainBook) bytes() []byte {
	b, err := w.WriteToBuffer()
	w.must(err)
	return b.Bytes()
}
