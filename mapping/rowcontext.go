package mapping

import (
	"fmt"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A rowContext is one row while it is turned into trips. It is for one goroutine.
type rowContext struct {
	row      importer.Row
	bound    *Bound
	field    importer.Field // the field that is being filled in
	leg      importer.Leg
	problems []importer.Problem

	date importer.Date // the trip's
	// noID reports that the row's trip id can't be read.
	noID bool
}

// errorCell reports a cell that shows an error of the spreadsheet program.
func (r *rowContext) errorCell(cell *importer.Cell, col int) {
	if cell.Text == importer.NotCalculated {
		r.report("cell-error", "the formula in this cell was not calculated when the file was saved, so there is no value to rely on", importer.FixNotCalculated, col)
		return
	}
	r.report("cell-error", fmt.Sprintf("the cell shows the error %s", cell.Text), "fix the formula or type the value", col)
}

// unreadable reports a text that is not a date or a time.
func (r *rowContext) unreadable(u *values.Unreadable, cols ...int) {
	r.report(u.Code, u.Message, u.Fix, cols...)
}

// report adds a problem at the cells of the columns, or at the row as a whole if
// there are none. A test checks that importer.Codes has every code.
func (r *rowContext) report(code, message, fix string, cols ...int) {
	r.problems = append(r.problems, importer.Problem{
		Code: code, Severity: importer.SeverityOf(code), Field: r.field, Leg: r.leg,
		Message: message, Fix: fix, Cells: r.refs(cols),
	})
}

// offer says what the cell of the last problem may say instead. What is only a part of its cell, or was
// made of it, has no choices.
func (r *rowContext) offer(v cellValue, choices []string) {
	if v.col > 0 && values.Clean(r.row.Cell(v.col).Text) == v.text {
		r.problems[len(r.problems)-1].Choices = choices
	}
}

// refs returns the addresses of the row's cells in the columns; column 0 stands
// for none.
func (r *rowContext) refs(cols []int) []importer.Ref {
	var refs []importer.Ref
	seen := 0
	for _, col := range cols {
		if col == 0 || col == seen {
			continue
		}
		seen = col
		refs = append(refs, r.bound.ref(r.row, col))
	}

	if refs == nil {
		refs = []importer.Ref{r.row.Ref(0)}
	}
	return refs
}
