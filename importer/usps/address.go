package usps

import (
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
	if n > 1 && ts[1].joined {
		return ts[0].text + ts[1].text, n
	}
	return joinText(ts[:n]), n
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
	case ts[0].text == "one" && len(ts) > 2 && isSuffix(ts[len(ts)-1].text):
		return 1 // One Mercy Plaza
	case !startsWithDigit(ts[0].text) || isOrdinal(ts[0].text):
		return 0
	case len(ts) > 1 && (strings.Contains(ts[1].text, "/") || ts[1].joined && isLetter(ts[1].text)):
		return 2 // 418 1/2 or 12-A
	}
	return 1
}

// IsStreetOnly reports whether the street line is a street and nothing else. After its
// suffix a street may have only directions and numbers, as in Ranch Rd 620 S.
func (a Address) IsStreetOnly() bool {
	const longest, longestWithoutSuffix = 8, 5 // tokens
	ts := flatten(tokenize(a.StreetLine))
	suffix := 0
	for i := 2; i < len(ts); i++ {
		if isSuffix(ts[i].text) {
			suffix = i
		}
	}
	if suffix == 0 {
		return len(ts) <= longestWithoutSuffix
	}
	for _, t := range ts[suffix+1:] {
		if Direction(t.text) == "" && !hasDigit(t.text) {
			return false
		}
	}
	return len(ts) <= longest
}

// canonicalZIP returns the first five digits of a ZIP code, with the zeros that a
// spreadsheet dropped. It returns "?" and the text for what is no ZIP code, which
// then agrees only with the same text.
func canonicalZIP(s, state string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	if zip, _, ok := NormalZIP(s, state); ok {
		return zip[:5]
	}
	return "?" + s
}

// canonicalState returns the code of a state by its code or name. It returns "?"
// and the text for what is no state, which then agrees only with the same text.
func canonicalState(s string) string {
	if state, ok := StateOf(s); ok {
		return state.Code
	}
	if s = Words(s); s == "" {
		return ""
	}
	return "?" + s
}
