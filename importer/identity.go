package importer

import (
	"slices"
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
// Texts consist of their letters and digits in lower case, so case, spaces and
// punctuation make no difference. Nor does it matter how a street's words are
// spelt: Street or St, North or N. Units are compared apart from the address: two
// suites at one street address are two locations, while an address without a unit
// may be any of them. An Identity is row content, so what is stored of it is a
// keyed hash.
type Identity struct {
	Rider, Pickup, Dropoff string
	// The units at the pickup and the dropoff, such as "4b"; empty for none.
	PickupUnit, DropoffUnit string
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

// Code returns the kind's code, which is stored instead of its number. It is "none" for a
// number that no kind has.
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

// Window returns the difference in minutes up to which two times of the kind count as the
// same, where minutes is the limit of the rules for a double booking. It is 0 for ByDay:
// will calls must be on the same day.
func (k TimeKind) Window(minutes int) int {
	if k == ByDay {
		return 0
	}
	return minutes
}

// Identity returns the trip's identity. It reports false if the rider, a location or
// every time is missing. Such a trip is never compared with others.
func (t *Trip) Identity() (Identity, bool) {
	id, ok := t.Places()
	if !ok {
		return Identity{}, false
	}

	id.Times = make([]IdentityTime, 0, 2)
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

// Places returns the trip's identity without its times. It reports false if the
// rider or a location is missing.
func (t *Trip) Places() (Identity, bool) {
	id := Identity{Rider: comparableText(t.RiderID)}
	id.Pickup, id.PickupUnit = t.Pickup.Location()
	id.Dropoff, id.DropoffUnit = t.Dropoff.Location()
	return id, id.Rider != "" && id.Pickup != "" && id.Dropoff != ""
}

// SamePlaces reports whether trips with the identities id and other take the same rider
// from the same location to the same location, at whatever time.
func (id Identity) SamePlaces(other Identity) bool {
	return id.Rider == other.Rider && id.Pickup == other.Pickup && id.Dropoff == other.Dropoff &&
		!DifferentUnits(id.PickupUnit, other.PickupUnit) && !DifferentUnits(id.DropoffUnit, other.DropoffUnit)
}

// MayBe reports whether trips with the identities id and other may be the same
// trip: rider and locations are equal, and two times of the same kind differ by at
// most Window(minutes).
func (id Identity) MayBe(other Identity, minutes int) bool {
	if !id.SamePlaces(other) {
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

// DifferentUnits reports whether two units at one address are certainly different: both
// are given and they are not equal.
func DifferentUnits(a, b string) bool { return a != "" && b != "" && a != b }

// Location returns the event's location in a form that is equal for two events at the
// same location, and its unit there. The form is made from the address, on one line or in
// parts, without the state, which follows from the ZIP and the city. An event without an
// address has the form of its position to four decimals (about 10 metres), and one
// without a position that of its location's name. The location is empty if the event has
// none of these. Words such as "Apt" and "Suite" do not count in a unit, nor do leading
// zeros and what is between its number and its letter: Apt 4-B and #4B are one.
func (e *Event) Location() (location, unit string) {
	words, unit := e.addressParts(unitWords)
	if len(words) == 0 {
		return e.withoutAddress(), unit
	}
	return joinStreetWords(words), unit
}

// addressParts returns the words of the event's address without its units, and the values
// of its units. split picks the words out of the tokens.
func (e *Event) addressParts(split func(tokens []string) []string) (words []string, unit string) {
	if e.CompleteAddress != "" {
		return splitUnit(withoutRegion(split(addressTokens(e.CompleteAddress))))
	}

	if e.HasAddress() {
		words, unit = splitUnit(split(addressTokens(e.Address1 + ", " + e.City + ", " + zip5(e.Zip))))
		if e.Address2 == "" {
			return words, unit
		}
		if _, second := splitUnit(split(addressTokens("unit " + e.Address2))); second != "" {
			unit = second
		}
	}
	return words, unit
}

// withoutAddress returns the location of an event that has no address.
func (e *Event) withoutAddress() string {
	if p := e.Position; p.Known() {
		return strconv.FormatFloat(p.Latitude, 'f', 4, 64) + "," + strconv.FormatFloat(p.Longitude, 'f', 4, 64)
	}
	return comparableText(e.LocationName)
}

// addressTokens returns the words of an address in lower case. A number sign is the
// word "unit". Between the words are the tokens "," and "-", the latter also for a
// slash.
func addressTokens(address string) []string {
	address = strings.ToLower(address)
	tokens := make([]string, 0, 16)
	start := -1 // the index at which the current word begins
	for i, r := range address {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			tokens = append(tokens, address[start:i])
			start = -1
		}
		switch r {
		case '#':
			tokens = append(tokens, "unit")
		case ',', ';', '\n':
			tokens = append(tokens, ",")
		case '-', '–', '/':
			tokens = append(tokens, "-")
		}
	}
	if start >= 0 {
		tokens = append(tokens, address[start:])
	}
	return tokens
}

// wordsOf returns the tokens that are words. It changes tokens.
func wordsOf(tokens []string) []string {
	return slices.DeleteFunc(tokens, func(token string) bool { return token == "," || token == "-" })
}

// withoutRegion removes the +4 of a ZIP+4, and the state in front of the ZIP, from the
// end of an address, because the same address may be exported with or without them.
func withoutRegion(words []string) []string {
	last := len(words) - 1
	if last > 0 && len(words[last]) == 4 && allDigits(words[last]) && isZIP5(words[last-1]) {
		words = words[:last]
		last--
	}

	if last < 0 || !isZIP5(zip5(words[last])) {
		return words
	}
	words[last] = zip5(words[last])
	if last > 0 {
		if _, isState := usps.StateOf(words[last-1]); isState {
			words = append(words[:last-1], words[last])
		}
	}
	return words
}

func isZIP5(word string) bool { return len(word) == 5 && allDigits(word) }

// zip5 returns the first five digits of a ZIP code.
func zip5(zip string) string {
	if zip = strings.TrimSpace(zip); len(zip) > 5 && allDigits(zip[:5]) {
		return zip[:5]
	}
	return zip
}

// addressText returns the form in which a part of an address is compared.
func addressText(text string) string { return textOfWords(unitWords(addressTokens(text))) }

// earlierAddressText is addressText as it was when Apt 4-B and Apt 4B were two units.
func earlierAddressText(text string) string { return textOfWords(wordsOf(addressTokens(text))) }

func textOfWords(words []string) string {
	address, unit := splitUnit(withoutRegion(words))
	return joinStreetWords(address) + " " + unit
}

// joinStreetWords joins the words of an address, each in its standard spelling. The order
// of the words counts: Court St and St Court are two streets. A direction that is the
// street's name keeps its spelling: South St and S St are two streets.
func joinStreetWords(words []string) string {
	words = usps.WithHighway(words)
	var joined strings.Builder
	joined.Grow(64)
	for i, word := range words {
		direction, name := usps.StreetWord(word)
		switch {
		case direction == "":
			joined.WriteString(name)
		case isStreetName(words, i):
			joined.WriteString(word)
		default:
			joined.WriteString(direction)
		}
	}
	return joined.String()
}

// isStreetName reports whether a direction is the name of the street, as in 12 S St
// or in 12 Avenue E: it stands between the number and the suffix, or after both.
func isStreetName(words []string, i int) bool {
	suffix := func(i int) bool { return i < len(words) && usps.Suffix(words[i]) != "" }
	hasNumber := strings.ContainsAny(words[0], "0123456789")
	return hasNumber && (i == 1 && suffix(2) && !suffix(3) || i == 2 && suffix(1))
}

// splitUnit returns the words of an address without those of its units, and joins the
// values of its units. It changes words.
func splitUnit(words []string) (rest []string, unit string) {
	rest = words[:0]
	var units []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		designator, ok := usps.UnitOf(word)
		switch {
		case !ok:
			rest = append(rest, word)
		case i+1 < len(words) && isDesignator(words[i+1]): // "Suite #4" has two designators for one unit
		case designator.Value == usps.NoValue:
			units = append(units, designator.Short)
		case i+1 < len(words) && unitValue(words[i+1]) && designator.Fits(words[i+1]):
			i++
			units = append(units, words[i])
		default:
			rest = append(rest, word)
		}
	}

	slices.Sort(units) // "Bldg 3, Apt 4" and "Apt 4, Bldg 3" are the same
	return rest, strings.Join(units, " ")
}

func isDesignator(word string) bool {
	_, ok := usps.UnitOf(word)
	return ok
}

// unitValue reports whether a word can be the value of a unit: it has a digit, or
// is one letter. "12 Suite Rd" is a street.
func unitValue(word string) bool { return len(word) == 1 || strings.ContainsAny(word, "0123456789") }

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func allDigits(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !isDigit(r) })
}

// RiderText returns the form in which rider ids are compared: its letters and
// digits, in lower case.
func RiderText(riderID string) string { return comparableText(riderID) }

// comparableText returns the letters and digits of a text, in lower case.
func comparableText(text string) string {
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
