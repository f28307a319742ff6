package places

import "strings"

// An address is a postal address in a form that can be compared: each part in
// one spelling, empty if it is not known.
type address struct {
	number string // of the house; empty for a street without one
	street string // by canonicalStreet
	unit   unit
	city   string // by canonicalCity
	state  string // the two-letter code; "?" and the text if it is no state
	zip    string // five digits; "?" and the text if it is no ZIP code

	streetLine string // number and street as written, without the unit
	cityLine   string // the city as written
}

// isComplete reports whether the address says enough to be compared: a street,
// and a ZIP code or a city with its state. A street alone is in every town.
func (a address) isComplete() bool {
	return a.street != "" && (a.zip != "" || a.city != "" && a.state != "")
}

// agrees reports whether two addresses are the same, units aside: number and
// street are equal, every further part that both have is equal, and both have a
// ZIP code, or a city with its state.
func (a address) agrees(b address) bool {
	if a.number != b.number || a.street != b.street ||
		differ(a.city, b.city) || differ(a.state, b.state) || differ(a.zip, b.zip) {
		return false
	}
	return a.zip != "" && b.zip != "" || a.city != "" && b.city != "" && a.state != "" && b.state != ""
}

// differ reports whether both texts are there and are not equal.
func differ(a, b string) bool { return a != "" && b != "" && a != b }

// withoutUnit returns what a geocoder is asked about: the address without its
// unit and without the way it was written.
func (a address) withoutUnit() address {
	return address{number: a.number, street: a.street, city: a.city, state: a.state, zip: a.zip}
}

// setStreet fills in number and street from the tokens of a street line.
func (a *address) setStreet(ts []token) {
	a.streetLine = joinRaw(ts)
	n := houseNumberLen(ts)
	if n == len(ts) {
		return
	}
	a.number = joinText(ts[:n])
	if a.number == "one" {
		a.number = "1"
	}
	a.street = canonicalStreet(ts[n:])
}

// setCity fills in the city from its tokens.
func (a *address) setCity(ts []token) { a.city, a.cityLine = canonicalCity(ts), joinRaw(ts) }

// withoutMark returns a state or a ZIP code as the row has it, without the "?" of
// an unknown one.
func withoutMark(s string) string { return strings.TrimPrefix(s, "?") }
