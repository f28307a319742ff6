package results

import (
	"strings"

	"github.com/xuri/excelize/v2"
)

// layOut has the sheet printed landscape, one page wide, on pages with numbers.
func (s *stream) layOut() {
	landscape, wide, high, margin := "landscape", 1, 0, 0.4
	s.w.keep(s.w.file.SetPageLayout(s.name, &excelize.PageLayoutOptions{
		Orientation: &landscape, FitToWidth: &wide, FitToHeight: &high,
	}))
	s.w.keep(s.w.file.SetPageMargins(s.name, &excelize.PageLayoutMarginsOptions{
		Left: &margin, Right: &margin, Top: &margin, Bottom: &margin,
	}))
	s.w.keep(s.w.file.SetHeaderFooter(s.name, &excelize.HeaderFooterOptions{OddFooter: "&L&F&C&A&RPage &P of &N"}))
}

// define gives a name to cells of the sheet. Spreadsheet programs print what some names refer to.
func (s *stream) define(name, cells string) {
	s.w.keep(s.w.file.SetDefinedName(&excelize.DefinedName{Name: name, RefersTo: quotedSheet(s.name) + cells, Scope: s.name}))
}

// quotedSheet returns the beginning of an address on a sheet.
func quotedSheet(name string) string { return "'" + strings.ReplaceAll(name, "'", "''") + "'!" }
