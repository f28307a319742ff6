package ledger

import "strings"

// guidKey gives the form in which GUIDs are compared: letters' case, braces,
// hyphens and spaces disregarded. It is empty for no GUID.
func guidKey(guid string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		case r == '{', r == '}', r == '-', r == ' ', r == '\t', r == '\n', r == '\r':
			return -1
		}
		return r
	}, guid)
}
