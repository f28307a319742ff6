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
	wholeRow

	Problem *problem
	Rows    []plainRow
	Page    int
	Pages   []int
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

// A wholeRow is a row that is shown with all its cells; none without cells.
type wholeRow struct {
	Of    string
	Whole []wholeCell
}

// A wholeCell is a cell of the row that is shown whole.
type wholeCell struct{ Header, Text string }

func wholeOf(row *importer.Row, headers map[int]string) wholeRow {
	whole := wholeRow{Of: row.Ref(0).String()}
	for c := range row.Cells {
		whole.Whole = append(whole.Whole, wholeCell{cmp.Or(headers[c+1], importer.ColumnName(c+1)), row.Cells[c].Text})
	}
	return whole
}

// rowAsked is the row of which a request wants all cells.
func rowAsked(r *http.Request) importer.Ref {
	return importer.Ref{Sheet: r.FormValue("sheet"), Row: numberOf(r.FormValue("row"))}
}

func numberOf(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// headersOf returns the headers of each sheet, by the numbers of their columns.
func headersOf(inputs []results.Input) map[string]map[int]string {
	headers := map[string]map[int]string{}
	for _, in := range inputs {
		headers[in.Sheet] = map[int]string{}
		for _, c := range in.Columns {
			headers[in.Sheet][c.Num] = c.Header
		}
	}
	return headers
}

// pagesOf returns the numbers of the pages of so many rows.
func pagesOf(rows, shown int) (pages []int) {
	for n := 1; (n-1)*shown < rows; n++ {
		pages = append(pages, n)
	}
	return pages
}

func (s rowScreen) get(w http.ResponseWriter, r *http.Request) {
	v := rowsView{Page: max(1, numberOf(r.FormValue("page")))}
	at, n := rowAsked(r), 0
	var shown []importer.RowResult
	checked, err := s.jobs.Rows(r.Context(), r.PathValue("id"), func(row importer.RowResult) {
		if isAsked := row.Row.Num == at.Row && row.Row.Sheet == at.Sheet; isAsked || n/allShown == v.Page-1 {
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
	headers, names := headersOf(v.Start.Inputs), map[string]results.NameColumns{}
	for _, in := range v.Start.Inputs {
		names[in.Sheet] = results.FindNames(in.Columns)
	}
	for i := range shown {
		row := &shown[i]
		if row.Row.Num == at.Row && row.Row.Sheet == at.Sheet {
			v.wholeRow = wholeOf(&row.Row, headers[row.Row.Sheet])
		}
		plain := plainRow{Num: row.Row.Num, Sheet: row.Row.Sheet, Passenger: names[row.Row.Sheet].Of(row.Row), LeftOut: row.LeftOut, Faulty: importer.Faulty(row.Problems)}
		for k := range row.Trips {
			t := &row.Trips[k]
			plain.Trips = append(plain.Trips, plainTrip{t.Trip.Listed(t.Trip.Sentence()), t.Outcome.State.String()})
		}
		v.Rows = append(v.Rows, plain)
	}
	s.show(w, http.StatusOK, "rows", v)
}
