package mapping

import (
	"regexp"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// dateName stands for the day of service in the text of a trip id.
const dateName = "date"

// text compiles a text with columns in braces. The result is blank if all
// values are; an id needs every value.
func (c *compiler) text(t text, u use, into *columnList) reader {
	literals, names := c.parts(t)
	var readers []reader
	for _, name := range names {
		if name.Value == dateName && u.field == importer.FieldTripID {
			readers = append(readers, func(r *rowContext) cellValue { return cellValue{text: compactDate(r.date)} })
			continue
		}
		readers = append(readers, c.cell(ColumnRef{name: name}, u, into))
	}

	return func(r *rowContext) cellValue {
		text := append(make([]byte, 0, 64), literals[0]...)
		var blank []cellValue
		bad := false
		for i, read := range readers {
			v := read(r)
			bad = bad || v.bad
			if v.text == "" {
				blank = append(blank, v)
			}
			text = append(append(text, v.text...), literals[i+1]...)
		}

		switch {
		case bad, len(blank) > 0 && len(blank) == len(readers):
			return cellValue{bad: bad}
		case len(blank) > 0 && u.id:
			return r.idPartMissing(blank)
		}
		return cellValue{text: values.Clean(string(text)), kind: importer.Text}
	}
}

// compactDate writes a date as 20261202; nothing for no date.
func compactDate(d importer.Date) string {
	if d.IsZero() {
		return ""
	}
	return strings.ReplaceAll(d.String(), "-", "")
}

// idPartMissing reports an id of which only some parts are given: it would be
// the id of another trip or of none.
func (r *rowContext) idPartMissing(blank []cellValue) cellValue {
	cols := importer.Each(blank, func(v cellValue) int { return v.col })
	message, fix := "the "+FieldWords(r.field)+" is made of several cells, and one of them is empty", "fill in the empty cell"
	if cols[0] == 0 {
		message, fix = "the "+FieldWords(r.field)+" contains the date, and there is none that can be read", "correct the date"
	}
	r.report("id-part-missing", message, fix, cols...)
	return cellValue{bad: true}
}

// braces matches a doubled brace, a name in braces, and a single brace.
var braces = regexp.MustCompile(`\{\{|\}\}|\{[^}]*\}|[{}]`)

// parts splits a text into the names in braces and the literals around them. A doubled
// brace stands for the brace itself.
func (c *compiler) parts(t text) (literals []string, names []text) {
	literal, end := "", 0
	for _, at := range braces.FindAllStringIndex(t.Value, -1) {
		literal += t.Value[end:at[0]]
		switch found := t.Value[at[0]:at[1]]; {
		case found == "{{", found == "}}":
			literal += found[:1]
		case len(found) == 1:
			c.finding(t.position, "there is a single brace in the text", "close it, or double it to mean a brace")
		default:
			literals, names = append(literals, literal), append(names, text{found[1 : len(found)-1], t.position})
			literal = ""
		}
		end = at[1]
	}
	return append(literals, literal+t.Value[end:]), names
}

// namesDate reports whether the source has the day of service in its text.
func (s *source) namesDate() bool {
	return slices.ContainsFunc(s.all(), func(x *source) bool { return strings.Contains(x.Column.Value, "{"+dateName+"}") })
}

// FieldWords names a field for people: "trip id", "dropoff appt time", "pickup time".
func FieldWords(f importer.Field) string {
	return strings.NewReplacer("pickup.pickup_", "pickup ", "_", " ", ".", " ").Replace(string(f))
}
