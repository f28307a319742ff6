package mapping

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A part is a piece of a template: a text, or a value in braces.
type part struct {
	literal string
	read    func(*rowContext) cellValue // nil for a literal
	name    string
}

// template compiles a text with values in braces. It is blank where all of
// its values are; in an id, every one of them is needed.
func (c *compiler) template(t text) func(*rowContext) cellValue {
	parts := c.parts(t)
	return func(r *rowContext) cellValue {
		var b strings.Builder
		var whole cellValue
		var missing []cellValue
		filled := 0
		for _, p := range parts {
			if p.read == nil {
				b.WriteString(p.literal)
				continue
			}
			f := p.read(r)
			whole.bad = whole.bad || f.bad
			if f.text == "" {
				missing = append(missing, f)
				continue
			}
			filled++
			b.WriteString(f.text)
		}
		switch {
		case whole.bad, filled == 0 && len(missing) > 0:
			return cellValue{bad: whole.bad}
		case len(missing) > 0 && isID(r.field):
			return r.partMissing(missing)
		}
		return cellValue{text: values.Clean(b.String()), typ: importer.Text}
	}
}

// partMissing faults an id of which some parts are there and some are not: it
// would be another trip's, or no trip's at all.
func (r *rowContext) partMissing(missing []cellValue) cellValue {
	var cols []int
	for _, f := range missing {
		cols = append(cols, f.col)
	}
	message, fix := "the "+fieldWords(r.field)+" is made of several cells, and one of them is empty", "fill in the empty cell"
	if cols[0] == 0 {
		message, fix = "the "+fieldWords(r.field)+" contains the date, and there is none that can be read", "correct the date"
	}
	r.fault(codeIDPart, message, fix, cols...)
	return cellValue{bad: true}
}

// isID reports whether a field identifies a trip or a rider.
func isID(f importer.Field) bool { return f == importer.FieldTripID || f == importer.FieldRiderID }

// parts takes a template apart. A brace that is meant as it stands is doubled.
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
			c.finding(at, "a brace stands alone in the template", "close it, or double it where it is meant as it stands")
			return parts
		default:
			parts = append(parts, c.placeholder(text{rest[open+1 : open+end], at}))
		}
		offset += open + end + 1
		rest = t.Value[offset:]
	}
	return parts
}

// placeholder compiles what stands in braces: date, trip_id, leg, or a header, with
// #2 for the second column of that name.
func (c *compiler) placeholder(name text) part {
	switch form, isDate := strings.CutPrefix(name.Value, "date"); {
	case name.Value == "trip_id":
		return part{name: name.Value, read: func(r *rowContext) cellValue { return cellValue{text: r.tripID} }}
	case name.Value == "leg":
		return part{name: name.Value, read: func(r *rowContext) cellValue { return cellValue{text: string('A' + max(rune(r.leg), 1) - 1)} }}
	case isDate && (form == "" || form[0] == ':'):
		layout := c.dateLayout(name, strings.TrimPrefix(form, ":"))
		return part{name: "date", read: func(r *rowContext) cellValue { return cellValue{text: layout(r.date)} }}
	}
	ref := ColumnRef{header: name}
	if header, nth, numbered := strings.Cut(name.Value, "#"); numbered {
		if n, err := strconv.Atoi(nth); err == nil && n > 0 {
			ref.header.Value, ref.nth = header, n
		}
	}
	return part{name: name.Value, read: c.cell(ref)}
}

// dateLayout compiles the form of a date in a template: YYYY, YY, MM, DD, M
// and D with anything between them that is not a letter.
func (c *compiler) dateLayout(name text, form string) func(importer.Date) string {
	if form == "" {
		form = "YYYY-MM-DD"
	}
	left := strings.NewReplacer("YYYY", "", "YY", "", "MM", "", "DD", "", "M", "", "D", "").Replace(form)
	if strings.ContainsFunc(left, func(r rune) bool { return r >= 'A' && r <= 'z' }) {
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
