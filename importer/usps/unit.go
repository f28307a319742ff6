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

		// 2nd Floor
		if i+1 < len(ts) && isFloor(ts[i+1].text) && isOrdinal(ts[i].text) && i > 0 {
			u.Floor = ts[i].text[:len(ts[i].text)-2]
			i += 2
			continue
		}

		// 12 Elm St Rear
		if alone, ok := DesignatorOf(ts[i].text); ok && alone.Value == NoValue &&
			i == len(ts)-1 && len(rest) > 2 && isSuffix(rest[len(rest)-1].text) {
			u.add(alone.Part, alone.Short)
			i++
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

	lettersWillDo := designator.Value == AnyValue
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
	next, ends := ts[0].text, len(ts) == 1
	numbered := isDigits(unit) && isLetter(next)
	lettered := isLetter(unit) && isDigits(next) && len(next) < 5
	switch {
	case ts[0].joined:
		return numbered || lettered
	case ends:
		return endsUnit(unit, next)
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

// endsUnit reports whether the last word of a field belongs to the unit before
// it: a number and a letter that are written apart ("2 B", "B 2").
func endsUnit(unit, last string) bool {
	isOtherHalf := len(last) <= 2 && hasDigit(unit) != hasDigit(last) && Direction(last) == ""
	return isOtherHalf || len(last) == 1 && hasDigit(unit) && last != "#"
}

// designatorOf returns the designator that a value follows. A number sign, and
// the word for it, name a door.
func designatorOf(word string) (Designator, bool) {
	switch {
	case word == "#":
		return Designator{Part: Door, Value: AnyValue}, true
	case isNumberSign(word):
		return Designator{Part: Door, Value: Number}, true
	}
	u, ok := DesignatorOf(word)
	return u, ok && u.Value != NoValue
}

// bareUnit returns the door of a field that has nothing else, and no designator:
// "2B", "12".
func bareUnit(ts []token) (door string, ok bool) {
	if alone, known := DesignatorOf(ts[0].text); known && len(ts) == 1 && alone.Value == NoValue {
		return alone.Short, true
	}
	if len(ts) == 1 && len(ts[0].text) <= 6 && (hasDigit(ts[0].text) || len(ts[0].text) == 1) {
		return cmp.Or(strings.TrimLeft(ts[0].text, "0"), ts[0].text), true
	}
	if len(ts) == 2 && len(ts[0].text)+len(ts[1].text) <= 6 && hasDigit(ts[0].text) != hasDigit(ts[1].text) && !isOrdinal(ts[0].text) {
		return ts[0].text + ts[1].text, true
	}
	return "", false
}

// isFloor reports whether a word is the designator of a floor.
func isFloor(word string) bool {
	u, ok := DesignatorOf(word)
	return ok && u.Part == Floor
}
