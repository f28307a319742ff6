package mapping

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A Finding is something wrong in a mapping file, or in a table that it reads.
type Finding struct {
	// File is the file's name. Line and Col are the position in it, from 1; both
	// are 0 for the file as a whole. Col counts characters.
	File      string
	Line, Col int
	// Message says what is wrong and Fix what to write instead, in lower case and
	// without a final full stop. Fix may be empty if the message says it.
	Message, Fix string
	// Source is the line itself.
	Source string
}

// String returns the finding on one line: file:line:col: message (fix).
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

// Long returns the finding with its line of the file and a caret below it, each
// on a line of its own.
func (f Finding) Long() string {
	if f.Source == "" {
		return f.String()
	}
	source := strings.ReplaceAll(f.Source, "\t", " ")
	caret := strings.Repeat(" ", max(f.Col-1, 0)) + "^"
	return f.String() + "\n    " + source + "\n    " + caret
}

// Findings are everything that is wrong with a mapping, in the order of the
// file. They are the error of Parse.
type Findings []Finding

// Error returns one line for each finding.
func (fs Findings) Error() string {
	return strings.Join(importer.Each(fs, Finding.String), "\n")
}

// sorted puts the findings in the order of the file and drops repeated ones.
func (fs Findings) sorted() Findings {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return slices.Compact(fs)
}
