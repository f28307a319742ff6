package results

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A tripsTable is the Trips sheet: one line a trip, for those who want to know
// exactly what was sent and answered.
type tripsTable struct {
	w       *workbook
	stream  *stream
	columns []tripColumn
}

// A tripColumn is a column of the Trips sheet. It has texts, or else numbers; an empty text
// and a 0 leave a cell empty.
type tripColumn struct {
	header string
	width  float64
	text   func(r *importer.RowResult, t *importer.TripResult) string
	number func(r *importer.RowResult, t *importer.TripResult) int
}

func newTripsTable(w *workbook, name string) (*tripsTable, error) {
	s, err := w.newStream(name)
	if err != nil {
		return nil, err
	}
	t := &tripsTable{w: w, stream: s, columns: tripColumns(len(w.inputs) > 1, w.o)}
	var header []cell
	for i, c := range t.columns {
		w.keep(s.SetColWidth(i+1, i+1, c.width))
		header = append(header, textCell(w.styles.ownHeader, c.header))
	}

	s.freeze(0)
	s.banner()
	s.put(header...)
	return t, w.err
}

// tripColumns are the sheet's columns; the file is named where there are
// several.
func tripColumns(files bool, o *Options) []tripColumn {
	var columns []tripColumn
	add := func(header string, width float64, text func(r *importer.RowResult, t *importer.TripResult) string) {
		columns = append(columns, tripColumn{header: header, width: width, text: text})
	}
	addNumber := func(header string, width float64, number func(r *importer.RowResult, t *importer.TripResult) int) {
		columns = append(columns, tripColumn{header: header, width: width, number: number})
	}
	if files {
		add("File", 28, func(r *importer.RowResult, _ *importer.TripResult) string { return r.Row.File })
	}
	addNumber("Row", 7, func(r *importer.RowResult, _ *importer.TripResult) int { return r.Row.Num })
	add("Leg", 10, func(_ *importer.RowResult, t *importer.TripResult) string { return t.Trip.Leg.String() })
	add("Trip id", 22, func(_ *importer.RowResult, t *importer.TripResult) string { return t.Trip.ID })
	if !o.Redact {
		add("Date", 12, func(_ *importer.RowResult, t *importer.TripResult) string { return t.Trip.Date().String() })
		add("Time", 8, func(_ *importer.RowResult, t *importer.TripResult) string {
			if at := t.Trip.Time(); !at.IsZero() {
				return at.TimeOfDay.String()
			}
			return ""
		})
	}
	add(seal.StatusHeader, 24, func(_ *importer.RowResult, t *importer.TripResult) string { return t.Outcome.State.String() })
	add("Code", 18, func(_ *importer.RowResult, t *importer.TripResult) string { return t.Outcome.State.Code() })
	add(seal.GUIDHeader, 38, func(_ *importer.RowResult, t *importer.TripResult) string { return t.Outcome.GUID })
	add("Message", 60, func(_ *importer.RowResult, t *importer.TripResult) string {
		if o.Redact {
			return problemCodes(t)
		}
		return cmp.Or(t.Outcome.Message, t.Outcome.Reason)
	})
	addNumber("HTTP status", 12, func(_ *importer.RowResult, t *importer.TripResult) int { return t.Outcome.HTTPStatus })
	addNumber("Attempts", 10, func(_ *importer.RowResult, t *importer.TripResult) int { return t.Outcome.Attempts })
	zone := " (" + zoneName(o) + ")"
	add("Sent"+zone, 24, func(_ *importer.RowResult, t *importer.TripResult) string {
		return instant(t.Outcome.SentAt, o.Location)
	})
	add("Answered"+zone, 24, func(_ *importer.RowResult, t *importer.TripResult) string {
		return instant(t.Outcome.AnsweredAt, o.Location)
	})
	add("Booked earlier"+zone, 24, func(_ *importer.RowResult, t *importer.TripResult) string {
		return instant(t.Outcome.BookedAt, o.Location)
	})
	return columns
}

// problemCodes returns a trip's problems without any of its content.
func problemCodes(t *importer.TripResult) string {
	var codes []string
	for i := range t.Trip.Problems {
		codes = addText(codes, t.Trip.Problems[i].Code)
	}
	return bulleted(codes)
}

// instant writes a point in time as a clock showed it.
func instant(at time.Time, loc *time.Location) string {
	if at.IsZero() {
		return ""
	}
	return at.In(loc).Format("2006-01-02 15:04:05")
}

// zoneName names the time zone of the results, or how far it is from UTC where it has no
// name.
func zoneName(o *Options) string {
	if name := o.Location.String(); name != "Local" {
		return name
	}
	return "UTC" + o.Now().In(o.Location).Format("-07:00")
}

// full reports whether the sheet has all the rows it can hold.
func (t *tripsTable) full() bool { return t.stream.last >= t.w.o.MaxRows }

// add writes a trip.
func (t *tripsTable) add(r *importer.RowResult, trip *importer.TripResult) {
	st := t.w.styles
	cells := make([]cell, len(t.columns))
	for i, c := range t.columns {
		if c.number != nil {
			if n := c.number(r, trip); n != 0 {
				cells[i] = numberCell(st.plain, n)
			}
			continue
		}
		style := st.text
		if c.header == seal.StatusHeader {
			style = st.statusOf(trip.Outcome.State, false)
		}
		if text := c.text(r, trip); text != "" {
			cells[i] = textCell(style, text)
		}
	}

	t.stream.put(cells...)
}

// finish ends the sheet.
func (t *tripsTable) finish() {
	guids := slices.IndexFunc(t.columns, func(c tripColumn) bool { return c.header == seal.GUIDHeader })
	area := "$A$1:$" + importer.ColumnName(guids+1) + "$" + strconv.Itoa(t.stream.lastShown()) // all of it would be too small to read
	t.stream.finishTable(len(t.columns), printLayout{wide: 1, area: area})
}
