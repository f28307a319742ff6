package usps

import "sync"

// A Part is the part of an address that a unit designator names.
type Part uint8

// The parts of an address within a house number.
const (
	Door     Part = iota // an apartment, a suite, a room
	Building             // one of several buildings
	Floor
)

// A Value says what must follow a unit designator.
type Value uint8

// The kinds of value.
const (
	AnyValue Value = iota // letters or digits: Apt B
	Number                // something with a digit: Lot 12
	NoValue               // nothing: Rear
)

// A Designator is the designator of a unit within a building, such as "apt".
type Designator struct {
	Short string // in lower case
	Part  Part
	Value Value
}

// Fits reports whether a value is short enough for the designator. A floor has
// at most three characters: in "FL 33101" the word is Florida.
func (u Designator) Fits(value string) bool { return u.Part != Floor || len(value) <= 3 }

var units = sync.OnceValue(func() map[string]Designator {
	parts := map[string]Part{"door": Door, "building": Building, "floor": Floor}
	values := map[string]Value{"any": AnyValue, "number": Number, "none": NoValue}

	byWord := map[string]Designator{}
	for _, r := range table("units.csv") {
		u := Designator{r[0], parts[r[2]], values[r[3]]}
		byWord[u.Short] = u
		for _, s := range split(r[1]) {
			byWord[s] = u
		}
	}
	return byWord
})

// DesignatorOf returns the designator that a word stands for: that of "apt" for "apt"
// or "apartment". It reports false for any other word. The word must be in lower
// case and without dots.
func DesignatorOf(word string) (Designator, bool) {
	if word == "" || word[0] < 'a' { // a number
		return Designator{}, false
	}
	u, ok := units()[word]
	return u, ok
}
