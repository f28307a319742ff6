package importer

import "strings"

// A Leg says which part of a row's journey a trip is. Outside of the process a
// leg is known by its Code, never by its number.
type Leg uint8

const (
	OnlyLeg     Leg = iota // the row is one trip
	OutboundLeg            // the first of a round trip
	ReturnLeg              // the way back
	ThirdLeg               // a row that gives three
)

// legs is the one list of legs; nothing writes to it. Codes are stored in
// ledgers: they never change.
var legs = [...]struct{ code, words string }{
	OnlyLeg:     {"only", ""},
	OutboundLeg: {"outbound", "outbound"},
	ReturnLeg:   {"return", "return"},
	ThirdLeg:    {"third", "third leg"},
}

// Code is the leg for machines; empty for a number that no leg has.
func (l Leg) Code() string {
	if int(l) >= len(legs) {
		return ""
	}
	return legs[l].code
}

// ParseLeg is the inverse of Code. It reports false for a code that no leg has.
func ParseLeg(code string) (Leg, bool) {
	for l := range legs {
		if legs[l].code == code {
			return Leg(l), true
		}
	}
	return OnlyLeg, false
}

// String gives the leg for people; nothing for a row that is one trip.
func (l Leg) String() string {
	if int(l) >= len(legs) {
		return ""
	}
	return legs[l].words
}

// A TripType is one of the three that can be inserted (contract, section 2.5).
type TripType uint8

const (
	NoType TripType = iota
	WillCall
	Appointment
	Return
)

// String gives the text form that the contract's payloads use.
func (t TripType) String() string {
	switch t {
	case WillCall:
		return "willcall"
	case Appointment:
		return "Appointment"
	case Return:
		return "Return"
	}
	return ""
}

// A Trip is one trip to be inserted: sections 2.3 to 2.6 of the contract. Its
// values are what the mapping made of the row; nothing in it is a default that
// nobody declared.
type Trip struct {
	Leg Leg
	// Provider is the transportation provider's name as the access operation
	// gives it; its API key is found there.
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
	// Link ties legs that stand on rows of their own (the mapping's linked_by):
	// trips of one file with the same Link are legs of one journey. Empty for
	// none. It may hold row content.
	Link string
	// Together holds the trip back until every trip of its Link is valid.
	Together bool

	// Row is the row the trip came from, for addresses only: its Cells may be
	// gone.
	Row Ref
	// Origin knows which columns each field came from.
	Origin Origin
	// Problems are what mapping and checks have found in this trip so far.
	Problems []Problem
}

// Miles is a distance that may be left to the service to calculate.
type Miles struct {
	Value float64
	Given bool
}

// AdditionalRiders are passengers beside the rider (contract, section 2.6).
type AdditionalRiders struct {
	SpaceType string
	Count     int
}

// An Event is a pickup or a dropoff (contract, section 2.4). It has either
// CompleteAddress or the broken-out address.
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
	PickupTime      DateTime // on the pickup alone; the service sets it on a dropoff
	Phone           string
}

// HasAddress reports whether the event has any part of an address.
func (e Event) HasAddress() bool {
	return e.CompleteAddress != "" || e.Address1 != "" || e.Address2 != "" || e.City != "" || e.Zip != ""
}

// Address gives the address on one line, for people.
func (e Event) Address() string {
	if e.CompleteAddress != "" {
		return e.CompleteAddress
	}
	street := strings.TrimSpace(e.Address1 + " " + e.Address2)
	region := strings.TrimSpace(e.State + " " + e.Zip)
	var parts []string
	for _, p := range []string{street, e.City, region} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ", ")
}

// A Position is a latitude and longitude in degrees. Either may be missing
// while a trip is being made.
type Position struct {
	Latitude, Longitude       float64
	HasLatitude, HasLongitude bool
	// Source says where it came from when not from the row: "places list",
	// "census". A position with a Source is left out of Properties: the
	// address says the same, and a list may be corrected any day.
	Source string
}

// Known reports whether both coordinates are there.
func (p Position) Known() bool { return p.HasLatitude && p.HasLongitude }

// Time gives the time at which the trip begins, as far as it is known: the
// pickup time, else the appointment.
func (t *Trip) Time() DateTime {
	if !t.Pickup.PickupTime.IsZero() {
		return t.Pickup.PickupTime
	}
	if !t.Dropoff.Appt.IsZero() {
		return t.Dropoff.Appt
	}
	return t.Pickup.Appt
}

// Date gives the day of service.
func (t *Trip) Date() Date { return t.Time().Date }

// Faulty reports whether a problem found so far stops the trip.
func (t *Trip) Faulty() bool { return Faulty(t.Problems) }
