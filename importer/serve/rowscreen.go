package serve

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

// A rowScreen shows all rows of a schedule with the trips that they make.
type rowScreen struct{ *page }

// allShown is how many rows a page of all rows shows.
const allShown = 200

type rowsView struct {
	app.Checked

	Problem *problem
	Rows    []plainRow
	Page    int
	Pages   []int
	// Of is the row that is shown with all its cells, which are Whole; none without cells.
	Of    string
	Whole []wholeCell
}

// A plainRow is a row with its trips in sentences, each with what becomes of it.
type plainRow struct {
	Num              int
	Sheet, Passenger string
	Trips            []plainTrip
	LeftOut          string
	Faulty           bool
}

type plainTrip struct{ Sentence, State string }

// A wholeCell is a cell of the row that is shown whole.
type wholeCell struct{ Header, Text string }

// showWhole shows all cells of a row.
func (v *rowsView) showWhole(row *importer.Row, headers map[int]string) {
	v.Of = row.Ref(0).String()
	for c := range row.Cells {
		v.Whole = append(v.Whole, wholeCell{cmp.Or(headers[c+1], importer.ColumnName(c+1)), row.Cells[c].Text})
	}
}

// numberOf returns the number in a text; the nearest one for a text that is out of range, and 0 for any other.
func numberOf(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// The columns of a sheet are their headers, by their numbers, and those with passengers' names.
type columns struct {
	headers map[int]string
	names   results.NameColumns
}

// columnsOf returns the columns of the sheet that is read.
func columnsOf(in results.Input) columns {
	of := columns{map[int]string{}, results.FindNames(in.Columns)}
	for _, c := range in.Columns {
		of.headers[c.Num] = c.Header
	}
	return of
}

// pagesOf returns the numbers of the pages of so many rows.
func pagesOf(rows, shown int) (pages []int) {
	for n := 1; (n-1)*shown < rows; n++ {
		pages = append(pages, n)
	}
	return pages
}

func (s rowScreen) get(w http.ResponseWriter, r *http.Request) {
	v, n := rowsView{Page: max(1, numberOf(r.FormValue("page")))}, 0
	var shown []importer.RowResult
	var asked importer.Row
	checked, err := s.jobs.Rows(r.Context(), r.PathValue("id"), func(row importer.RowResult) {
		if row.Row.Num == numberOf(r.FormValue("row")) && row.Row.Sheet == r.FormValue("sheet") {
			asked = row.Row.Clone()
		}
		if n/allShown == v.Page-1 {
			row.Row, row.Trips = row.Row.Clone(), slices.Clone(row.Trips)
			shown = append(shown, row)
		}
		n++
	})
	if checked.Work.ID == "" {
		s.fail(w, err, "/", "")
		return
	}
	v.Checked, v.Problem, v.Pages = checked, s.problemOf(err), pagesOf(n, allShown)
	of := columnsOf(v.Start.Input)
	if asked.Num > 0 {
		v.showWhole(&asked, of.headers)
	}
	for i := range shown {
		v.Rows = append(v.Rows, plainOf(&shown[i], of))
	}
	s.show(w, http.StatusOK, "rows", v)
}

// plainOf describes a row.
func plainOf(row *importer.RowResult, of columns) plainRow {
	plain := plainRow{Num: row.Row.Num, Sheet: row.Row.Sheet, Passenger: of.names.Of(row.Row), LeftOut: row.LeftOut, Faulty: importer.Faulty(row.Problems)}
	for k := range row.Trips {
		t := &row.Trips[k]
		plain.Trips = append(plain.Trips, plainTrip{t.Trip.Listed(t.Trip.Sentence()), t.Outcome.State.String()})
	}
	return plain
}
