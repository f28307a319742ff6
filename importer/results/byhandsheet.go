package results

import (
	"cmp"
	"slices"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// byHandSheet is the name of the sheet that lists booked trips which the schedule cancels
// or does not have any more.
const byHandSheet = "By hand"

// A byHandTrip is a booked trip that the schedule cancels or does not have.
type byHandTrip struct {
	importer.TripResult
	// row is the address of the trip's row in the schedule; zero if the trip is gone.
	row importer.Ref
	key string
}

// addByHand collects the trips of a row that are to be cancelled.
func (w *Writer) addByHand(r *importer.RowResult) {
	for i := range r.Trips {
		if r.Trips[i].Outcome.State == importer.CancelledCreated {
			w.byHand = append(w.byHand, byHandTrip{TripResult: r.Trips[i], row: r.Row.Ref(0)})
		}
	}
}

// sealByHand adds the trips that are gone, sorts all of them by the times at which they
// begin, and seals each.
func (w *Writer) sealByHand(gone []importer.TripResult) {
	for _, t := range gone {
		w.byHand = append(w.byHand, byHandTrip{TripResult: t})
	}
	slices.SortStableFunc(w.byHand, func(a, b byHandTrip) int {
		return cmp.Or(a.Outcome.Begins.Compare(b.Outcome.Begins), cmp.Compare(a.Trip.ID, b.Trip.ID))
	})
	for i := range w.byHand {
		if t := &w.byHand[i]; !w.o.Redact {
			t.key = w.sealer.Encode(&seal.RowKey{
				Cells: []seal.CellKey{{Type: importer.Text, Digest: w.sealer.Cell(0, seal.GUIDCell(t.Outcome.GUID))}},
				Trips: []seal.TripKey{tripKey(&t.TripResult)},
			})
		}
	}
}

// writeByHand writes the sheet of the trips to cancel and of the trips that are gone.
func (w *workbook) writeByHand(trips []byHandTrip) error {
	if len(trips) == 0 {
		return nil
	}
	columns := []tableColumn{
		{seal.StatusHeader, 26},
		{"Trip id", 20},
		{seal.GUIDHeader, 38},
		{"Pickup, as booked", 18},
		{"Transportation provider", 24},
		{"In the schedule", 16},
		{seal.ProblemHeader, 40},
		{seal.FixHeader, 44},
		{seal.AnswerHeader, 26},
		{seal.KeyHeader, 10},
	}
	s, err := w.newTable(byHandSheet, 1, columns)
	if err != nil {
		return err
	}
	w.keep(s.SetColVisible(len(columns), len(columns), false))

	st := w.styles
	for i := range first(trips, w.o.MaxRows-s.last) {
		t := &trips[i]
		problem, fix := tripProblem(&t.TripResult, w.o.Location), tripFix(&t.TripResult)
		if w.o.Redact {
			problem = t.Outcome.State.Code()
		}
		where := ""
		if t.row != (importer.Ref{}) {
			where = t.row.String()
		}
		high := max(linesIn(problem, columns[6].width-4), linesIn(fix, columns[7].width-4))
		s.putHigh(float64(15*high+2),
			textCell(st.statusOf(t.Outcome.State, false), t.Outcome.State.String()), textCell(st.text, t.Trip.ID), textCell(st.text, t.Outcome.GUID),
			textCell(st.text, beginsText(t.Outcome.Begins)), textCell(st.wrap, t.Trip.Provider), textCell(st.text, where),
			textCell(st.wrap, problem), textCell(st.wrap, fix), textCell(st.answer, ""), textCell(st.text, t.key))
	}
	s.finishTable(len(columns), printLayout{wide: 1})
	return w.file.MoveSheet(byHandSheet, tripsSheet)
}

// beginsText returns the day and the time at which a trip begins; empty if they are not
// known.
func beginsText(at importer.DateTime) string {
	if at.IsZero() {
		return ""
	}
	return at.Date.String() + " " + at.SpokenTime()
}
