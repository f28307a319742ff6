package mapping

import (
	"fmt"
	"strconv"
	"strings"

	"tripimport/importer"
)

// An Explanation says what one field of a trip became, and why.
type Explanation struct {
	Leg   importer.Leg
	Field importer.Field // empty for the row as a whole
	// Value is what is sent; empty where nothing is.
	Value string
	// Cells are where it came from, the most telling one first; none for a
	// constant.
	Cells []importer.Ref
	// Rule says how, with the line of the mapping that says so.
	Rule string
}

// Explain says for every mapped field of the row's trips what it became, from
// which cells and through which rule. Row content is in it: it is for the
// terminal of the person who asks, not for a log.
func (b *Bound) Explain(row importer.Row) []Explanation {
	m := b.Map(row)
	if m.LeftOut != "" {
		return []Explanation{{Cells: []importer.Ref{row.Ref(0)}, Rule: "the row is left out: " + m.LeftOut}}
	}
	plans := b.trips(&reading{row: row, bound: b})
	var all []Explanation
	for i := range m.Trips {
		all = append(all, plans[i].explain(b, &m.Trips[i])...)
	}
	return all
}

func (p *legPlan) explain(b *Bound, t *importer.Trip) []Explanation {
	var all []Explanation
	for _, e := range p.rules(t) {
		if e.rule == "" {
			continue
		}
		x := Explanation{Leg: t.Leg, Field: e.field, Value: e.value, Rule: e.rule}
		if e.line > 0 {
			x.Rule += " (" + b.mapping.file + ", line " + strconv.Itoa(e.line) + ")"
		}
		for _, column := range p.origins[e.field] {
			ref := t.Row
			ref.Col, ref.Header = column.Num, column.Header
			x.Cells = append(x.Cells, ref)
		}
		all = append(all, x)
	}
	return all
}

// A ruling is a field with its value and the rule behind it.
type ruling struct {
	field importer.Field
	value string
	rule  string
	line  int
}

// rules gives the fields in the order in which a person reads a trip.
func (p *legPlan) rules(t *importer.Trip) []ruling {
	s := &p.spec
	list := []ruling{
		from(importer.FieldProvider, t.Provider, s.Provider),
		from(importer.FieldFundingSource, t.FundingSource, s.FundingSource),
		p.idRuling(t),
		from(importer.FieldRiderID, t.RiderID, s.RiderID),
		from(importer.FieldSpaceType, t.SpaceType, s.SpaceType),
		p.typeRuling(t),
		from(importer.FieldPhone, t.Phone, s.Phone),
	}
	if s.BillableDistance != nil {
		miles := ""
		if t.BillableDistance.Given {
			miles = strconv.FormatFloat(t.BillableDistance.Value, 'f', -1, 64)
		}
		list = append(list, from(importer.FieldBillableDistance, miles, &s.BillableDistance.source))
	}
	if len(s.AdditionalPassengers) > 0 {
		list = append(list, ruling{importer.FieldAdditional, additional(t), "counted", s.AdditionalPassengers[0].Line})
	}
	list = append(list, eventRulings(importer.FieldPickup, &s.Pickup, &t.Pickup)...)
	list = append(list, timed(pickupTime, t.Pickup.PickupTime, s.Pickup.PickupTime))
	list = append(list, eventRulings(importer.FieldDropoff, &s.Dropoff, &t.Dropoff)...)
	return append(list, timed(dropoffAppt, t.Dropoff.Appt, s.Dropoff.ApptTime))
}

func from(f importer.Field, value string, s *source) ruling {
	if s == nil {
		return ruling{}
	}
	return ruling{f, value, s.describe(), s.Line}
}

func timed(f importer.Field, at importer.DateTime, m *moment) ruling {
	switch {
	case m == nil:
		return ruling{}
	case m.Time != nil && m.Date != nil:
		return ruling{f, at.String(), "date from " + m.Date.describe() + ", time from " + m.Time.describe(), m.Line}
	case m.Time != nil:
		return ruling{f, at.String(), m.Time.describe(), m.Line}
	}
	return ruling{f, at.String(), m.describe(), m.Line}
}

func (p *legPlan) idRuling(t *importer.Trip) ruling {
	r := from(importer.FieldTripID, t.ID, p.spec.TripID)
	if p.legID != nil {
		r.rule, r.line = p.legID.source.describe()+", from "+r.rule, p.legID.source.Line
	}
	return r
}

// typeRuling says why the trip is of its type.
func (p *legPlan) typeRuling(t *importer.Trip) ruling {
	r := from(importer.FieldTripType, t.Type.String(), p.spec.TripType)
	switch {
	case r.rule != "" || t.Type == importer.NoType:
	case t.Type == importer.Appointment:
		r = ruling{importer.FieldTripType, t.Type.String(), "it has an appointment time", 0}
	case t.Type == importer.Return:
		r = ruling{importer.FieldTripType, t.Type.String(), "it has a pickup time alone", p.spec.PickupOnly.Line}
	case p.blankTime == importer.WillCall:
		r = ruling{importer.FieldTripType, t.Type.String(), "it has no pickup time: blank_time", 0}
	default:
		r = ruling{importer.FieldTripType, t.Type.String(), "will_call holds", 0}
	}
	return r
}

func additional(t *importer.Trip) string {
	var parts []string
	for _, a := range t.AdditionalRiders {
		parts = append(parts, fmt.Sprintf("%d %s", a.Count, a.SpaceType))
	}
	return strings.Join(parts, ", ")
}

func eventRulings(at importer.Field, s *eventSpec, e *importer.Event) []ruling {
	list := []ruling{
		from(at.Of(importer.FieldEventName), e.Name, s.EventName),
		from(at.Of(importer.FieldLocationName), e.LocationName, s.LocationName),
		from(at.Of(importer.FieldCompleteAddress), e.CompleteAddress, s.CompleteAddress),
		from(at, e.Address(), s.Address),
		from(at.Of(importer.FieldAddress1), e.Address1, s.Address1),
		from(at.Of(importer.FieldAddress2), e.Address2, s.Address2),
		from(at.Of(importer.FieldCity), e.City, s.City),
		from(at.Of(importer.FieldState), e.State, s.State),
		from(at.Of(importer.FieldZip), e.Zip, s.Zip),
		from(at.Of(importer.FieldLatitude), degree(e.Position.Latitude, e.Position.HasLatitude), s.Latitude),
		from(at.Of(importer.FieldLongitude), degree(e.Position.Longitude, e.Position.HasLongitude), s.Longitude),
	}
	if s.SplitUnit && s.Address2 == nil {
		list = append(list, ruling{at.Of(importer.FieldAddress2), e.Address2, "split off the street", s.Address1.line()})
	}
	if s.Coordinates != nil {
		list = append(list,
			from(at.Of(importer.FieldLatitude), degree(e.Position.Latitude, e.Position.HasLatitude), &s.Coordinates.source),
			from(at.Of(importer.FieldLongitude), degree(e.Position.Longitude, e.Position.HasLongitude), &s.Coordinates.source))
	}
	return append(list,
		from(at.Of(importer.FieldPhoneNumber), e.Phone, s.PhoneNumber),
		from(at.Of(importer.FieldEventComment), e.Comment, s.EventComment))
}

func degree(v float64, known bool) string {
	if !known {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// describe says in words where a value comes from.
func (s *source) describe() string {
	var b strings.Builder
	switch {
	case s.Column.given() || s.Letter.given():
		b.WriteString(ColumnRef{header: s.Column, under: s.Under, letter: s.Letter, nth: s.Nth}.String())
	case s.Const.given():
		fmt.Fprintf(&b, "always %q", s.Const.Value)
	case s.Template.given():
		fmt.Fprintf(&b, "template %q", s.Template.Value)
	case s.Join != nil:
		b.WriteString("joined from " + describeAll(s.Join))
	case s.First != nil:
		b.WriteString("the first given of " + describeAll(s.First))
	case s.Lookup != nil:
		b.WriteString("looked up by " + describeAll(s.Lookup))
	case s.Expr.given():
		fmt.Fprintf(&b, "worked out by %s", s.Expr.Value)
	}
	if s.Table != nil && s.Table.Name.given() {
		b.WriteString(" in the table " + s.Table.Name.Value)
	} else if s.Table != nil {
		b.WriteString(" by its table")
	}
	return b.String()
}

func describeAll(list []*source) string {
	var names []string
	for _, s := range list {
		names = append(names, s.describe())
	}
	return strings.Join(names, ", ")
}

func (s *source) line() int {
	if s == nil {
		return 0
	}
	return s.Line
}
