package mapping

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A Fault is something wrong in a mapping file, or in a table that it reads.
type Finding struct {
	// File is the file's name, Line and Col where in it, from 1. Both are 0 for
	// the file as a whole; Col counts characters.
	File      string
	Line, Col int
	// Message says what is wrong and Fix what to write instead: lower case, no
	// final full stop. Fix may be empty where the message says it.
	Message, Fix string
	// Source is the line itself, for the caret.
	Source string
}

// String gives file:line:col: message (fix).
func (f Finding) String() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		b.WriteString(":" + strconv.Itoa(f.Line) + ":" + strconv.Itoa(max(f.Col, 1)))
	}
	b.WriteString(": " + f.Message)
	if f.Fix != "" {
		b.WriteString(" (" + f.Fix + ")")
	}
	return b.String()
}

// Caret gives the faulty line with a caret below the place, on two lines;
// nothing where the line is not known.
func (f Finding) Caret() string {
	if f.Source == "" {
		return ""
	}
	line := strings.ReplaceAll(f.Source, "\t", " ")
	return "    " + line + "\n    " + strings.Repeat(" ", max(f.Col-1, 0)) + "^"
}

// Long gives the fault with its line and a caret below, each on lines of their
// own.
func (f Finding) Long() string {
	if caret := f.Caret(); caret != "" {
		return f.String() + "\n" + caret
	}
	return f.String()
}

// Faults are all that is wrong with a mapping, in the order of the file.
type Findings []Finding

// Error gives one fault a line.
func (fs Findings) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// Long gives each fault with its source line and a caret.
func (fs Findings) Long() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Long()
	}
	return strings.Join(lines, "\n")
}

// sorted puts faults in the order of the file, each once.
func (fs Findings) sorted() Findings {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return slices.Compact(fs)
}
