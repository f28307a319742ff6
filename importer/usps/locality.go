package usps

import (
	"strings"
)

// canonicalZIP returns the first five digits of a ZIP code, with the zeros that a
// spreadsheet dropped. It returns "?" and the text for what is no ZIP code, which
// then agrees only with the same text.
func canonicalZIP(s, state string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	if zip, _, ok := NormalZIP(s, state); ok {
		return zip[:5]
	}
	return "?" + s
}

// canonicalState returns the code of a state by its code or name. It returns "?"
// and the text for what is no state, which then agrees only with the same text.
func canonicalState(s string) string {
	if state, ok := StateOf(s); ok {
		return state.Code
	}
	if s = Words(s); s == "" {
		return ""
	}
	return "?" + s
}
