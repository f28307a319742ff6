package mapping

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A Bound is a mapping that is tied to the columns of one file. It implements
// importer.Mapper. It is read-only and safe for concurrent use.
type Bound struct {
	mapping     *Mapping
	headers     *Headers
	rules       *importer.Rules
	dates       *values.DateFormats
	leaveOuts   []leaveOutRule
	live        test // nil if the mapping does not say which rows are live
	liveCols    []importer.Column
	only        []*legMaker // the maker of a row that is one trip
	rowIDs      rowIDMaker
	words       []*wordColumn
	roundTrip   test // nil if no row is a round trip
	third       test // nil if there is no third leg
	legs        []*legMaker
	unused      []UnusedColumn
	watched     []importer.Column // columns that rules read or that have a list of words
	lastUsed    int               // the last column that anything is made of
	longHeaders []string          // the longest headers of required columns, at most two
	widths      widths
	contexts    sync.Pool // of rowContexts
}

var _ importer.Mapper = (*Bound)(nil)

// bound compiles the whole mapping.
func (c *compiler) bound() *Bound {
	doc := c.doc
	b := &Bound{mapping: c.Mapping, dates: c.dates, headers: &Headers{}}
	b.leaveOuts = c.leaveOutRules()
	if doc.Live != nil {
		b.liveCols = c.columnsOf(func() { b.live = c.rule(doc.Live) })
	}

	only := c.legMaker(importer.OnlyLeg, doc.Trip, nil)
	b.only = []*legMaker{only}
	b.rowIDs = c.rowIDs(only)
	c.requirements()
	c.roundTrip(b)
	b.rowIDs.named.Private = slices.ContainsFunc(slices.Concat(b.legs, b.only), (*legMaker).idTellsRider)
	b.rules = c.rules()
	c.listWords(b)
	return b
}

// roundTrip compiles the legs of a round trip: outbound, return and, if the
// mapping has one, the third.
func (c *compiler) roundTrip(b *Bound) {
	s := c.doc.RoundTrip
	if s == nil {
		return
	}

	ids := s.TripID
	if s.When == nil || ids.Outbound == nil || ids.Return == nil {
		c.finding(s.position, "a round trip needs when, and trip_id with outbound and return", `write round_trip: {when: {flag: Round Trip}, trip_id: {outbound: "{trip_id}-A", return: "{trip_id}-B"}}`)
		return
	}

	b.roundTrip = c.rule(s.When)
	b.legs = []*legMaker{
		c.legMaker(importer.OutboundLeg, c.doc.Trip, ids.Outbound),
		c.returnMaker(importer.ReturnLeg, &s.Return, ids.Return),
	}

	if s.Third != nil && ids.Third == nil {
		c.finding(ids.Return.position, "the third leg has no id", `add third: "{trip_id}-C"`)
	} else if s.Third != nil {
		b.third = c.rule(s.Third.When)
		b.legs = append(b.legs, c.returnMaker(importer.ThirdLeg, &s.Third.returnSpec, ids.Third))
	}

	for _, leg := range b.legs[1:] {
		leg.compare(b.legs[0])
	}
}

// returnMaker compiles a return or a third leg.
func (c *compiler) returnMaker(leg importer.Leg, s *returnSpec, id *templateSource) *legMaker {
	if s.TripID != nil {
		c.finding(s.TripID.position, "a leg's id belongs under trip_id of round_trip", "write it there")
	}
	c.decoder.choice(s.BlankTime, "will_call")
	m := c.legMaker(leg, c.doc.Trip.returnDefaults().with(s.legSpec), id)
	if s.BlankTime.given() {
		m.blankTime = importer.WillCall
	}
	return m
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

	m, by := b.mapWith(row, spare, ragged, b.leaveOuts)
	if by == nil || ragged {
		return m
	}
	return b.mapTrip(m, by)
}

// mapWith maps a row with some of the rules that leave rows out. If a rule leaves the row
// out, by holds that rule and those after it.
func (b *Bound) mapWith(row importer.Row, spare []importer.Trip, ragged bool, rules []leaveOutRule) (m importer.Mapped, by []leaveOutRule) {
	r := b.context(row)
	defer b.contexts.Put(r)
	m = importer.Mapped{Row: row, Trips: spare[:0]}
	by, shifted := b.judge(r, &m, ragged, rules)
	judged := len(r.problems)
	makers := b.makers(r)
	m.Problems = r.problems
	if shifted {
		m.Problems = r.problems[:judged] // problems in shifted cells mean nothing
	}
	if m.LeftOut == "" && !importer.Faulty(m.Problems) {
		m.NewWords = b.newWords(row)
	}
	m.Trips = slices.Grow(m.Trips, len(makers))[:len(makers)]
	var date importer.Date
	for i, maker := range makers {
		maker.fill(r, &m.Trips[i], &m.Trips[0])
		if i == 0 {
			date = r.date
		}
	}
	r.problems = nil
	m.Key = b.rowIDs.key(r, date)
	if !shifted {
		m.Problems = append(m.Problems, r.problems...)
	}

	// The problems of a row that is left out concern nobody. Those of trips that
	// are made of shifted cells mean nothing.
	if m.LeftOut != "" || shifted {
		for i := range m.Trips {
			m.Trips[i].Problems = nil
		}
	}

	if m.LeftOut != "" {
		m.Problems = nil
	}

	return m, by
}

// context returns a context for a row. It reuses the memory of an earlier one if there is
// any.
func (b *Bound) context(row importer.Row) *rowContext {
	r, ok := b.contexts.Get().(*rowContext)
	if !ok {
		r = &rowContext{}
	}
	*r = rowContext{row: row, bound: b, lastDate: r.lastDate}
	return r
}

// judge leaves the row out by the first of the rules that applies, or reports what is wrong
// with the row as a whole. shifted reports that cells may be in wrong columns.
func (b *Bound) judge(r *rowContext, m *importer.Mapped, ragged bool, rules []leaveOutRule) (by []leaveOutRule, shifted bool) {
	repeats, moved := b.repeatsHeaders(r.row)
	switch {
	case repeats:
		m.LeftOut = "the headers again"
	case moved:
		r.fault(importer.CodeSecondTable, "the headers come again here with the columns at other places: another table begins, whose rows would be read wrongly", "put each table on a sheet or into a file of its own, or its columns in the order of the first")
	default:
		m.LeftOut, m.Cancelled, by = b.leftOut(r, ragged, rules)
		if m.LeftOut == "" {
			b.checkRow(r, ragged)
		}
	}
	return by, ragged || moved
}

// repeatsHeaders reports whether the row repeats the headers, as some exports do
// on every printed page. moved reports that the mapping's columns are at other
// places in it, so that another table begins.
func (b *Bound) repeatsHeaders(row importer.Row) (repeats, moved bool) {
	if !b.namesColumns(row) {
		return b.sameHeaders(row), false
	}

	h := newHeaders(row, nil)
	if h.lacks(b.mapping.refs, 1) > 0 {
		return b.sameHeaders(row), false
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

// namesColumns reports whether cells of the row have the two longest headers of columns that
// the mapping requires. It is a quick test for every row, because few cells are as long.
func (b *Bound) namesColumns(row importer.Row) bool {
	return len(b.longHeaders) == 2 && hasText(row.Cells, b.longHeaders[0]) && hasText(row.Cells, b.longHeaders[1])
}

// hasText reports whether a cell has the text, in any case. Length and first letter
// rule out nearly all cells.
func hasText(cells []importer.Cell, text string) bool {
	for i := range cells {
		s := cells[i].Text
		if len(s) < len(text) || s[0]|0x20 != text[0]|0x20 && ' ' < s[0] && s[0] < 0x7f && text[0] < utf8.RuneSelf {
			continue
		}
		if strings.EqualFold(values.Clean(s), text) {
			return true
		}
	}
	return false
}

// sameHeaders reports whether each column that has a header has it in the row too.
func (b *Bound) sameHeaders(row importer.Row) bool {
	same := 0
	for _, column := range b.headers.columns {
		if column.Header == "" {
			continue
		}
		if row.Cell(column.Num).Text == "" || values.Clean(row.Cell(column.Num).Text) != column.Header {
			return false
		}
		same++
	}
	return same > 1
}

// checkRow reports the problems of the row as a whole.
func (b *Bound) checkRow(r *rowContext, ragged bool) {
	r.field, r.leg = "", importer.OnlyLeg
	switch {
	case ragged:
		r.fault(importer.CodeRowRagged, fmt.Sprintf("the number of fields is %d where the headers are %d: the cells may be shifted", r.row.Width, b.headers.width), "look for a comma or a quotation mark too many or too few, or save the schedule as an .xlsx workbook")
	case b.live != nil && b.live(r) == no:
		var cols []int
		for _, column := range b.liveCols {
			cols = append(cols, column.Num)
		}
		r.fault("status-unknown", "the mapping does not say what to do with this row's status", "add the status to live, skip or cancelled in the mapping", cols...)
	}
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
	if b.third == nil || b.third(r) != yes {
		return b.legs[:2]
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
	pickup.read(r, &rawDate{}, &raw)
	r.problems = before // the problems of an unused time don't matter
	if !raw.given || raw.shows(importer.TimeOfDay{}) {
		return
	}
	r.field = pickupTime
	r.notice("return-time-unused", "there is a time for the return, and the row is not a round trip", "if the rider needs a way back, mark the row as a round trip", raw.col)
}

// Rules implements importer.Mapper.
func (b *Bound) Rules() *importer.Rules { return b.rules }

// HeaderRow is the number of the header row; 0 if the file has
// none. The rows below it are the data.
func (b *Bound) HeaderRow() int { return b.headers.row }

// Columns returns all columns of the file in order, those without a header
// included.
func (b *Bound) Columns() []importer.Column { return slices.Clone(b.headers.columns) }
