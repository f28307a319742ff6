// Package propose proposes a mapping for a layout that nobody has mapped yet, and
// says what the columns that a mapping does not use seem to hold.
//
// It considers the words of the headers, which it knows from a vocabulary, the kinds
// of the values, and the columns around each column. It then gives to each field the
// column that seems to hold it, the surest first, with how sure that is, and why. A proposal is a draft: it leaves open what the file does not show, and a person
// has to approve it before trips are booked with it. The only row content in a draft
// are words that decide something, such as space types and statuses.
package propose

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/values"
)

// A Proposal is a mapping that a file seems to need.
type Proposal struct {
	// HeaderRow is the row that seems to hold the headers; 0 if none does.
	HeaderRow int
	// SheetName is the sheet that the mapping has to name; empty for the first one.
	SheetName string

	fields map[importer.Field]Field // those for which a column was found
	sheet  *Sheet
}

// A Field is a field of the mapping with the column that seems to hold it.
type Field struct {
	Field importer.Field // as the mapping writes it
	Sure  float64        // from 0 to 1
	Why   string         // in a few words; no row content
	*column
}

// Certainty says how sure it is that the column holds the field, and why: "98% sure, its
// header says so".
func (f Field) Certainty() string { return fmt.Sprintf("%.0f%% sure, %s", f.Sure*100, f.Why) }

// Mapping proposes a mapping. It takes values from the rows of sample below the headers, which it
// looks for in rows, the first rows of the file, unless they are known.
func Mapping(rows, sample []importer.Row, known *mapping.Headers) Proposal {
	h := mapping.ReadHeaders(importer.Row{}, nil) // of a file without headers, whose columns have letters
	var above importer.Row
	switch at := GuessHeader(rows); {
	case known != nil:
		h = known
	case at >= 0:
		h, above = mapping.ReadHeaders(rows[at], nil), rows[max(0, at-1)]
		for i := max(1, at); i <= min(at+1, len(rows)-1); i++ {
			if headersAlone(rows[i-1], rows[i]) && headersAlone(rows[i], rows[i-1]) {
				h, above = mapping.ReadHeaders(rows[i], &rows[i-1]), rows[i-1]
			}
		}
	case firstValues(rows) < 0:
		return Proposal{sheet: &Sheet{}}
	}
	p := Proposal{HeaderRow: h.Row(), fields: map[importer.Field]Field{}, sheet: ReadSheet(h, sample)}
	p.sheet.addSides(above)
	for _, f := range p.sheet.match(wholePatterns()) {
		f.Sure = math.Round(f.Sure*100) / 100
		p.fields[f.Field] = f
	}
	p.link()
	return p
}

// has reports whether a column was found for the field.
func (p *Proposal) has(field importer.Field) bool {
	_, found := p.fields[field]
	return found
}

// isPlaced reports whether a column was found that says where an event is.
func (p *Proposal) isPlaced(event importer.Field) bool {
	return slices.ContainsFunc([]importer.Field{mapping.FieldAddress, importer.FieldAddress1, importer.FieldLocationName, importer.FieldLatitude, mapping.FieldCoordinates},
		func(part importer.Field) bool { return p.has(event.Of(part)) })
}

// KnownHeaders returns how many headers are known in the row that has the most known
// headers.
func KnownHeaders(rows []importer.Row) int {
	_, known := mostKnown(rows)
	return known
}

// GuessHeader returns the index of the row that seems to hold the headers: the one with the most
// cells whose words are all known, or else the first row of several texts without digits; -1 if
// there is none. Headers never stand below a row of values.
func GuessHeader(rows []importer.Row) int {
	if first := firstValues(rows); first >= 0 {
		rows = rows[:first]
	}
	i, known := mostKnown(rows)
	if known < 2 {
		return slices.IndexFunc(rows, isTexts)
	}
	return i
}

// headersAlone reports whether a row without values has headers in columns in which another one has none.
func headersAlone(row, other importer.Row) bool {
	alone := 0
	for i, c := range row.Cells {
		alone += importer.One(c.Type == importer.Text && other.Cell(i+1).Type == importer.Empty && wholeVocabulary().knows(c.Text))
	}
	return alone > 1 && !slices.ContainsFunc(row.Cells, isValue)
}

// firstValues returns the index of the first row with a date, a phone or an id that is at least half as
// full as the fullest row, so that it is no title; -1 if there is none.
func firstValues(rows []importer.Row) int {
	fullest := 0
	for _, row := range rows {
		fullest = max(fullest, mapping.FilledCells(row))
	}
	return slices.IndexFunc(rows, func(row importer.Row) bool {
		return 2*mapping.FilledCells(row) >= fullest && slices.ContainsFunc(row.Cells, isValue)
	})
}

// isValue reports whether a cell has a value that stands below headers and never is one.
func isValue(c importer.Cell) bool {
	v := cell{values.Clean(c.Text), c.Type}
	const digits = 4
	day, _ := dateOf(v)
	phone := isPhoneNumber(v) && !strings.ContainsFunc(v.text, isLetter) // a header may show how one is written
	return c.Type == importer.DateCell || c.Type == importer.Text && (day || phone || isIdentifier(v) && len(values.OnlyDigits(v.text)) >= digits)
}

// isTexts reports whether a row has several cells, all of them texts without digits.
func isTexts(row importer.Row) bool {
	texts := 0
	for _, c := range row.Cells {
		switch {
		case c.Type == importer.Empty:
		case c.Type != importer.Text || hasDigit(c.Text):
			return false
		default:
			texts++
		}
	}
	return texts > 1
}

// mostKnown returns the index of the row with the most cells whose words are all known,
// and the number of these cells.
func mostKnown(rows []importer.Row) (best, most int) {
	for i := range rows {
		known := 0
		for _, c := range rows[i].Cells {
			if c.Type == importer.Text && len(c.Text) < 80 && wholeVocabulary().knows(c.Text) {
				known++
			}
		}
		if known > most {
			best, most = i, known
		}
	}
	return best, most
}

// legLetter matches the letter of the leg at the end of a trip number.
var legLetter = regexp.MustCompile(`(?:-|\d)[A-D]A?$`)

// link proposes the value that linked trips have in common: another number of the
// trip, or its own number if that ends in the letter of its leg.
func (p *Proposal) link() {
	own := p.fields[importer.FieldTripID].column
	if p.has(mapping.FieldLinkedBy) || own == nil {
		return
	}
	for _, c := range p.sheet.columns {
		if c != own && own.says("leg") && c.says("trip") && c.says("id") && !c.says(harmless()...) && !c.says("leg") {
			p.fields[mapping.FieldLinkedBy] = Field{mapping.FieldLinkedBy, 0.7, "it is another number of the trip", c}
			return
		}
	}
	if own.endsInLeg() {
		p.fields[mapping.FieldLinkedBy] = Field{mapping.FieldLinkedBy, 0.7, "its values end in the letter of a leg", own}
	}
}
