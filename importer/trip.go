package importer

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// A TripType is the type of a trip, which decides the times that the trip has.
type TripType uint8

// The types of trips that can be inserted. A trip of NoType cannot.
const (
	NoType TripType = iota
	// WillCall is a trip whose rider calls when ready. Its pickup time is 23:59
	// on the day of service, and it has no appointment time.
	WillCall
	// Appointment is a trip with an appointment time at the dropoff.
	Appointment
	// Return is a trip with a pickup time and without an appointment time.
	Return
)

// tripTypes are the types as the service writes them. It is never written to.
var tripTypes = []string{NoType: "", WillCall: "willcall", Appointment: "Appointment", Return: "Return"}

// String returns the type as the service writes it, and "" for NoType.
func (t TripType) String() string { return codeOf(tripTypes, t) }

// A Trip is one trip to be inserted. All its values come from the row by the mapping; a
// value without a cell is a constant of the mapping.
type Trip struct {
	Leg Leg
	// Provider is the transportation provider's name as the service's access
	// operation lists it, together with the provider's API key.
	Provider         string
	FundingSource    string
	ID               string
	RiderID          string
	SpaceType        string
	Type             TripType
	Phone            string
	BillableDistance Miles
	AdditionalRiders []AdditionalRiders
	Pickup, Dropoff  Event
	// Link ties together trips on different rows, by the mapping's linked_by: trips with
	// the same Link are linked trips. It is empty for a trip that is not linked. It may
	// hold row content.
	Link string

	// Alias is shown in place of the ID everywhere except in results. It is empty unless
	// the ID tells who the rider is.
	Alias string
	// Row is the address of the row from which the trip is made.
	Row Ref
	// Origin knows the columns from which each field is made. It may be nil.
	Origin Origin
	// Problems are the problems that mapping, places and checks have found so far.
	Problems []Problem
}

// Miles is a distance in miles. If it is not Given, the service calculates it.
type Miles struct {
	Value float64
	Given bool
}

// AdditionalRiders are Count passengers who travel with the rider and need the
// same type of space.
type AdditionalRiders struct {
	SpaceType string
	Count     int
}

// An Event is a pickup or a dropoff. Its address is either CompleteAddress, or
// Address1 to Zip; the service takes one of them.
type Event struct {
	Name            string
	Comment         string
	CompleteAddress string
	LocationName    string
	Address1        string
	Address2        string
	City            string
	State           string
	Zip             string
	Position        Position
	Appt            DateTime
	PickupTime      DateTime // only for a pickup; the service sets the one of a dropoff
	Phone           string
}

// HasAddress reports whether the event has a part of an address other than the
// state, which a mapping often gives as a constant.
func (e Event) HasAddress() bool {
	return e.CompleteAddress != "" || e.Address1 != "" || e.Address2 != "" || e.City != "" || e.Zip != ""
}

// Address returns the address on one line, for people.
func (e Event) Address() string {
	if e.CompleteAddress != "" {
		return e.CompleteAddress
	}
	street := strings.TrimSpace(e.Address1 + " " + e.Address2)
	region := strings.TrimSpace(e.State + " " + e.Zip)
	return Joined(", ", street, e.City, region)
}

// A Position is a latitude and longitude in degrees, each of which may be missing.
type Position struct {
	Latitude, Longitude       float64
	HasLatitude, HasLongitude bool
	// Source names the origin of a position that is not from the row: "places list",
	// "census". Such a position is not part of Properties, because it follows from the
	// address, and would make a trip look changed when a list is corrected.
	Source string
}

// IsSet reports whether the position has both coordinates.
func (p Position) IsSet() bool { return p.HasLatitude && p.HasLongitude }

// MilesTo returns the distance over the globe to q, by the haversine formula. Both
// positions must be known.
func (p Position) MilesTo(q Position) float64 {
	const earth, rad = 3958.8, math.Pi / 180 // miles; radians a degree
	sinLat := math.Sin((q.Latitude - p.Latitude) * rad / 2)
	sinLng := math.Sin((q.Longitude - p.Longitude) * rad / 2)
	h := sinLat*sinLat + math.Cos(p.Latitude*rad)*math.Cos(q.Latitude*rad)*sinLng*sinLng
	return 2 * earth * math.Asin(math.Min(1, math.Sqrt(h)))
}

// Time returns the time at which the trip begins: the pickup time or, if it has none, the
// appointment time. It is zero if there is neither.
func (t *Trip) Time() DateTime {
	if !t.Pickup.PickupTime.IsZero() {
		return t.Pickup.PickupTime
	}
	if !t.Dropoff.Appt.IsZero() {
		return t.Dropoff.Appt
	}
	return t.Pickup.Appt
}

// Date returns the day of service, which is the day of Time.
func (t *Trip) Date() Date { return t.Time().Date }

// Pair returns the trip's provider and funding source, as the row has them.
func (t *Trip) Pair() Pair { return Pair{t.Provider, t.FundingSource} }

// ListedID returns the trip's ID as it is shown everywhere except in results.
func (t *Trip) ListedID() string { return cmp.Or(t.Alias, t.ID) }

// Listed returns a text about the trip as it is shown everywhere except in results.
func (t *Trip) Listed(text string) string {
	if t.Alias == "" || t.ID == "" {
		return text
	}
	return strings.ReplaceAll(text, t.ID, t.Alias)
}

// Faulty reports whether any problem found so far stops the trip.
func (t *Trip) Faulty() bool { return Faulty(t.Problems) }

// Cells returns the addresses of the cells from which the fields are made, each
// once, in the order of the fields. If there are none, it returns the address of
// the whole row.
func (t *Trip) Cells(fields ...Field) []Ref {
	var refs []Ref
	for _, f := range fields {
		if t.Origin == nil {
			break
		}
		for _, c := range t.Origin.Columns(f) {
			ref := t.Row
			if ref.Col, ref.Header = c.Num, c.Header; !slices.Contains(refs, ref) {
				refs = append(refs, ref)
			}
		}
	}

	if refs == nil {
		refs = []Ref{t.Row}
	}
	return refs
}

// Report adds a problem with the severity of its code, at the cells of the fields. The first
// of them becomes the problem's Field.
func (t *Trip) Report(code, message, fix string, fields ...Field) {
	p := Problem{Code: code, Severity: SeverityOf(code), Leg: t.Leg, Cells: t.Cells(fields...), Message: message, Fix: fix}
	if len(fields) > 0 {
		p.Field = fields[0]
	}
	t.Problems = append(t.Problems, p)
}
