package propose

import (
	"fmt"
	"regexp"
	"slices"
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
	return []importer.Field{mapping.FieldAddress, importer.FieldAddress1, importer.FieldCity, importer.FieldState, importer.FieldZip}
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
	if c.share(func(v cell) bool { return nameBeforeStreet.MatchString(v.text) }) > 0 {
		names[0] = w.use(c).with(`replace: {'^\D[^,]*, *(\d)': '$1'}`)
		if !w.has(side, importer.FieldLocationName) {
			w.line("    location_name: " + w.use(c).with(`extract: '^(\D[^,]*), *\d'`))
		}
	}
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

// nameBeforeStreet matches an address that begins with the name of its place.
var nameBeforeStreet = regexp.MustCompile(`^\D[^,]*, *\d\S* [^,]*,`)

// has reports whether a column holds a part of the address at a side, alone or with
// other parts.
func (w *draft) has(side, part importer.Field) bool {
	if _, ok := w.fields[side.Of(part)]; ok {
		return true
	}
	return w.localityWith(side, part) != nil
}

// localityWith returns the column that has a part of the address at a side together with
// another part; nil if none has.
func (w *draft) localityWith(side, part importer.Field) *column {
	for _, other := range addressParts() {
		if f, ok := w.fields[side.Of(other)]; ok {
			if c := f.column; c.locality().has(part) {
				return c
			}
		}
	}
	return nil
}

// onOneLine reports whether an address in parts can only be sent on one line, because
// no column is sure to have its ZIP.
func (w *draft) onOneLine(side importer.Field) bool {
	return w.has(side, importer.FieldAddress1) && w.has(side, importer.FieldCity) && !w.has(side, importer.FieldZip) &&
		(w.has(side, importer.FieldState) || len(w.likely(side.Of(importer.FieldZip))) == 0)
}

// lineOfParts writes the parts of an address as one line.
func (w *draft) lineOfParts(side importer.Field) {
	f := w.fields[side.Of(importer.FieldAddress1)]
	street, city := w.wholeStreet(w.use(f.column)), w.use(w.fields[side.Of(importer.FieldCity)].column)
	state, written := w.fields[side.Of(importer.FieldState)]
	if !written && !w.has(side, importer.FieldState) {
		text := strings.NewReplacer("[", "{", ", ", "} {", "]", "}", `"`, "").Replace(street)
		if !strings.HasPrefix(text, "{") {
			text = "{" + text + "}"
		}
		w.askState(fmt.Sprintf(`    complete_address: "%s, {%s}, %s"`, text, strings.Trim(w.name(city), `"`), answerMark))
		return
	}
	parts := []string{street, w.name(city)}
	if written {
		parts = append(parts, w.name(state.column))
	}
	line := "    complete_address: " + oneOrList(parts)
	q := Question{Ask: "which column has the ZIP of the " + string(side) + "?", Column: true}
	q.value = func(c *column) string { return "    address: " + oneOrList(append(slices.Clip(parts), c.name)) }
	for _, c := range w.likely(side.Of(importer.FieldZip)) {
		text := fmt.Sprintf("%v, such as %s", c, strings.Join(w.p.sheet.Samples(c.Num, 3), ", "))
		q.Choices = append(q.Choices, Choice{Text: text, line: q.value(c)})
	}
	if q.Choices != nil {
		q.Choices = append(q.Choices, Choice{Text: "no column has it", line: line})
		w.ask(q)
		return
	}
	f.Why = "no column has the ZIP"
	w.noted(line, f)
}

// restOfAddress writes the parts of an address that share a column with another part, and
// asks for those that no column has.
func (w *draft) restOfAddress(side importer.Field) {
	for _, part := range []importer.Field{importer.FieldCity, importer.FieldState, importer.FieldZip} {
		_, written := w.fields[side.Of(part)]
		switch c := w.localityWith(side, part); {
		case written:
		case c != nil:
			w.line("    " + string(part) + ": " + w.use(c).part(part))
		case part == importer.FieldState && len(w.likely(side.Of(part))) == 0:
			w.askState("    state: {const: " + answerMark + "}")
		default:
			w.askColumn(side.Of(part), 4, "which column has the "+string(part)+" of the "+string(side)+"?", nil, "")
		}
	}
}

// part returns a part of an address that shares its column with other parts.
func (c *column) part(part importer.Field) string {
	return c.with("extract: '" + c.locality().pattern(part) + "'")
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
