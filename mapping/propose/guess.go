package propose

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
)

// A Guess is a line of a draft that takes a field from one column as it is. Its Question is answered with
// the header of another column, or with the choice to leave the field out.
type Guess struct {
	Question

	Field importer.Field
	// Header and Ref are the column's header and letters, and Why is what the draft says of it; empty if
	// it says nothing.
	Header, Ref, Why string
}

// Words name the field for people.
func (g *Guess) Words() string { return mapping.FieldWords(g.Field) }

// leaveOut is the choice of a Guess that takes its line out of the draft.
const leaveOut = "no column: leave it out"

// guessLines matches the lines of a trip that may take a field from a column: the indent, the field, the column
// and the comment. The keys of events have no column.
var guessLines = regexp.MustCompile(`(?m)^( +)(\w+):(?: ([^#\[\]{}\n]+?))?(?: +# ?(.*))?$`)

// nextKey matches the beginning of the key that follows a trip.
var nextKey = regexp.MustCompile(`(?m)^[^ #\n]`)

// Guesses returns the lines of a draft that take a field from one column as it is, in their order.
func (p *Proposal) Guesses(text string) []Guess {
	var all []Guess
	_, trip, _ := strings.Cut(text, "\ntrip:\n")
	event := importer.Field("")
	for _, m := range guessLines.FindAllStringSubmatch(nextKey.Split(trip, 2)[0], -1) {
		field := importer.Field(m[2])
		switch {
		case len(m[1]) == 2:
			event = field
		case len(m[1]) == 4 && (event == importer.FieldPickup || event == importer.FieldDropoff):
			field = event.Of(field)
		default:
			continue // part of another field
		}
		i := slices.IndexFunc(p.sheet.columns, func(c *column) bool { return m[3] == c.name || m[3] == p.sheet.headers.NameOf(c.Column) })
		if i >= 0 {
			all = append(all, p.guess(field, p.sheet.columns[i], m))
		}
	}
	return all
}

// guess returns the guess of a line, of which m are the parts.
func (p *Proposal) guess(field importer.Field, c *column, m []string) Guess {
	key := m[1] + m[2] + ": "
	return Guess{
		Field: field, Header: c.Header, Ref: c.Ref(), Why: strings.TrimPrefix(m[4], "column "+c.Ref()+": "),
		Question: Question{
			Ask: fmt.Sprintf("which column is the %s?", mapping.FieldWords(field)), Values: p.sheet.Samples(c.Num, 3), Column: true, line: m[0], field: importer.Field(m[2]),
			Choices: []Choice{{Text: leaveOut, line: m[1] + "# " + m[2] + ": left out"}},
			value:   func(c *column) string { return fmt.Sprintf("%s%s   # column %s: as it was said", key, c.name, c.Ref()) },
		},
	}
}

// Headers returns the names of the file's columns, as an answer names them.
func (p *Proposal) Headers() []string {
	return importer.Each(p.sheet.columns, func(c *column) string { return p.sheet.headers.NameOf(c.Column) })
}
