package mapping

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// Open returns what every trip needs and the mapping does not say yet. A mapping of which
// something is open parses, so that a template and a draft can be completed, and binds to no
// file.
func (m *Mapping) Open() Findings {
	trip, d := &m.doc.Trip, m.decoder()
	for _, need := range []struct {
		field         importer.Field
		given         bool
		question, fix string
	}{
		{importer.FieldProvider, trip.Provider != nil, "which transportation provider drives these trips?", "{const: its name}, or the column that has it"},
		{importer.FieldFundingSource, trip.FundingSource != nil, "which funding source pays?", "{const: its name}, or the column that has it"},
		{importer.FieldTripID, trip.TripID != nil, "which column identifies a trip and never changes?", "the column"},
		{importer.FieldRiderID, trip.RiderID != nil, "which column identifies the rider?", "the column; or, from a list of your own, {list: riders.csv, by: {name: Rider Name, birth_date: DOB}, value: rider_id}"},
		{importer.FieldSpaceType, trip.SpaceType != nil, "which column has the space type?", "{column: Mobility, table: {Ambulatory: AMB, Wheelchair: WCH}}"},
		{importer.FieldPickup, trip.Pickup.hasLocation(), "where is the rider picked up?", "{address: the column}"},
		{importer.FieldDropoff, trip.Dropoff.hasLocation(), "where is the rider taken?", "{address: the column}"},
	} {
		if !need.given {
			d.finding(trip.position, fmt.Sprintf("the trip has no %s: %s", need.field, need.question), fmt.Sprintf("under trip: write %s: %s", need.field, need.fix))
		}
	}
	return d.findings
}

func (l locationSpec) hasLocation() bool {
	return l.hasAddress() || l.LocationName != nil || l.Coordinates != nil
}

// obeyFields reports values that break a law of their field: only what may be the same for
// every row may be a constant, and any other value names a column.
func (c *compiler) obeyFields() {
	specs := c.doc.Trip.specs()
	if c.doc.RoundTrip != nil {
		specs = append(specs, c.doc.RoundTrip.Return.specs()...)
	}
	for _, s := range specs {
		switch spec := s.spec.(type) {
		case *source:
			if spec != nil {
				c.obey(s.field, spec)
			}
		case ordered[*source]:
			for i := range spec {
				c.hasConstants(s.field, spec[i].Value)
			}
		}
	}
}

func (c *compiler) obey(field importer.Field, value *source) {
	switch {
	case field == importer.FieldSpaceType:
		c.noDefault(value)
	case importer.Constant(field):
	case !c.hasConstants(field, value) && !slices.ContainsFunc(value.all(), c.namesColumn):
		c.finding(value.position, fmt.Sprintf("the %s is another in every row, and this names no column", FieldWords(field)), "name the column that has it")
	}
}

// namesColumn reports whether a source is a column, or a text with one.
func (c *compiler) namesColumn(s *source) bool {
	_, names := c.parts(s.Column.text)
	return s.isColumn() || slices.ContainsFunc(names, func(name text) bool { return name.Value != dateName })
}

// hasConstants reports whether a value that is another in every row has constants, each as a finding.
func (c *compiler) hasConstants(field importer.Field, s *source) (has bool) {
	for _, part := range s.all() {
		if part.Const.given() {
			has = true
			c.finding(part.Const.position, fmt.Sprintf("the %s is another in every row: it can't be %q for all", FieldWords(field), part.Const.Value), "name the column that has it")
		}
	}
	return has
}

// noDefault reports a space type that is the same for what the choices before it do not know:
// a guess would send the wrong car.
func (c *compiler) noDefault(s *source) {
	for i, choice := range s.First {
		if i > 0 && choice.Const.given() && choice.When == nil {
			c.finding(choice.Const.position, "a space type has no default: a guess would send the wrong car", "write {const: AMB, when: {column: X, filled: no}} if a blank cell means it, or take it out; a row without a space type then has a fault to fix")
		}
		c.noDefault(choice)
	}
}

// stableID reports a trip id that is made of something that may change before the trip takes
// place, by its header or by what else the mapping makes of it: with another id, the trip would be
// booked again.
func (c *compiler) stableID() {
	i := slices.IndexFunc(c.fields, func(f MappedField) bool { return f.Field == importer.FieldTripID })
	if i < 0 {
		return
	}
	refs := distinct(c.fields[i].Columns)
	for _, ref := range refs {
		if mayChange(values.HeaderKey(ref.Header())) || c.makesChanging(ref, len(refs) == 1) {
			c.finding(ref.name.position, fmt.Sprintf("%s is part of the trip id: it may change, and a changed id books a second car", ref), "use what the broker never changes: its trip number, and the leg where each has a row of its own")
		}
	}
}

// makesChanging reports whether the mapping also makes something of a column that may change. A date may be part of
// an id, and an id alone may itself say that it is cancelled.
func (c *compiler) makesChanging(ref ColumnRef, alone bool) bool {
	isDate := false
	for _, f := range c.fields {
		event, part, _ := strings.Cut(string(f.Field), ".")
		switch {
		case !slices.ContainsFunc(f.Columns, func(r ColumnRef) bool { return r.Key() == ref.Key() }):
		case f.Field == importer.FieldDate:
			isDate = true
		case isDate && len(f.Columns) > 1: // a time may be joined from a date and a time
		case part != "" && part != string(importer.FieldEventComment), mayChange(event):
			return true
		case slices.Contains([]importer.Field{FieldCancelled, FieldRoundTrip, FieldWillCall}, f.Field) && !alone:
			return true
		}
	}
	return false
}

// mayChange reports whether a name of a column or a field is of something that may change. An Appointment ID is none.
func mayChange(name string) bool {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
	}
	isNumber := strings.HasSuffix(name, "id") || strings.HasSuffix(name, "number")
	return has("phone", "status", "address", "street", "zip", "time") || has("appt", "appointment") && !isNumber && !has("date")
}
