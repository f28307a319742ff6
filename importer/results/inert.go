package results

import (
	"strings"
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
		case r < ' ', r >= 0x7f && r < 0xa0, r == utf8.RuneError:
			return '·'
		case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff:
			return '·'
		}
		return r
	}, text)
}
