package places

import (
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// An address is one reading of where an event is, in one spelling.
type address struct {
	number string // the house's; empty where the street has none
	street string // canonicalStreet
	unit   unit
	city   string
	state  string // two letters
	zip    string // five digits
	line   string // number and street as written, without the unit
	town   string // the city as written
}

// complete reports whether the address says enough to be compared: a street,
// and a ZIP or a city with its state. A street alone is in every town.
func (a address) complete() bool {
	return a.street != "" && (a.zip != "" || a.city != "" && a.state != "")
}

// agrees reports whether two addresses are the same, units aside: number and
// street are equal, every further part that both have is equal, and they have
// enough in common to say so.
func (a address) agrees(b address) bool {
	if a.number != b.number || a.street != b.street ||
		differ(a.city, b.city) || differ(a.state, b.state) || differ(a.zip, b.zip) {
		return false
	}
	return a.zip != "" && b.zip != "" || a.city != "" && b.city != "" && a.state != "" && b.state != ""
}

func differ(a, b string) bool { return a != "" && b != "" && a != b }

// A reading is everything that an event's address can mean. Where a line does
// not show where its street ends and its city begins, there are several.
type reading struct {
	addresses []address
	// text is the whole of what was written.
	text string
	// name is the facility's, folded.
	name string
}

// literal gives all words, for what can't be taken apart.
func (r reading) literal() string { return literal(r.text) }

// box reports whether the address is a box at a post office.
func (r reading) box() bool {
	words := r.literal()
	return strings.HasPrefix(words, "po box ") || strings.HasPrefix(words, "post office box ")
}

// readEvent reads an event's address.
func readEvent(e *importer.Event) reading {
	r := reading{text: e.Address(), name: facility(e)}
	if e.CompleteAddress != "" {
		r.addresses = readLine(e.CompleteAddress)
		return r
	}
	r.addresses = readParts(e.Address1, e.Address2, e.City, e.State, e.Zip)
	return r
}

// facility gives the folded name by which an event's place is known.
func facility(e *importer.Event) string {
	if name := literal(e.LocationName); name != "" {
		return name
	}
	return literal(e.Name)
}

// literal folds a text to its words.
func literal(s string) string {
	var ws []string
	for _, part := range tokenize(s) {
		ws = append(ws, folded(part))
	}
	return strings.Join(ws, " ")
}

// readParts reads a broken-out address. The street may stand on the second
// line, under the facility's name; notes on it are no part of an address, but
// two streets are none either.
func readParts(address1, address2, city, state, zip string) []address {
	var u unit
	first, second := unitParts(address1, &u), unitParts(address2, &u)
	street, house := housePart(first)
	if other, found := housePart(second); found {
		switch {
		case !house:
			street = other
		case len(other) > 2 && isSuffix(other[len(other)-1].s):
			return nil
		}
	}
	if len(second) == 1 && u.door == "" {
		if door, ok := looseUnit(second[0]); ok {
			u.door = door
		}
	}
	if street == nil && len(first) > 0 {
		street = first[0]
	}
	if street == nil {
		return nil
	}
	a := address{unit: u, state: canonicalState(state)}
	a.zip = canonicalZip(zip, a.state)
	a.setCity(flat(tokenize(city)))
	a.setStreet(street)
	return whole(a)
}

// unitParts cuts a line into parts and moves what they say of a unit to u.
func unitParts(s string, u *unit) [][]token {
	var parts [][]token
	for _, ts := range tokenize(s) {
		if ts = takeUnit(ts, u); len(ts) > 0 {
			parts = append(parts, ts)
		}
	}
	return parts
}

// housePart gives the first part that begins with a house number.
func housePart(parts [][]token) ([]token, bool) {
	for _, ts := range parts {
		if len(ts) > 1 && houseNumber(ts) > 0 {
			return ts, true
		}
	}
	return nil, false
}

// houseNumber says how many tokens a house number at the beginning takes: two
// where it has a fraction (418 1/2), none where there is no number. A street
// may begin with an ordinal (5th Ave).
func houseNumber(ts []token) int {
	switch {
	case ts[0].s == "one" && len(ts) > 2 && isGround(ts[len(ts)-1].s):
		return 1
	case !startsWithDigit(ts[0].s) || ordinal(ts[0].s):
		return 0
	case len(ts) > 1 && strings.Contains(ts[1].s, "/"):
		return 2
	}
	return 1
}

// isGround reports the suffixes of grounds whose number is often written as a
// word: One Mercy Plaza.
func isGround(w string) bool {
	switch usps.Suffix(w) {
	case "plz", "sq", "ctr", "pl", "cir", "park":
		return true
	}
	return false
}

func (a *address) setStreet(ts []token) {
	a.line = joined(ts)
	n := houseNumber(ts)
	if n == len(ts) {
		return
	}
	a.number = folded(ts[:n])
	if a.number == "one" {
		a.number = "1"
	}
	a.street = canonicalStreet(ts[n:])
}

func (a *address) setCity(ts []token) { a.city, a.town = canonicalCity(ts), joined(ts) }

func flat(parts [][]token) []token {
	var ts []token
	for _, p := range parts {
		ts = append(ts, p...)
	}
	return ts
}

// whole gives the address where it says enough.
func whole(a address) []address {
	if !a.complete() {
		return nil
	}
	return []address{a}
}
