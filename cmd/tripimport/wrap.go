package main

import (
	"fmt"
	"io"
	"strings"

	"tripimport/importer/results"
)

// line prints a text and a line break to standard output.
func (e environment) line(text string) { e.print(e.Out, text+"\n") }

// print prints a text. On a terminal it wraps long lines between words. Elsewhere each line
// stays whole, for logs and for programs that read it. A failure is ignored, because a line that
// could not be printed must not end a job.
func (e environment) print(to io.Writer, text string) {
	if width := widthOf(to); width > 0 {
		text = wrap(text, width)
	}
	_, _ = fmt.Fprint(to, text)
}

// wrap breaks lines that are longer than width. What follows a break is indented by four more
// spaces.
func wrap(text string, width int) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, wrapLine(line, width, "    "))
	}
	return strings.Join(lines, "\n")
}

// wrapLine breaks one line that is longer than width. What follows a break is indented by hang.
func wrapLine(line string, width int, hang string) string {
	return strings.Join(results.Wrap(line, width, hang), "\n")
}
