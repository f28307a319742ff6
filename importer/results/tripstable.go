package results

import (
	"cmp"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A tripLine is a line of the Trips sheet, which has one for each trip, for people who want to know
// exactly what was sent and answered.
type tripLine struct {
	row *importer.Row
	*importer.TripResult
}

// tripColumns returns the sheet's columns, with instants in the office's zone. An empty text or
// a 0 leaves a cell empty.
func tripColumns(o *Options, st *styles) []column[tripLine] {
	number := func(n int) cell {
		if n == 0 {
			return cell{}
		}
		return numberCell(st.number, n)
	}
	return []column[tripLine]{
		textColumn(st.text, "File", 28, func(l tripLine) string { return l.row.File }),
		{"Row", 7, func(l tripLine) cell { return number(l.row.Num) }},
		textColumn(st.text, "Leg", 10, func(l tripLine) string { return l.Trip.Leg.String() }),
		textColumn(st.text, seal.TripIDHeader, 22, func(l tripLine) string { return l.Trip.ID }),
		textColumn(st.text, "Date", 12, func(l tripLine) string { return l.Trip.Date().String() }),
		textColumn(st.text, "Time", 8, func(l tripLine) string {
			if at := l.Trip.Time(); !at.IsZero() {
				return at.TimeOfDay.String()
			}
			return ""
		}),
		{seal.StatusHeader, 24, func(l tripLine) cell {
			return textCell(st.statusOf(l.Outcome.State, false), l.Outcome.State.String())
		}},
		textColumn(st.text, "Code", 18, func(l tripLine) string { return l.Outcome.State.Code() }),
		textColumn(st.text, seal.GUIDHeader, 38, func(l tripLine) string { return l.Outcome.GUID }),
		textColumn(st.text, "Message", 60, func(l tripLine) string { return cmp.Or(l.Outcome.Message, l.Outcome.Reason) }),
		{"HTTP status", 12, func(l tripLine) cell { return number(l.Outcome.HTTPStatus) }},
		{"Attempts", 10, func(l tripLine) cell { return number(l.Outcome.Attempts) }},
		textColumn(st.text, "Sent", 24, func(l tripLine) string { return instant(l.Outcome.SentAt, o.Location) }),
		textColumn(st.text, "Answered", 24, func(l tripLine) string { return instant(l.Outcome.AnsweredAt, o.Location) }),
		textColumn(st.text, "Booked earlier", 24, func(l tripLine) string { return instant(l.Outcome.BookedAt, o.Location) }),
	}
}

// instant returns an instant in a zone as a column has it.
func instant(at time.Time, zone *time.Location) string {
	if at.IsZero() {
		return ""
	}
	return at.In(zone).Format("2006-01-02 15:04:05")
}
