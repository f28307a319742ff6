package usps

import (
	"strings"
)

// canonicalStreet returns a street in one spelling of its parts: direction, name,
// suffix, direction. Two streets of one town never become equal: a suffix or a
// direction that is missing stays missing, and a letter that is the whole name
// (S Street) is not a direction (South Street).
func canonicalStreet(ts []token) string {
	ws := make([]string, len(ts))
	for i, t := range ts {
		ws[i] = t.text
	}
	ws = WithHighway(ws)

	var pre, post, suffix string
	if len(ws) > 1 && Direction(ws[0]) != "" && len(nameOf(ws[1:])) > 0 {
		pre, ws = Direction(ws[0]), ws[1:]
	}
	if endsInDirection(ws) {
		post, ws = Direction(ws[len(ws)-1]), ws[:len(ws)-1]
	}
	if len(ws) > 1 {
		if s := Suffix(ws[len(ws)-1]); s != "" {
			suffix, ws = s, ws[:len(ws)-1]
		}
	}

	name := strings.Join(streetName(ws, suffix), " ")
	return strings.Join([]string{pre, name, suffix, post}, "|")
}

// isSuffix reports whether a word is a street suffix.
func isSuffix(w string) bool { return Suffix(w) != "" }

// nameOf returns the words of a street before its suffix and last direction.
func nameOf(ws []string) []string {
	if endsInDirection(ws) {
		ws = ws[:len(ws)-1]
	}
	if len(ws) > 0 && isSuffix(ws[len(ws)-1]) {
		ws = ws[:len(ws)-1]
	}
	return ws
}

// endsInDirection reports whether the last word is a direction. A letter that
// names the street, as in Avenue E, is not a direction.
func endsInDirection(ws []string) bool {
	n := len(ws)
	return n > 1 && Direction(ws[n-1]) != "" && (n > 2 || !isSuffix(ws[0]) || len(Direction(ws[n-1])) > 1)
}

// streetName returns the words of a street's name in one spelling. A number with
// a suffix is an ordinal.
func streetName(ws []string, suffix string) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = NameWord(w)
	}
	switch {
	case len(ws) == 1 && isDigits(ws[0]) && suffix != "":
		out[0] = ordinalOf(ws[0]) // 51 St is 51st St
	case len(ws) == 2 && isDigits(ws[0]) && isOrdinal(ws[0]+ws[1]):
		out = []string{ws[0] + ws[1]} // 51 st St
	}
	return out
}

// ordinalOf returns a number with the ending of its ordinal: 51st.
func ordinalOf(digits string) string {
	n := len(digits)
	if n > 1 && digits[n-2] == '1' {
		return digits + "th"
	}
	switch digits[n-1] {
	case '1':
		return digits + "st"
	case '2':
		return digits + "nd"
	case '3':
		return digits + "rd"
	}
	return digits + "th"
}

// isOrdinal reports whether a token is an ordinal in digits: 1st, 22nd, 103rd.
func isOrdinal(s string) bool {
	if len(s) < 3 || !isDigits(s[:len(s)-2]) {
		return false
	}
	switch s[len(s)-2:] {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}
