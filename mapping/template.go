package mapping

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A part is a piece of a template: a literal text or a value in braces.
type part struct {
	literal string
	read    reader // nil for a literal
}

// template compiles a text with values in braces. The result is blank if all
// values are; an id needs every value.
func (c *compiler) template(t text) reader {
	parts := c.parts(t)
	return func(r *rowContext) cellValue {
		text := make([]byte, 0, 64)
		var blank []cellValue
		bad, filled := false, false
		for _, p := range parts {
			if p.read == nil {
				text = append(text, p.literal...)
				continue
			}
			v := p.read(r)
			bad = bad || v.bad
			if v.text == "" {
				blank = append(blank, v)
				continue
			}
			filled = true
			text = append(text, v.text...)
		}

		switch {
		case bad, !filled && len(blank) > 0:
			return cellValue{bad: bad}
		case len(blank) > 0 && isID(r.field):
			return r.idPartMissing(blank)
		}
		return cellValue{text: values.Clean(string(text)), kind: importer.Text}
	}
}

// idPartMissing reports an id of which only some parts are given: it would be
// the id of another trip or of none.
func (r *rowContext) idPartMissing(blank []cellValue) cellValue {
	var cols []int
	for _, v := range blank {
		cols = append(cols, v.col)
	}
	message, fix := "the "+fieldWords(r.field)+" is made of several cells, and one of them is empty", "fill in the empty cell"
	if cols[0] == 0 {
		message, fix = "the "+fieldWords(r.field)+" contains the date, and there is none that can be read", "correct the date"
	}
	r.fault("id-part-missing", message, fix, cols...)
	return cellValue{bad: true}
}

// isID reports whether a field identifies a trip or a rider.
func isID(f importer.Field) bool { return f == importer.FieldTripID || f == importer.FieldRiderID }

// parts splits a template. A doubled brace stands for the brace itself.
func (c *compiler) parts(t text) []part {
	var parts []part
	rest, offset := t.Value, 0
	for rest != "" {
		open := strings.IndexAny(rest, "{}")
		if open < 0 {
			return append(parts, part{literal: rest})
		}
		if open > 0 {
			parts = append(parts, part{literal: rest[:open]})
		}

		at := offsetBy(t, utf8.RuneCountInString(t.Value[:offset+open]))
		end := strings.IndexByte(rest[open:], '}')
		switch {
		case strings.HasPrefix(rest[open:], "{{"), strings.HasPrefix(rest[open:], "}}"):
			parts = append(parts, part{literal: rest[open : open+1]})
			end = 1
		case rest[open] == '}' || end < 0:
			c.finding(at, "there is a single brace in the template", "close it, or double it to mean a brace")
			return parts
		default:
			parts = append(parts, part{read: c.placeholder(text{rest[open+1 : open+end], at})})
		}
		offset += open + end + 1
		rest = t.Value[offset:]
	}

	return parts
}

// placeholder compiles the text in braces: date, trip_id, leg, or a header, with
// #2 for the second column of that header.
func (c *compiler) placeholder(name text) reader {
	switch form, isDate := strings.CutPrefix(name.Value, "date"); {
	case name.Value == "trip_id":
		if c.inOwnID {
			c.finding(name.position, "{trip_id} is the trip id itself, which has no value here", `for a column with this header write {column: trip_id}, or with others {join: [trip_id, Leg], with: "-"}`)
		}
		c.perTrip = true
		return func(r *rowContext) cellValue { return cellValue{text: r.tripID} }
	case name.Value == "leg":
		c.perTrip = true
		return func(r *rowContext) cellValue { return cellValue{text: string('A' + max(rune(r.leg), 1) - 1)} }
	case isDate && (form == "" || form[0] == ':'):
		c.dated, c.perTrip = true, true
		written := c.dateForm(name, strings.TrimPrefix(form, ":"))
		return func(r *rowContext) cellValue { return cellValue{text: written(r.date)} }
	}

	ref := ColumnRef{header: name}
	if header, nth, numbered := strings.Cut(name.Value, "#"); numbered {
		if n, err := strconv.Atoi(nth); err == nil && n > 0 {
			ref.header.Value, ref.nth = header, n
		}
	}

	return c.cell(ref)
}

// dateForm compiles the form of a date in a template: YYYY, YY, MM, DD, M and D
// with anything between them that is not a letter.
func (c *compiler) dateForm(name text, form string) func(importer.Date) string {
	if form == "" {
		form = "YYYY-MM-DD"
	}

	rest := strings.NewReplacer("YYYY", "", "YY", "", "MM", "", "DD", "", "M", "", "D", "").Replace(form)
	if strings.ContainsFunc(rest, func(r rune) bool { return r >= 'A' && r <= 'z' }) {
		c.finding(name.position, fmt.Sprintf("%q is not a form for dates", form), "write it with YYYY, MM and DD, such as {date:YYYYMMDD}")
	}

	return func(d importer.Date) string {
		if d.IsZero() {
			return ""
		}
		year, month, day := fmt.Sprintf("%04d", d.Year), int(d.Month), d.Day
		return strings.NewReplacer(
			"YYYY", year, "YY", year[2:], "MM", fmt.Sprintf("%02d", month), "DD", fmt.Sprintf("%02d", day),
			"M", strconv.Itoa(month), "D", strconv.Itoa(day),
		).Replace(form)
	}
}

// fieldWords names a field for people: "trip id", "dropoff appt time".
func fieldWords(f importer.Field) string {
	return strings.NewReplacer("_", " ", ".", " ").Replace(string(f))
}
