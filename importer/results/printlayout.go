package results

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"
)

// A printLayout is how a sheet is printed: landscape, so many pages wide, the
// header on each page, the pages numbered.
type printLayout struct {
	sheet  string
	wide   int    // pages
	area   string // absolute, without the sheet; empty for all of it
	header int    // the header's row; 0 for none
	status bool   // the first column is on each page
}

// set gives the sheet the layout.
func (p *printLayout) set(f *excelize.File) error {
	landscape, high := "landscape", 0
	err := f.SetPageLayout(p.sheet, &excelize.PageLayoutOptions{
		Orientation: &landscape, FitToWidth: &p.wide, FitToHeight: &high,
	})
	if err != nil {
		return err
	}
	margin := 0.4
	err = f.SetPageMargins(p.sheet, &excelize.PageLayoutMarginsOptions{
		Left: &margin, Right: &margin, Top: &margin, Bottom: &margin,
	})
	if err != nil {
		return err
	}
	err = f.SetHeaderFooter(p.sheet, &excelize.HeaderFooterOptions{OddFooter: "&L&F&C&A&RPage &P of &N"})
	if err != nil {
		return err
	}
	return p.names(f)
}

// names defines the names by which spreadsheet programs know what to print.
func (p *printLayout) names(f *excelize.File) error {
	quoted := "'" + strings.ReplaceAll(p.sheet, "'", "''") + "'!"
	if p.area != "" {
		err := f.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Area", RefersTo: quoted + p.area, Scope: p.sheet})
		if err != nil {
			return err
		}
	}
	if p.header == 0 {
		return nil
	}

	// From the first row on: a rehearsal's first row says that nothing was
	// booked.
	titles := fmt.Sprintf("%s$1:$%d", quoted, p.header)
	if p.status {
		titles = quoted + "$A:$A," + titles
	}
	return f.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Titles", RefersTo: titles, Scope: p.sheet})
}
