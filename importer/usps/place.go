package usps

import (
	"cmp"
	"strings"
)

// A Place tells two addresses apart where little is enough: of one rider's trips on one
// day, two places with the same house number and ZIP code are the same, however the
// street is spelt.
type Place struct {
	// Text is equal for two addresses of one place. It is empty for a text without a word.
	Text string
	Unit Unit
}

// PlaceOfLine returns the place of an address on one line.
func PlaceOfLine(line string) Place {
	a, ok := parseLine(line)
	switch {
	case a.hasZIP() && a.Number != "", ok && a.Street != "":
		return a.place()
	case a.hasZIP():
		if number := numberBehindName(tokenize(line)); number != "" {
			return Place{number + " " + a.Zip, a.Unit}
		}
	}
	return Place{Words(line), a.Unit}
}

// TownOfLine returns the Text that an address on one line would have without its ZIP code. It is
// empty if the address has none, or no city.
func TownOfLine(line string) string {
	a, ok := parseLine(line)
	if !ok || !a.hasZIP() || a.City == "" {
		return ""
	}
	a.Zip = ""
	return a.place().Text
}

// numberBehindName returns the house number behind the name of a facility: that of Alder House
// 12 Alder Ct. It is empty if no street follows a number, as in County Rd 12.
func numberBehindName(parts [][]token) string {
	for _, ts := range parts {
		for i := 1; i < len(ts)-2; i++ {
			if isDigits(ts[i].text) && !hasDigit(ts[i+1].text) {
				return strings.TrimLeft(ts[i].text, "0")
			}
		}
	}
	return ""
}

// PlaceOfParts returns the place of an address in parts.
func PlaceOfParts(address1, address2, city, state, zip string) Place {
	if number, u, ok := simpleHouse(address1, address2); ok {
		switch {
		case len(zip) == 5 && isDigits(zip), len(zip) == 10 && zip[5] == '-' && isDigits(zip[:5]):
			return Place{number + " " + zip[:5], u}
		case zip == "":
			a := Address{Number: number, Unit: u}
			a.setCity(flatten(tokenize(city)))
			return a.place()
		}
	}
	a, ok := parseParts(address1, address2, city, state, zip)
	switch {
	case ok:
		return a.place()
	case address1 == "": // a unit alone
		return Place{Words(city + ", " + zip), a.Unit}
	}
	return Place{Words(address1 + ", " + address2 + ", " + city + ", " + zip), a.Unit}
}

// simpleHouse returns the number and the unit of a house where the first word is its number, as
// nearly always: nothing else of the address is read, but for the unit.
func simpleHouse(address1, address2 string) (number string, u Unit, ok bool) {
	number, rest, _ := strings.Cut(address1, " ")
	if !isDigits(number) || rest == "" || hasDigit(rest[:1]) {
		return "", u, false
	}
	if address2 != "" || mayHaveUnit(rest) {
		street, unit, ok := streetOf(address1, address2)
		if !ok {
			return "", u, false
		}
		number, _ = houseNumber(street)
		if number == "" {
			return "", u, false
		}
		u = unit
	}
	return strings.TrimLeft(number, "0"), u, true
}

// mayHaveUnit reports whether a street line without its number may have a unit, or anything
// else than words of letters.
func mayHaveUnit(street string) bool {
	for word := range strings.SplitSeq(street, " ") {
		word = strings.ToLower(strings.TrimSuffix(word, "."))
		if _, ok := units()[word]; ok || isNumberSign(word) || strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) {
			return true
		}
	}
	return false
}

// place returns the address's place: by its number and ZIP code. One without a ZIP code
// is told apart by its city, and one without a number by its street.
func (a Address) place() Place {
	house, town := a.Number, a.Zip
	if house == "" {
		house = cmp.Or(numberBehindName(tokenize(a.StreetLine)), a.Street)
	}
	if !a.hasZIP() {
		town = a.City
	}
	return Place{strings.TrimSpace(strings.TrimLeft(house, "0") + " " + town), a.Unit}
}

func (a Address) hasZIP() bool { return a.Zip != "" && a.Zip[0] != '?' }
