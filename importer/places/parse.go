package places

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// A parsed is the address and the facility's name of an event.
type parsed struct {
	// addresses are all that the text can mean: none if it can't be parsed,
	// several if it does not show where the street ends and the city begins.
	addresses []address
	text      string // the whole address as written
	name      string // the facility's, normalized
}

// words returns the whole address normalized, for an address that can't be
// parsed.
func (p parsed) words() string { return allWords(p.text) }

// parseEvent parses the address and the facility's name of an event.
func parseEvent(e *importer.Event) parsed {
	p := parsed{text: e.Address(), name: facilityName(e)}
	if e.CompleteAddress != "" {
		p.addresses = parseLine(e.CompleteAddress)
	} else {
		p.addresses = parseParts(e.Address1, e.Address2, e.City, e.State, e.Zip)
	}
	return p
}

// facilityName returns the normalized name of the facility where an event is.
func facilityName(e *importer.Event) string {
	if name := allWords(e.LocationName); name != "" {
		return name
	}
	return allWords(e.Name)
}

// isPOBox reports whether the address is a box at a post office, which no car
// can go to.
func (p parsed) isPOBox() bool {
	words := p.words()
	return strings.HasPrefix(words, "po box ") || strings.HasPrefix(words, "post office box ")
}

// mostLikely returns the address that is most probably meant. If the text does
// not show the end of the street, it is the first whose street ends as streets
// do.
func (p parsed) mostLikely() (address, bool) {
	if len(p.addresses) == 1 {
		return p.addresses[0], true
	}
	for _, a := range p.addresses {
		if a.city != "" && endsLikeStreet(flatten(tokenize(a.streetLine))) {
			return a, true
		}
	}
	return address{}, false
}

// endsLikeStreet reports whether the last token is one that streets end in: a
// suffix, a direction or a number.
func endsLikeStreet(ts []token) bool {
	last := ts[len(ts)-1].text
	return isSuffix(last) || usps.Direction(last) != "" || hasDigit(last)
}

// parseParts parses an address that comes in parts. The street may be on the
// second line, below the facility's name. Notes on that line are dropped. An
// address with two streets is rejected, because neither can be preferred.
func parseParts(address1, address2, city, state, zip string) []address {
	var u unit
	first, second := cutUnits(address1, &u), cutUnits(address2, &u)
	street, hasHouse := partWithHouse(first)
	if other, found := partWithHouse(second); found {
		switch {
		case !hasHouse:
			street = other
		case len(other) > 2 && isSuffix(other[len(other)-1].text):
			return nil
		}
	}

	if len(second) == 1 && u.door == "" {
		if door, ok := bareUnit(second[0]); ok {
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
	a.zip = canonicalZIP(zip, a.state)
	a.setCity(flatten(tokenize(city)))
	a.setStreet(street)
	return complete(a)
}

// complete returns those of the addresses that are complete.
func complete(addresses ...address) []address {
	return slices.DeleteFunc(addresses, func(a address) bool { return !a.isComplete() })
}

// cutUnits splits a line into parts, and moves the units among them to u.
func cutUnits(s string, u *unit) [][]token {
	var parts [][]token
	for _, ts := range tokenize(s) {
		if ts = takeUnit(ts, u); len(ts) > 0 {
			parts = append(parts, ts)
		}
	}
	return parts
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

// houseNumberLen returns how many tokens the house number at the beginning has:
// two with a fraction (418 1/2), none for a street without a number. The name of
// a street may begin with an ordinal (5th Ave).
func houseNumberLen(ts []token) int {
	switch {
	case ts[0].text == "one" && len(ts) > 2 && isGrounds(ts[len(ts)-1].text):
		return 1
	case !startsWithDigit(ts[0].text) || isOrdinal(ts[0].text):
		return 0
	case len(ts) > 1 && strings.Contains(ts[1].text, "/"):
		return 2
	}
	return 1
}

// isGrounds reports whether a suffix is of the kind whose house number is often
// a word: One Mercy Plaza.
func isGrounds(w string) bool {
	switch usps.Suffix(w) {
	case "plz", "sq", "ctr", "pl", "cir", "park":
		return true
	}
	return false
}

// parseLine parses an address on one line. What is before the house number is a
// name, the end is city, state and ZIP code, and units may be anywhere.
func parseLine(s string) []address {
	var a address
	parts := dropCountry(cutUnits(s, &a.unit))
	hasCommas := len(parts) > 1
	parts = a.takeZIP(parts)
	if hasCommas || a.zip != "" {
		parts = a.takeState(parts)
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
		return complete(a)
	}

	if len(parts) == 2 { // a street without a number
		a.setStreet(parts[0])
		a.setCity(parts[1])
		return complete(a)
	}
	return nil
}

// split parses a street and a city with nothing between them, in every possible
// way: at most one of them is in the list.
func (a address) split(ts []token) []address {
	b := a
	b.setStreet(ts)
	all := []address{b}
	for i := houseNumberLen(ts) + 1; i < len(ts); i++ {
		b := a
		b.setStreet(ts[:i])
		b.setCity(ts[i:])
		all = append(all, b)
	}
	return complete(all...)
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
func (a *address) takeZIP(parts [][]token) [][]token {
	if len(parts) == 0 {
		return parts
	}
	last := parts[len(parts)-1]
	n := len(last)
	if n >= 2 && len(last[n-1].text) == 4 && len(last[n-2].text) == 5 && isDigits(last[n-1].text) && isDigits(last[n-2].text) {
		a.zip = last[n-2].text
		return dropLast(parts, 2)
	}

	s := last[n-1].text
	if len(s) < 5 || n == 1 && len(parts) == 1 {
		return parts
	}
	if zip := canonicalZIP(s, ""); zip[0] != '?' {
		a.zip = zip
		return dropLast(parts, 1)
	}
	return parts
}

// takeState moves the code or the name of a state at the end to a. It takes the
// longest name: West Virginia before Virginia.
func (a *address) takeState(parts [][]token) [][]token {
	if len(parts) == 0 {
		return parts
	}
	last := parts[len(parts)-1]
	for n := min(3, len(last)); n > 0; n-- {
		if n == len(last) && len(parts) == 1 {
			continue
		}
		if state, ok := usps.StateOf(joinText(last[len(last)-n:])); ok {
			a.state = state.Code
			return dropLast(parts, n)
		}
	}
	return parts
}
