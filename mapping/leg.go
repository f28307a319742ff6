package mapping

import (
	"fmt"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// The fields that are asked about most.
const (
	pickupTime  = importer.FieldPickup + "." + importer.FieldPickupTime
	pickupAppt  = importer.FieldPickup + "." + importer.FieldApptTime
	dropoffAppt = importer.FieldDropoff + "." + importer.FieldApptTime
)

// A legMaker makes one trip of a row.
type legMaker struct {
	leg     importer.Leg
	spec    legSpec
	origins origins
	origin  importer.Origin // the same, as trips carry it
	texts   []textMaker
	date    *value
	pickup  *dateTimeReader
	// pickupAppt is the appointment time of the pickup, appt that of the dropoff.
	pickupAppt, appt *dateTimeReader
	trip             *value // the row's own trip id
	legID            *value // the leg's, made of it; nil where the row is one trip
	kind             *value // the trip type, where a column says it
	riders           []passengerCounter
	events           [2]eventMaker
	miles            *value
	perMile          float64
	link             *value
	// willCall are the rules for a will call.
	willCall []willCallRule
	// pickupOnly is what a trip with only a pickup time is.
	pickupOnly importer.TripType
	// blankTime says what a return without a pickup time is.
	blankTime importer.TripType
}

// A textMaker fills one text of a trip.
type textMaker struct {
	field  importer.Field
	value  *value
	target func(*importer.Trip) *string
	// finish puts the text into the form that is sent; nil to leave it.
	finish func(*rowContext, cellValue) string
}

// origins know from which columns a leg's fields are made.
type origins map[importer.Field][]importer.Column

// Columns implements importer.Origin.
func (o origins) Columns(f importer.Field) []importer.Column { return o[f] }

// legMaker compiles a leg.
func (c *compiler) legMaker(leg importer.Leg, spec legSpec, legID *templateSource) *legMaker {
	p := &legMaker{leg: leg, spec: spec, origins: origins{}}
	p.origin = p.origins
	p.date = c.value(spec.Date)
	p.pickup = c.dateTime(pickupTime, spec.Pickup.PickupTime)
	p.pickupAppt = c.dateTime(pickupAppt, spec.Pickup.ApptTime)
	p.appt = c.dateTime(dropoffAppt, spec.Dropoff.ApptTime)
	p.origins[pickupTime] = p.pickup.columns(p.date)
	p.origins[pickupAppt] = p.pickupAppt.columns(p.date)
	p.origins[dropoffAppt] = p.appt.columns(p.date)
	p.origins[importer.FieldDate] = p.pickup.dateColumns(p.date)
	if p.pickup == nil {
		p.origins[importer.FieldDate] = p.appt.dateColumns(p.date)
	}
	p.trip = c.id(spec.TripID)
	p.setOrigin(importer.FieldTripID, p.trip)
	if legID != nil {
		p.legID = c.value(&legID.source)
	}
	c.texts(p)
	p.events = [2]eventMaker{
		c.eventMaker(p, importer.FieldPickup, &spec.Pickup),
		c.eventMaker(p, importer.FieldDropoff, &spec.Dropoff),
	}
	p.kind = c.value(spec.TripType)
	p.setOrigin(importer.FieldTripType, p.kind)
	c.distance(p)
	c.riders(p)
	c.willCalls(p)
	c.decoder.choice(spec.PickupOnly, "return")
	if spec.PickupOnly.given() || leg > importer.OutboundLeg {
		p.pickupOnly = importer.Return
	}
	p.link = c.value(spec.LinkedBy)
	return p
}

func (p *legMaker) setOrigin(f importer.Field, v *value) {
	if v != nil {
		p.origins[f] = unique(v.columns)
	}
}

// unique leaves out columns that stand there already.
func unique(columns []importer.Column) []importer.Column {
	seen := map[int]bool{}
	var kept []importer.Column
	for _, c := range columns {
		if !seen[c.Num] {
			seen[c.Num] = true
			kept = append(kept, c)
		}
	}
	return kept
}

// texts compiles the fields of the trip itself that are plain texts.
func (c *compiler) texts(p *legMaker) {
	s := p.spec
	p.text(c, importer.FieldProvider, s.Provider, func(t *importer.Trip) *string { return &t.Provider }, nil)
	p.text(c, importer.FieldFundingSource, s.FundingSource, func(t *importer.Trip) *string { return &t.FundingSource }, nil)
	p.add(importer.FieldRiderID, c.id(s.RiderID), func(t *importer.Trip) *string { return &t.RiderID }, nil)
	p.text(c, importer.FieldSpaceType, s.SpaceType, func(t *importer.Trip) *string { return &t.SpaceType }, nil)
	p.text(c, importer.FieldPhone, s.Phone, func(t *importer.Trip) *string { return &t.Phone }, phoneDigits)
}

func (p *legMaker) text(c *compiler, f importer.Field, s *source, target func(*importer.Trip) *string, finish func(*rowContext, cellValue) string) {
	p.add(f, c.value(s), target, finish)
}

func (p *legMaker) add(f importer.Field, v *value, target func(*importer.Trip) *string, finish func(*rowContext, cellValue) string) {
	if v == nil {
		return
	}
	p.texts = append(p.texts, textMaker{f, v, target, finish})
	p.setOrigin(f, v)
}

// make makes the leg's trip.
func (p *legMaker) make(r *rowContext, t *importer.Trip) {
	t.Leg, t.Row, t.Origin, t.Together = p.leg, r.row.Ref(0), p.origin, p.spec.Together
	r.leg, r.problems, r.date, r.tripID = p.leg, nil, importer.Date{}, ""
	p.times(r, t)
	r.date = t.Date()
	p.ids(r, t)
	for i := range p.texts {
		x := &p.texts[i]
		r.field = x.field
		f := x.value.read(r)
		if f.bad || f.text == "" {
			continue
		}
		if x.finish != nil {
			f.text = x.finish(r, f)
		}
		*x.target(t) = f.text
	}
	p.events[0].finish(r, &t.Pickup)
	p.events[1].finish(r, &t.Dropoff)
	p.fillDistance(r, t)
	p.fillPassengers(r, t)
	if p.link != nil {
		r.field = ""
		t.Link = values.FoldCase(p.link.read(r).text)
	}
	t.Problems = r.problems
}

// ids gives the trip its id: the row's own, or the leg's that is made of it.
func (p *legMaker) ids(r *rowContext, t *importer.Trip) {
	if p.trip == nil {
		return
	}
	r.field = importer.FieldTripID
	f := p.trip.read(r)
	if f.bad {
		return
	}
	t.ID, r.tripID = f.text, f.text
	if p.legID != nil && f.text != "" {
		t.ID = p.legID.read(r).text
	}
}

// times fills in when the trip is, and of which type it is.
func (p *legMaker) times(r *rowContext, t *importer.Trip) {
	r.field = pickupTime
	day := readDay(r, p.date, r.bound.dates)
	pickup, early, appt := p.pickup.read(r, day), p.pickupAppt.read(r, day), p.appt.read(r, day)
	kind, typeByColumn := p.typeByColumn(r)
	if kind == importer.WillCall || !typeByColumn && p.isWillCall(r, pickup, appt) {
		p.makeWillCall(r, t, pickup, early, appt)
		return
	}
	t.Pickup.PickupTime = pickup.resolve(r, pickupTime)
	t.Pickup.Appt = early.resolve(r, pickupAppt)
	t.Dropoff.Appt = appt.resolve(r, dropoffAppt)
	t.Type = kind
	if typeByColumn {
		return
	}
	switch hasPickup, hasAppt := pickup.given || pickup.reported, appt.given || appt.reported; {
	case hasAppt:
		t.Type = importer.Appointment
	case hasPickup && p.pickupOnly == importer.NoType:
		r.field = importer.FieldTripType
		r.fault(codePickupOnly, "there is a pickup time and no appointment, and the mapping does not say what that means", "fill in the appointment time, or add pickup_only: return to the mapping", pickup.col)
	case hasPickup:
		t.Type = p.pickupOnly
	case p.leg > importer.OutboundLeg && p.blankTime == importer.WillCall:
		p.makeWillCall(r, t, pickup, early, appt)
	case p.leg > importer.OutboundLeg:
		r.field = pickupTime
		t.Type = importer.Return
		r.fault(codeReturnTime, "the row is a round trip and has no time for the "+p.leg.String(), "fill in the time; or add blank_time: will_call to the mapping if none is needed", pickup.col)
	}
}

// typeByColumn gives the trip type that a column says. The second result reports that
// the column settles it, if only because it can't be read.
func (p *legMaker) typeByColumn(r *rowContext) (importer.TripType, bool) {
	if p.kind == nil {
		return importer.NoType, false
	}
	r.field = importer.FieldTripType
	f := p.kind.read(r)
	switch {
	case f.bad:
		return importer.NoType, true
	case f.text == "":
		return importer.NoType, false
	}
	switch values.HeaderKey(f.text) {
	case "appointment", "2":
		return importer.Appointment, true
	case "return", "3":
		return importer.Return, true
	case "willcall", "1":
		return importer.WillCall, true
	}
	r.fault(codeTripType, fmt.Sprintf("%q is not a trip type", f.text), "write appointment, return or will call, or give the mapping a table", f.col)
	return importer.NoType, true
}
