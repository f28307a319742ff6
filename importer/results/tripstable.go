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
	text := func(text string) cell { return textOrNone(st.text, text) }
	number := func(n int) cell {
		if n == 0 {
			return cell{}
		}
		return numberCell(st.number, n)
	}
	instant := func(at time.Time) cell {
		if at.IsZero() {
			return cell{}
		}
		return text(at.In(o.Location).Format("2006-01-02 15:04:05"))
	}
	zone := o.Location.String()
	if zone == "Local" { // it has no name
		zone = "UTC" + o.Now().In(o.Location).Format("-07:00")
	}
	zone = " (" + zone + ")"
	columns := []column[tripLine]{
		{"File", 28, func(l tripLine) cell { return text(l.row.File) }},
		{"Row", 7, func(l tripLine) cell { return number(l.row.Num) }},
		{"Leg", 10, func(l tripLine) cell { return text(l.Trip.Leg.String()) }},
		{seal.TripIDHeader, 22, func(l tripLine) cell { return text(l.Trip.ID) }},
		{"Date", 12, func(l tripLine) cell { return text(l.Trip.Date().String()) }},
		{"Time", 8, func(l tripLine) cell {
			if at := l.Trip.Time(); !at.IsZero() {
				return text(at.TimeOfDay.String())
			}
			return cell{}
		}},
		{seal.StatusHeader, 24, func(l tripLine) cell {
			return textCell(st.statusOf(l.Outcome.State, false), l.Outcome.State.String())
		}},
		{"Code", 18, func(l tripLine) cell { return text(l.Outcome.State.Code()) }},
		{seal.GUIDHeader, 38, func(l tripLine) cell { return text(l.Outcome.GUID) }},
		{"Message", 60, func(l tripLine) cell { return text(cmp.Or(l.Outcome.Message, l.Outcome.Reason)) }},
		{"HTTP status", 12, func(l tripLine) cell { return number(l.Outcome.HTTPStatus) }},
		{"Attempts", 10, func(l tripLine) cell { return number(l.Outcome.Attempts) }},
		{"Sent" + zone, 24, func(l tripLine) cell { return instant(l.Outcome.SentAt) }},
		{"Answered" + zone, 24, func(l tripLine) cell { return instant(l.Outcome.AnsweredAt) }},
		{"Booked earlier" + zone, 24, func(l tripLine) cell { return instant(l.Outcome.BookedAt) }},
	}
	return slices.DeleteFunc(columns, func(c column[tripLine]) bool { return c.header == "File" && !files })
}
