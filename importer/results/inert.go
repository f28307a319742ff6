package results

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Inert makes a text safe for one line of a terminal: quoted content of a cell can't move
// the cursor, set colours, turn the reading direction, or continue on another line. The
// texts of the Summary and of the columns that results add are inert too.
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

// Visible reports whether a terminal only shows a character, as itself or as a space.
func Visible(r rune) bool { return unicode.IsGraphic(r) && r != utf8.RuneError }
