package places

import "tripimport/importer/usps"

// A unit says where within a building: apartment or suite or room, a second
// one within the first, building, floor. The designator's name is not kept,
// since "#5", "Apt 5" and "Unit 5" are one door.
type unit struct{ door, inner, building, floor string }

// fit says how well a place that the list has goes with what a row says; more
// is better.
type fit uint8

const (
	conflict fit = 0  // both say, and say different things
	within   fit = 1  // the list is finer than the row, which leaves it open
	around   fit = 2  // the list's place surrounds the row's, and more for each thing that both say
	same     fit = 10 // they say the same
)

// fits holds a row's unit against that of a line of the list.
func (u unit) fits(line unit) fit {
	finer, agreed := false, around
	for _, p := range [...][2]string{
		{u.door, line.door}, {u.inner, line.inner}, {u.building, line.building}, {u.floor, line.floor},
	} {
		switch row, listed := p[0], p[1]; {
		case row == listed:
			if row != "" {
				agreed++
			}
		case row == "":
			finer = true
		case listed != "":
			return conflict
		}
	}
	switch {
	case u == line:
		return same
	case finer:
		return within
	}
	return agreed
}

// add takes a value under the field that its designator speaks of.
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

// takeUnit moves what the tokens say of a unit over into u and gives the rest.
func takeUnit(ts []token, u *unit) []token {
	var rest []token
	for i := 0; i < len(ts); {
		// RM 620 after a house number is a ranch road.
		road := i == 1 && ts[i].s == "rm" && startsWithDigit(ts[0].s)
		if part, value, n := unitAt(ts[i:]); n > 0 && !road {
			u.add(part, value)
			i += n
			continue
		}
		if i+1 < len(ts) && isFloor(ts[i+1].s) && ordinal(ts[i].s) && i > 0 {
			u.floor = number(ts[i].s)
			i += 2
			continue
		}
		if corner, ok := usps.UnitOf(ts[i].s); ok && corner.Value == usps.NoValue &&
			i == len(ts)-1 && len(rest) > 2 && isSuffix(rest[len(rest)-1].s) {
			u.add(corner.Part, corner.Short)
			i++
			continue
		}
		rest = append(rest, ts[i])
		i++
	}
	return rest
}

// unitAt reads a designator and its value ("Apt # 2-B") and how many tokens
// they are; 0 where there is none. A word that could as well be part of a
// street's name (Space Center Blvd) is a designator only before a number.
func unitAt(ts []token) (part usps.Part, value string, n int) {
	const longest = 8
	designator, ok := designatorOf(ts[0].s)
	if !ok {
		return 0, "", 0
	}
	letters := designator.Value == usps.AnyValue // whether a value without a digit will do
	n = 1
	if n < len(ts) && ts[n].s == "#" && ts[0].s != "#" {
		n++
		letters = true
	}
	if n == len(ts) {
		return 0, "", 0
	}
	value = ts[n].s
	short := letters && len(value) <= 2 && !isSuffix(value) && usps.Direction(value) == "" || letters && len(value) == 1
	if len(value) > longest || !designator.Fits(value) || !hasDigit(value) && !short {
		return 0, "", 0
	}
	n++
	// "2 B" and "B 2", written apart, at the end.
	if n == len(ts)-1 && len(ts[n].s) <= 2 && hasDigit(value) != hasDigit(ts[n].s) && usps.Direction(ts[n].s) == "" ||
		n == len(ts)-1 && len(ts[n].s) == 1 && hasDigit(value) && ts[n].s != "#" {
		value += ts[n].s
		n++
	}
	return designator.Part, value, n
}

// designatorOf gives the designator that a value follows. A number sign, and
// the word for it, stand for any door.
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

// looseUnit reads a unit that stands alone in a field of its own: "2B", "12".
func looseUnit(ts []token) (string, bool) {
	if len(ts) == 1 && len(ts[0].s) <= 6 && (hasDigit(ts[0].s) || len(ts[0].s) == 1) {
		return ts[0].s, true
	}
	if len(ts) == 2 && len(ts[0].s)+len(ts[1].s) <= 6 && hasDigit(ts[0].s) != hasDigit(ts[1].s) && !ordinal(ts[0].s) {
		return ts[0].s + ts[1].s, true
	}
	return "", false
}

func isFloor(s string) bool {
	u, ok := usps.UnitOf(s)
	return ok && u.Part == usps.Floor
}

// ordinal reports 1st, 22nd, 103rd and the like.
func ordinal(s string) bool {
	if len(s) < 3 || !allDigits(s[:len(s)-2]) {
		return false
	}
	switch s[len(s)-2:] {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}

// number gives an ordinal's digits.
func number(s string) string { return s[:len(s)-2] }
