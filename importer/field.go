package importer

import (
	"fmt"
	"strings"
)

// A Field is the name that mappings and problems use for a value of a trip:
// "space_type", "dropoff.appt_time".
type Field string

// The fields of a trip itself.
const (
	FieldProvider         Field = "provider"
	FieldFundingSource    Field = "funding_source"
	FieldTripID           Field = "trip_id"
	FieldRiderID          Field = "rider_id"
	FieldSpaceType        Field = "space_type"
	FieldTripType         Field = "trip_type"
	FieldPhone            Field = "phone"
	FieldBillableDistance Field = "billable_distance"
	FieldAdditional       Field = "additional_passengers"
	FieldDate             Field = "date" // the day of service, if the row has a column for it
)

// The two events of a trip.
const (
	FieldPickup  Field = "pickup"
	FieldDropoff Field = "dropoff"
)

// The fields of an event. Of puts them under FieldPickup or FieldDropoff.
const (
	FieldEventName       Field = "event_name"
	FieldEventComment    Field = "event_comment"
	FieldCompleteAddress Field = "complete_address"
	FieldLocationName    Field = "location_name"
	FieldAddress1        Field = "address1"
	FieldAddress2        Field = "address2"
	FieldCity            Field = "city"
	FieldState           Field = "state"
	FieldZip             Field = "zip"
	FieldLatitude        Field = "latitude"
	FieldLongitude       Field = "longitude"
	FieldApptTime        Field = "appt_time"
	FieldPickupTime      Field = "pickup_time"
	FieldPhoneNumber     Field = "phone_number"
)

// The times by which a trip is driven.
const (
	PickupTime  = FieldPickup + "." + FieldPickupTime
	DropoffAppt = FieldDropoff + "." + FieldApptTime
)

// Of returns the field of an event: FieldPickup.Of(FieldCity) is "pickup.city".
func (f Field) Of(part Field) Field { return f + "." + part }

// Split is the inverse of Of: it returns the event and its field. For a field of
// the trip itself the event is empty.
func (f Field) Split() (event, part Field) {
	before, after, found := strings.Cut(string(f), ".")
	if !found {
		return "", f
	}
	return Field(before), Field(after)
}

// An Origin knows the columns from which the fields of a trip are made. All trips of one
// file and leg share an Origin. It is safe for concurrent use.
type Origin interface {
	// Columns returns the columns from which a field is made, the most important
	// one first. It returns none for a constant or an unmapped field. For an
	// event ("pickup") it returns the columns of the event's address.
	Columns(Field) []Column
}

// A Column is a column of a sheet with its header.
type Column struct {
	Num    int // 1 is column A
	Header string
}

// String names the column for people: "Trip Cost" (F).
func (c Column) String() string {
	if c.Header == "" {
		return "column " + ColumnName(c.Num)
	}
	return fmt.Sprintf("%q (%s)", c.Header, ColumnName(c.Num))
}
