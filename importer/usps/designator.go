package usps

import "sync"

// A Part is the part of an address that a unit designator names.
type Part string

// The parts of an address within a house number.
const (
	Door     Part = "door"     // an apartment, a suite, a room
	Building Part = "building" // one of several buildings
	Floor    Part = "floor"
)

// A Value says what must follow a unit designator.
type Value string

// The kinds of value.
const (
	AnyValue Value = "any"    // letters or digits: Apt B
	Number   Value = "number" // something with a digit: Lot 12
	NoValue  Value = "none"   // nothing: Rear
)

// A Designator is the designator of a unit within a building, such as "apt".
type Designator struct {
	Short string // in lower case
	Part  Part
	Value Value
}

var units = sync.OnceValue(func() map[string]Designator {
	byWord := map[string]Designator{}
	for _, r := range table("units.csv") {
		u := Designator{r[0], Part(r[2]), Value(r[3])}
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
