package mapping

import (
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A Bound is a mapping tied to the columns of one file. It implements
// importer.Mapper: it is pure and safe for concurrent use.
type Bound struct {
	mapping   *Mapping
	head      *Headers
	rules     *importer.Rules
	dates     *values.DateFormats
	skip      []leaveOutRule
	live      func(*rowContext) verdict
	liveCols  []importer.Column
	only      *legMaker
	roundTrip func(*rowContext) verdict
	third     func(*rowContext) verdict
	legs      []*legMaker // outbound, return and perhaps a third
}

type leaveOutRule struct {
	reason    string
	when      func(*rowContext) verdict
	cancelled bool
}

// bound compiles the whole mapping.
func (c *compiler) bound() *Bound {
	doc := c.doc
	b := &Bound{mapping: c.Mapping, dates: c.dates, head: &Headers{}}
	for i := range doc.Skip {
		b.skip = append(b.skip, leaveOutRule{doc.Skip[i].Reason.Value, c.condition(doc.Skip[i].When), false})
	}
	for i := range doc.Cancelled {
		b.skip = append(b.skip, leaveOutRule{doc.Cancelled[i].Reason.Value, c.condition(doc.Cancelled[i].When), true})
	}
	if doc.Live != nil {
		c.used = &b.liveCols
		b.live = c.condition(doc.Live)
		c.used = nil
	}
	b.only = c.legMaker(importer.OnlyLeg, doc.Trip, nil)
	c.requirements()
	c.roundTrip(b)
	b.rules = c.rules()
	return b
}

// roundTrip compiles the legs of a round trip.
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
	b.roundTrip = c.condition(s.When)
	b.legs = []*legMaker{
		c.legMaker(importer.OutboundLeg, c.doc.Trip, ids.Outbound),
		c.returnMaker(importer.ReturnLeg, &s.Return, ids.Return),
	}
	if s.Third == nil {
		return
	}
	if ids.Third == nil {
		c.finding(ids.Return.position, "the third leg has no id", `add third: "{trip_id}-C"`)
		return
	}
	b.third = c.condition(s.Third.When)
	b.legs = append(b.legs, c.returnMaker(importer.ThirdLeg, &s.Third.returnSpec, ids.Third))
}

func (c *compiler) returnMaker(leg importer.Leg, s *returnSpec, id *templateSource) *legMaker {
	if s.TripID != nil {
		c.finding(s.TripID.position, "a leg's id stands under round_trip's trip_id", "write it there")
	}
	c.decoder.choice(s.BlankTime, "will_call")
	p := c.legMaker(leg, c.doc.Trip.returnDefaults().with(s.legSpec), id)
	if s.BlankTime.given() {
		p.blankTime = importer.WillCall
	}
	return p
}

// Map implements importer.Mapper.
func (b *Bound) Map(row importer.Row) importer.Mapped {
	r := &rowContext{row: row, bound: b}
	m := importer.Mapped{Row: row}
	m.LeftOut, m.Cancelled = b.leftOut(r)
	if m.LeftOut == "" {
		b.whole(r)
	}
	trips := b.trips(r)
	m.Problems = r.problems
	m.Trips = make([]importer.Trip, len(trips))
	for i, plan := range trips {
		plan.make(r, &m.Trips[i])
	}
	if m.LeftOut != "" || isRagged(m.Problems) {
		// What else is wrong with a row that is left out concerns nobody, and
		// that of a row whose cells are shifted is words.
		for i := range m.Trips {
			m.Trips[i].Problems = nil
		}
	}
	if m.LeftOut != "" {
		m.Problems = nil
	}
	return m
}

func isRagged(ps []importer.Problem) bool {
	return slices.ContainsFunc(ps, func(p importer.Problem) bool { return p.Code == codeRagged })
}

// leftOut gives the first reason to leave the row out.
func (b *Bound) leftOut(r *rowContext) (reason string, cancelled bool) {
	for i := range b.skip {
		if b.skip[i].when(r) == yes {
			return b.skip[i].reason, b.skip[i].cancelled
		}
	}
	if b.repeatsHeaders(r.row) {
		return "the headers again", false
	}
	return "", false
}

// repeatsHeaders reports a row that repeats the headers, as exports do on every
// printed page.
func (b *Bound) repeatsHeaders(row importer.Row) bool {
	same := 0
	for _, column := range b.head.columns {
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

// whole checks the row as a whole.
func (b *Bound) whole(r *rowContext) {
	r.field, r.leg = "", importer.OnlyLeg
	if want, has := b.head.width, r.row.Width; has != want && want > 0 && has > 0 && !b.blankBeyond(r.row) {
		r.fault(codeRagged, fmt.Sprintf("the number of fields is %d where the headers are %d: the cells may be shifted", has, want), "look for a comma or a quote too many or too few, or export again")
	}
	if b.live != nil && b.live(r) == no {
		var cols []int
		for _, column := range b.liveCols {
			cols = append(cols, column.Num)
		}
		r.fault(codeStatus, "the mapping does not say what to do with this row's status", "add the status to live, skip or cancelled in the mapping", cols...)
	}
}

// blankBeyond reports that a line is longer than the headers by blank fields
// alone.
func (b *Bound) blankBeyond(row importer.Row) bool {
	for col := b.head.width + 1; col <= row.Width; col++ {
		if row.Cell(col).Type != importer.Empty {
			return false
		}
	}
	return row.Width > b.head.width
}

// trips gives the plans of the row's trips.
func (b *Bound) trips(r *rowContext) []*legMaker {
	if b.roundTrip == nil {
		return []*legMaker{b.only}
	}
	r.field, r.leg = "", importer.OnlyLeg
	if b.roundTrip(r) != yes {
		b.noticeUnusedReturn(r)
		return []*legMaker{b.only}
	}
	if b.third == nil || b.third(r) != yes {
		return b.legs[:2]
	}
	return b.legs
}

// noticeUnusedReturn mentions a time for the way back on a row that is not to have
// one: somebody may be waiting for it.
func (b *Bound) noticeUnusedReturn(r *rowContext) {
	back := b.legs[1].pickup
	if back == nil {
		return
	}
	quiet := &rowContext{row: r.row, bound: b}
	s := back.read(quiet, rawDate{})
	if !s.given || s.timed && s.shows(importer.TimeOfDay{}) {
		return
	}
	r.field = pickupTime
	r.notice(codeReturnUnused, "there is a time for the return, and the row is not a round trip", "if somebody is to be fetched back, mark the row as a round trip", s.col)
}

// Rules implements importer.Mapper.
func (b *Bound) Rules() *importer.Rules { return b.rules }

// HeaderRow is the number of the row with the headers; 0 where the file has
// none. The rows below it are the data.
func (b *Bound) HeaderRow() int { return b.head.row }

// Columns gives all columns of the file in order, those without a header
// included.
func (b *Bound) Columns() []importer.Column { return slices.Clone(b.head.columns) }

// NewColumns gives the columns that the mapping's own list (columns: under
// read:) does not have: the broker has added them since. There are none where
// the mapping has no list.
func (b *Bound) NewColumns() []importer.Column { return b.mapping.newColumns(b.head) }
