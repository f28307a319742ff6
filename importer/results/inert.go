package results

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Inert makes a text safe for one line of a terminal: what it quotes of a cell
// can't move the cursor, set colours, turn the reading direction, or go on in
// another line. The summary's texts and our own columns are made so as well.
func Inert(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case !Visible(r):
			return '·'
		}
		return r
	}, text)
}

// Visible reports whether a terminal shows a character as itself, or as a space, and
// does nothing else with it.
func Visible(r rune) bool { return unicode.IsGraphic(r) && r != utf8.RuneError }
