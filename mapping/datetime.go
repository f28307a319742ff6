package mapping

import (
	"cmp"
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A dateTimeReader reads a date and a time from a row. A nil reader reads
// nothing.
type dateTimeReader struct {
	field importer.Field
	date  *value // nil for the trip's date, or a date in the time's cell
	time  *value
}

// A rawTime is what a row says about a date and a time. A text that can't be read
// is kept and not reported yet, because it does not matter for a will call.
type rawTime struct {
	text     string
	time     importer.TimeOfDay // if isTime is set
	date     rawDate
	col      int
	bad      *values.Unreadable
	given    bool // the time's cell has a text
	isTime   bool
	reported bool // the cell holds an error, which is reported already
}

// A rawDate is what a row says about a date.
type rawDate struct {
	date     importer.Date // if known is set
	col      int
	bad      *values.Unreadable
	known    bool
	reported bool
}

// dateTime compiles s: a time, or a list of a date and a time; nil stays nil. The trip's own date is that of m.
func (c *compiler) dateTime(m *legMaker, field importer.Field, s *source) *dateTimeReader {
	if s == nil {
		return nil
	}
	d := &dateTimeReader{field: field}
	switch len(s.Column.Several) {
	case 0:
		d.time = c.value(s, useOf(field))
	case 2:
		d.date, d.time = c.value(s.part(0), useOf(importer.FieldDate)), c.value(s.part(1), useOf(field))
	default:
		c.finding(s.position, "a time is one column, or a list of its date and the time", "write [Trip Date, Pickup Time]")
		return nil
	}
	c.clocks = append(c.clocks, d.time.columns...)
	m.origins[field] = d.time.columns
	if date := cmp.Or(d.date, m.date); date != nil {
		m.origins[field] = slices.Concat(d.time.columns, date.columns)
		m.origins[importer.FieldDate] = date.columns
	}
	return d
}

// part returns one of the several values of s, with what is done to s itself.
func (s *source) part(i int) *source {
	part := *s
	part.Column.Several = s.Column.Several[i : i+1]
	return &part
}

// read sets raw to what the row says. The trip's own date is tripDate, from which the day in the time's cell may differ
// if mayDiffer is set.
func (d *dateTimeReader) read(r *rowContext, tripDate *rawDate, raw *rawTime, mayDiffer bool) {
	raw.date = *tripDate
	if d == nil {
		return
	}

	r.field = d.field
	if d.date != nil {
		raw.date = readDate(r, d.date)
	}

	v := d.time.read(r)
	raw.given, raw.text, raw.col, raw.reported = v.text != "", v.text, v.col, v.bad
	if v.bad || v.text == "" {
		return
	}

	ownDate, time, bad := r.bound.dates.Time(v.kind, v.text)
	raw.bad = bad
	if bad == nil {
		raw.time, raw.isTime = time, true
	} else if day, noDay := r.bound.dates.Date(v.kind, v.text); noDay == nil && raw.date == (rawDate{}) { // as a will call has
		raw.date = rawDate{date: day, known: true, col: v.col}
	}
	if bad == nil && r.lacksHalf(&v, time) {
		raw.bad = &values.Unreadable{
			Code: "time-unreadable", Message: fmt.Sprintf("%q says neither AM nor PM, and other times beside or above it do", v.text),
			Fix: fmt.Sprintf("write %s AM or %[1]s PM", v.text),
		}
	}
	if !ownDate.IsZero() && !isBase(ownDate) {
		raw.takeDay(ownDate, d.date == nil && mayDiffer)
	}
}

// takeDay takes the day in the time's own cell. It must be the one in the date's cell, or the night after it.
func (raw *rawTime) takeDay(day importer.Date, mayDiffer bool) {
	said, isNight := raw.date, day == raw.date.date.AddDays(1) && raw.time.Hour < endOfNight
	raw.date = rawDate{date: day, known: true, col: raw.col}
	if said.known && said.date != day && !isNight && !mayDiffer {
		raw.date = rawDate{col: raw.col, bad: &values.Unreadable{
			Code: "date-contradicts", Fix: "correct one of the two",
			Message: fmt.Sprintf("the time's cell says %s, the date's cell %s", day, said.date),
		}}
	}
}

// endOfNight is the hour at which the night ends that follows a day of service.
const endOfNight = 4

// isBase reports whether a day is one of those that databases and spreadsheet programs write before a time without a day.
func isBase(d importer.Date) bool {
	return d.Year <= 1970 && slices.Contains([]string{"1899-12-30", "1899-12-31", "1900-01-01", "1970-01-01"}, d.String())
}

// lacksHalf reports whether a time may well be after noon, while other times of its row or its column say
// which half of the day they mean.
func (r *rowContext) lacksHalf(v *cellValue, t importer.TimeOfDay) bool {
	if v.kind != importer.Text || !values.MayBeAfternoon(v.text, t) {
		return false
	}
	return r.bound.halves[v.col] || slices.ContainsFunc(r.bound.times, func(c importer.Column) bool { return saysHalf(r.row, c) })
}

// saysHalf reports whether a cell's time says whether it is before or after noon.
func saysHalf(row importer.Row, column importer.Column) bool {
	cell := row.Cell(column.Num)
	return cell.Type == importer.Text && values.SaysHalf(values.Clean(cell.Text))
}

// readDate reads a date's cell. A nil value reads nothing.
func readDate(r *rowContext, v *value) rawDate {
	if v == nil {
		return rawDate{}
	}
	cell := v.read(r)
	raw := rawDate{col: cell.col, reported: cell.bad}
	if cell.bad || cell.text == "" {
		return raw
	}
	raw.date, raw.bad = r.bound.dates.Date(cell.kind, cell.text)
	raw.known = raw.bad == nil
	return raw
}

// resolve returns the date and time, or reports what can't be read. They are zero
// then, and if the row gives no time.
func (raw *rawTime) resolve(r *rowContext, field importer.Field) importer.DateTime {
	r.field = field
	if !raw.given {
		return importer.DateTime{}
	}

	if raw.bad != nil {
		r.unreadable(raw.bad, raw.col)
		if raw.date == (rawDate{}) {
			return importer.DateTime{} // the cell that can't be read may have a date
		}
	}

	if !raw.date.resolve(r, raw.col) || raw.bad != nil {
		return importer.DateTime{}
	}
	return importer.DateTime{Date: raw.date.date, TimeOfDay: raw.time}
}

// resolve reports whether the date is known, and reports as a fault a date that
// is missing or can't be read; timeCol is the column of the time that lacks it.
func (raw *rawDate) resolve(r *rowContext, timeCol int) bool {
	switch {
	case raw.known:
		return true
	case raw.reported:
	case raw.bad != nil:
		r.unreadable(raw.bad, raw.col)
	default:
		r.report("date-missing", "there is a time and no date", "fill in the date", raw.col, timeCol)
	}
	return false
}

// shows reports whether the time is t, to the minute: 23:59:59 is 23:59.
func (raw *rawTime) shows(t importer.TimeOfDay) bool {
	return raw.isTime && raw.time.Hour == t.Hour && raw.time.Minute == t.Minute
}

// says reports whether the time's cell has one of the words instead of a time.
func (raw *rawTime) says(words []string) bool { return raw.given && isAnyOf(raw.text, words) }
