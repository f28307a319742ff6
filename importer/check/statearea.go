package check

import (
	"strings"

	"tripimport/importer/usps"
)

// stateOf returns the state, district or territory with the two-letter code. It has no area
// for any other text, nor for the codes of the armed forces abroad.
func stateOf(code string) usps.State {
	if len(code) != 2 {
		return usps.State{}
	}
	state, _ := usps.StateOf(code)
	return state
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

	if !stateOf(s[i+1:]).HasArea() {
		return ""
	}
	return s[i+1:]
}
