package importer

import (
	"strconv"
	"strings"
	"unicode"

	"tripimport/importer/usps"
)

// An Identity says which trips may be the same although their trip ids differ: two trips
// that take the same rider from the same location to the same location at about the same
// time. The checks use it to compare the rows of a run, and the ledger uses it to compare
// a trip with everything that is booked. Neither has a rule of its own.
//
// An Identity is row content, so what is stored of it is a keyed hash.
type Identity struct {
	Rider           string
	Pickup, Dropoff Location
	// Times are the times by which trips are compared.
	Times Times `json:"-"`
}

// Times are a trip's times by TimeKind, from ByPickup; zero for one that the trip does not have. Only times of the
// same kind are compared.
type Times [ByDay]DateTime

// A TimeKind says which time of a trip one of the Times is.
type TimeKind uint8

// The kinds of times.
const (
	// ByPickup is the pickup time.
	ByPickup TimeKind = iota + 1
	// ByAppointment is the appointment time at the dropoff.
	ByAppointment
	// ByDay is midnight of the service date of a will call, whose pickup time says nothing.
	ByDay
)

// Identity returns the trip's identity. It reports false if the rider, a location or
// every time is missing. Such a trip is never compared with others.
func (t *Trip) Identity() (Identity, bool) {
	id, ok := t.Places()
	if !ok {
		return Identity{}, false
	}

	id.Times = t.Times()
	return id, id.Times != Times{}
}

// Times returns the times by which the trip is compared with others.
func (t *Trip) Times() (times Times) {
	if t.Type == WillCall {
		times[ByDay-ByPickup] = DateTime{Date: t.Date()}
	} else {
		times[0], times[ByAppointment-ByPickup] = t.Pickup.PickupTime, t.Dropoff.Appt
	}
	return times
}

// Appointment returns the appointment time at the dropoff.
func (t *Times) Appointment() DateTime { return t[ByAppointment-ByPickup] }

// Places returns the trip's identity without its times. It reports false if the
// rider or a location is missing.
func (t *Trip) Places() (Identity, bool) {
	id := Identity{Rider: RiderText(t.RiderID)}
	id.Pickup, id.Dropoff = t.Pickup.Location(), t.Dropoff.Location()
	return id, id.IsKnown()
}

// IsKnown reports whether the identity has a rider and both locations.
func (id Identity) IsKnown() bool {
	return id.Rider != "" && id.Pickup.At != "" && id.Dropoff.At != ""
}

// SamePlaces reports whether trips with the identities id and other take the same rider
// from the same location to the same location, at whatever time.
func (id Identity) SamePlaces(other Identity) bool {
	return id.Rider == other.Rider && id.Pickup.MayBe(other.Pickup) && id.Dropoff.MayBe(other.Dropoff)
}

// MayBe reports whether trips with the identities id and other may be the same
// trip: rider and locations are equal, and two times of the same kind differ by at
// most DoubleBookingMinutes.
func (id Identity) MayBe(other Identity) bool {
	if !id.SamePlaces(other) {
		return false
	}

	for kind, a := range id.Times {
		b := other.Times[kind]
		apart := a.MinutesUntil(b)
		if !a.IsZero() && !b.IsZero() && max(apart, -apart) <= DoubleBookingMinutes {
			return true
		}
	}
	return false
}

// A Unit says which door at an address a trip goes to: an apartment or a suite, and the
// building and the floor in which it is. Empty texts are not known.
type Unit struct {
	Door   string `json:"door,omitempty"`
	Within string `json:"within,omitempty"`
}

// Differs reports whether two units at one address are certainly different: doors are given
// in both and are not equal, or buildings are.
func (u Unit) Differs(other Unit) bool {
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	return differ(u.Door, other.Door) || differ(u.Within, other.Within)
}

// A Location is where an event takes place, in a form that is equal for two events at the same
// location: by house number and ZIP code, which is enough for one rider and a quarter of an
// hour, since no spelling of a street makes a difference. Units are compared apart: two suites
// at one street address are two locations, while an address without a unit may be any of them.
type Location struct {
	// At has house number and ZIP code, or the city for an address without a ZIP code. An
	// event without an address has the form of its position to four decimals (about 10
	// metres), and one without a position that of its location's name.
	At string
	// Town is what At is once the ZIP code is left out. It is empty without one, and
	// until Event.Town fills it in.
	Town string `json:",omitempty"`
	Unit Unit   `json:",omitzero"`
}

// MayBe reports whether two locations may be the same.
func (l Location) MayBe(other Location) bool {
	same := l.At == other.At || l.At != "" && l.At == other.Town || l.Town != "" && l.Town == other.At
	return same && !l.Unit.Differs(other.Unit)
}

// Location returns the event's location without its Town. At is empty if the event has no
// address, no position and no name.
func (e *Event) Location() (l Location) {
	var p usps.Place
	switch {
	case e.CompleteAddress != "":
		p = usps.PlaceOfLine(e.CompleteAddress)
	case e.HasAddress():
		p = usps.PlaceOfParts(e.Address1, e.Address2, e.City, e.State, e.Zip)
	}
	l.Unit.Door = strings.TrimSpace(p.Unit.Door + " " + p.Unit.Inner)
	l.Unit.Within = strings.TrimSpace(p.Unit.Building + " " + p.Unit.Floor)
	switch at := e.Position; {
	case p.Text != "":
		l.At = p.Text
	case at.IsSet():
		l.At = strconv.FormatFloat(at.Latitude, 'f', 4, 64) + "," + strconv.FormatFloat(at.Longitude, 'f', 4, 64)
	default:
		l.At = ComparableText(e.LocationName)
	}
	return l
}

// Town returns what the event's location is by its house number and city alone, for an address
// with a ZIP code and a city; empty for any other.
func (e *Event) Town() string {
	if e.CompleteAddress != "" {
		return usps.TownOfLine(e.CompleteAddress)
	}
	if e.Zip == "" || e.City == "" {
		return ""
	}
	return usps.PlaceOfParts(e.Address1, e.Address2, e.City, e.State, "").Text
}

// RiderText returns the form in which rider ids are compared: its letters and
// digits, in lower case, each number without its leading zeros.
func RiderText(riderID string) string { return ComparableText(IDText(riderID)) }

// ComparableText returns the letters and digits of a text, in lower case.
func ComparableText(text string) string {
	other := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	if !strings.ContainsFunc(text, other) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
