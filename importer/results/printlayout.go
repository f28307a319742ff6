package results

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"
)

// A printLayout says how a sheet is printed: landscape, on pages with numbers and with
// the table's header.
type printLayout struct {
	sheet  string
	wide   int    // the width of the sheet in pages
	area   string // absolute, without the sheet; empty for all of it
	header int    // the header's row; 0 for none
}

// setPrintLayout gives a sheet the layout.
func (w *workbook) setPrintLayout(p printLayout) {
	landscape, high, margin := "landscape", 0, 0.4
	w.keep(w.file.SetPageLayout(p.sheet, &excelize.PageLayoutOptions{
		Orientation: &landscape, FitToWidth: &p.wide, FitToHeight: &high,
	}))
	w.keep(w.file.SetPageMargins(p.sheet, &excelize.PageLayoutMarginsOptions{
		Left: &margin, Right: &margin, Top: &margin, Bottom: &margin,
	}))
	w.keep(w.file.SetHeaderFooter(p.sheet, &excelize.HeaderFooterOptions{OddFooter: "&L&F&C&A&RPage &P of &N"}))

	// Spreadsheet programs print what these names refer to.
	quoted := quotedSheet(p.sheet)
	define := func(name, refersTo string) {
		w.keep(w.file.SetDefinedName(&excelize.DefinedName{Name: name, RefersTo: refersTo, Scope: p.sheet}))
	}
	if p.area != "" {
		define("_xlnm.Print_Area", quoted+p.area)
	}
	if p.header == 0 {
		return
	}

	// The titles begin with the first row, because the first row of a rehearsal says that
	// nothing was booked.
	define("_xlnm.Print_Titles", fmt.Sprintf("%s$1:$%d", quoted, p.header))
}

// quotedSheet returns the beginning of an address on a sheet.
func quotedSheet(name string) string { return "'" + strings.ReplaceAll(name, "'", "''") + "'!" }
