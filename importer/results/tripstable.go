package results

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A tripsTable is the Trips sheet: one line for each trip, for people who want to know
// exactly what was sent and answered.
type tripsTable struct {
	w       *workbook
	stream  *stream
	columns []tripColumn
}

// A tripColumn is a column of the Trips sheet with what it shows of a trip.
type tripColumn struct {
	tableColumn
	cell func(r *importer.RowResult, t *importer.TripResult) cell
}

func newTripsTable(w *workbook, name string) (*tripsTable, error) {
	t := &tripsTable{w: w, columns: tripColumns(len(w.inputs) > 1, w.o, w.styles)}
	shown := make([]tableColumn, len(t.columns))
	for i, c := range t.columns {
		shown[i] = c.tableColumn
	}

	var err error
	if t.stream, err = w.newTable(name, 0, shown); err != nil {
		return nil, err
	}
	return t, w.err
}

// tripColumns returns the sheet's columns. There is a column for the file if files is
// set. An empty text or a 0 leaves a cell empty.
func tripColumns(files bool, o *Options, st *styles) []tripColumn {
	text := func(text string) cell {
		if text == "" {
			return cell{}
		}
		return textCell(st.text, text)
	}
	number := func(n int) cell {
		if n == 0 {
			return cell{}
		}
		return numberCell(st.plain, n)
	}
	instant := func(at time.Time) cell {
		if at.IsZero() {
			return cell{}
		}
		return text(at.In(o.Location).Format("2006-01-02 15:04:05"))
	}
	zone := " (" + zoneName(o) + ")"

	columns := []tripColumn{
		{tableColumn{"File", 28}, func(r *importer.RowResult, _ *importer.TripResult) cell { return text(r.Row.File) }},
		{tableColumn{"Row", 7}, func(r *importer.RowResult, _ *importer.TripResult) cell { return number(r.Row.Num) }},
		{tableColumn{"Leg", 10}, func(_ *importer.RowResult, t *importer.TripResult) cell { return text(t.Trip.Leg.String()) }},
		{tableColumn{"Trip id", 22}, func(_ *importer.RowResult, t *importer.TripResult) cell { return text(t.Trip.ID) }},
		{tableColumn{"Date", 12}, func(_ *importer.RowResult, t *importer.TripResult) cell { return text(t.Trip.Date().String()) }},
		{tableColumn{"Time", 8}, func(_ *importer.RowResult, t *importer.TripResult) cell {
			if at := t.Trip.Time(); !at.IsZero() {
				return text(at.TimeOfDay.String())
			}
			return cell{}
		}},
		{tableColumn{seal.StatusHeader, 24}, func(_ *importer.RowResult, t *importer.TripResult) cell {
			return textCell(st.statusOf(t.Outcome.State, false), t.Outcome.State.String())
		}},
		{tableColumn{"Code", 18}, func(_ *importer.RowResult, t *importer.TripResult) cell { return text(t.Outcome.State.Code()) }},
		{tableColumn{seal.GUIDHeader, 38}, func(_ *importer.RowResult, t *importer.TripResult) cell { return text(t.Outcome.GUID) }},
		{tableColumn{"Message", 60}, func(_ *importer.RowResult, t *importer.TripResult) cell {
			if o.Redact {
				return text(problemCodes(t))
			}
			return text(cmp.Or(t.Outcome.Message, t.Outcome.Reason))
		}},
		{tableColumn{"HTTP status", 12}, func(_ *importer.RowResult, t *importer.TripResult) cell { return number(t.Outcome.HTTPStatus) }},
		{tableColumn{"Attempts", 10}, func(_ *importer.RowResult, t *importer.TripResult) cell { return number(t.Outcome.Attempts) }},
		{tableColumn{"Sent" + zone, 24}, func(_ *importer.RowResult, t *importer.TripResult) cell { return instant(t.Outcome.SentAt) }},
		{tableColumn{"Answered" + zone, 24}, func(_ *importer.RowResult, t *importer.TripResult) cell { return instant(t.Outcome.AnsweredAt) }},
		{tableColumn{"Booked earlier" + zone, 24}, func(_ *importer.RowResult, t *importer.TripResult) cell { return instant(t.Outcome.BookedAt) }},
	}
	return slices.DeleteFunc(columns, func(c tripColumn) bool {
		return c.header == "File" && !files || o.Redact && (c.header == "Date" || c.header == "Time")
	})
}

// problemCodes returns the codes of a trip's problems, which have no row content.
func problemCodes(t *importer.TripResult) string {
	var codes []string
	for i := range t.Trip.Problems {
		codes = addText(codes, t.Trip.Problems[i].Code)
	}
	return bulleted(codes)
}

// zoneName returns the name of the time zone of the results, or its offset from UTC if it
// has no name.
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
	cells := make([]cell, len(t.columns))
	for i, c := range t.columns {
		cells[i] = c.cell(r, trip)
	}
	t.stream.put(cells...)
}

// finish ends the sheet.
func (t *tripsTable) finish() {
	guids := slices.IndexFunc(t.columns, func(c tripColumn) bool { return c.header == seal.GUIDHeader })
	area := "$A$1:$" + importer.ColumnName(guids+1) + "$" + strconv.Itoa(t.stream.lastShown()) // all columns would be too small to read
	t.stream.finishTable(len(t.columns), printLayout{wide: 1, area: area})
}
