package results

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"
)

// maxNotes is how many cells get a note: the time excelize takes for them
// grows with their square.
const maxNotes = 1000

// notes adds notes to cells until there are enough.
type notes struct{ most, made, left int }

func (n *notes) add(f *excelize.File, sheet, cell, text string) error {
	if n.made >= n.most {
		n.left++
		return nil
	}
	n.made++
	shown, _ := showable(text)
	rows := 1 + len(shown)/38 + strings.Count(shown, "\n")
	return f.AddComment(sheet, excelize.Comment{
		Cell: cell, Author: "tripimport", Text: shown,
		Width: 260, Height: uint(min(24+16*rows, 400)),
	})
}

// linesIn tells how many lines a text takes in a column of that width.
func linesIn(text string, width float64) int {
	total, n := 1, 0.0
	for _, r := range text {
		// Letters are a little narrower than a digit, the unit of widths.
		if n += 0.95; r == '\n' || n > width {
			total, n = total+1, 0
		}
	}
	return total
}

// printed is how a sheet is printed: landscape, so many pages wide, the header
// on each page, the pages numbered.
type printed struct {
	sheet  string
	wide   int
	area   string // absolute, without the sheet; empty for all of it
	header int    // the header's row; 0 for none
	status bool   // the first column is on each page
}

func (p *printed) set(f *excelize.File) error {
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

// names defines the names by which programs know what is printed.
func (p *printed) names(f *excelize.File) error {
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
	// From the first row on: a rehearsal's says that nothing was booked.
	titles := fmt.Sprintf("%s$1:$%d", quoted, p.header)
	if p.status {
		titles = quoted + "$A:$A," + titles
	}
	return f.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Titles", RefersTo: titles, Scope: p.sheet})
}
