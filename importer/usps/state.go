package usps

import (
	"strconv"
	"strings"
	"sync"
)

// A State is a state, the District of Columbia, an inhabited territory, or one
// of the three regions of the armed forces (AA, AE, AP).
type State struct {
	Code string // two capital letters
	Name string
	// South, West, North and East bound the state, in degrees, rounded outward
	// to a tenth. Alaska ends at the date line. They are 0 for the armed forces,
	// which have no place of their own.
	South, West, North, East float64
}

// HasArea reports whether the state has bounds. The armed forces have none.
func (s State) HasArea() bool { return s.North != s.South }

// Contains reports whether a position is within the bounds, or no farther from them than a
// tenth of a degree, about 7 miles. That is enough for a facility over the state line that
// keeps its old postal address, and too little for the next city.
func (s State) Contains(latitude, longitude float64) bool {
	const wider = 0.1 // degrees
	return s.South-wider <= latitude && latitude <= s.North+wider && s.West-wider <= longitude && longitude <= s.East+wider
}

// IsInCountry reports whether a state contains a position.
func IsInCountry(latitude, longitude float64) bool {
	for code, s := range states() {
		if len(code) == 2 && s.HasArea() && s.Contains(latitude, longitude) {
			return true
		}
	}
	return false
}

// states are the states by code, in capitals and in small letters, and by name
// in small letters.
var states = sync.OnceValue(func() map[string]State {
	byText := map[string]State{}
	for _, r := range table("states.csv") {
		s := State{Code: r[0], Name: r[1]}
		for i, degrees := range []*float64{&s.South, &s.West, &s.North, &s.East} {
			*degrees, _ = strconv.ParseFloat(r[2+i], 64) // empty for the armed forces
		}
		byText[s.Code], byText[strings.ToLower(s.Code)], byText[strings.ToLower(s.Name)] = s, s, s
	}
	return byText
})

// StateOf returns the state with the code or the full name that text has. Case,
// dots and additional spaces do not matter. It reports false for anything else,
// such as an old abbreviation ("Mich.").
func StateOf(text string) (State, bool) {
	if s, ok := states()[text]; ok {
		return s, true
	}
	s, ok := states()[strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(text), ".", "")), " ")]
	return s, ok
}
