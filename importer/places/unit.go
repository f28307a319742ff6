package places

import "tripimport/importer/usps"

// A unit says where an address is within a house number. The designator is not
// kept, since "#5", "Apt 5" and "Unit 5" are one door.
type unit struct {
	door     string // an apartment, a suite or a room
	inner    string // a second one, within the first
	building string
	floor    string
}

// fit says how well the unit of a line of the list goes with that of a row. A
// higher one is better.
type fit uint8

const (
	conflict fit = 0  // the two contradict each other
	within   fit = 1  // the line is more exact than the row
	around   fit = 2  // the row is more exact than the line; one more for each equal part
	same     fit = 10 // the two are equal
)

// fits compares a row's unit with that of a line of the list.
func (u unit) fits(line unit) fit {
	lineIsFiner, agreed := false, around
	for _, p := range [...][2]string{
		{u.door, line.door}, {u.inner, line.inner}, {u.building, line.building}, {u.floor, line.floor},
	} {
		switch row, listed := p[0], p[1]; {
		case row == listed:
			if row != "" {
				agreed++
			}
		case row == "":
			lineIsFiner = true
		case listed != "":
			return conflict
		}
	}

	switch {
	case u == line:
		return same
	case lineIsFiner:
		return within
	}
	return agreed
}

// add fills in the part that a designator names.
func (u *unit) add(part usps.Part, value string) {
	switch part {
	case usps.Building:
		u.building = value
	case usps.Floor:
		u.floor = value
	case usps.Door:
		switch {
		case u.door == "":
			u.door = value
		case u.inner == "":
			u.inner = value
		default:
			u.inner += " " + value
		}
	}
}

// takeUnit moves all units among the tokens to u and returns the other tokens.
func takeUnit(ts []token, u *unit) []token {
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
			u.floor = ts[i].text[:len(ts[i].text)-2]
			i += 2
			continue
		}

		// 12 Elm St Rear
		if alone, ok := usps.UnitOf(ts[i].text); ok && alone.Value == usps.NoValue &&
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
func unitAt(ts []token) (part usps.Part, value string, n int) {
	const longest = 8 // characters
	designator, ok := designatorOf(ts[0].text)
	if !ok {
		return 0, "", 0
	}

	lettersWillDo := designator.Value == usps.AnyValue
	n = 1
	if n < len(ts) && ts[n].text == "#" && ts[0].text != "#" {
		n++
		lettersWillDo = true
	}
	if n == len(ts) {
		return 0, "", 0
	}

	value = ts[n].text
	fits := hasDigit(value) || lettersWillDo && areUnitLetters(value)
	if len(value) > longest || !designator.Fits(value) || !fits {
		return 0, "", 0
	}
	n++

	if n == len(ts)-1 && endsUnit(value, ts[n].text) {
		value += ts[n].text
		n++
	}
	return designator.Part, value, n
}

// areUnitLetters reports whether a word without digits can be a unit's value: a
// letter, or two that are neither a street suffix nor a direction.
func areUnitLetters(word string) bool {
	return len(word) == 1 || len(word) == 2 && !isSuffix(word) && usps.Direction(word) == ""
}

// endsUnit reports whether the last word of a field belongs to the unit before
// it: a number and a letter that are written apart ("2 B", "B 2").
func endsUnit(unit, last string) bool {
	isOtherHalf := len(last) <= 2 && hasDigit(unit) != hasDigit(last) && usps.Direction(last) == ""
	return isOtherHalf || len(last) == 1 && hasDigit(unit) && last != "#"
}

// designatorOf returns the designator that a value follows. A number sign, and
// the word for it, name a door.
func designatorOf(word string) (usps.Unit, bool) {
	switch word {
	case "#":
		return usps.Unit{Part: usps.Door, Value: usps.AnyValue}, true
	case "no", "num":
		return usps.Unit{Part: usps.Door, Value: usps.Number}, true
	}
	u, ok := usps.UnitOf(word)
	return u, ok && u.Value != usps.NoValue
}

// bareUnit returns the door of a field that has nothing else, and no designator:
// "2B", "12".
func bareUnit(ts []token) (door string, ok bool) {
	if len(ts) == 1 && len(ts[0].text) <= 6 && (hasDigit(ts[0].text) || len(ts[0].text) == 1) {
		return ts[0].text, true
	}
	if len(ts) == 2 && len(ts[0].text)+len(ts[1].text) <= 6 && hasDigit(ts[0].text) != hasDigit(ts[1].text) && !isOrdinal(ts[0].text) {
		return ts[0].text + ts[1].text, true
	}
	return "", false
}

// isFloor reports whether a word is the designator of a floor.
func isFloor(word string) bool {
	u, ok := usps.UnitOf(word)
	return ok && u.Part == usps.Floor
}
