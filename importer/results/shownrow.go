package results

import (
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A mark says how a source cell is shown.
type mark uint8

const (
	unmarked mark = iota
	suspect       // one of the row's cells is the cause of a problem, perhaps this one
	faulty        // a fault is about it
)

// A shownRow is a row of the Results, in the form that every format writes.
type shownRow struct {
	*importer.RowResult
	status  string
	problem []string
	fix     []string
	rider   string         // the passenger's name, or else the rider id
	where   []importer.Ref // the cells that need work
	notice  []string
	needs   need
	asks    bool // a person is asked for an answer
	key     string
	// cells are the source cells in the order of the input's columns. marks are their
	// marks, and notes their notes by index. surplus has the cells to the right of these
	// as one text.
	cells   []importer.Cell
	marks   []mark
	notes   map[int]string
	surplus importer.Cell
}

// show returns the row as it is shown, without its source cells and its key.
func (w *Writer) show(r *importer.RowResult) shownRow {
	s := shownRow{RowResult: r, status: statusText(r.State, r.HalfBooked), needs: needOf(r)}
	w.showProblems(&s, r)
	if r.LeftOut != "" {
		s.notice = addText(s.notice, "left out: "+r.LeftOut)
	}

	for i := range r.Trips {
		t := &r.Trips[i]
		s.asks = s.asks || t.Outcome.Asks()
		problem, fix := explain(t, w.o.Location)
		s.problem, s.fix = addText(s.problem, onLeg(t.Trip.Leg, problem)), addText(s.fix, onLeg(t.Trip.Leg, fix))
		if r.LeftOut == "" || t.Outcome.Reason != r.LeftOut { // the row says it
			s.notice = addText(s.notice, onLeg(t.Trip.Leg, tripNotice(t, w.o.Location)))
		}
	}

	return s
}

func (w *Writer) showProblems(s *shownRow, r *importer.RowResult) {
	for i := range r.Problems {
		p := &r.Problems[i]
		leg := legOf(r, p)
		text := onLeg(leg, p.Message)
		for _, ref := range p.Cells {
			if ref.Col > 0 && s.needs != needsNothing && !slices.ContainsFunc(s.where, func(o importer.Ref) bool { return o.Col == ref.Col }) {
				s.where = append(s.where, ref)
			}
		}
		if p.Severity == importer.Notice {
			s.notice = addText(s.notice, text)
			continue
		}
		s.problem = addText(s.problem, text)
		s.fix = addText(s.fix, p.Fix)
	}
}

// legOf returns the leg that a problem belongs to, or OnlyLeg if several legs have the
// problem, which is then shown once.
func legOf(r *importer.RowResult, p *importer.Problem) importer.Leg {
	for i := range r.Trips {
		t := &r.Trips[i].Trip
		if t.Leg == p.Leg {
			continue
		}
		for j := range t.Problems {
			q := &t.Problems[j]
			if q.Code == p.Code && q.Message == p.Message {
				return importer.OnlyLeg
			}
		}
	}

	return p.Leg
}

// guidsOf returns the GUIDs of a row's returns, or of its other trips.
func guidsOf(r *importer.RowResult, returns bool) string {
	var guids []string
	for i := range r.Trips {
		if (r.Trips[i].Trip.Leg == importer.ReturnLeg) == returns {
			guids = append(guids, r.Trips[i].Outcome.GUID)
		}
	}
	return joinNonEmpty(" ", guids...)
}

// tripIDs returns the ids of the row's trips, each once.
func tripIDs(r *importer.RowResult) string {
	var ids []string
	for i := range r.Trips {
		ids = addText(ids, r.Trips[i].Trip.ID)
	}
	return strings.Join(ids, "\n")
}

// number returns the row's number as a spreadsheet program shows it, and the line of the
// CSV file if that is a different number.
func (s *shownRow) number(st *styles) cell {
	if s.Row.Shown == 0 || s.Row.Shown == s.Row.Num {
		return cell{StyleID: st.wrap, Value: s.Row.Num}
	}
	return textCell(st.wrap, strconv.Itoa(s.Row.Shown)+seal.LineOfRow+strconv.Itoa(s.Row.Num))
}

// sourceCells names the cells of the schedule that need work.
func (s *shownRow) sourceCells() string { return bulleted(importer.Each(s.where, importer.Ref.String)) }
