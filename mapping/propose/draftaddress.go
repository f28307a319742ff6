package propose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
)

// addressParts are the parts of an address, besides the street, that may have columns of
// their own.
func addressParts() []importer.Field {
	return []importer.Field{importer.FieldAddress2, importer.FieldCity, importer.FieldState, importer.FieldZip}
}

// lineParts are the parts of an address that are in its line, if it is written in one.
func lineParts() []importer.Field {
	return append(addressParts(), mapping.FieldAddress, importer.FieldAddress1)
}

// addressOf returns what writes the address at a side, and whether that is one line, which has its parts.
func (w *draft) addressOf(side importer.Field) (oneLine bool, write func()) {
	switch whole, inOne := w.fields[side.Of(mapping.FieldAddress)]; {
	case inOne:
		return true, func() { w.wholeAddress(side, whole) }
	case !w.p.isPlaced(side):
		return false, func() { w.askPlace(side) }
	case w.onOneLine(side):
		return true, func() { w.lineOfParts(side) }
	case w.has(side, importer.FieldAddress1):
		return false, func() { w.restOfAddress(side) }
	}
	return false, func() {} // it is a position or a name
}

// wholeAddress writes an address in one column. The columns of its city, state and ZIP
// repeat it and stay unused. If it has no ZIP, the parts that it lacks are joined to it.
func (w *draft) wholeAddress(side importer.Field, f Field) {
	c := w.use(f.column)
	names := []string{w.name(c)}
	for _, part := range []importer.Field{importer.FieldCity, importer.FieldState, importer.FieldZip} {
		other, ok := w.fields[side.Of(part)]
		switch {
		case !ok:
		case c.is(isWhole):
			w.use(other.column) // it repeats a part of the whole address
		case !c.is(isFullAddress) || part == importer.FieldZip:
			names = append(names, w.name(other.column))
		}
	}
	w.noted("    address: "+oneOrList(names), f)
	w.field(side.Of(importer.FieldAddress2), 4)
}

// askPlace asks which column says where an event is.
func (w *draft) askPlace(side importer.Field) {
	key := mapping.FieldAddress
	for _, part := range addressParts() {
		if _, ok := w.fields[side.Of(part)]; ok {
			key = importer.FieldAddress1
		}
	}
	w.askColumn(side.Of(key), 4, "where is the "+string(side)+"?", nil, "")
}

// has reports whether a column holds a part of the address at a side, alone or with
// other parts.
func (w *draft) has(side, part importer.Field) bool {
	_, ok := w.fields[side.Of(part)]
	return ok || slices.ContainsFunc(w.town(side), func(c *column) bool { return c.combines(part) })
}

// town returns the columns of the city, the state and the ZIP at a side, without those that repeat a part of another one.
func (w *draft) town(side importer.Field) (all []*column) {
	columns := w.columnsOf(side.Of(importer.FieldCity), side.Of(importer.FieldState), side.Of(importer.FieldZip))
	for _, part := range []importer.Field{importer.FieldCity, importer.FieldState, importer.FieldZip} {
		all = append(all, slices.DeleteFunc(w.columnsOf(side.Of(part)), func(c *column) bool {
			return slices.ContainsFunc(columns, func(other *column) bool { return other != c && other.combines(part) })
		})...)
	}
	return all
}

// onOneLine reports whether an address in parts can only be sent on one line, because several share a column or
// no column is sure to have its ZIP.
func (w *draft) onOneLine(side importer.Field) bool {
	share := slices.ContainsFunc(w.town(side), func(c *column) bool { return c.combines(importer.FieldState) })
	return w.has(side, importer.FieldAddress1) && w.has(side, importer.FieldCity) && (share || !w.has(side, importer.FieldZip) &&
		(w.has(side, importer.FieldState) || len(w.likely(side.Of(importer.FieldZip))) == 0))
}

// lineOfParts writes the parts of an address as one line.
func (w *draft) lineOfParts(side importer.Field) {
	f := w.fields[side.Of(importer.FieldAddress1)]
	parts := append([]string{w.wholeStreet(w.use(f.column))}, importer.Each(w.town(side), w.name)...)
	if !w.has(side, importer.FieldState) {
		w.askState(fmt.Sprintf(`    address: "%s, %s"`, inBraces(parts...), answerMark))
		w.field(side.Of(importer.FieldAddress2), 4)
		return
	}
	if strings.HasPrefix(parts[0], "[") { // a list in a list would be joined with commas
		parts[0] = strconv.Quote(inBraces(parts[0]))
	}
	if unit, ok := w.fields[side.Of(importer.FieldAddress2)]; ok && unit.Sure >= surelyUnit {
		parts = slices.Insert(parts, 1, w.name(unit.column))
	}
	if !w.has(side, importer.FieldZip) {
		f.Why = "no column has the ZIP"
	}
	w.noted("    address: "+oneOrList(parts), f)
}

// inBraces returns a text of columns, in which those of a list follow each other.
func inBraces(columns ...string) string {
	return strings.Join(importer.Each(columns, func(c string) string {
		if list, ok := strings.CutPrefix(c, "["); ok {
			c = strings.ReplaceAll(strings.TrimSuffix(list, "]"), ", ", "} {")
		}
		return "{" + strings.ReplaceAll(c, `"`, "") + "}"
	}), ", ")
}

// restOfAddress asks for the parts of an address that no column has.
func (w *draft) restOfAddress(side importer.Field) {
	for _, part := range []importer.Field{importer.FieldCity, importer.FieldState, importer.FieldZip} {
		_, written := w.fields[side.Of(part)]
		switch {
		case written:
		case part == importer.FieldState && len(w.likely(side.Of(part))) == 0:
			w.askState("    state: {const: " + answerMark + "}")
		default:
			w.askColumn(side.Of(part), 4, "which column has the "+string(part)+" of the "+string(side)+"?", nil, "")
		}
	}
}

// askState asks in which state the places are, once for equal lines of both sides. form is the line
// with the answer.
func (w *draft) askState(form string) {
	q := Question{Ask: "no column has the state of the places: which one is it?", Free: "its two letters", form: form, field: importer.FieldState}
	q.line = openLine(strings.ReplaceAll(form, answerMark, "WI"), q.Ask)
	if slices.ContainsFunc(w.questions, func(other Question) bool { return other.line == q.line }) {
		w.line(q.line)
		return
	}
	w.ask(q)
}
