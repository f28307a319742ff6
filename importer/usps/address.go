package usps

import (
	"slices"
	"strings"
)

// An address is a postal address in a form that can be compared: each part in
// one spelling, empty if it is not known.
type Address struct {
	Number string // of the house; empty for a street without one
	Street string // by standardWords
	Unit   Unit
	City   string // by standardWords
	State  string // the two-letter code; "?" and the text if it is no state
	Zip    string // five digits; "?" and the text if it is no ZIP code

	StreetLine string // number and street as written, without the unit
	CityLine   string // the city as written
}

// isComplete reports whether the address says enough to be compared: a street,
// and a ZIP code or a city with its state. A street alone is in every town.
func (a Address) isComplete() bool {
	return a.Street != "" && (a.Zip != "" || a.City != "" && a.State != "")
}

// WithoutUnit returns what a geocoder is asked about: the address without its
// unit and without the way it was written.
func (a Address) WithoutUnit() Address {
	return Address{Number: a.Number, Street: a.Street, City: a.City, State: a.State, Zip: a.Zip}
}

// setStreet fills in number and street from the tokens of a street line.
func (a *Address) setStreet(ts []token) {
	a.StreetLine = joinRaw(ts)
	number, n := houseNumber(ts)
	if n == len(ts) {
		return
	}
	a.Number = number
	a.Street = strings.Join(standardWords(ts[n:], 0), " ")
}

// houseNumber returns the house number at the beginning of a street line, and how many
// tokens it has.
func houseNumber(ts []token) (number string, n int) {
	n = houseNumberLen(ts)
	switch number = joinText(ts[:n]); {
	case n > 1 && ts[1].joined:
		number = ts[0].text + ts[1].text
	case number == "one":
		number = "1"
	}
	return number, n
}

// setCity fills in the city from its tokens.
func (a *Address) setCity(ts []token) {
	a.City, a.CityLine = strings.Join(standardWords(ts, -1), " "), joinRaw(ts)
}

// houseNumberLen returns how many tokens the house number at the beginning has:
// two with a fraction (418 1/2), none for a street without a number. The name of
// a street may begin with an ordinal (5th Ave).
func houseNumberLen(ts []token) int {
	switch {
	case ts[0].text == "one" && len(ts) > 2 && isGrounds(ts[len(ts)-1].text):
		return 1
	case !startsWithDigit(ts[0].text) || isOrdinal(ts[0].text):
		return 0
	case len(ts) > 1 && (strings.Contains(ts[1].text, "/") || ts[1].joined && isLetter(ts[1].text)):
		return 2 // 418 1/2 or 12-A
	}
	return 1
}

// isGrounds reports whether a suffix is of the kind whose house number is often
// a word: One Mercy Plaza.
func isGrounds(w string) bool {
	return slices.Contains([]string{"plz", "sq", "ctr", "pl", "cir", "park"}, Suffix(w))
}
