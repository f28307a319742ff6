package usps

import (
	"math"
	"strconv"
	"strings"
	"sync"
)

// A State is a state, the District of Columbia, an inhabited territory, or one
// of the three regions of the armed forces (AA, AE, AP).
type State struct {
	Code string // two capital letters
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

// WrongPosition says what is wrong with coordinates that are no place in the fifty states, American
// Samoa, Puerto Rico or the Virgin Islands, in words that follow them, and what to do. Both are
// empty if nothing is.
func WrongPosition(latitude, longitude float64) (what, fix string) {
	switch {
	case isInCountry(latitude, longitude) && !(isRough(latitude) && isRough(longitude)):
		return "", ""
	case isInCountry(latitude, longitude): // as a spreadsheet shows a column with too few decimals
		return "may be 6 miles off or more: their decimals are lost", "write them with their decimals, such as 42.2951 and -83.2480, or leave both cells empty"
	case latitude == 0 || longitude == 0:
		return "are not a real location", "write the real coordinates, or leave both cells empty"
	case isInCountry(longitude, latitude):
		return "have latitude and longitude exchanged", "write the latitude in the latitude column, and the longitude in the longitude column"
	case isInCountry(latitude, -longitude):
		return "are outside the United States", "write the longitude with its minus: " + strconv.FormatFloat(-longitude, 'f', -1, 64)
	}
	return "are outside the United States", "write latitude and longitude in degrees, such as 42.2951 and -83.2480"
}

// isRough reports whether a coordinate has one decimal at most. One of four decimals may end in three zeros, and
// both hardly do.
func isRough(x float64) bool { return math.Abs(10*x-math.Round(10*x)) < 1e-6 }

func isInCountry(latitude, longitude float64) bool {
	return -14.7 <= latitude && latitude <= 71.6 && latitude != 0 && -179.3 <= longitude && longitude <= -64.4
}

// states are the states by code, in capitals and in small letters, and by name
// in small letters.
var states = sync.OnceValue(func() map[string]State {
	byText := map[string]State{}
	for _, r := range table("states.csv") {
		s := State{Code: r[0]}
		for i, degrees := range []*float64{&s.South, &s.West, &s.North, &s.East} {
			*degrees, _ = strconv.ParseFloat(r[2+i], 64) // empty for the armed forces
		}
		byText[s.Code], byText[strings.ToLower(s.Code)], byText[strings.ToLower(r[1])] = s, s, s
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
