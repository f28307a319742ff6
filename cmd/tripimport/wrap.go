package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// line prints a text and ends the line. On a terminal it wraps long lines between
// words; elsewhere it leaves them whole, for programs that read them.
func (e environment) line(text string) {
	if isTerminal(e.Out) {
		text = wrap(text, e.width())
	}
	_, _ = fmt.Fprintln(e.Out, text)
}

// wrap breaks lines that are longer than width between words, and indents what
// follows a break by four spaces more. A word that is longer than a line stays
// whole, so that it can be copied.
func wrap(text string, width int) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, wrapLine(line, width, "    "))
	}
	return strings.Join(lines, "\n")
}

// wrapLine breaks one line, and indents what follows a break by hang more.
func wrapLine(line string, width int, hang string) string {
	var out strings.Builder
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	out.WriteString(indent)
	used := len(indent)
	for i, word := range strings.Fields(line) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case used+1+n > width:
			out.WriteString("\n" + indent + hang)
			used = len(indent) + len(hang)
		default:
			out.WriteByte(' ')
			used++
		}
		out.WriteString(word)
		used += n
	}
	return out.String()
}
