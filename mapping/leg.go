package mapping

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A legMaker makes one trip of a row.
type legMaker struct {
	leg     importer.Leg
	spec    legSpec
	origins origins
	origin  importer.Origin // origins as trips carry them, converted once

	date       *value
	pickup     *dateTimeReader
	appt       *dateTimeReader
	tripID     *value // the row's own trip id
	willCall   []willCallRule
	pickupOnly importer.TripType // the type of a trip with a pickup time alone

	fields     []fieldMaker
	passengers []passengerCounter
}

// origins hold the columns that each field of a leg is made of.
type origins map[importer.Field][]importer.Column

// Columns implements importer.Origin.
func (o origins) Columns(f importer.Field) []importer.Column { return o[f] }

// legMaker compiles a leg.
func (c *compiler) legMaker(leg importer.Leg, spec legSpec) *legMaker {
	m := &legMaker{leg: leg, spec: spec, origins: origins{}}
	m.origin = m.origins
	c.times(m)
	m.tripID = c.value(spec.TripID, useOf(importer.FieldTripID))
	m.setOrigin(importer.FieldTripID, m.tripID)

	for _, s := range spec.specs() {
		if one, _ := s.spec.(*source); one != nil {
			c.field(m, s.field, s.field, one, fillerOf(s.field))
		}
	}
	c.event(m, importer.FieldPickup, &spec.Pickup.locationSpec)
	c.event(m, importer.FieldDropoff, &spec.Dropoff.locationSpec)
	c.passengers(m)
	m.willCall = c.willCallRules(spec.WillCall)
	if spec.PickupOnly.given() || leg > importer.OutboundLeg {
		m.pickupOnly = importer.Return
	}
	return m
}

// idTellsRider reports whether the trip's id is made of a column that also makes the rider's.
func (m *legMaker) idTellsRider() bool {
	rider := m.origins[importer.FieldRiderID]
	return slices.ContainsFunc(m.origins[importer.FieldTripID], func(c importer.Column) bool { return c.Num > 0 && slices.Contains(rider, c) })
}

// times compiles the dates and times of a leg.
func (c *compiler) times(m *legMaker) {
	m.date = c.value(m.spec.Date, useOf(importer.FieldDate))
	m.appt = c.dateTime(m, importer.DropoffAppt, m.spec.Dropoff.ApptTime)
	m.pickup = c.dateTime(m, importer.PickupTime, m.spec.Pickup.PickupTime)
}

// setOrigin sets the columns that a field is made of.
func (m *legMaker) setOrigin(f importer.Field, v *value) {
	if v != nil {
		m.origins[f] = distinctColumns(v.columns)
	}
}

func distinctColumns(columns []importer.Column) []importer.Column {
	var kept []importer.Column
	for _, c := range columns {
		if !slices.ContainsFunc(kept, func(k importer.Column) bool { return k.Num == c.Num }) {
			kept = append(kept, c)
		}
	}
	return kept
}

// of returns the columns that the fields are made of.
func (o origins) of(fields ...importer.Field) []importer.Column {
	var columns []importer.Column
	for _, f := range fields {
		columns = append(columns, o[f]...)
	}
	return columns
}

// fill fills in the trip and its problems.
func (m *legMaker) fill(r *rowContext, t *importer.Trip) {
	r.leg, r.problems, r.date = m.leg, nil, importer.Date{}
	*t = importer.Trip{Leg: m.leg, Row: r.row.Ref(0), Origin: m.origin}

	date := m.fillTimes(r, t)
	r.date = cmp.Or(t.Date(), date)
	m.fillID(r, t)
	for i := range m.fields {
		r.field = m.fields[i].field
		if v := m.fields[i].value.read(r); !v.bad && v.text != "" {
			m.fields[i].fill(r, v, t)
		}
	}
	m.fillPassengers(r, t)
	t.Problems = r.problems
}

// fillID fills in the trip's id: the row's own, with the leg's letter if the row makes two
// trips.
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
	if r.bound.rowIDs.addsDate && v.text != "" {
		if r.date.IsZero() {
			r.idPartMissing([]cellValue{{}})
			return
		}
		v.text += "-" + compactDate(r.date)
	}

	t.ID = v.text
	if t.ID != "" {
		t.ID += legSuffix[m.leg]
	}
	if r.bound.rowIDs.named.Private {
		t.Alias = "row " + strconv.Itoa(r.row.Num)
	}
}

// legSuffix is what the ids of the legs of one row end in.
var legSuffix = [...]string{importer.OnlyLeg: "", importer.OutboundLeg: "-A", importer.ReturnLeg: "-B"}

// fillTimes fills in the trip's times and type. It returns the date, because a trip
// without a time has none.
func (m *legMaker) fillTimes(r *rowContext, t *importer.Trip) importer.Date {
	r.field = importer.PickupTime
	date := readDate(r, m.date)
	times := &tripTimes{}
	isReturn := m.leg > importer.OutboundLeg
	m.pickup.read(r, &date, &times.pickup, isReturn)
	m.appt.read(r, &date, &times.appt, isReturn || times.pickup.isTime && times.pickup.date.known) // the checks compare the two
	if m.isWillCall(r, times) {
		m.makeWillCall(r, t, times)
		return times.pickup.date.date
	}

	t.Pickup.PickupTime = times.pickup.resolve(r, importer.PickupTime)
	t.Dropoff.Appt = times.appt.resolve(r, importer.DropoffAppt)
	m.fillType(r, t, times)
	return times.pickup.date.date
}

// fillType fills in the type that follows from the times.
func (m *legMaker) fillType(r *rowContext, t *importer.Trip, times *tripTimes) {
	hasPickup := times.pickup.given || times.pickup.reported
	hasAppt := times.appt.given || times.appt.reported
	switch {
	case hasAppt:
		t.Type = importer.Appointment
	case hasPickup && m.pickupOnly == importer.NoType:
		r.field = importer.FieldTripType
		r.report("pickup-only", "there is a pickup time and no appointment, and the mapping does not say what that means", "fill in the appointment time, or add pickup_only: return to the mapping", times.pickup.col)
	case hasPickup:
		t.Type = m.pickupOnly
	case m.leg > importer.OutboundLeg:
		r.field = importer.PickupTime
		t.Type = importer.Return
		r.report("return-time-missing", "the row is a round trip and has no time for the "+m.leg.String(), "fill in the time; or add will_call: {says: (empty)} under return: in the mapping if none is needed", times.pickup.col)
	}
}

// returnDefaults returns the return that a mapping without further settings has: the trip
// with its places swapped, phones included, and without what a pickup or a dropoff alone has, such as
// its times. The names and notes of both belong to the trip and stay.
func (l legSpec) returnDefaults() legSpec {
	l.Pickup.locationSpec, l.Dropoff.locationSpec = l.Dropoff.locationSpec, l.Pickup.locationSpec
	l.Pickup, l.Dropoff = pickupSpec{eventSpec: l.Pickup.eventSpec}, dropoffSpec{eventSpec: l.Dropoff.eventSpec}
	l.WillCall, l.PickupOnly = nil, text{}
	return l
}

// with returns l, overridden by what differs. An event with another address keeps
// nothing of the old location, because half of each would be a third address.
func (l legSpec) with(differs legSpec) legSpec {
	for _, e := range []struct{ old, differs *eventSpec }{{&l.Pickup.eventSpec, &differs.Pickup.eventSpec}, {&l.Dropoff.eventSpec, &differs.Dropoff.eventSpec}} {
		if e.differs.hasAddress() {
			e.old.locationSpec = locationSpec{}
		}
	}
	overlay(reflect.ValueOf(&l).Elem(), reflect.ValueOf(&differs).Elem())
	return l
}

// hasAddress reports whether the mapping gives the event an address.
func (l locationSpec) hasAddress() bool {
	return l.CompleteAddress != nil || l.Address != nil || l.Address1 != nil || l.City != nil || l.Zip != nil
}

// overlay copies every key of from that is given.
func overlay(to, from reflect.Value) {
	for _, key := range keysIn(from.Type()) {
		given, target := from.FieldByIndex(key.Index), to.FieldByIndex(key.Index)
		switch {
		case isGroup(given): // an event
			overlay(target, given)
		case !given.IsZero():
			target.Set(given)
		}
	}
}
