package values

import (
	"strings"
	"unicode"

	"tripimport/importer"
)

// Clean trims s, takes out what takes no room, and replaces every run of white space within it, line breaks
// and hard spaces included, by one space. It returns s itself if there is nothing
// to do, as for nearly all cells.
func Clean(s string) string {
	if isClean(s) {
		return s
	}
	return strings.Join(strings.FieldsFunc(zeroWidth.Replace(s), isBlank), " ")
}

// zeroWidth takes out characters that take no room: nobody sees where they are.
var zeroWidth = strings.NewReplacer("\u200b", "", "\ufeff", "", "\u2060", "")

func isClean(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c-' ' > '~'-' ' { // one comparison for c < ' ' || c > '~'
			return !strings.ContainsFunc(s, isOddBlank) && !strings.HasPrefix(s, " ") &&
				!strings.HasSuffix(s, " ") && !strings.Contains(s, "  ")
		}
		if c == ' ' && before == ' ' {
			return false
		}
		before = c
	}

	return before != ' ' || s == ""
}

// isBlank reports whether r is white space or one of the invisible characters
// that exports contain: controls, zero-width spaces, byte order marks.
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u200b' || r == '\ufeff' || r == '\u2060'
}

// isOddBlank reports whether r is a blank other than a plain space.
func isOddBlank(r rune) bool { return r != ' ' && isBlank(r) }

// FoldCase returns the form in which codes and words are compared: in lower
// case and clean. Punctuation counts: "W/C" is not "WC".
func FoldCase(s string) string { return strings.ToLower(Clean(s)) }

// HeaderKey returns the form in which headers and names are compared: letters
// and digits alone, in lower case.
func HeaderKey(s string) string { return importer.ComparableText(s) }

// AllDigits reports whether s is one ASCII digit or more and nothing else.
func AllDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// OnlyDigits removes everything from s but its ASCII digits.
func OnlyDigits(s string) string { return importer.Digits(s) }
