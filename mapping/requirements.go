package mapping

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// requirements faults a mapping that can't give a trip what the service requires,
// and one that would book a second car later.
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
	for _, t := range []*dateTimeSpec{trip.Dropoff.PickupTime} {
		if t != nil {
			c.finding(t.position, "pickup_time belongs to the pickup: the service sets it on a dropoff", "move it under pickup:")
		}
	}
	c.needsNoDefault(trip.SpaceType, "a space type")
	c.needsNoDefault(trip.TripID, "an id")
	c.needsNoDefault(trip.RiderID, "an id")
	c.needsNoDefault(trip.Date, "a date")
	c.stableTripID(trip.TripID)
}

func (e eventSpec) hasLocation() bool {
	return e.hasAddress() || e.LocationName != nil || e.Latitude != nil || e.Coordinates != nil
}

// needsNoDefault faults a default where a guess would send the wrong car.
func (c *compiler) needsNoDefault(s *source, what string) {
	if s != nil && s.Default.given() {
		c.finding(s.Default.position, what+" has no default: a guess would send the wrong car", "take the default out; the row is then a fault to be mended")
	}
}

// stableTripID faults a trip id that is made of something that may change before
// the trip is driven: with a changed id, the trip would be booked again.
func (c *compiler) stableTripID(s *source) {
	if s == nil {
		return
	}
	for _, ref := range c.referencesIn(s) {
		name := ref.header.Value
		if what := changing(values.HeaderKey(name)); what != "" {
			c.finding(ref.at(), fmt.Sprintf("%s is part of the trip id (%q): it may change, and a changed id books a second car", what, name), "use what the broker never changes: its trip number, and the leg or the date")
		}
	}
}

// changing tells what changes, by its header.
func changing(header string) string {
	for _, kind := range []struct {
		what  string
		words []string
	}{
		{"a phone", []string{"phone", "telephone"}},
		{"a status", []string{"status"}},
		{"an address", []string{"address", "street", "zip"}},
		{"a time", []string{"time", "appt", "appointment"}},
	} {
		named := slices.ContainsFunc(kind.words, func(w string) bool { return strings.Contains(header, w) })
		aDay := kind.what == "a time" && strings.Contains(header, "date") && !strings.Contains(header, "time")
		if named && !aDay {
			return kind.what
		}
	}
	return ""
}

// rules gives the settings of the checks.
func (c *compiler) rules() *importer.Rules {
	s, rules := c.doc.Rules, importer.DefaultRules()
	rules.Location = c.dates.Zone
	rules.AllowPast = s.AllowPast
	if s.MaxDaysAhead != 0 {
		rules.MaxDaysAhead = s.MaxDaysAhead
	}
	if s.MaxDistanceRatio != 0 {
		rules.MaxDistanceRatio = s.MaxDistanceRatio
	}
	if s.DoubleBookingMinutes != 0 {
		rules.DoubleBookingMinutes = s.DoubleBookingMinutes
	}
	if a := s.Area; a != nil {
		rules.Area = importer.Area{South: a.South, West: a.West, North: a.North, East: a.East}
		if a.South >= a.North || a.West >= a.East {
			c.finding(s.position, "the area is empty", "give south below north and west below east; west is negative in America")
		}
	}
	if s.MaxDaysAhead < 0 || s.MaxDistanceRatio < 0 || s.DoubleBookingMinutes < 0 {
		c.finding(s.position, "a limit is negative", "write a number above 0, or take the line out")
	}
	rules.SpaceTypes = c.spaceTypes()
	rules.Severities = c.severities()
	return &rules
}

// severities gives the codes that the mapping turns, each with its severity. It
// faults a code that there is not, and one that can't be turned.
func (c *compiler) severities() map[string]importer.Severity {
	turned := map[string]importer.Severity{}
	for severity, codes := range [][]problemCode{importer.Fault: c.doc.Rules.Faults, importer.Notice: c.doc.Rules.Notices} {
		for _, code := range codes {
			if c.turnable(code.text) {
				turned[code.Value] = importer.Severity(severity)
			}
		}
	}
	return turned
}

func (c *compiler) turnable(code text) bool {
	var names []string
	for _, known := range importer.Codes() {
		switch {
		case known.Turnable && known.Code == code.Value:
			return true
		case known.Turnable:
			names = append(names, known.Code)
		case known.Code == code.Value:
			c.finding(code.position, fmt.Sprintf("%q is always a %s: no mapping can turn it", code.Value, known.Severity), "take it out")
			return false
		}
	}
	fix := "write the code that a check shows in brackets behind the problem, such as id-shape"
	if near := nearest(code.Value, names); near != "" {
		fix = fmt.Sprintf("did you mean %q?", near)
	}
	c.finding(code.position, fmt.Sprintf("there is no problem with the code %q", code.Value), fix)
	return false
}

// spaceTypes are those that the mapping can give; nil where a column gives
// them as they are.
func (c *compiler) spaceTypes() []string {
	if c.doc.Rules.SpaceTypes != nil {
		var codes []string
		for _, t := range c.doc.Rules.SpaceTypes {
			codes = append(codes, t.Value)
		}
		return codes
	}
	sources := []*source{c.doc.Trip.SpaceType}
	for _, p := range c.doc.Trip.AdditionalPassengers {
		if p.SpaceType != nil {
			sources = append(sources, &p.SpaceType.source)
		}
	}
	var codes []string
	for _, s := range sources {
		given, closed := c.possibleValues(s)
		if !closed {
			return nil
		}
		codes = append(codes, given...)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// possibleValues gives all values that a source can have; closed is false where they
// are not known.
func (c *compiler) possibleValues(s *source) (all []string, closed bool) {
	switch {
	case s == nil:
		return nil, true
	case s.Table != nil:
		spec := c.tableSpec(s.Table)
		if spec == nil {
			return nil, false
		}
		for _, e := range spec.Entries {
			all = append(all, e.To.Value)
		}
		for _, line := range c.tables[spec] {
			all = append(all, line.value)
		}
		return all, true
	case s.Const.given():
		return []string{values.Clean(s.Const.Value)}, true
	case s.First != nil:
		for _, choice := range s.First {
			given, closed := c.possibleValues(choice)
			if !closed {
				return nil, false
			}
			all = append(all, given...)
		}
		return all, true
	}
	return nil, false
}
