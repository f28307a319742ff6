package results

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A resultsTable is one Results sheet: the columns that results add, the hidden key, and
// the source columns.
type resultsTable struct {
	*table[*shownRow]
	in    *inputLayout
	own   int // the number of columns that results add
	links int // the number of rows whose Where is a link
}

func newResultsTable(w *workbook, in *inputLayout, name string) *resultsTable {
	t := &resultsTable{in: in}
	columns := ownColumns(w.styles, t.cellsIn)
	t.own = len(columns)
	columns = append(columns, textColumn(0, seal.KeyHeader, 30, func(r *shownRow) string { return r.key }))
	for i, h := range in.Shown {
		columns = append(columns, column[*shownRow]{h, 20, func(r *shownRow) cell { return t.sourceCell(i, r.cells[i], r.marks[i]) }})
	}
	columns = append(columns, textColumn(w.styles.sourceCell("@", faulty), seal.SurplusHeader, 20, func(r *shownRow) string { return r.surplus.Text }))
	t.table = newTable(w, name, columns)
	w.keep(t.SetColVisible(t.own+1, t.own+1, false)) // the key
	t.begin()
	t.widths = t.widths[:t.own] // the source cells do not wrap
	return t
}

// ownColumns returns the columns with seal.OwnHeaders. where names the cells that need work.
func ownColumns(st *styles, where func(*shownRow) string) []column[*shownRow] {
	return []column[*shownRow]{
		{seal.StatusHeader, 18, func(r *shownRow) cell {
			return textCell(st.statusOf(r.State, r.HalfBooked || r.needs == needsPerson || r.needs == needsList), r.status)
		}},
		{seal.RowHeader, 12, func(r *shownRow) cell { return r.number(st) }},
		textColumn(st.wrap, seal.TripHeader, 18, func(r *shownRow) string { return tripIDs(r.RowResult) }),
		textColumn(st.wrap, seal.RiderHeader, 18, func(r *shownRow) string { return r.rider }),
		textColumn(st.wrap, seal.ProblemHeader, 42, func(r *shownRow) string { return bulleted(r.problem) }),
		textColumn(st.wrap, seal.FixHeader, 42, func(r *shownRow) string { return bulleted(r.fix) }),
		textColumn(st.link, seal.WhereHeader, 34, where),
		textColumn(st.wrap, seal.NoticeHeader, 30, func(r *shownRow) string { return bulleted(r.notice) }),
		{seal.AnswerHeader, 30, func(r *shownRow) cell {
			if r.asks {
				return textCell(st.answer, "")
			}
			return cell{}
		}},
		textColumn(st.wrap, seal.NeedsHeader, 26, func(r *shownRow) string { return string(r.needs) }),
		textColumn(st.wrap, seal.GUIDHeader, 38, func(r *shownRow) string { return guidsOf(r.RowResult, false) }),
		textColumn(st.wrap, seal.GUID2Header, 38, func(r *shownRow) string { return guidsOf(r.RowResult, true) }),
	}
}

// column returns the number in the sheet of a source column.
func (t *resultsTable) column(i int) int { return t.own + 2 + i }

// add writes a row.
func (t *resultsTable) add(r *shownRow) {
	t.put(t.cells(r)...)
	t.linkCell(r)
	t.noteCells(r)
}

// mostCells is the number of cells that Where names. The others are marked as well.
const mostCells = 2

// cellsIn names the cells of the row that need work, with their addresses in this sheet
// and in the schedule. It uses one line, because LibreOffice shows only one line of a
// link.
func (t *resultsTable) cellsIn(r *shownRow) string {
	var texts []string
	for _, ref := range first(r.where, mostCells) {
		i, ok := t.in.indexOf[ref.Col]
		switch {
		case !ok:
			texts = append(texts, "schedule "+ref.A1())
		case len(texts) == 0:
			texts = append(texts, t.cell(i)+" (schedule "+ref.A1()+")")
		default:
			texts = append(texts, t.cell(i)+" ("+ref.A1()+")")
		}
	}
	if more := len(r.where) - mostCells; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(texts, ", ")
}

// cell returns the address in this sheet of the next row's cell in a source column.
func (t *resultsTable) cell(i int) string {
	return importer.ColumnName(t.column(i)) + strconv.Itoa(t.last+1)
}

// maxLinks limits the rows that have a link, because the time that excelize takes for
// links grows with the square of their number.
const maxLinks = 2000

// linkCell links the Where cell of the last row to the first of the cells that it names.
func (t *resultsTable) linkCell(r *shownRow) {
	if len(r.where) == 0 || t.links == maxLinks {
		return
	}
	i, ok := t.in.indexOf[r.where[0].Col]
	if !ok {
		return
	}
	t.links++
	from := importer.ColumnName(t.at(seal.WhereHeader)) + strconv.Itoa(t.last)
	to := "'" + t.name + "'!" + importer.ColumnName(t.column(i)) + strconv.Itoa(t.last)
	t.w.keep(t.w.file.SetCellHyperLink(t.name, from, to, "Location"))
}

// sourceCell returns a source cell as it was. Ids, ZIP codes and phones have the text
// format, so that a corrected one keeps its leading zeros.
func (t *resultsTable) sourceCell(i int, c importer.Cell, m mark) cell {
	value, format := cellValue(c)
	if t.in.plain[i] && (c.Type == importer.Empty || c.Type == importer.Text) {
		format = "@"
	}
	if c.Type == importer.Empty && m == unmarked && format == "" {
		return cell{}
	}
	if value == nil {
		value = c.Text
	}
	return cell{StyleID: t.w.styles.sourceCell(format, m), Value: value}
}

// maxNotes limits the cells that get a note, because the time that excelize takes for
// notes grows with the square of their number.
const maxNotes = 1000

// noteCells adds notes to the faulty cells, up to maxNotes.
func (t *resultsTable) noteCells(r *shownRow) {
	for i := range r.cells {
		if text := r.notes[i]; text != "" {
			if t.w.noted++; t.w.noted > maxNotes {
				continue
			}
			shown, _ := showable(text)
			rows := 1 + len(shown)/38 + strings.Count(shown, "\n")
			t.w.keep(t.w.file.AddComment(t.name, excelize.Comment{
				Cell: importer.ColumnName(t.column(i)) + strconv.Itoa(t.last), Author: "tripimport", Text: shown,
				Width: 260, Height: uint(min(24+16*rows, 400)),
			}))
		}
	}
}

// finish ends the sheet.
func (t *resultsTable) finish() {
	// With no more columns, what has to be done fits on one page and can be read.
	t.finishTable(len(t.columns), t.at(seal.WhereHeader))
}
