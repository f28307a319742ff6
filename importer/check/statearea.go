package check

import (
	"strings"
	"sync"

	"tripimport/importer/usps"
)

// letters is how many letters a code may have at each of its two places.
const letters = 'z' - 'a' + 1

// statesByLetters are the states with an area by the two letters of their codes, counted
// from 0.
var statesByLetters = sync.OnceValue(func() *[letters][letters]usps.State {
	var states [letters][letters]usps.State
	for first := range byte(letters) {
		for second := range byte(letters) {
			if s, ok := usps.StateOf(string([]byte{'A' + first, 'A' + second})); ok && s.HasArea() {
				states[first][second] = s
			}
		}
	}
	return &states
})

// stateOf returns the state, district or territory with the two-letter code. It reports
// false for any other code, also for those of the armed forces abroad.
func stateOf(code string) (*usps.State, bool) {
	if len(code) != 2 {
		return nil, false
	}
	const small = 0x20 // the bit that makes a letter lower case
	first, second := code[0]|small-'a', code[1]|small-'a'
	if first >= letters || second >= letters {
		return nil, false
	}
	state := &statesByLetters()[first][second]
	return state, state.HasArea()
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

	if _, known := stateOf(s[i+1:]); !known {
		return ""
	}
	return s[i+1:]
}
