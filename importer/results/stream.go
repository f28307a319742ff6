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
	last   int   // the last row written
	header int   // the row of the table's header
	row    []any // the last row, whose memory is reused
}

// newStream adds a sheet.
func (w *workbook) newStream(name string) *stream {
	_, err := w.file.NewSheet(name)
	w.keep(err)
	// excelize writes the sheet's properties when the stream begins.
	fit := true
	w.keep(w.file.SetSheetProps(name, &excelize.SheetPropsOptions{FitToPage: &fit}))
	// Without this, excelize declares A1 as the used range, and some readers believe it.
	w.keep(w.file.SetSheetDimension(name, ""))
	sw, err := w.file.NewStreamWriter(name)
	w.keep(err)
	header := 1
	if w.start.Rehearsal {
		header++ // below the banner
	}
	return &stream{StreamWriter: sw, w: w, name: name, header: header}
}

// put writes the next row.
func (s *stream) put(cells ...cell) { s.putHigh(0, cells...) }

// putHigh writes the next row with that height, or with the default height if it is 0.
func (s *stream) putHigh(height float64, cells ...cell) {
	s.last++
	s.row = s.row[:0]
	for i := range cells {
		s.row = append(s.row, cells[i].written())
	}
	s.w.keep(s.SetRow("A"+strconv.Itoa(s.last), s.row, excelize.RowOpts{Height: min(height, excelize.MaxRowHeight)}))
}

// merge merges the cells of the next row from one column to another.
func (s *stream) merge(from, to int) {
	if from < to {
		row := strconv.Itoa(s.last + 1)
		s.w.keep(s.MergeCell(importer.ColumnName(from)+row, importer.ColumnName(to)+row))
	}
}

// banner writes the first line of a rehearsal's sheet.
func (s *stream) banner() {
	if s.w.start.Rehearsal {
		s.merge(1, 8) // a narrow or frozen first column would cut it
		s.put(textCell(s.w.styles.lines[AlarmLine], rehearsalBanner))
	}
}

// freeze keeps the header and that many columns in view.
func (s *stream) freeze(columns int) {
	pane := "bottomLeft"
	if columns > 0 {
		pane = "bottomRight"
	}
	s.w.keep(s.SetPanes(&excelize.Panes{
		Freeze: true, XSplit: columns, YSplit: s.header,
		TopLeftCell: importer.ColumnName(columns+1) + strconv.Itoa(s.header+1), ActivePane: pane,
	}))
}

// finishTable sets the filter and the print layout, and ends the sheet. columns is the
// number of the table's columns, and printed the number of those that are printed.
func (s *stream) finishTable(columns, printed int) {
	table := "A" + strconv.Itoa(s.header) + ":" + importer.ColumnName(columns) + strconv.Itoa(s.lastShown())
	s.w.keep(s.w.file.AutoFilter(s.name, table, nil))
	if s.last > s.header {
		s.w.keep(s.w.file.AddIgnoredErrors(s.name, table, excelize.IgnoredErrorsNumberStoredAsText))
	}
	s.layOut()
	s.define("_xlnm.Print_Area", fmt.Sprintf("$A$1:$%s$%d", importer.ColumnName(printed), s.lastShown()))
	// The titles begin with the first row, because the first row of a rehearsal says that nothing was booked.
	s.define("_xlnm.Print_Titles", fmt.Sprintf("$1:$%d", s.header))
	s.w.keep(s.Flush())
}

// lastShown returns the table's last row. An empty table has one empty row.
func (s *stream) lastShown() int { return max(s.last, s.header+1) }
