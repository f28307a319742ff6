package mapping

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

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
	origin  importer.Origin // origins as trips carry them, converted once

	date       *value
	pickup     *dateTimeReader
	pickupAppt *dateTimeReader // the appointment time of the pickup
	appt       *dateTimeReader // the appointment time of the dropoff
	tripID     *value          // the row's own trip id
	legID      *value          // the leg's trip id, made of tripID; nil if the row is one trip
	tripType   *value          // nil if no column says the type
	willCall   []willCallRule
	pickupOnly importer.TripType // the type of a trip with a pickup time alone
	blankTime  importer.TripType // the type of a return without a pickup time

	texts        []textMaker
	perTrip      bool        // one of the values has the trip's id, date or leg
	likeOutbound bool        // the leg copies everything from the outbound but times, id and ownTexts
	ownTexts     []textMaker // the texts with other sources than the outbound's
	pickupEvent  eventMaker
	dropoffEvent eventMaker
	distance     *value
	unitsPerMile float64
	passengers   []passengerCounter
	link         *value
}

// A textMaker fills one text of a trip.
type textMaker struct {
	field  importer.Field
	value  *value
	target func(*importer.Trip) *string
	normal normalForm
}

// A normalForm puts a text into the form that is sent.
type normalForm func(*rowContext, cellValue) string

// origins hold the columns that each field of a leg is made of.
type origins map[importer.Field][]importer.Column

// Columns implements importer.Origin.
func (o origins) Columns(f importer.Field) []importer.Column { return o[f] }

// legMaker compiles a leg. The template of its trip id is nil if the row is
// one trip.
func (c *compiler) legMaker(leg importer.Leg, spec legSpec, legID *templateSource) *legMaker {
	m := &legMaker{leg: leg, spec: spec, origins: origins{}}
	m.origin = m.origins
	c.times(m)
	c.dated = false
	m.tripID = c.ownID(spec.TripID)
	c.tripIDDated = c.dated
	m.setOrigin(importer.FieldTripID, m.tripID)
	if legID != nil {
		m.legID = c.id(&legID.source)
	}

	c.perTrip = false
	c.texts(m)
	m.pickupEvent = c.event(m, importer.FieldPickup, &spec.Pickup)
	m.dropoffEvent = c.event(m, importer.FieldDropoff, &spec.Dropoff)
	m.tripType = c.value(spec.TripType)
	m.setOrigin(importer.FieldTripType, m.tripType)
	c.distance(m)
	c.passengers(m)
	m.willCall = c.willCallRules(spec.WillCall)
	c.decoder.choice(spec.PickupOnly, "return")
	if spec.PickupOnly.given() || leg > importer.OutboundLeg {
		m.pickupOnly = importer.Return
	}
	c.key(func() { m.link = c.value(spec.LinkedBy) })
	m.perTrip = c.perTrip

	c.noDefault(spec.SpaceType, "a space type")
	c.noDefault(spec.TripID, "an id")
	c.noDefault(spec.RiderID, "an id")
	c.noDefault(spec.Date, "a date")
	return m
}

// idTellsRider reports whether the trip's id is made of a column that also
// identifies the rider: by the rider's id, a name or a phone number.
func (m *legMaker) idTellsRider() bool {
	ids := m.origins.of(importer.FieldTripID)
	if m.legID != nil {
		ids = append(ids, m.legID.columns...)
	}
	rider := m.origins.of(importer.FieldRiderID, importer.FieldPhone)
	for _, event := range []importer.Field{importer.FieldPickup, importer.FieldDropoff} {
		rider = append(rider, m.origins.of(event.Of(importer.FieldEventName), event.Of(importer.FieldPhoneNumber))...)
	}
	return slices.ContainsFunc(ids, func(c importer.Column) bool { return c.Num > 0 && slices.Contains(rider, c) })
}

// times compiles the dates and times of a leg.
func (c *compiler) times(m *legMaker) {
	m.date = c.value(m.spec.Date)
	m.pickup = c.dateTime(pickupTime, m.spec.Pickup.PickupTime)
	m.pickupAppt = c.dateTime(pickupAppt, m.spec.Pickup.ApptTime)
	m.appt = c.dateTime(dropoffAppt, m.spec.Dropoff.ApptTime)
	m.origins[pickupTime] = m.pickup.columns(m.date)
	m.origins[pickupAppt] = m.pickupAppt.columns(m.date)
	m.origins[dropoffAppt] = m.appt.columns(m.date)
	m.origins[importer.FieldDate] = m.pickup.dateColumns(m.date)
	if m.pickup == nil {
		m.origins[importer.FieldDate] = m.appt.dateColumns(m.date)
	}
	if s := m.spec.Dropoff.PickupTime; s != nil {
		c.finding(s.position, "pickup_time belongs to the pickup: the service sets it on a dropoff", "move it under pickup:")
	}
}

// setOrigin sets the columns that a field is made of.
func (m *legMaker) setOrigin(f importer.Field, v *value) {
	if v != nil {
		m.origins[f] = distinctColumns(v.columns)
	}
}

func distinctColumns(columns []importer.Column) []importer.Column {
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
func (c *compiler) texts(m *legMaker) {
	s := m.spec
	m.text(importer.FieldProvider, c.value(s.Provider), func(t *importer.Trip) *string { return &t.Provider }, nil)
	m.text(importer.FieldFundingSource, c.value(s.FundingSource), func(t *importer.Trip) *string { return &t.FundingSource }, nil)
	m.text(importer.FieldRiderID, c.id(s.RiderID), func(t *importer.Trip) *string { return &t.RiderID }, nil)
	var space *value
	c.asRule(true, func() { space = c.value(s.SpaceType) })
	m.text(importer.FieldSpaceType, space, func(t *importer.Trip) *string { return &t.SpaceType }, nil)
	m.text(importer.FieldPhone, c.value(s.Phone), func(t *importer.Trip) *string { return &t.Phone }, normalPhone)
}

// text adds a text of the trip. If normal is nil, the text is sent as it is.
func (m *legMaker) text(f importer.Field, v *value, target func(*importer.Trip) *string, normal normalForm) {
	if v == nil {
		return
	}
	m.texts = append(m.texts, textMaker{f, v, target, normal})
	m.setOrigin(f, v)
}

// fill fills in the trip and its problems. If the outbound has problems, nothing is
// copied from it, because they may be the leg's too.
func (m *legMaker) fill(r *rowContext, t, outbound *importer.Trip) {
	r.leg, r.problems, r.date, r.tripID = m.leg, nil, importer.Date{}, ""
	copies := m.likeOutbound && len(outbound.Problems) == 0
	if copies {
		m.copyOutbound(t, outbound)
	} else {
		*t = importer.Trip{}
	}
	t.Leg, t.Row, t.Origin, t.Together = m.leg, r.row.Ref(0), m.origin, m.spec.Together

	date := m.fillTimes(r, t)
	r.date = cmp.Or(t.Date(), date)
	m.fillID(r, t)
	texts := m.texts
	if copies {
		texts = m.ownTexts
	}
	for i := range texts {
		texts[i].fill(r, t)
	}
	if !copies {
		m.fillRest(r, t)
	}
	t.Problems = r.problems
}

// fillRest fills in everything but times, id and texts.
func (m *legMaker) fillRest(r *rowContext, t *importer.Trip) {
	m.pickupEvent.fill(r, &t.Pickup)
	m.dropoffEvent.fill(r, &t.Dropoff)
	m.fillDistance(r, t)
	m.fillPassengers(r, t)
	if m.link != nil {
		r.field = ""
		t.Link = values.FoldCase(m.link.read(r).text)
	}
}

func (x *textMaker) fill(r *rowContext, t *importer.Trip) {
	r.field = x.field
	v := x.value.read(r)
	if v.bad || v.text == "" {
		return
	}
	if x.normal != nil {
		v.text = x.normal(r, v)
	}
	*x.target(t) = v.text
}

// fillID fills in the trip's id: the row's own, or the leg's that is made of it.
func (m *legMaker) fillID(r *rowContext, t *importer.Trip) {
	if m.tripID == nil {
		return
	}
	r.field = importer.FieldTripID
	before := len(r.problems)
	v := m.tripID.read(r)
	r.noID = r.noID || slices.ContainsFunc(r.problems[before:], func(p importer.Problem) bool {
		return p.Severity == importer.Fault && strings.HasPrefix(p.Code, "id-")
	})
	if v.bad {
		return
	}
	r.rowTripID = v.text
	if r.bound.rowIDs.addsDate && v.text != "" {
		if r.date.IsZero() {
			r.idPartMissing([]cellValue{{}})
			return
		}
		v.text += "-" + strings.ReplaceAll(r.date.String(), "-", "")
	}

	t.ID, r.tripID = v.text, v.text
	if m.legID != nil && v.text != "" {
		t.ID = m.legID.read(r).text
	}
	if r.bound.rowIDs.named.Private {
		t.Alias = "row " + strconv.Itoa(r.row.Num)
	}
}

// fillTimes fills in the trip's times and type. It returns the date, because a trip
// without a time has none.
func (m *legMaker) fillTimes(r *rowContext, t *importer.Trip) importer.Date {
	r.field = pickupTime
	date := readDate(r, m.date)
	times := &tripTimes{}
	m.pickup.read(r, &date, &times.pickup)
	m.pickupAppt.read(r, &date, &times.pickupAppt)
	m.appt.read(r, &date, &times.appt)
	typeOfColumn, decided := m.typeByColumn(r)
	if typeOfColumn == importer.WillCall || !decided && m.isWillCall(r, times) {
		m.makeWillCall(r, t, times)
		return times.pickup.date.date
	}

	t.Pickup.PickupTime = times.pickup.resolve(r, pickupTime)
	t.Pickup.Appt = times.pickupAppt.resolve(r, pickupAppt)
	t.Dropoff.Appt = times.appt.resolve(r, dropoffAppt)
	t.Type = typeOfColumn
	if !decided {
		m.fillType(r, t, times)
	}
	return times.pickup.date.date
}

// fillType fills in the type that follows from the times.
func (m *legMaker) fillType(r *rowContext, t *importer.Trip, times *tripTimes) {
	hasPickup := times.pickup.given || times.pickup.reported
	hasAppt := times.appt.given || times.appt.reported
	isReturn := m.leg > importer.OutboundLeg
	switch {
	case hasAppt:
		t.Type = importer.Appointment
	case hasPickup && m.pickupOnly == importer.NoType:
		r.field = importer.FieldTripType
		r.fault("pickup-only", "there is a pickup time and no appointment, and the mapping does not say what that means", "fill in the appointment time, or add pickup_only: return to the mapping", times.pickup.col)
	case hasPickup:
		t.Type = m.pickupOnly
	case isReturn && m.blankTime == importer.WillCall:
		m.makeWillCall(r, t, times)
	case isReturn:
		r.field = pickupTime
		t.Type = importer.Return
		r.fault("return-time-missing", "the row is a round trip and has no time for the "+m.leg.String(), "fill in the time; or add blank_time: will_call to the mapping if none is needed", times.pickup.col)
	}
}

// typeByColumn returns the trip type that a column gives. decides reports whether
// the column has a value, even one that can't be read.
func (m *legMaker) typeByColumn(r *rowContext) (t importer.TripType, decides bool) {
	if m.tripType == nil {
		return importer.NoType, false
	}

	r.field = importer.FieldTripType
	v := m.tripType.read(r)
	switch {
	case v.bad:
		return importer.NoType, true
	case v.text == "":
		return importer.NoType, false
	}

	switch values.HeaderKey(v.text) {
	case "appointment", "2":
		return importer.Appointment, true
	case "return", "3":
		return importer.Return, true
	case "willcall", "1":
		return importer.WillCall, true
	}

	r.fault("trip-type-unknown", fmt.Sprintf("%q is not a trip type", v.text), "write appointment, return or will call, or give the mapping a table", v.col)
	return importer.NoType, true
}
