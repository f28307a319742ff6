package check

import (
	"strings"
	"sync"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// letters is how many letters a code may have at each of its two places.
const letters = 'z' - 'a' + 1

// stateAreas are the areas of stateArea by the two letters of the codes, counted from 0.
var stateAreas = sync.OnceValue(func() *[letters][letters]importer.Area {
	const wider = 0.1 // degrees
	var areas [letters][letters]importer.Area
	for first := range byte(letters) {
		for second := range byte(letters) {
			if s, ok := usps.StateOf(string([]byte{'A' + first, 'A' + second})); ok && s.HasArea() {
				areas[first][second] = importer.Area{South: s.South - wider, West: s.West - wider, North: s.North + wider, East: s.East + wider}
			}
		}
	}
	return &areas
})

// stateArea returns the bounds of the state, district or territory with the two-letter
// code, widened by a tenth of a degree, about 7 miles. That is enough for a facility over
// the state line that keeps its old postal address, and too little for the next city. It
// reports false for any other code, also for those of the armed forces abroad.
func stateArea(code string) (area importer.Area, known bool) {
	if len(code) != 2 {
		return importer.Area{}, false
	}
	const small = 0x20 // the bit that makes a letter lower case
	first, second := code[0]|small-'a', code[1]|small-'a'
	if first >= letters || second >= letters {
		return importer.Area{}, false
	}
	area = stateAreas()[first][second]
	return area, area != importer.Area{}
}

// tailState returns the code of the state at the end of an address on one line
// ("…, Detroit, MI 48226"), as written there. It returns "" if there is none.
func tailState(address string) string {
	s := strings.TrimRight(address, " .,")
	if i := strings.LastIndexAny(s, " ,"); i > 0 && usps.IsZIP(s[i+1:]) {
		s = strings.TrimRight(s[:i], " .,")
	}

	i := strings.LastIndexAny(s, " ,")
	if i < 0 {
		return ""
	}

	if _, known := stateArea(s[i+1:]); !known {
		return ""
	}
	return s[i+1:]
}
