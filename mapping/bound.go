package mapping

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A Bound is a mapping that is tied to the columns of one file. It implements
// importer.Mapper. It is read-only and safe for concurrent use.
type Bound struct {
	mapping         *Mapping
	headers         *Headers
	rules           *importer.Rules
	dates           *values.DateFormats
	status          []statusColumn
	cancelled, skip []leaveOutRule
	only            []*legMaker // the maker of a row that is one trip
	rowIDs          rowIDMaker
	notes           []importer.Column // in which a text that looks like a cancellation is asked about
	searched        int               // the first of these, of which rules read any part
	totals          []importer.Column // those of which a line of totals has none
	roundTrip       test              // nil if no row is a round trip
	legs            []*legMaker
	unused          []UnusedColumn
	times           []importer.Column // of the trips' times
	halves          map[int]bool      // by column: one of the first rows says AM or PM
	lastUsed        int               // the last column that anything is made of
	longHeader      string            // the longest header of the required columns
	widths          widths
}

var _ importer.Mapper = (*Bound)(nil)

// bound compiles the whole mapping.
func (c *compiler) bound() *Bound {
	doc := c.doc
	b := &Bound{mapping: c.Mapping, dates: c.dates, headers: &Headers{}}
	b.status = c.statusColumns()
	c.note(FieldCancelled, func() { b.cancelled = c.leaveOutRules(doc.Cancelled) })
	b.skip = c.leaveOutRules(doc.Skip)

	only := c.legMaker(importer.OnlyLeg, doc.Trip)
	b.only = []*legMaker{only}
	b.rowIDs = c.rowIDs(only)
	b.totals = only.totalsColumns()
	b.findNotes(only.origins)
	c.roundTrip(b)
	b.rowIDs.named.Private = slices.ContainsFunc(slices.Concat(b.legs, b.only), (*legMaker).idTellsRider)
	b.rules = &importer.Rules{Location: c.dates.Zone, Complete: doc.Complete.Value == "day"}
	b.times = distinctColumns(c.clocks) // the legs of a round trip have some in common
	return b
}

// roundTrip compiles the legs of a round trip.
func (c *compiler) roundTrip(b *Bound) {
	s := c.doc.RoundTrip
	if s == nil {
		return
	}
	if s.When == nil {
		c.finding(s.position, "a round trip needs when", `write round_trip: {when: {flag: Round Trip}, return: {pickup: {pickup_time: Return Time}}}`)
		return
	}
	if s.Return.TripID != nil {
		c.finding(s.Return.TripID.position, "the legs' ids are the trip's own with -A and -B", "take it out")
	}

	c.note(FieldRoundTrip, func() { b.roundTrip = c.condition(s.When, &columnList{}) })
	fields := c.fields
	b.legs = []*legMaker{
		c.legMaker(importer.OutboundLeg, c.doc.Trip),
		c.legMaker(importer.ReturnLeg, c.doc.Trip.returnDefaults().with(s.Return)),
	}
	c.fields = fields // those of the legs are the trip's own, other than the return's time
	c.note(FieldReturnTime, func() { c.dateTime(&legMaker{origins: origins{}}, importer.PickupTime, s.Return.Pickup.PickupTime) })
}

// Map implements importer.Mapper.
func (b *Bound) Map(row importer.Row, spare []importer.Trip) importer.Mapped {
	return b.mapRow(row, spare, b.isRagged(row))
}

// mapRow maps a row. If it is ragged, its cells may be shifted.
func (b *Bound) mapRow(row importer.Row, spare []importer.Trip, ragged bool) importer.Mapped {
	if want := b.headers.width; !ragged && row.Width > 0 && want > 0 {
		// The missing or surplus cells are blank, so results need not keep them.
		row.Width, row.Cells = want, row.Cells[:min(len(row.Cells), want)]
	}

	r := &rowContext{row: row, bound: b}
	m := importer.Mapped{Row: row, Trips: spare[:0]}
	shifted := b.judge(r, &m, ragged)
	judged := len(r.problems)
	makers := b.makers(r)
	m.Problems = r.problems
	if shifted {
		m.Problems = r.problems[:judged] // problems in shifted cells mean nothing
	}

	m.Trips = slices.Grow(m.Trips, len(makers))[:len(makers)]
	var date importer.Date
	for i, maker := range makers {
		maker.fill(r, &m.Trips[i])
		if i == 0 {
			date = r.date
		}
	}
	m.Key = b.rowIDs.key(r, date)
	for i := range m.Trips { // the legs of a journey are of one day where ids come again
		if t := &m.Trips[i]; t.Link != "" && m.Key.IDs == importer.RepeatedIDs {
			t.Link += " " + date.String()
		}
	}
	if m.LeftOut == "" && (ragged || !importer.Faulty(m.Problems)) && b.isTotals(row, ragged) {
		m.LeftOut = "a line of totals"
	}
	drop(&m, shifted)
	return m
}

// drop drops what does not matter of a mapped row: the problems of a row that is left out
// concern nobody, those of trips that are made of shifted cells mean nothing, and nobody is
// asked about a word of a row with a fault.
func drop(m *importer.Mapped, shifted bool) {
	if m.LeftOut != "" || shifted {
		for i := range m.Trips {
			m.Trips[i].Problems = nil
		}
	}
	if m.LeftOut != "" {
		m.Problems = nil
	}
	if m.LeftOut != "" || importer.Faulty(m.Problems) {
		m.NewWords = nil
	}
}

// judge leaves the row out, or reports what is wrong with the row as a whole. A row whose
// width is wrong is not left out for what its cells say. shifted reports that cells may be in
// wrong columns.
func (b *Bound) judge(r *rowContext, m *importer.Mapped, ragged bool) (shifted bool) {
	repeats, moved := b.repeatsHeaders(r.row)
	switch {
	case beginsCancelled(r.row):
		m.LeftOut = importer.TitleOfCancelled
	case repeats:
		m.LeftOut = "the headers again"
	case moved:
		r.report(importer.CodeSecondTable, "the headers come again here with the columns at other places: another table begins, whose rows would be read wrongly", "put each table on a sheet or into a file of its own, or its columns in the order of the first")
	case ragged:
		r.report(importer.CodeRowRagged, fmt.Sprintf("the number of fields is %d where the headers are %d: the cells may be shifted", r.row.Width, b.headers.width), "look for a comma or a quotation mark too many or too few, or save the schedule as an .xlsx workbook")
	default:
		m.LeftOut, m.Cancelled = b.leftOut(r, m)
	}
	return ragged || moved
}

// repeatsHeaders reports whether the row repeats the headers, as some exports do
// on every printed page. moved reports that the mapping's columns are at other
// places in it, so that another table begins.
func (b *Bound) repeatsHeaders(row importer.Row) (repeats, moved bool) {
	if b.longHeader == "" || !hasText(row.Cells, b.longHeader) { // few cells are as long
		return false, false
	}

	h := ReadHeaders(row, nil)
	if h.missingColumns(b.mapping.refs) != nil {
		return false, false
	}
	for _, ref := range b.mapping.refs {
		here, _ := h.Find(ref)
		above, _ := b.headers.Find(ref)
		if here.Num != above.Num {
			return false, true
		}
	}
	return true, false
}

// hasText reports whether a cell has the text, in any case.
func hasText(cells []importer.Cell, text string) bool {
	for i := range cells {
		if c := &cells[i]; len(c.Text) >= len(text) && strings.EqualFold(values.Clean(c.Text), text) {
			return true
		}
	}
	return false
}

// makers returns the makers of the row's trips.
func (b *Bound) makers(r *rowContext) []*legMaker {
	if b.roundTrip == nil {
		return b.only
	}
	r.field, r.leg = "", importer.OnlyLeg
	if b.roundTrip(r) != yes {
		b.noticeUnusedReturn(r)
		return b.only
	}
	return b.legs
}

// noticeUnusedReturn adds a notice if a row has a time for the return but is no
// round trip: a rider may be waiting to be taken back.
func (b *Bound) noticeUnusedReturn(r *rowContext) {
	pickup := b.legs[1].pickup
	if pickup == nil {
		return
	}
	before := r.problems
	var raw rawTime
	pickup.read(r, &rawDate{}, &raw, true)
	r.problems = before // the problems of an unused time don't matter
	if !raw.given || raw.shows(importer.TimeOfDay{}) {
		return
	}
	r.field = importer.PickupTime
	r.report("return-time-unused", "there is a time for the return, and the row is not a round trip", "if the rider needs a way back, mark the row as a round trip", raw.col)
}

// ref returns the cell of a column.
func (b *Bound) ref(row importer.Row, col int) importer.Ref {
	ref := row.Ref(col)
	ref.Header = b.headers.name(col)
	return ref
}

// Rules implements importer.Mapper.
func (b *Bound) Rules() *importer.Rules { return b.rules }

// HeaderRow is the number of the header row; 0 if the file has
// none. The rows below it are the data.
func (b *Bound) HeaderRow() int { return b.headers.row }

// Columns returns all columns of the file in order, those without a header
// included.
func (b *Bound) Columns() []importer.Column { return slices.Clone(b.headers.columns) }

// A rowContext is one row while it is turned into trips. It is for one goroutine.
type rowContext struct {
	row      importer.Row
	bound    *Bound
	field    importer.Field // the field that is being filled in
	leg      importer.Leg
	problems []importer.Problem

	date importer.Date // the trip's
	// noID reports that the row's trip id can't be read.
	noID bool
}

// errorCell reports a cell that shows an error of the spreadsheet program.
func (r *rowContext) errorCell(cell *importer.Cell, col int) {
	if cell.Text == importer.NotCalculated {
		r.report("cell-error", "the formula in this cell was not calculated when the file was saved, so there is no value to rely on", importer.FixNotCalculated, col)
		return
	}
	r.report("cell-error", fmt.Sprintf("the cell shows the error %s", cell.Text), "fix the formula or type the value", col)
}

// unreadable reports a text that is not a date or a time.
func (r *rowContext) unreadable(u *values.Unreadable, cols ...int) {
	r.report(u.Code, u.Message, u.Fix, cols...)
}

// report adds a problem at the cells of the columns, or at the row as a whole if
// there are none. A test checks that importer.Codes has every code.
func (r *rowContext) report(code, message, fix string, cols ...int) {
	r.problems = append(r.problems, importer.Problem{
		Code: code, Severity: importer.SeverityOf(code), Field: r.field, Leg: r.leg,
		Message: message, Fix: fix, Cells: r.refs(cols),
	})
}

// offer says what the cell of the last problem may say instead. What is only a part of its cell, or was
// made of it, has no choices.
func (r *rowContext) offer(v cellValue, choices []string) {
	if v.col > 0 && values.Clean(r.row.Cell(v.col).Text) == v.text {
		r.problems[len(r.problems)-1].Choices = choices
	}
}

// refs returns the addresses of the row's cells in the columns; column 0 stands
// for none.
func (r *rowContext) refs(cols []int) []importer.Ref {
	var refs []importer.Ref
	seen := 0
	for _, col := range cols {
		if col == 0 || col == seen {
			continue
		}
		seen = col
		refs = append(refs, r.bound.ref(r.row, col))
	}

	if refs == nil {
		refs = []importer.Ref{r.row.Ref(0)}
	}
	return refs
}
