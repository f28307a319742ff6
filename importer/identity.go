package importer

import (
	"strconv"
	"strings"
	"unicode"
)

// An Identity says which trips may be the same although their trip ids differ:
// two trips that take the same rider from the same location to the same location
// at about the same time. The checks compare the rows of a run by it, and the
// ledger compares a trip with everything that is booked; neither has a rule of
// its own.
//
// Texts consist of their letters and digits in lower case, so case, spaces and
// punctuation make no difference. Units do: two suites at one street address are
// two locations. An Identity is row content, so what is stored of it is a keyed
// hash.
type Identity struct {
	Rider, Pickup, Dropoff string
	// Times are the times by which trips are compared, at most one of each kind.
	Times []IdentityTime
}

// An IdentityTime is one time of a trip. Only times of the same kind are compared.
type IdentityTime struct {
	Kind TimeKind
	// At is the wall-clock time. For ByDay it is midnight of the service date.
	At DateTime
}

// A TimeKind says which time of a trip an IdentityTime is.
type TimeKind uint8

// The kinds of times.
const (
	// ByPickup is the pickup time.
	ByPickup TimeKind = iota + 1
	// ByAppointment is the appointment time at the dropoff.
	ByAppointment
	// ByDay is the service date of a will call, whose pickup time says nothing.
	ByDay
)

// Code returns the kind's code, which what leaves the process has instead of the
// kind's number. It is "none" for a number that no kind has.
func (k TimeKind) Code() string {
	switch k {
	case ByPickup:
		return "pickup"
	case ByAppointment:
		return "appointment"
	case ByDay:
		return "day"
	}
	return "none"
}

// ParseTimeKind is the inverse of Code. It reports false for a code that no kind
// has.
func ParseTimeKind(code string) (TimeKind, bool) {
	for k := ByPickup; k <= ByDay; k++ {
		if k.Code() == code {
			return k, true
		}
	}
	return 0, false
}

// Window returns by how many minutes two times of the kind may differ if the rules
// take trips within minutes for a double booking. Will calls must be on the same
// day.
func (k TimeKind) Window(minutes int) int {
	if k == ByDay {
		return 0
	}
	return minutes
}

// Identity returns the trip's identity. It reports false if the rider, a location
// or every time is missing. Such a trip is compared with none.
func (t *Trip) Identity() (Identity, bool) {
	id := Identity{Rider: comparableText(t.RiderID), Pickup: t.Pickup.Location(), Dropoff: t.Dropoff.Location()}
	if id.Rider == "" || id.Pickup == "" || id.Dropoff == "" {
		return Identity{}, false
	}

	add := func(kind TimeKind, at DateTime) {
		if !at.IsZero() {
			id.Times = append(id.Times, IdentityTime{kind, at})
		}
	}

	if t.Type == WillCall {
		add(ByDay, DateTime{Date: t.Date()})
	} else {
		add(ByPickup, t.Pickup.PickupTime)
		add(ByAppointment, t.Dropoff.Appt)
	}
	return id, len(id.Times) > 0
}

// MayBe reports whether trips with the identities id and other may be the same
// trip: rider and locations are equal, and two times of the same kind differ by at
// most Window(minutes).
func (id Identity) MayBe(other Identity, minutes int) bool {
	if id.Rider != other.Rider || id.Pickup != other.Pickup || id.Dropoff != other.Dropoff {
		return false
	}
	for _, a := range id.Times {
		for _, b := range other.Times {
			apart := a.At.MinutesUntil(b.At)
			if a.Kind == b.Kind && max(apart, -apart) <= a.Kind.Window(minutes) {
				return true
			}
		}
	}
	return false
}

// Location returns the event's location in a form that is equal for two events at
// the same location. It is made of the address with its unit, whether on one line
// or in parts; without an address, of the position to four decimals (about 10
// metres); without a position, of the location's name. It is empty if the event
// has none of these.
func (e *Event) Location() string {
	address := e.CompleteAddress
	if address == "" && e.HasAddress() {
		address = strings.Join([]string{e.Address1, e.Address2, e.City, e.State, e.Zip}, " ")
	}
	if text := comparableText(withoutPlusFour(address)); text != "" {
		return text
	}
	if p := e.Position; p.Known() {
		return strconv.FormatFloat(p.Latitude, 'f', 4, 64) + "," + strconv.FormatFloat(p.Longitude, 'f', 4, 64)
	}
	return comparableText(e.LocationName)
}

// withoutPlusFour removes the last four digits of an address that ends in a ZIP+4,
// since exports of one address may come with or without them.
func withoutPlusFour(address string) string {
	address = strings.TrimSpace(address)
	cut := len(address) - len("-1234")
	if cut < len("12345") || address[cut] != '-' || !allDigits(address[cut+1:]) || !allDigits(address[cut-5:cut]) {
		return address
	}
	return address[:cut]
}

func allDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

// comparableText returns the letters and digits of a text, in lower case.
func comparableText(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
