package usps

import (
	"cmp"
	"slices"
	"strings"
)

// A Unit says where an address is within a house number. The designator is not
// kept, since "#5", "Apt 5" and "Unit 5" are one door.
type Unit struct {
	Door     string // an apartment, a suite or a room
	Inner    string // a second one, within the first
	Building string
	Floor    string
}

// add fills in the part that a designator names.
func (u *Unit) add(part Part, value string) {
	switch part {
	case Building:
		u.Building = value
	case Floor:
		u.Floor = value
	case Door:
		switch {
		case u.Door == "":
			u.Door = value
		case u.Inner == "":
			u.Inner = value
		default:
			u.Inner += " " + value
		}
	}
}

// takeUnit moves all units among the tokens to u and returns the other tokens.
func takeUnit(ts []token, u *Unit) []token {
	var rest []token
	for i := 0; i < len(ts); {
		// RM 620 after a house number is a ranch road.
		isRoad := i == 1 && ts[i].text == "rm" && startsWithDigit(ts[0].text)
		if part, value, n := unitAt(ts[i:]); n > 0 && !isRoad {
			u.add(part, value)
			i += n
			continue
		}

		rest = append(rest, ts[i])
		i++
	}
	return rest
}

// unitAt parses a unit at the beginning of the tokens ("Apt # 2-B"). It returns
// how many tokens the unit has, or 0 if there is none. A designator that could
// be part of a street's name (Space Center Blvd) needs a value with a digit.
func unitAt(ts []token) (part Part, value string, n int) {
	const longest, longestFloor = 8, 3 // characters: in "FL 33101" the word is Florida
	designator, ok := designatorOf(ts[0].text)
	if !ok {
		return "", "", 0
	}

	lettersWillDo := designator.Letters
	for n = 1; n < len(ts) && isNumberSign(ts[n].text) && !isNumberSign(ts[0].text); n++ {
		lettersWillDo = true
	}
	if n == len(ts) {
		return "", "", 0
	}

	value = ts[n].text
	fits := hasDigit(value) || lettersWillDo && areUnitLetters(value)
	if len(value) > longest || designator.Part == Floor && len(value) > longestFloor || !fits {
		return "", "", 0
	}
	n++

	if n < len(ts) && designator.Part != Floor && isSecondPart(value, ts[n:]) {
		value += ts[n].text
		n++
	}
	return designator.Part, cmp.Or(strings.TrimLeft(value, "0"), value), n
}

// isSecondPart reports whether the first token belongs to the unit before it: a number
// and a letter that are written apart. They are one unit if a hyphen joins them or
// nothing follows. Otherwise the number must come first, and the letter must be no
// direction: the E of Apt 4 E Lansing belongs to the city, and the 12 of Apt B 12 Alder Ct
// is the house number.
func isSecondPart(unit string, ts []token) bool {
	next := ts[0].text
	numbered := isDigits(unit) && isLetter(next)
	if ts[0].joined || len(ts) == 1 {
		return numbered || isLetter(unit) && isDigits(next) && len(next) < 5
	}

	return numbered && Direction(next) == "" && !ts[1].joined // c/o is no unit
}

func isLetter(s string) bool { return len(s) == 1 && s[0] >= 'a' && s[0] <= 'z' }

// isNumberSign reports whether a word stands for "number": Apt No. 4.
func isNumberSign(word string) bool {
	return slices.Contains([]string{"#", "no", "num", "number"}, word)
}

// areUnitLetters reports whether a word without digits can be a unit's value: a
// letter, or two that are neither a street suffix nor a direction.
func areUnitLetters(word string) bool {
	return len(word) == 1 || len(word) == 2 && !isSuffix(word) && Direction(word) == ""
}

// designatorOf returns the designator that a value follows. A number sign, and
// the word for it, name a door.
func designatorOf(word string) (Designator, bool) {
	switch {
	case word == "#":
		return Designator{Door, true}, true
	case isNumberSign(word):
		return Designator{Door, false}, true
	}
	return DesignatorOf(word)
}

// bareUnit returns the door of a field that has nothing else, and no designator:
// "2B", "12".
func bareUnit(ts []token) (door string, ok bool) {
	if len(ts) == 1 && len(ts[0].text) <= 6 && (hasDigit(ts[0].text) || len(ts[0].text) == 1) {
		return cmp.Or(strings.TrimLeft(ts[0].text, "0"), ts[0].text), true
	}
	if len(ts) == 2 && len(ts[0].text)+len(ts[1].text) <= 6 && hasDigit(ts[0].text) != hasDigit(ts[1].text) && !isOrdinal(ts[0].text) {
		return ts[0].text + ts[1].text, true
	}
	return "", false
}
