package results

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// words matches the words of a text, between which a line may be broken. A command in
// backquotes and a path in double quotes are one word each, so that people can copy them.
var words = regexp.MustCompile("[^\\s`]*`[^`\n]*`[^\\s`]*|\\(?\"[^\"\n]*[/\\\\][^\"\n]*\"\\S*|\\S+")

// Wrap breaks one line between words into lines of the width, and indents the lines after
// the first by hang more than the first. A word that is longer than a line stays whole,
// and so does a command on a line of its own. With a width of 0 no line is broken.
func Wrap(line string, width int, hang string) []string {
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	if width == 0 || utf8.RuneCountInString(line) <= width || strings.HasPrefix(line, "   tripimport ") {
		return []string{line}
	}

	var lines []string
	out, end := "", 0 // the current line, and the index at which its last word ends
	for _, at := range words.FindAllStringIndex(line, -1) {
		next := line[end:at[1]] // with the spaces before the word
		if end > 0 && utf8.RuneCountInString(out+next) > width {
			lines = append(lines, out)
			out, next = indent+hang, line[at[0]:at[1]]
		}
		out, end = out+next, at[1]
	}
	return append(lines, out)
}
