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

// printLayout makes a sheet printable: landscape, one page wide, the header on
// each page, the pages numbered.
func printLayout(f *excelize.File, sheet, area string, header int) error {
	landscape, wide, high := "landscape", 1, 0
	err := f.SetPageLayout(sheet, &excelize.PageLayoutOptions{
		Orientation: &landscape, FitToWidth: &wide, FitToHeight: &high,
	})
	if err != nil {
		return err
	}
	margin := 0.4
	err = f.SetPageMargins(sheet, &excelize.PageLayoutMarginsOptions{
		Left: &margin, Right: &margin, Top: &margin, Bottom: &margin,
	})
	if err != nil {
		return err
	}
	err = f.SetHeaderFooter(sheet, &excelize.HeaderFooterOptions{OddFooter: "&L&F&C&A&RPage &P of &N"})
	if err != nil {
		return err
	}
	quoted := "'" + strings.ReplaceAll(sheet, "'", "''") + "'!"
	if area != "" {
		err = f.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Area", RefersTo: quoted + area, Scope: sheet})
		if err != nil {
			return err
		}
	}
	if header == 0 {
		return nil
	}
	return f.SetDefinedName(&excelize.DefinedName{
		Name: "_xlnm.Print_Titles", RefersTo: fmt.Sprintf("%s$%d:$%d", quoted, header, header), Scope: sheet,
	})
}
