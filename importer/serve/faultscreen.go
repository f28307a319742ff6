package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"tripimport/importer"
	"tripimport/importer/app"
)

// A faultScreen shows the faults of a schedule, and takes what people make of the cells.
type faultScreen struct{ *page }

// rowsShown is how many faulty rows a page shows, fixesShown how many fixed cells, and groupsShown how many groups of cells
// that are alike.
const rowsShown, fixesShown, groupsShown = 100, 25, 20

type faultView struct {
	app.Checked

	Problem *problem
	Groups  []*alike
	Rows    []faultyRow
	// Page is the page that is shown, and Pages are the numbers of all.
	Page  int
	Pages []int
	Fixed []app.Fix
}

// An alike is a group of faulty cells of a column with the same content.
type alike struct {
	cell

	Message, Fix string // of its first fault
	Count        int
	last         int  // the row that was counted last
	main         bool // a fault names one of its cells first
}

// A faultyRow is a row with its faults.
type faultyRow struct {
	Num       int
	Sheet     string
	Passenger string
	Trip      string
	When      string
	Faults    []fault
}

// A fault is what is wrong, and the cells in which it can be fixed.
type fault struct {
	Message, Fix string
	Cells        []cell
}

// A cell is a cell that can be fixed.
type cell struct {
	Sheet    string
	Row, Col int
	Header   string
	Text     string
	// Choices are what it may say instead, if that is known.
	Choices []string
	// Alike counts the cells that are in its group.
	Alike int
}

// A1 is the cell's address in a spreadsheet program.
func (c cell) A1() string { return importer.Ref{Row: c.Row, Col: c.Col}.A1() }

// A faultList gathers the faults of a check.
type faultList struct {
	view   *faultView
	groups map[groupKey]*alike
	faulty int
}

// A groupKey is what the cells of a group have in common: app.CellFix.Alike fixes just those that have a fault.
type groupKey struct {
	sheet, text string
	col         int
}

func (s faultScreen) get(w http.ResponseWriter, r *http.Request) {
	v := &faultView{Page: max(1, numberOf(r.FormValue("page")))}
	list := faultList{view: v, groups: map[groupKey]*alike{}}
	var rows []importer.RowResult
	checked, err := s.jobs.Check(r.Context(), r.PathValue("id"), func(row importer.RowResult) {
		if list.counts(&row) {
			rows = append(rows, row)
		}
	})
	if checked.Work.ID == "" {
		s.fail(w, err, "/", "")
		return
	}
	v.Checked, v.Problem = checked, s.problemOf(err)
	v.Pages = pagesOf(max(v.Faulty, rowsShown/fixesShown*len(v.Work.Fixes)), rowsShown)
	if last := len(v.Pages); v.Page > max(1, last) { // its last row was fixed
		goTo(w, r, pageOf(r, last))
		return
	}
	fixes := v.Work.Fixes[min(len(v.Work.Fixes), (v.Page-1)*fixesShown):]
	v.Fixed = fixes[:min(len(fixes), fixesShown)]
	list.describe(rows)
	s.show(w, http.StatusOK, "faults", v)
}

// counts counts a row's faults, and reports whether the row is to be shown.
func (l *faultList) counts(row *importer.RowResult) bool {
	faulty := false
	for i := range row.Problems {
		p := &row.Problems[i]
		if p.Severity != importer.Fault {
			continue
		}
		faulty = true
		for n, at := range p.Cells {
			if at.Col > 0 && at.Row == row.Row.Num && row.FixedAlike(at.Col) {
				l.count(row, p, at, n == 0)
			}
		}
	}
	l.faulty += importer.One(faulty)
	return faulty && (l.faulty-1)/rowsShown == l.view.Page-1
}

// count counts a faulty cell, once for the row.
func (l *faultList) count(row *importer.RowResult, p *importer.Problem, at importer.Ref, main bool) {
	key := groupKey{row.Row.Sheet, row.Row.Cell(at.Col).Text, at.Col}
	g := l.groups[key]
	if g == nil {
		g = &alike{cell: cell{row.Row.Sheet, row.Row.Num, at.Col, at.Header, key.text, nil, 0}, Message: p.Message, Fix: p.Fix}
		l.groups[key] = g
	}
	if main && g.Choices == nil {
		g.Choices = p.Choices
	}
	if g.main = g.main || main; g.last != row.Row.Num {
		g.last = row.Row.Num
		g.Count++
	}
}

// describe makes the view of the rows that are shown.
func (l *faultList) describe(rows []importer.RowResult) {
	v, of := l.view, columnsOf(l.view.Start.Input)
	for i := range rows {
		v.Rows = append(v.Rows, l.row(&rows[i], of))
	}
	for _, g := range l.groups {
		if g.Header == "" {
			g.Header = of.headers[g.Col]
		}
		if g.Count > 1 && g.main {
			v.Groups = append(v.Groups, g)
		}
	}
	slices.SortFunc(v.Groups, func(a, b *alike) int { return cmp.Or(b.Count-a.Count, a.Row-b.Row, a.Col-b.Col) })
	v.Groups = v.Groups[:min(len(v.Groups), groupsShown)]
}

// row describes a faulty row. A cell with several faults is offered once.
func (l *faultList) row(row *importer.RowResult, of columns) faultyRow {
	described := faultyRow{Num: row.Row.Num, Sheet: row.Row.Sheet, Passenger: of.names.Of(row.Row), Trip: row.Trips[0].Trip.ListedID()}
	if at := row.Trips[0].Trip.Time(); !at.IsZero() {
		described.When = at.Spoken() + " " + at.SpokenTime()
	}
	offered := map[int]bool{}
	for i := range row.Problems {
		p := &row.Problems[i]
		if p.Severity != importer.Fault {
			continue
		}
		f := fault{Message: p.Message, Fix: p.Fix}
		for n, at := range p.Cells {
			if at.Col == 0 || offered[at.Col] || at.Row != row.Row.Num {
				continue
			}
			offered[at.Col] = true
			c := cell{row.Row.Sheet, row.Row.Num, at.Col, cmp.Or(at.Header, of.headers[at.Col]), row.Row.Cell(at.Col).Text, nil, 1}
			if n == 0 {
				c.Choices = p.Choices
			}
			if g := l.groups[groupKey{row.Row.Sheet, c.Text, at.Col}]; g != nil && n == 0 {
				c.Alike = g.Count
			}
			f.Cells = append(f.Cells, c)
		}
		described.Faults = append(described.Faults, f)
	}
	return described
}

// fix takes what a person makes of a cell.
func (s faultScreen) fix(r *http.Request) (string, error) {
	_, err := s.jobs.Fix(r.Context(), r.PathValue("id"), app.CellFix{
		Sheet: r.PostFormValue("sheet"), Row: numberOf(r.PostFormValue("row")), Col: numberOf(r.PostFormValue("col")),
		Was: r.PostFormValue("was"), Is: cmp.Or(r.PostFormValue("choice"), r.PostFormValue("is")), Alike: r.PostFormValue("alike") != "",
	})
	return pageOf(r, numberOf(r.PostFormValue("page"))), err
}

// pageOf is the address of a page of the faults.
func pageOf(r *http.Request, page int) string {
	return fmt.Sprintf("%s?page=%d", screenOf(r, "faults"), max(1, page))
}

// again takes what was fixed in the same schedule when it was brought before.
func (s faultScreen) again(r *http.Request) (string, error) {
	return screenOf(r, "faults"), s.jobs.FixAsBefore(r.Context(), r.PathValue("id"))
}
