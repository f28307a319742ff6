package mapping

import (
	"fmt"
	"strings"

	"tripimport/importer"
)

// A clock is a compiled moment: where its date and its time stand.
type clock struct {
	field importer.Field
	date  *value // nil: the trip's date, or one in the time's own cell
	time  *value
	end   string // which end of a span is meant
	forms *dateForms
}

// A stated is what a row says about a moment. What could not be read is kept,
// not reported yet: beside a will call it does not matter.
type stated struct {
	given bool // something stands in the time's cell
	text  string
	time  importer.TimeOfDay
	timed bool
	day   statedDay
	col   int
	bad   *unreadable
	// reported is set where the cell held an error, which is a fault already.
	reported bool
}

// A statedDay is what a row says about a date.
type statedDay struct {
	date     importer.Date
	known    bool
	col      int
	bad      *unreadable
	reported bool
}

// moment compiles m; nil stays nil.
func (c *compiler) moment(field importer.Field, m *moment) *clock {
	if m == nil {
		return nil
	}
	c.decoder.choice(m.Range, "start", "end")
	k := &clock{field: field, end: m.Range.Value, forms: c.dates}
	if m.Date == nil && m.Time == nil {
		k.time = c.value(&m.source)
		c.needsNoDefault(&m.source, "a time")
		return k
	}
	if len(m.origins()) > 0 {
		c.fault(m.position, "date or time stand here together with "+m.origins()[0], "keep date and time, or the one column that holds both")
	}
	if m.Time == nil {
		c.fault(m.position, "a date alone is not a moment", "add time, or move the date to the trip's date")
		return nil
	}
	k.date, k.time = c.value(m.Date), c.value(m.Time)
	c.needsNoDefault(m.Time, "a time")
	return k
}

// columns gives what the moment is made of, the time first.
func (k *clock) columns(day *value) []importer.Column {
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
func (k *clock) dateColumns(day *value) []importer.Column {
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
func (k *clock) read(r *reading, day statedDay) stated {
	if k == nil {
		return stated{day: day}
	}
	r.field = k.field
	if k.date != nil {
		day = readDay(r, k.date, k.forms)
	}
	f := k.time.read(r)
	s := stated{given: f.text != "", text: f.text, col: f.col, day: day, reported: f.bad}
	if f.bad || f.text == "" {
		return s
	}
	own, t, bad := k.forms.timeOf(f, k.end)
	s.bad = bad
	if bad == nil {
		s.time, s.timed = t, true
	}
	if own.IsZero() {
		return s
	}
	if k.date != nil && day.known && day.date != own {
		s.bad = &unreadable{codeDateTwo, fmt.Sprintf("the time's cell says %s, the date's cell %s", own, day.date), "correct one of the two"}
	}
	s.day = statedDay{date: own, known: true, col: f.col}
	return s
}

// readDay reads a date's cell.
func readDay(r *reading, v *value, forms *dateForms) statedDay {
	if v == nil {
		return statedDay{}
	}
	f := v.read(r)
	s := statedDay{col: f.col, reported: f.bad}
	if f.bad || f.text == "" {
		return s
	}
	s.date, s.bad = forms.date(f)
	s.known = s.bad == nil
	return s
}

// timeOf reads the time of a cell, and the date where the cell has one too.
func (x *dateForms) timeOf(f found, end string) (importer.Date, importer.TimeOfDay, *unreadable) {
	var none importer.TimeOfDay
	switch f.typ {
	case importer.TimeCell, importer.Duration:
		t, ok := shortTime(f.text)
		if !ok {
			return importer.Date{}, none, notATime(f.text)
		}
		return importer.Date{}, t, nil
	case importer.DateCell, importer.Bool:
		return importer.Date{}, none, notATime(f.text)
	}
	t, bad := x.time(f.text)
	if bad == nil {
		return importer.Date{}, t, nil
	}
	d, both, badDate := x.dateTime(f.text)
	switch {
	case badDate == nil && both != nil:
		return d, *both, nil
	case badDate != nil && badDate.code != codeDateFormat:
		return importer.Date{}, none, badDate
	}
	t, bad = x.spanOfTime(f.text, end)
	return importer.Date{}, t, bad
}

// spanOfTime reads one end of 8:30-9:00.
func (x *dateForms) spanOfTime(s, end string) (importer.TimeOfDay, *unreadable) {
	var none importer.TimeOfDay
	for _, dash := range []string{"-", "–", " to "} {
		from, to, ok := strings.Cut(s, dash)
		if !ok {
			continue
		}
		first, bad := x.time(clean(from))
		last, bad2 := x.time(clean(to))
		switch {
		case bad != nil || bad2 != nil:
		case end == "start":
			return first, nil
		case end == "end":
			return last, nil
		default:
			return none, &unreadable{codeTimeRange, fmt.Sprintf("%q is a span of time", s), "add range: start or range: end to this time in the mapping"}
		}
	}
	return none, notATime(s)
}

// resolve gives the moment itself, and reports what stands in its way. It is
// zero where nothing stands there.
func (s stated) resolve(r *reading, field importer.Field) importer.DateTime {
	r.field = field
	if !s.given {
		return importer.DateTime{}
	}
	if s.bad != nil {
		s.bad.report(r, s.col)
	}
	// Where the cell can't be read, whether it lacks a date is not known.
	if s.bad != nil && s.day == (statedDay{}) || !s.day.settle(r, s.col) || s.bad != nil {
		return importer.DateTime{}
	}
	return importer.DateTime{Date: s.day.date, TimeOfDay: s.time}
}

// settle reports a date that is missing or can't be read; timeCol is the cell
// that lacks it.
func (d statedDay) settle(r *reading, timeCol int) bool {
	switch {
	case d.known:
		return true
	case d.reported:
	case d.bad != nil:
		d.bad.report(r, d.col)
	default:
		r.fault(codeDateMissing, "there is a time and no date", "fill in the date", d.col, timeCol)
	}
	return false
}
