package mapping

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// requirements reports a mapping that can't give a trip what the service
// requires, and one whose trip ids may change.
func (c *compiler) requirements() {
	trip := &c.doc.Trip
	for _, need := range []struct {
		field importer.Field
		given bool
	}{
		{importer.FieldProvider, trip.Provider != nil},
		{importer.FieldFundingSource, trip.FundingSource != nil},
		{importer.FieldTripID, trip.TripID != nil},
		{importer.FieldRiderID, trip.RiderID != nil},
		{importer.FieldSpaceType, trip.SpaceType != nil},
		{importer.FieldPickup, trip.Pickup.hasLocation()},
		{importer.FieldDropoff, trip.Dropoff.hasLocation()},
	} {
		if !need.given {
			c.finding(trip.position, fmt.Sprintf("the trip has no %s, and the service requires one", need.field), "add "+string(need.field)+": under trip:, with the column it comes from")
		}
	}

	c.stableID(trip.TripID)
}

func (l locationSpec) hasLocation() bool {
	return l.hasAddress() || l.LocationName != nil || l.Latitude != nil || l.Coordinates != nil
}

// noDefault reports a default of a value that would send the wrong car if it were
// wrong.
func (c *compiler) noDefault(s *source, what string) {
	if s != nil && s.Default.given() {
		c.finding(s.Default.position, what+" has no default: a guess would send the wrong car", "take the default out; a row without a value then has a fault to fix")
	}
}

// stableID reports a trip id that is made of something that may change before the
// trip takes place: with another id, the trip would be booked again.
func (c *compiler) stableID(s *source) {
	if s == nil {
		return
	}
	for _, ref := range c.referencesIn(s) {
		if what := changingThing(values.HeaderKey(ref.header.Value)); what != "" {
			c.changing(ref, what)
		}
	}
}

// changing reports an id that is made of a column that may change.
func (c *compiler) changing(ref ColumnRef, what string) {
	c.finding(ref.at(), fmt.Sprintf("%s is part of the trip id (%s): it may change, and a changed id books a second car", what, ref), "use what the broker never changes: its trip number, and the leg where each has a row of its own")
}

// changingThing says what a column holds, judged by the key of its header, if
// that may change. Otherwise it is empty.
func changingThing(header string) string {
	for _, thing := range []struct {
		what  string
		words []string
	}{
		{"a phone", []string{"phone", "telephone"}},
		{"a status", []string{"status"}},
		{"an address", []string{"address", "street", "zip"}},
		{"a time", []string{"time", "appt", "appointment"}},
	} {
		named := slices.ContainsFunc(thing.words, func(w string) bool { return strings.Contains(header, w) })
		isNumber := strings.HasSuffix(header, "id") || strings.HasSuffix(header, "number") // as in Appointment ID
		isNoTime := thing.what == "a time" && (isNumber || strings.Contains(header, "date")) && !strings.Contains(header, "time")
		if named && !isNoTime {
			return thing.what
		}
	}

	return ""
}
