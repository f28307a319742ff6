package main

import "strings"

// inert makes control characters visible, so that a cell's content can't move
// the cursor, set colours or turn the reading direction of a terminal. Line
// breaks stay: they are ours.
func inert(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t':
			return ' '
		case r < ' ', r >= 0x7f && r < 0xa0:
			return '·'
		case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff:
			return '·'
		}
		return r
	}, text)
}
