package propose

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/values"
)

// YAML writes the proposal as a draft of a mapping of that name, with a comment
// beside each line that says why and how sure it is. What was not found is a
// decision still to be filled in. Of the rows it contains codes of space types
// and nothing else.
func (p *Proposal) YAML(name string) string {
	w := &draft{p: p, fields: map[importer.Field]Field{}}
	for _, f := range p.Fields {
		w.fields[f.Field] = f
	}

	w.line("# yaml-language-server: $schema=" + mapping.SchemaID)
	w.line("mapping: 1")
	w.line("name: " + strconv.Quote(name))
	w.line("draft: true                  # tripimport mapping approve shows its trips and takes this line out")
	w.read()
	w.cancelled()
	w.line("trip:")
	w.decide(importer.FieldProvider, "which transportation provider drives these trips? (tripimport access lists them)")
	w.decide(importer.FieldFundingSource, "which funding source pays? (tripimport access lists them)")
	w.decide(importer.FieldTripID, "what is a trip known by, whatever else changes?")
	w.field(mapping.FieldLinkedBy, 2)
	w.decide(importer.FieldRiderID, "what is a rider known by?")
	w.spaceType()
	w.rest()
	w.event(importer.FieldPickup)
	w.event(importer.FieldDropoff)
	if f, ok := w.fields[mapping.FieldWillCall]; ok {
		w.noted(fmt.Sprintf("  will_call: {when: {flag: %s}}", columnRef(f)), f)
	}

	w.line("  # pickup_only: return      <- if a pickup time alone means a Return, take the # off")
	w.roundTrip()
	return w.text.String()
}

// A draft is a proposal while it is written.
type draft struct {
	p      *Proposal
	fields map[importer.Field]Field
	text   strings.Builder
}

func (w *draft) line(s string) { w.text.WriteString(s + "\n") }

// noted writes a line with the reason behind it.
func (w *draft) noted(s string, f Field) {
	w.line(fmt.Sprintf("%-64s # %s: %.0f%% sure, %s", s, "column "+f.Ref, f.Sure*100, f.Why))
}

// field writes a field for which a column was found, and nothing for any other.
func (w *draft) field(name importer.Field, indent int) {
	f, ok := w.fields[name]
	if !ok {
		return
	}
	_, key := name.Split()
	w.noted(strings.Repeat(" ", indent)+string(key)+": "+columnRef(f), f)
}

// decide writes a field, or the question that the office has to answer where no
// column was found for it.
func (w *draft) decide(name importer.Field, question string) {
	if _, ok := w.fields[name]; ok {
		w.field(name, 2)
		return
	}
	w.line(fmt.Sprintf("  %s: {decide: %q}", name, question))
}

// rest writes the trip's own fields that no other method writes.
func (w *draft) rest() {
	elsewhere := []importer.Field{
		mapping.FieldCancelled, importer.FieldProvider, importer.FieldFundingSource, importer.FieldTripID, mapping.FieldLinkedBy,
		importer.FieldRiderID, importer.FieldSpaceType, mapping.FieldWillCall, mapping.FieldRoundTrip,
	}

	for _, name := range mapping.FieldNames() {
		f, ok := w.fields[name]
		switch {
		case !ok, slices.Contains(elsewhere, name), strings.Contains(string(name), "."):
		case name == importer.FieldAdditional:
			w.line("  additional_passengers:")
			w.noted(fmt.Sprintf("    - {space_type: AMB, count: %s}", passengerCount(&f)), f)
		default:
			w.field(name, 2)
		}
	}
}

// passengerCount writes a count of passengers. Where it seems to count all of
// them, the rider is taken off, who needs no seat beside their own.
func passengerCount(f *Field) string {
	switch strings.Join(wordsOf(f.Column), " ") {
	case "number of passengers", "total passengers", "passengers", "passenger count":
		f.Why += "; the rider seems to be one of them"
		nth := ""
		if f.Nth > 0 {
			nth = fmt.Sprintf(", nth: %d", f.Nth)
		}
		return fmt.Sprintf("{column: %s%s, less: 1}", quoted(f.Column), nth)
	}
	return columnRef(*f)
}

// columnRef writes a column as a mapping names it.
func columnRef(f Field) string {
	name := quoted(f.Column)
	switch {
	case f.Column == "":
		return "{letter: " + f.Ref + "}"
	case f.Nth > 0:
		return fmt.Sprintf("{column: %s, nth: %d}", name, f.Nth)
	}
	return name
}

// quoted puts a text into quotes where YAML would read it as something else.
func quoted(s string) string {
	plain := s != "" && !strings.ContainsAny(s, "#:{}[],&*!|>'\"%@`\\") && !strings.ContainsAny(s[:1], "-? =")
	if plain && !slices.Contains([]string{"true", "false", "null", "~"}, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s)
}

// read writes how dates are written, where the file tells it.
func (w *draft) read() {
	order, slashes := w.dateOrder()
	switch {
	case order != "":
		w.line("read:")
		w.line("  dates: " + order + "                 # the headers or the first rows leave no other order")
	case slashes:
		w.line("# read: {dates: mdy}         <- is 3/4/2026 the fourth of March? then take the # off; else write dmy")
	}
}

// slashDate matches 3/4/2026, with or without a time behind it.
var slashDate = regexp.MustCompile(`^(\d\d?)/(\d\d?)/\d+(?: |$)`)

// dateOrder tells the order of slash dates by days above 12, or by a header
// that spells it out (mm/dd/yyyy); it is empty where neither tells it. It also
// reports whether there are slash dates at all.
func (w *draft) dateOrder() (order string, slashes bool) {
	dayFirst, daySecond := false, false
	for _, name := range []importer.Field{importer.FieldDate, pickupTime, dropoffAppt} {
		f, ok := w.fields[name]
		if !ok {
			continue
		}
		dayFirst = dayFirst || strings.Contains(values.FoldCase(f.Column), "dd/mm")
		daySecond = daySecond || strings.Contains(values.FoldCase(f.Column), "mm/dd")
		for _, c := range w.cells(f) {
			if parts := slashDate.FindStringSubmatch(c.text); parts != nil {
				slashes = true
				dayFirst, daySecond = dayFirst || above12(parts[1]), daySecond || above12(parts[2])
			}
		}
	}

	switch {
	case dayFirst && !daySecond:
		return "dmy", true
	case daySecond && !dayFirst:
		return "mdy", true
	}

	return "", slashes
}

func above12(digits string) bool {
	n, err := strconv.Atoi(digits)
	return err == nil && n > 12
}

// cells returns the cells of the field's column.
func (w *draft) cells(f Field) []cell {
	col, _ := importer.ColumnNumber(f.Ref)
	return w.p.cells[col]
}

func (w *draft) cancelled() {
	f, ok := w.fields[mapping.FieldCancelled]
	if !ok {
		return
	}
	w.line("cancelled:")
	w.noted(fmt.Sprintf("  cancelled: {column: %s, is: [cancelled, canceled]}", quoted(f.Column)), f)
}

// spaceType writes the table of codes. A code that has no usual meaning is left
// to the office; until it is in the table, its rows have a fault.
func (w *draft) spaceType() {
	f, ok := w.fields[importer.FieldSpaceType]
	if !ok {
		w.decide(importer.FieldSpaceType, "which column tells wheelchairs from walkers? {column: ..., table: {Ambulatory: AMB, Wheelchair: WCH}}")
		return
	}

	var known, open []string
	seen := map[string]bool{}
	for _, c := range w.cells(f) {
		if c.text == "" || seen[values.FoldCase(c.text)] {
			continue
		}
		seen[values.FoldCase(c.text)] = true
		if code := usualSpaceType(c.text); code != "" {
			known = append(known, quoted(c.text)+": "+code)
		} else {
			open = append(open, c.text)
		}
	}

	if len(known) == 0 {
		known = []string{"Ambulatory: AMB", "Wheelchair: WCH"}
	}

	w.line("  space_type:")
	w.noted("    column: "+columnRef(Field{Column: f.Column, Ref: f.Ref}), f)
	if f.Nth > 0 {
		w.line(fmt.Sprintf("    nth: %d", f.Nth))
	}

	w.line("    table: {" + strings.Join(known, ", ") + "}")
	if len(open) > 0 {
		w.line("    # not in the table yet: " + strings.Join(open, ", "))
	}
}

// event writes a pickup or a dropoff, with a question where no column says
// where it is.
func (w *draft) event(side importer.Field) {
	w.line("  " + string(side) + ":")
	before := w.text.Len()
	for _, name := range mapping.FieldNames() {
		if strings.HasPrefix(string(name), string(side)+".") {
			w.field(name, 4)
		}
	}

	if w.text.Len() > before && !slices.Contains(w.p.Missing, side) {
		return
	}

	key := mapping.FieldAddress
	for _, part := range []importer.Field{importer.FieldAddress2, importer.FieldCity, importer.FieldState, importer.FieldZip} {
		if _, ok := w.fields[side.Of(part)]; ok {
			key = importer.FieldAddress1
		}
	}

	w.line(fmt.Sprintf("    %s: {decide: %q}", key, "where is the "+string(side)+"?"))
}

func (w *draft) roundTrip() {
	f, ok := w.fields[mapping.FieldRoundTrip]
	if !ok {
		return
	}

	w.line("round_trip:")
	w.noted(fmt.Sprintf("  when: {flag: %s}", columnRef(f)), f)
	w.line(`  trip_id: {outbound: "{trip_id}-A", return: "{trip_id}-B"}`)
	w.line("  return:")
	if back, ok := w.fields[mapping.FieldReturnTime]; ok {
		w.noted(fmt.Sprintf("    pickup: {pickup_time: %s}", columnRef(back)), back)
	} else {
		w.line("    pickup: {}")
	}

	w.line("    # blank_time: will_call  <- if a return without a time is a will call, take the # off")
}
