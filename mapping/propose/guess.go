package propose

import (
	"fmt"
	"regexp"
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

// guessLines matches the lines of a draft that may take a field from a column: the indent, the field, the
// column and the comment.
var guessLines = regexp.MustCompile(`^( +)(\w+): ([^#\[\]{}]+?)(?: +# ?(.*))?$`)

// Guesses returns the lines of a draft that take a field from one column as it is, in their order.
func (p *Proposal) Guesses(text string) []Guess {
	var all []Guess
	_, trip, _ := strings.Cut(text, "\ntrip:\n")
	event := importer.Field("")
	for line := range strings.Lines(trip) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && line[0] != ' ' && line[0] != '#' {
			break // the next key of the mapping
		}
		m := guessLines.FindStringSubmatch(line)
		if m == nil {
			if name, ok := strings.CutSuffix(strings.TrimPrefix(line, "  "), ":"); ok && !strings.HasPrefix(name, " ") {
				event = importer.Field(name)
			}
			continue
		}
		field, indent := importer.Field(m[2]), len(m[1])
		switch {
		case indent == 4 && (event == importer.FieldPickup || event == importer.FieldDropoff):
			field = event.Of(field)
		case indent != 2:
			continue // part of another field
		}
		if g := p.guess(line, field, m); g != nil {
			all = append(all, *g)
		}
	}
	return all
}

// guess returns the guess of a line, of which m are the parts; nil if its value is no column of the file.
func (p *Proposal) guess(line string, field importer.Field, m []string) *Guess {
	for _, c := range p.sheet.columns {
		if m[3] != c.name && m[3] != p.sheet.headers.NameOf(c.Column) {
			continue
		}
		g := &Guess{Field: field, Header: c.Header, Ref: c.Ref(), Why: strings.TrimPrefix(m[4], "column "+c.Ref()+": ")}
		g.Question = Question{
			Ask: fmt.Sprintf("which column is the %s?", mapping.FieldWords(field)), Values: p.sheet.Samples(c.Num, 3), Column: true, line: line, field: importer.Field(m[2]),
			Choices: []Choice{{Text: leaveOut, line: m[1] + "# " + m[2] + ": left out"}},
			value: func(c *column) string {
				return fmt.Sprintf("%s%s: %s   # column %s: as it was said", m[1], m[2], c.name, c.Ref())
			},
		}
		return g
	}
	return nil
}

// Headers returns the names of the file's columns, as an answer names them.
func (p *Proposal) Headers() []string {
	return importer.Each(p.sheet.columns, func(c *column) string { return p.sheet.headers.NameOf(c.Column) })
}
