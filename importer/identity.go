package importer

import (
	"strconv"
	"strings"
	"unicode"
)

// An Identity answers the question "who may already be this trip?" where the
// trip ids do not: two trips that take the same rider between the same
// locations at about the same time may be one trip under two ids. The checks
// ask it of the rows of a run, rows of an edited results workbook included, and
// the ledger asks it of everything that is booked; neither has a rule of its
// own.
//
// Texts are in comparableText form (see comparableText): case, spaces and punctuation
// are disregarded, everything else counts. Units count: two suites of one
// street address are two locations. An Identity is row content: whoever keeps
// it keeps a keyed hash of it.
type Identity struct {
	Rider, Pickup, Dropoff string
	// Times are the times by which trips are compared, each kind at most once.
	Times []IdentityTime
}

// An IdentityTime is one time of a trip. Times are compared with those of the
// same kind only.
type IdentityTime struct {
	Kind TimeKind
	// At is the wall-clock time. For ByDay it is midnight of the service date.
	At DateTime
}

// A TimeKind says which time of a trip an IdentityTime is.
type TimeKind uint8

const (
	// ByPickup compares pickup times.
	ByPickup TimeKind = iota + 1
	// ByAppointment compares appointment times at the dropoff.
	ByAppointment
	// ByDay compares the service dates of will calls, whose pickup times say
	// nothing.
	ByDay
)

// Code returns the kind for keys that leave the process.
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

// Window returns how far apart, in minutes, two times of the kind may be where
// the rules allow minutes between the times of a double booking. Will calls
// have to be on the same day.
func (k TimeKind) Window(minutes int) int {
	if k == ByDay {
		return 0
	}
	return minutes
}

// Identity returns the trip's identity. It reports false where the rider, a
// location or every time is missing: nothing can be said about such a trip.
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

// MayBe is the definition: it reports whether trips of identities id and other
// may be one trip, where the rules allow minutes between the times of a double
// booking.
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

// Location returns where the event is, in a form that is equal for two events
// at the same location: its address, which may be written on one line or in
// parts and counts with its unit; without an address the position, to four
// decimals (about 10 metres); without a position the name of the location. It
// is empty where the event says nothing of it.
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

// withoutPlusFour cuts the last four digits off an address that ends in a
// ZIP+4: one export has them and the next one does not.
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

// comparableText keeps letters and digits, in lower case.
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
