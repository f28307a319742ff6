package mapping

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// YAML writes the proposal as a draft, with a comment beside each line that
// says why and how sure. What was not found is a decision still to be filled
// in. Codes of space types are in it; nothing else of the rows is.
func (p *Proposal) YAML(name string) string {
	w := &draft{p: p, fields: map[importer.Field]ProposedField{}}
	for _, f := range p.Fields {
		w.fields[f.Field] = f
	}
	w.line("# yaml-language-server: $schema=" + SchemaID)
	w.line("mapping: 1")
	w.line("name: " + strconv.Quote(name))
	w.line("draft: true                  # tripimport mapping approve shows its trips and takes this line out")
	w.reads()
	w.cancelled()
	w.line("trip:")
	w.decide(importer.FieldProvider, "which transportation provider drives these trips? (tripimport access lists them)")
	w.decide(importer.FieldFundingSource, "which funding source pays? (tripimport access lists them)")
	w.decide(importer.FieldTripID, "what is a trip known by, whatever else changes?")
	w.field(fieldLinkedBy, 2)
	w.decide(importer.FieldRiderID, "what is a rider known by?")
	w.spaceType()
	w.field(importer.FieldPhone, 2)
	w.field(importer.FieldBillableDistance, 2)
	if f, ok := w.fields[importer.FieldAdditional]; ok {
		w.line("  additional_passengers:")
		w.noted(fmt.Sprintf("    - {space_type: AMB, count: %s}", passengerCount(&f)), f)
	}
	w.field(fieldDate, 2)
	w.event(importer.FieldPickup)
	w.event(importer.FieldDropoff)
	if f, ok := w.fields[fieldWillCall]; ok {
		w.noted(fmt.Sprintf("  will_call: {when: {flag: %s}}", column(f)), f)
	}
	w.line("  # pickup_only: return      <- if a pickup time alone means a Return, take the # off")
	w.roundTrip()
	return w.b.String()
}

// A draft is a proposal being written.
type draft struct {
	p      *Proposal
	fields map[importer.Field]ProposedField
	b      strings.Builder
}

func (w *draft) line(s string) { w.b.WriteString(s + "\n") }

// noted writes a line with the reason behind it.
func (w *draft) noted(s string, f ProposedField) {
	w.line(fmt.Sprintf("%-64s # %s: %.0f%% sure, %s", s, "column "+f.Ref, f.Sure*100, f.Why))
}

func (w *draft) field(name importer.Field, indent int) {
	f, ok := w.fields[name]
	if !ok {
		return
	}
	key := string(name)
	if _, part, under := strings.Cut(key, "."); under {
		key = part
	}
	w.noted(strings.Repeat(" ", indent)+key+": "+column(f), f)
}

func (w *draft) decide(name importer.Field, question string) {
	if _, ok := w.fields[name]; ok {
		w.field(name, 2)
		return
	}
	w.line(fmt.Sprintf("  %s: {decide: %q}", name, question))
}

// passengerCount writes a count of passengers. One that counts all of them has
// the rider among them: nobody is to be sent an extra seat for that.
func passengerCount(f *ProposedField) string {
	switch strings.Join(wordsOf(f.Column), " ") {
	case "number of passengers", "total passengers", "passengers", "passenger count":
		f.Why += "; the rider seems to be one of them"
		nth := ""
		if f.Nth > 0 {
			nth = fmt.Sprintf(", nth: %d", f.Nth)
		}
		return fmt.Sprintf("{column: %s%s, less: 1}", quoted(f.Column), nth)
	}
	return column(*f)
}

// column writes a column as a mapping names it.
func column(f ProposedField) string {
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

// reads writes how dates are written, where the values tell it.
func (w *draft) reads() {
	order, slashes := w.dateOrder()
	switch {
	case order != "":
		w.line("read:")
		w.line("  dates: " + order + "                 # the headers or the first rows leave no other order")
	case slashes:
		w.line("# read: {dates: mdy}         <- is 3/4/2026 the fourth of March? then take the # off; else write dmy")
	}
}

func above12(digits string) bool {
	n, err := strconv.Atoi(digits)
	return err == nil && n > 12
}

// slashDate is 3/4/2026, perhaps with a time behind it.
var slashDate = regexp.MustCompile(`^(\d\d?)/(\d\d?)/\d+(?: |$)`)

// dateOrder tells the order of slash dates by days above 12, or by a header
// that spells it out (mm/dd/yyyy), and whether there are slash dates at all. It
// never guesses.
func (w *draft) dateOrder() (order string, slashes bool) {
	first, second := false, false
	for _, name := range []importer.Field{fieldDate, pickupTime, dropoffAppt} {
		f, ok := w.fields[name]
		if !ok {
			continue
		}
		first = first || strings.Contains(values.FoldCase(f.Column), "dd/mm")
		second = second || strings.Contains(values.FoldCase(f.Column), "mm/dd")
		col, _ := importer.ColumnNumber(f.Ref)
		for _, v := range w.p.values[col] {
			parts := slashDate.FindStringSubmatch(v.text)
			if parts == nil {
				continue
			}
			slashes = true
			first, second = first || above12(parts[1]), second || above12(parts[2])
		}
	}
	switch {
	case first && !second:
		return "dmy", true
	case second && !first:
		return "mdy", true
	}
	return "", slashes
}

func (w *draft) cancelled() {
	f, ok := w.fields[fieldCancelled]
	if !ok {
		return
	}
	w.line("cancelled:")
	w.noted(fmt.Sprintf("  cancelled: {column: %s, is: [cancelled, canceled]}", quoted(f.Column)), f)
}

// spaceType writes the table of codes; a code that has no usual meaning is
// left to the office, and is a fault of its rows until then.
func (w *draft) spaceType() {
	f, ok := w.fields[importer.FieldSpaceType]
	if !ok {
		w.decide(importer.FieldSpaceType, "which column tells wheelchairs from walkers? {column: ..., table: {Ambulatory: AMB, Wheelchair: WCH}}")
		return
	}
	col, _ := importer.ColumnNumber(f.Ref)
	var known, open []string
	seen := map[string]bool{}
	for _, v := range w.p.values[col] {
		if v.text == "" || seen[values.FoldCase(v.text)] {
			continue
		}
		seen[values.FoldCase(v.text)] = true
		if code := usualSpaceType(v.text); code != "" {
			known = append(known, quoted(v.text)+": "+code)
		} else {
			open = append(open, v.text)
		}
	}
	if len(known) == 0 {
		known = []string{"Ambulatory: AMB", "Wheelchair: WCH"}
	}
	w.line("  space_type:")
	w.noted("    column: "+column(ProposedField{Column: f.Column, Ref: f.Ref}), f)
	if f.Nth > 0 {
		w.line(fmt.Sprintf("    nth: %d", f.Nth))
	}
	w.line("    table: {" + strings.Join(known, ", ") + "}")
	if len(open) > 0 {
		w.line("    # not in the table yet: " + strings.Join(open, ", "))
	}
}

// usualSpaceType gives what a code nearly always means; codes that mean one
// thing here and another there (C, P, W/C, Van) are not among them.
func usualSpaceType(s string) string {
	switch values.HeaderKey(s) {
	case "amb", "ambulatory", "walker", "sedan":
		return "AMB"
	case "wch", "wheelchair", "manualwheelchair", "powerwheelchair", "wav":
		return "WCH"
	case "str", "stretcher", "gurney":
		return "STR"
	}
	return ""
}

func (w *draft) event(at importer.Field) {
	w.line("  " + string(at) + ":")
	begun := w.b.Len()
	for _, part := range []importer.Field{
		importer.FieldEventName, importer.FieldLocationName, fieldAddress, importer.FieldAddress1, importer.FieldAddress2,
		importer.FieldCity, importer.FieldState, importer.FieldZip, importer.FieldLatitude, importer.FieldLongitude,
		"coordinates", importer.FieldPhoneNumber, importer.FieldPickupTime, importer.FieldApptTime, importer.FieldEventComment,
	} {
		w.field(at.Of(part), 4)
	}
	if w.b.Len() == begun || slices.Contains(w.p.Missing, at) {
		key := fieldAddress
		for _, part := range []importer.Field{importer.FieldAddress2, importer.FieldCity, importer.FieldState, importer.FieldZip} {
			if _, ok := w.fields[at.Of(part)]; ok {
				key = importer.FieldAddress1
			}
		}
		w.line(fmt.Sprintf("    %s: {decide: %q}", key, "where is the "+string(at)+"?"))
	}
}

func (w *draft) roundTrip() {
	f, ok := w.fields[fieldRoundTrip]
	if !ok {
		return
	}
	w.line("round_trip:")
	w.noted(fmt.Sprintf("  when: {flag: %s}", column(f)), f)
	w.line(`  trip_id: {outbound: "{trip_id}-A", return: "{trip_id}-B"}`)
	w.line("  return:")
	if back, ok := w.fields[fieldReturnTime]; ok {
		w.noted(fmt.Sprintf("    pickup: {pickup_time: %s}", column(back)), back)
	} else {
		w.line("    pickup: {}")
	}
	w.line("    # blank_time: will_call  <- if a return without a time is a will call, take the # off")
}
