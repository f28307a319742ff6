package importer

import "strings"

// A Field names a value of a trip as mappings write it: "space_type",
// "dropoff.appt_time".
type Field string

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
	FieldDate             Field = "date" // the day of service, where it has cells of its own

	FieldPickup  Field = "pickup"
	FieldDropoff Field = "dropoff"

	// The fields of an event; Of puts them under pickup or dropoff.
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

// Of gives an event's field: FieldPickup.Of(FieldCity) is "pickup.city".
func (f Field) Of(part Field) Field { return f + "." + part }

// Split undoes Of: it returns the event and its field. For a field of the trip
// itself the event is empty.
func (f Field) Split() (event, part Field) {
	before, after, under := strings.Cut(string(f), ".")
	if !under {
		return "", f
	}
	return Field(before), Field(after)
}

// An Origin knows, for one layout and one leg, from which columns a field is
// made. It is shared by all trips of a file and safe for concurrent use.
type Origin interface {
	// Columns gives the columns that the field is made of, the most telling one
	// first; none for a constant or an unmapped field. A field that is an event
	// ("pickup") gives the columns of its address.
	Columns(Field) []Column
}

// A Column is a column of the sheet with its header.
type Column struct {
	Num    int // 1 is column A
	Header string
}

// Cells gives the addresses of the cells that the fields came from, each once,
// in order; the row as a whole where they came from none.
func (t *Trip) Cells(fields ...Field) []Ref {
	var refs []Ref
	seen := map[int]bool{}
	for _, f := range fields {
		if t.Origin == nil {
			break
		}
		for _, c := range t.Origin.Columns(f) {
			if seen[c.Num] {
				continue
			}
			seen[c.Num] = true
			ref := t.Row
			ref.Col, ref.Header = c.Num, c.Header
			refs = append(refs, ref)
		}
	}
	if refs == nil {
		refs = []Ref{t.Row}
	}
	return refs
}

// Fault adds a problem that stops the trip, at the cells of the fields; the
// first field is the one it is filed under.
func (t *Trip) Fault(code, message, fix string, fields ...Field) {
	t.report(Fault, code, message, fix, fields)
}

// Notice adds a problem that does not stop the trip.
func (t *Trip) Notice(code, message, fix string, fields ...Field) {
	t.report(Notice, code, message, fix, fields)
}

func (t *Trip) report(s Severity, code, message, fix string, fields []Field) {
	p := Problem{Code: code, Severity: s, Leg: t.Leg, Cells: t.Cells(fields...), Message: message, Fix: fix}
	if len(fields) > 0 {
		p.Field = fields[0]
	}
	t.Problems = append(t.Problems, p)
}
