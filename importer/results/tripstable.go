package results

import (
	"cmp"
	"slices"
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

// tripColumns returns the sheet's columns. There is a column for the file if files is
// set. An empty text or a 0 leaves a cell empty.
func tripColumns(files bool, o *Options, st *styles) []column[tripLine] {
	number := func(n int) cell {
		if n == 0 {
			return cell{}
		}
		return numberCell(st.number, n)
	}
	zone := o.Location.String()
	if zone == "Local" { // it has no name
		zone = "UTC" + o.Now().In(o.Location).Format("-07:00")
	}
	zone = " (" + zone + ")"
	columns := []column[tripLine]{
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
		textColumn(st.text, "Sent"+zone, 24, func(l tripLine) string { return instant(l.Outcome.SentAt, o.Location) }),
		textColumn(st.text, "Answered"+zone, 24, func(l tripLine) string { return instant(l.Outcome.AnsweredAt, o.Location) }),
		textColumn(st.text, "Booked earlier"+zone, 24, func(l tripLine) string { return instant(l.Outcome.BookedAt, o.Location) }),
	}
	return slices.DeleteFunc(columns, func(c column[tripLine]) bool { return c.header == "File" && !files })
}

// instant returns an instant in a zone as a column has it.
func instant(at time.Time, zone *time.Location) string {
	if at.IsZero() {
		return ""
	}
	return at.In(zone).Format("2006-01-02 15:04:05")
}
