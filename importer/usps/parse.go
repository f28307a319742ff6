package usps

import (
	"cmp"
	"slices"
)

// ParseParts parses an address that comes in parts. The street may be on the
// second line, below the facility's name. Notes on that line are dropped. It reports
// false for an address that is not complete, or has two streets, since neither can be
// preferred.
func ParseParts(address1, address2, city, state, zip string) (Address, bool) {
	a, ok := parseParts(address1, address2, city, state, zip)
	repeats := ok && a.mayRepeat() && len(cutUnits(tokenize(address1+", "+address2), &Unit{})) > 1
	return a, ok && a.isComplete() && !repeats
}

// mayRepeat reports whether the address is in Puerto Rico, where each urbanization of a ZIP code may have its number
// and street: what else is in the address tells them apart.
func (a Address) mayRepeat() bool { return cmp.Or(a.State, ZIPState(a.Zip)) == "PR" }

// parseParts is ParseParts for an address that may not be complete.
func parseParts(address1, address2, city, state, zip string) (Address, bool) {
	street, u, ok := streetOf(address1, address2)
	if !ok {
		return Address{Unit: u}, false
	}
	a := Address{Unit: u, State: canonicalState(state)}
	a.Zip = canonicalZIP(zip, a.State)
	a.setCity(flatten(tokenize(city)))
	a.setStreet(street)
	return a, true
}

// streetOf returns the street in the two lines of an address, and the unit. It reports
// false if there is none, or two.
func streetOf(address1, address2 string) (street []token, u Unit, ok bool) {
	first, second := cutUnits(tokenize(address1), &u), cutUnits(tokenize(address2), &u)
	street, hasHouse := partWithHouse(first)
	if other, found := partWithHouse(second); found {
		switch {
		case !hasHouse:
			street = other
		case len(other) > 2 && isSuffix(other[len(other)-1].text):
			return nil, u, false
		}
	}

	if len(second) == 1 && u.Door == "" {
		if door, ok := bareUnit(second[0]); ok {
			u.Door = door
		}
	}
	if street == nil && len(first) > 0 {
		street = first[0]
	}
	return street, u, street != nil
}

// cutUnits moves the units among the parts to u, and returns the parts of which something is left.
func cutUnits(parts [][]token, u *Unit) (left [][]token) {
	for _, ts := range parts {
		if ts = takeUnit(ts, u); len(ts) > 0 {
			left = append(left, ts)
		}
	}
	return left
}

// partWithHouse returns the first part that begins with a house number.
func partWithHouse(parts [][]token) ([]token, bool) {
	for _, ts := range parts {
		if len(ts) > 1 && houseNumberLen(ts) > 0 {
			return ts, true
		}
	}
	return nil, false
}

// ParseLine parses an address on one line. What is before the house number is a
// name, the end is city, state and ZIP code, and units may be anywhere. It reports false for
// an address that is not complete, or does not show where the street ends and the city begins.
func ParseLine(s string) (Address, bool) {
	a, ok := parseLine(s)
	return a, ok && a.isComplete()
}

// parseLine is ParseLine for an address that may not be complete.
func parseLine(s string) (a Address, ok bool) {
	parts := dropCountry(cutUnits(tokenize(s), &a.Unit))
	hasCommas := len(parts) > 1
	parts = a.takeZIP(parts)
	if hasCommas || a.Zip != "" {
		parts = a.takeState(parts)
	}

	if a.mayRepeat() && len(parts) > 2 {
		return a, true
	}
	for i, ts := range parts {
		if len(ts) < 2 || houseNumberLen(ts) == 0 {
			continue
		}
		if i == len(parts)-1 {
			return a.split(ts)
		}
		a.setStreet(ts)
		a.setCity(parts[len(parts)-1])
		return a, true
	}

	if len(parts) == 2 { // a street without a number
		a.setStreet(parts[0])
		a.setCity(parts[1])
	}
	return a, true
}

// split parses a street and a city with nothing between them. The street ends with its suffix,
// and the number or the quarter of a road. It reports false if there is none, or no city, or if a direction follows,
// which may be of the street or of the city: Main St West Palm Beach.
func (a Address) split(ts []token) (Address, bool) {
	end := houseNumberLen(ts) + 1
	for end < len(ts) && !endsStreet(ts[end:]) {
		end++
	}
	end = min(end+1, len(ts))
	for end < len(ts) && (hasDigit(ts[end].text) || len(Direction(ts[end].text)) == 2) {
		end++
	}
	a.setStreet(ts[:end])
	if end == len(ts) {
		return a, false
	}
	a.setCity(ts[end:])
	return a, Direction(ts[end].text) == ""
}

// endsStreet reports whether the first of some words is the suffix of a street: a usual one, or one that no other
// follows, as in Oak Park Ave. Cities begin with words such as Park, Garden and Lake.
func endsStreet(ts []token) bool {
	usual := []string{"st", "ave", "rd", "dr", "blvd", "ln", "ct", "way", "hwy", "pkwy"}
	return slices.Contains(usual, Suffix(ts[0].text)) || isSuffix(ts[0].text) && (len(ts) == 1 || !isSuffix(ts[1].text))
}

// dropCountry removes the country at the end.
func dropCountry(parts [][]token) [][]token {
	if len(parts) == 0 {
		return parts
	}
	last := parts[len(parts)-1]
	switch n := len(last); {
	case last[n-1].text == "usa", last[n-1].text == "us" && n == 1:
		return dropLast(parts, 1)
	case n >= 2 && last[n-2].text == "united" && last[n-1].text == "states":
		return dropLast(parts, 2)
	}
	return parts
}

// dropLast removes the last n tokens, and the last part if nothing is left of it.
// It does not change its argument.
func dropLast(parts [][]token, n int) [][]token {
	last := len(parts) - 1
	if len(parts[last]) == n {
		return parts[:last]
	}
	out := slices.Clone(parts)
	out[last] = out[last][:len(out[last])-n]
	return out
}

// takeZIP moves a ZIP code at the end to a.
func (a *Address) takeZIP(parts [][]token) [][]token {
	if len(parts) == 0 {
		return parts
	}
	last := parts[len(parts)-1]
	n := len(last)
	if n >= 2 && len(last[n-1].text) == 4 && len(last[n-2].text) == 5 && isDigits(last[n-1].text) && isDigits(last[n-2].text) {
		a.Zip = last[n-2].text
		return dropLast(parts, 2)
	}

	s := last[n-1].text
	if len(s) < 5 || n == 1 && len(parts) == 1 {
		return parts
	}
	if zip := canonicalZIP(s, ""); zip[0] != '?' {
		a.Zip = zip
		return dropLast(parts, 1)
	}
	return parts
}

// takeState moves the code or the name of a state at the end to a. It takes the
// longest name: West Virginia before Virginia.
func (a *Address) takeState(parts [][]token) [][]token {
	if len(parts) == 0 {
		return parts
	}
	last := parts[len(parts)-1]
	for n := min(3, len(last)); n > 0; n-- {
		if n == len(last) && len(parts) == 1 {
			continue
		}
		if state, ok := StateOf(joinText(last[len(last)-n:])); ok {
			a.State = state.Code
			return dropLast(parts, n)
		}
	}
	return parts
}
