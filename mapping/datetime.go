package mapping

import (
	"fmt"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A dateTimeReader is a compiled moment: where its date and its time stand.
type dateTimeReader struct {
	field importer.Field
	date  *value // nil: the trip's date, or one in the time's own cell
	time  *value
	end   string // which end of a span is meant
	forms *values.DateFormats
}

// A rawTime is what a row says about a moment. What could not be read is kept,
// not reported yet: beside a will call it does not matter.
type rawTime struct {
	given bool // something stands in the time's cell
	text  string
	time  importer.TimeOfDay
	timed bool
	day   rawDate
	col   int
	bad   *values.Unreadable
	// reported is set where the cell held an error, which is a fault already.
	reported bool
}

// A rawDate is what a row says about a date.
type rawDate struct {
	date     importer.Date
	known    bool
	col      int
	bad      *values.Unreadable
	reported bool
}

// dateTime compiles m; nil stays nil.
func (c *compiler) dateTime(field importer.Field, m *dateTimeSpec) *dateTimeReader {
	if m == nil {
		return nil
	}
	c.decoder.choice(m.Range, "start", "end")
	k := &dateTimeReader{field: field, end: m.Range.Value, forms: c.dates}
	if m.Date == nil && m.Time == nil {
		k.time = c.value(&m.source)
		c.needsNoDefault(&m.source, "a time")
		return k
	}
	if len(m.origins()) > 0 {
		c.finding(m.position, "date or time stand here together with "+m.origins()[0], "keep date and time, or the one column that holds both")
	}
	if m.Time == nil {
		c.finding(m.position, "a date alone is not a moment", "add time, or move the date to the trip's date")
		return nil
	}
	k.date, k.time = c.value(m.Date), c.value(m.Time)
	c.needsNoDefault(m.Time, "a time")
	return k
}

// columns gives what the moment is made of, the time first.
func (k *dateTimeReader) columns(day *value) []importer.Column {
	if k == nil {
		return nil
	}
	cols := k.time.columns
	switch {
	case k.date != nil:
		return append(cols[:len(cols):len(cols)], k.date.columns...)
	case day != nil:
		return append(cols[:len(cols):len(cols)], day.columns...)
	}
	return cols
}

// dateColumns are those of the day alone; none where it stands in one cell with
// the time.
func (k *dateTimeReader) dateColumns(day *value) []importer.Column {
	switch {
	case k == nil:
		return nil
	case k.date != nil:
		return k.date.columns
	case day != nil:
		return day.columns
	}
	return nil
}

// read gives what the row says; day is the trip's own date.
func (k *dateTimeReader) read(r *rowContext, day rawDate) rawTime {
	if k == nil {
		return rawTime{day: day}
	}
	r.field = k.field
	if k.date != nil {
		day = readDay(r, k.date, k.forms)
	}
	f := k.time.read(r)
	s := rawTime{given: f.text != "", text: f.text, col: f.col, day: day, reported: f.bad}
	if f.bad || f.text == "" {
		return s
	}
	own, t, bad := k.forms.Time(f.typ, f.text, k.end)
	s.bad = bad
	if bad == nil {
		s.time, s.timed = t, true
	}
	if own.IsZero() {
		return s
	}
	if k.date != nil && day.known && day.date != own {
		s.bad = &values.Unreadable{
			Code: codeDateTwo, Fix: "correct one of the two",
			Message: fmt.Sprintf("the time's cell says %s, the date's cell %s", own, day.date),
		}
	}
	s.day = rawDate{date: own, known: true, col: f.col}
	return s
}

// readDay reads a date's cell.
func readDay(r *rowContext, v *value, forms *values.DateFormats) rawDate {
	if v == nil {
		return rawDate{}
	}
	f := v.read(r)
	s := rawDate{col: f.col, reported: f.bad}
	if f.bad || f.text == "" {
		return s
	}
	s.date, s.bad = forms.Date(f.typ, f.text)
	s.known = s.bad == nil
	return s
}

// resolve gives the moment itself, and reports what stands in its way. It is
// zero where nothing stands there.
func (s rawTime) resolve(r *rowContext, field importer.Field) importer.DateTime {
	r.field = field
	if !s.given {
		return importer.DateTime{}
	}
	if s.bad != nil {
		r.unreadable(s.bad, s.col)
	}
	// Where the cell can't be read, whether it lacks a date is not known.
	if s.bad != nil && s.day == (rawDate{}) || !s.day.settle(r, s.col) || s.bad != nil {
		return importer.DateTime{}
	}
	return importer.DateTime{Date: s.day.date, TimeOfDay: s.time}
}

// settle reports a date that is missing or can't be read; timeCol is the cell
// that lacks it.
func (d rawDate) settle(r *rowContext, timeCol int) bool {
	switch {
	case d.known:
		return true
	case d.reported:
	case d.bad != nil:
		r.unreadable(d.bad, d.col)
	default:
		r.fault(codeDateMissing, "there is a time and no date", "fill in the date", d.col, timeCol)
	}
	return false
}
