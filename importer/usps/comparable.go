package usps

import (
	"slices"
	"strings"
)

// Comparable returns an address, or a part of one, in a form that is equal for two
// spellings of it: Street or St, North or N, Apt 4-B or #4B or 4B alone, with or without the
// state and the last four digits of the ZIP code. The order of the words counts: Court St and
// St Court are two streets. All that the text says is in it, so that no change of it is
// missed.
func Comparable(text string) string {
	var u Unit
	parts := cutUnits(splitParts(text, strings.TrimSpace), &u)
	var a Address
	parts = a.takeZIP(dropCountry(parts))
	if a.Zip != "" {
		parts = a.takeState(parts)
	}
	if len(parts) == 1 {
		if door, ok := bareUnit(parts[0]); ok {
			u.add(Door, door)
			parts = nil
		}
	}
	return joinWords(flatten(parts)) + a.Zip + u.text()
}

// ComparableZIP is Comparable for a ZIP code alone: with its last four digits and without them it is one.
func ComparableZIP(text string) string { return canonicalZIP(text, "") }

// text returns the unit as one text. The order in which its parts were written does not
// count.
func (u Unit) text() string {
	var parts []string
	for _, part := range [...]string{u.Building, u.Floor, u.Door, u.Inner} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	slices.Sort(parts)
	return " " + strings.Join(parts, " ")
}

// joinWords joins the words of an address, each in its standard spelling.
func joinWords(ts []token) string {
	street := -1
	if len(ts) > 0 && hasDigit(ts[0].text) {
		street = 1
	}
	return strings.Join(standardWords(ts, street), "")
}
