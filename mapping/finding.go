package mapping

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"tripimport/importer"
	"tripimport/mapping/values"
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

// suggest returns "did you mean" with the nearest of the names. If none is near
// and there are few, it lists them after the introduction. Suggestions are never
// applied, because the nearest header is too often another column.
func suggest(word string, names []string, introduction string) string {
	if n := nearest(word, names); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	if len(names) == 0 || len(names) > 24 {
		return ""
	}
	names = slices.Clone(names)
	slices.Sort(names)
	return introduction + " " + strings.Join(names, ", ")
}

// nearest returns the name that is nearest to word. It is empty if no name is
// near: in each, more than a third of the letters differ and neither text
// contains the other.
func nearest(word string, names []string) string {
	w := values.HeaderKey(word)
	if w == "" {
		return ""
	}

	best, least := "", 0.36 // the share of letters that differ
	for _, name := range names {
		n := values.HeaderKey(name)
		if n == "" {
			continue
		}
		longer := float64(max(len(w), len(n)))
		score := float64(levenshtein.ComputeDistance(w, n)) / longer
		if len(w) > 3 && len(n) > 3 && (strings.Contains(n, w) || strings.Contains(w, n)) {
			score = min(score, 0.3)
		}
		if score < least || score == least && name < best {
			best, least = name, score
		}
	}
	return best
}
