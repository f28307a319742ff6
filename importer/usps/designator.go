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

// A Designator is the designator of a unit within a building, such as "apt".
type Designator struct {
	Part    Part
	Letters bool // they will do as its value: Apt B; others need a digit: Lot 12
}

var units = sync.OnceValue(func() map[string]Designator {
	byWord := map[string]Designator{}
	for _, r := range table("units.csv") {
		u := Designator{Part(r[2]), r[3] == "any"}
		byWord[r[0]] = u
		for _, s := range split(r[1]) {
			byWord[s] = u
		}
	}
	return byWord
})

// DesignatorOf returns the designator that a word such as "apt" or "apartment" stands for. It reports false for any other word. The word must be in lower
// case and without dots.
func DesignatorOf(word string) (Designator, bool) {
	if word == "" || word[0] < 'a' { // a number
		return Designator{}, false
	}
	u, ok := units()[word]
	return u, ok
}
