package mapping

import "tripimport/importer"

// A mappedField is a field of the mapping with the columns that it names.
type mappedField struct {
	name    importer.Field // as the mapping writes it: pickup.address
	columns []reference
}

// fields gives every field of the trip that comes from columns, as the mapping
// writes it.
func (c *compiler) fields() []mappedField {
	trip := &c.doc.Trip
	list := []struct {
		name   importer.Field
		source *source
	}{
		{importer.FieldProvider, trip.Provider},
		{importer.FieldFundingSource, trip.FundingSource},
		{importer.FieldTripID, trip.TripID},
		{importer.FieldRiderID, trip.RiderID},
		{importer.FieldSpaceType, trip.SpaceType},
		{importer.FieldPhone, trip.Phone},
		{fieldDate, trip.Date},
		{fieldLinkedBy, trip.LinkedBy},
	}
	if trip.BillableDistance != nil {
		list = append(list, struct {
			name   importer.Field
			source *source
		}{importer.FieldBillableDistance, &trip.BillableDistance.source})
	}
	var all []mappedField
	for _, f := range list {
		if f.source != nil {
			all = append(all, mappedField{f.name, c.referencesOf(f.source)})
		}
	}
	all = append(all, c.passengerField())
	all = append(all, c.flagFields()...)
	all = append(all, c.eventFields(importer.FieldPickup, &trip.Pickup)...)
	all = append(all, c.eventFields(importer.FieldDropoff, &trip.Dropoff)...)
	kept := all[:0]
	for _, f := range all {
		if len(f.columns) > 0 {
			kept = append(kept, f)
		}
	}
	return kept
}

func (c *compiler) passengerField() mappedField {
	var refs []reference
	quiet := c.quiet(&refs)
	for i := range c.doc.Trip.AdditionalPassengers {
		if count := c.doc.Trip.AdditionalPassengers[i].Count; count != nil {
			quiet.count(count)
		}
	}
	return mappedField{importer.FieldAdditional, refs}
}

// The fields of a mapping that are no fields of a trip.
const (
	fieldDate       importer.Field = "date"
	fieldLinkedBy   importer.Field = "linked_by"
	fieldWillCall   importer.Field = "will_call"
	fieldRoundTrip  importer.Field = "round_trip"
	fieldReturnTime importer.Field = "round_trip.return.pickup_time"
	fieldCancelled  importer.Field = "cancelled"
	fieldAddress    importer.Field = "address" // under an event: the whole address
)

func (c *compiler) flagFields() []mappedField {
	willCall, roundTrip, back, cancelled := []reference{}, []reference{}, []reference{}, []reference{}
	for i := range c.doc.Trip.WillCall {
		if when := c.doc.Trip.WillCall[i].When; when != nil && when.Flag != nil {
			c.quiet(&willCall).condition(when)
		}
	}
	if s := c.doc.RoundTrip; s != nil {
		c.quiet(&roundTrip).condition(s.When)
		if m := s.Return.Pickup.PickupTime; m != nil {
			back = c.referencesOf(&m.source)
		}
	}
	for i := range c.doc.Cancelled {
		c.quiet(&cancelled).condition(c.doc.Cancelled[i].When)
	}
	return []mappedField{{fieldWillCall, willCall}, {fieldRoundTrip, roundTrip}, {fieldReturnTime, back}, {fieldCancelled, cancelled}}
}

func (c *compiler) eventFields(at importer.Field, e *eventSpec) []mappedField {
	var all []mappedField
	add := func(part importer.Field, s *source) {
		if s != nil {
			all = append(all, mappedField{at.Of(part), c.referencesOf(s)})
		}
	}
	add(importer.FieldEventName, e.EventName)
	add(importer.FieldEventComment, e.EventComment)
	add(importer.FieldLocationName, e.LocationName)
	add(fieldAddress, e.CompleteAddress)
	add(fieldAddress, e.Address)
	add(importer.FieldAddress1, e.Address1)
	add(importer.FieldAddress2, e.Address2)
	add(importer.FieldCity, e.City)
	add(importer.FieldState, e.State)
	add(importer.FieldZip, e.Zip)
	add(importer.FieldLatitude, e.Latitude)
	add(importer.FieldLongitude, e.Longitude)
	add(importer.FieldPhoneNumber, e.PhoneNumber)
	if e.Coordinates != nil {
		add("coordinates", &e.Coordinates.source)
	}
	for part, m := range map[importer.Field]*moment{importer.FieldPickupTime: e.PickupTime, importer.FieldApptTime: e.ApptTime} {
		if m == nil {
			continue
		}
		if m.Time == nil {
			add(part, &m.source)
		} else {
			add(part, m.Time)
		}
	}
	return all
}

// quiet is a compiler that notes columns and keeps its faults to itself.
func (c *compiler) quiet(refs *[]reference) *compiler {
	quiet := &compiler{Mapping: c.Mapping, decoder: &decoder{file: c.file}}
	quiet.resolve = func(ref reference) (importer.Column, bool) {
		*refs = append(*refs, ref)
		return importer.Column{}, true
	}
	return quiet
}

// referencesOf gives the columns that a source names; those that decide
// whether it is used are not among them.
func (c *compiler) referencesOf(s *source) []reference {
	var refs []reference
	ungated := *s
	ungated.When = nil
	c.quiet(&refs).value(&ungated)
	return refs
}
