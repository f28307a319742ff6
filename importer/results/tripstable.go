package results

import (
	"cmp"
	"strconv"
	"strings"
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

// tripColumns returns the sheet's columns, with instants in the office's zone.
func tripColumns(o *Options, st *styles) []column[tripLine] {
	return []column[tripLine]{
		textColumn(st.wrap, "File", 28, func(l tripLine) string { return l.row.File }),
		{seal.RowHeader, 9, func(l tripLine) cell {
			if l.row.Num == 0 {
				return cell{}
			}
			return cell{StyleID: st.wrap, Value: l.row.Num}
		}},
		textColumn(st.wrap, "Leg", 10, func(l tripLine) string { return l.Trip.Leg.String() }),
		textColumn(st.wrap, seal.TripIDHeader, 22, func(l tripLine) string { return l.Trip.ID }),
		textColumn(st.wrap, "Date and time", 19, func(l tripLine) string { return l.Trip.Time().Listed() }),
		{seal.StatusHeader, 24, func(l tripLine) cell {
			return textCell(st.statusOf(l.Outcome.State, false), l.Outcome.State.String())
		}},
		textColumn(st.wrap, "Code", 18, func(l tripLine) string { return l.Outcome.State.Code() }),
		textColumn(st.wrap, seal.GUIDHeader, 38, func(l tripLine) string { return l.Outcome.GUID }),
		textColumn(st.wrap, "Message", 60, func(l tripLine) string { return cmp.Or(l.Outcome.Message, l.Outcome.Reason) }),
		textColumn(st.wrap, "HTTP status", 12, func(l tripLine) string { return positive(l.Outcome.HTTPStatus) }),
		textColumn(st.wrap, "Attempts", 10, func(l tripLine) string { return positive(l.Outcome.Attempts) }),
		textColumn(st.wrap, "Sent", 24, func(l tripLine) string { return instant(l.Outcome.SentAt, o.Location) }),
		textColumn(st.wrap, "Answered", 24, func(l tripLine) string { return instant(l.Outcome.AnsweredAt, o.Location) }),
	}
}

// positive returns a number as a text; "" for none.
func positive(n int) string { return strings.TrimPrefix(strconv.Itoa(n), "0") }

// instant returns an instant in a zone as a column has it.
func instant(at time.Time, zone *time.Location) string {
	if at.IsZero() {
		return ""
	}
	return at.In(zone).Format("2006-01-02 15:04:05")
}
