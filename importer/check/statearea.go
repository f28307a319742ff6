package check

import (
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// stateArea returns the bounds of the state, district or territory with the
// two-letter code, widened by a tenth of a degree, about 7 miles. That is enough
// for a facility over the state line that keeps its old postal address, and too
// little for the next city. It reports false for anything else, the codes of the
// armed forces included: no car drives there.
func stateArea(code string) (importer.Area, bool) {
	const wider = 0.1 // degrees
	if len(code) != 2 {
		return importer.Area{}, false
	}
	s, ok := usps.StateOf(code)
	if !ok || !s.HasArea() {
		return importer.Area{}, false
	}
	return importer.Area{South: s.South - wider, West: s.West - wider, North: s.North + wider, East: s.East + wider}, true
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
