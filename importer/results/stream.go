package results

import (
	"fmt"
	"strconv"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
)

// A stream is a sheet that is written row by row. The workbook keeps the error of a row that can't be
// written.
type stream struct {
	*excelize.StreamWriter
	w      *workbook
	name   string
	widths []float64 // of the first columns, whose texts wrap
	last   int       // the last row written
	header int       // the row of the table's header
	row    []any     // the last row, whose memory is reused
}

// newStream adds a sheet with columns of these widths.
func (w *workbook) newStream(name string, widths ...float64) *stream {
	_, err := w.file.NewSheet(name)
	w.keep(err)
	// excelize writes the sheet's properties when the stream begins.
	fit := true
	w.keep(w.file.SetSheetProps(name, &excelize.SheetPropsOptions{FitToPage: &fit}))
	// Without this, excelize declares A1 as the used range, and some readers believe it.
	w.keep(w.file.SetSheetDimension(name, ""))
	sw, err := w.file.NewStreamWriter(name)
	w.keep(err)
	for i, width := range widths {
		w.keep(sw.SetColWidth(i+1, i+1, width))
	}
	header := 1
	if w.start.Rehearsal {
		header++ // below the banner
	}
	return &stream{StreamWriter: sw, w: w, name: name, widths: widths, header: header}
}

// put writes the next row, as high as its texts need.
func (s *stream) put(cells ...cell) {
	lines := 1
	for i, c := range cells[:min(len(cells), len(s.widths))] {
		lines = max(lines, linesIn(textOf(c), s.widths[i]))
	}
	s.putHigh(lines, cells...)
}

// putHigh writes the next row, as high as so many lines, because not every program fits heights by itself.
func (s *stream) putHigh(lines int, cells ...cell) {
	s.last++
	s.row = s.row[:0]
	for _, c := range cells {
		switch text, _ := c.Value.(string); {
		case text != "":
			c.Value, _ = showable(text)
		case c.Value == "":
			c.Value = nil // a blank cell, not one of an empty text
		}
		if c == (cell{}) {
			s.row = append(s.row, nil)
		} else {
			s.row = append(s.row, c)
		}
	}
	height := float64(min(15*lines+2, excelize.MaxRowHeight))
	if lines == 1 {
		height = 0 // the default
	}
	s.w.keep(s.SetRow("A"+strconv.Itoa(s.last), s.row, excelize.RowOpts{Height: height}))
}

// line writes a text over the columns of the sheet.
func (s *stream) line(style int, text string) {
	width := 0.0
	for _, w := range s.widths {
		width += w
	}
	if row := strconv.Itoa(s.last + 1); len(s.widths) > 1 {
		s.w.keep(s.MergeCell("A"+row, importer.ColumnName(len(s.widths))+row))
	}
	s.putHigh(linesIn(text, width), textCell(style, text))
}

// banner writes the first line of a rehearsal's sheet.
func (s *stream) banner() {
	if s.w.start.Rehearsal {
		s.line(s.w.styles.lines[AlarmLine], rehearsalBanner)
	}
}

// freeze keeps the header and the first three columns in view.
func (s *stream) freeze() {
	s.w.keep(s.SetPanes(&excelize.Panes{
		Freeze: true, XSplit: 3, YSplit: s.header, TopLeftCell: "D" + strconv.Itoa(s.header+1), ActivePane: "bottomRight",
	}))
}

// finishTable sets the filter and the print layout, and ends the sheet. columns is the
// number of the table's columns, and printed the number of those that are printed.
func (s *stream) finishTable(columns, printed int) {
	last := max(s.last, s.header+1) // an empty table has one empty row
	table := fmt.Sprintf("A%d:%s%d", s.header, importer.ColumnName(columns), last)
	s.w.keep(s.w.file.AutoFilter(s.name, table, nil))
	if s.last > s.header {
		s.w.keep(s.w.file.AddIgnoredErrors(s.name, table, excelize.IgnoredErrorsNumberStoredAsText))
	}
	s.define("_xlnm.Print_Area", fmt.Sprintf("$A$1:$%s$%d", importer.ColumnName(printed), last))
	// The titles begin with the first row, because the first row of a rehearsal says that nothing was booked.
	s.define("_xlnm.Print_Titles", fmt.Sprintf("$1:$%d", s.header))
	s.end()
}

// define gives a name to cells of the sheet. Spreadsheet programs print what some names refer to.
func (s *stream) define(name, cells string) {
	s.w.keep(s.w.file.SetDefinedName(&excelize.DefinedName{Name: name, RefersTo: "'" + s.name + "'!" + cells, Scope: s.name}))
}

// end has the sheet printed landscape, one page wide, on pages with numbers, and ends it.
func (s *stream) end() {
	landscape, wide, high := "landscape", 1, 0
	s.w.keep(s.w.file.SetPageLayout(s.name, &excelize.PageLayoutOptions{Orientation: &landscape, FitToWidth: &wide, FitToHeight: &high}))
	s.w.keep(s.w.file.SetHeaderFooter(s.name, &excelize.HeaderFooterOptions{OddFooter: "&L&F&C&A&RPage &P of &N"}))
	s.w.keep(s.Flush())
}
