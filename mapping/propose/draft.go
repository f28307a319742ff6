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

// A Draft is a proposal in YAML, with the questions that it leaves open.
type Draft struct {
	// Text is the mapping, with a comment beside each line that says why and how sure
	// it is. Of the rows it has words that decide something, and nothing else.
	Text      string
	Questions []Question
}

// Names are the providers and the funding sources that the service knows, as far as the
// office has asked for them.
type Names struct{ Providers, FundingSources []string }

// Draft writes the proposal as a draft of a mapping of that name.
func (p *Proposal) Draft(name string, known Names) Draft {
	w := &draft{p: p, known: known, fields: map[importer.Field]Field{}, used: map[int]bool{}}
	for _, f := range p.Fields {
		w.fields[f.Field] = f
	}

	w.line("# yaml-language-server: $schema=" + mapping.SchemaID)
	w.line("mapping: 1")
	w.line("name: " + strconv.Quote(name))
	w.line("draft: true                  # tripimport mapping approve shows its trips and takes this line out")
	w.read()
	w.skip()
	w.cancelled()
	w.line("trip:")
	w.decide(importer.FieldProvider, "which transportation provider drives these trips?", known.Providers, "Lakeshore Transit")
	w.decide(importer.FieldFundingSource, "which funding source pays?", known.FundingSources, "Harborview Health")
	w.decide(importer.FieldTripID, "what is a trip known by, whatever else changes?", nil, "")
	w.linkedBy()
	w.decide(importer.FieldRiderID, "what is a rider known by?", nil, "")
	w.spaceType()
	w.rest()
	w.event(importer.FieldPickup)
	w.event(importer.FieldDropoff)
	w.willCall()
	w.pickupOnly()
	w.roundTrip()
	w.unused()
	return Draft{w.text.String(), w.questions}
}

// A draft is a proposal while it is written.
type draft struct {
	p         *Proposal
	known     Names
	fields    map[importer.Field]Field
	used      map[int]bool // numbers of columns
	text      strings.Builder
	questions []Question
	redundant []int // columns that repeat a part of a whole address
}

func (w *draft) line(s string) { w.text.WriteString(s + "\n") }

// noted writes a line with the reason behind it.
func (w *draft) noted(s string, f Field) {
	w.line(fmt.Sprintf("%-64s # %s: %.0f%% sure, %s", s, "column "+f.Ref, f.Sure*100, f.Why))
}

// column returns the column of the field, which is used from now on.
func (w *draft) column(f Field) *column {
	num, _ := importer.ColumnNumber(f.Ref)
	w.used[num] = true
	return w.p.sheet.column(num)
}

// name writes a column as a mapping names it.
func (w *draft) name(c *column) string {
	w.used[c.Num] = true
	switch {
	case c.Header == "":
		return "{letter: " + importer.ColumnName(c.Num) + "}"
	case c.nth > 0:
		return fmt.Sprintf("{column: %s, nth: %d}", quoted(c.Header), c.nth)
	}
	return quoted(c.Header)
}

// in writes a column with further keys.
func (w *draft) in(c *column, keys string) string {
	name := w.name(c)
	if strings.HasPrefix(name, "{") {
		return strings.TrimSuffix(name, "}") + ", " + keys + "}"
	}
	return "{column: " + name + ", " + keys + "}"
}

// quoted puts a text into quotes where YAML would read it as something else.
func quoted(s string) string {
	plain := s != "" && !strings.ContainsAny(s, "#:{}[],&*!|>'\"%@`\\") && !strings.ContainsAny(s[:1], "-? =") && strings.TrimSpace(s) == s
	if plain && !slices.Contains([]string{"true", "false", "null", "~", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s)
}

func quotedAll(texts []string) string {
	var all []string
	for _, t := range texts {
		all = append(all, quoted(t))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// find returns the first column that fits and of which nothing is made yet; nil where
// there is none.
func (w *draft) find(fits func(*column) bool) *column {
	for _, c := range w.p.sheet.columns {
		if !w.used[c.Num] && !c.says("actual", "driver", "doctor", "meta", "vehicledetail") && fits(c) {
			return c
		}
	}
	return nil
}

// field writes a field for which a column was found, and nothing for any other.
func (w *draft) field(name importer.Field, indent int) {
	f, ok := w.fields[name]
	if !ok {
		return
	}
	event, key := name.Split()
	c := w.column(f)
	var value string
	switch {
	case key == importer.FieldEventName && event == importer.FieldPickup:
		value = w.fullName(c)
	case key == importer.FieldAddress1:
		value = w.wholeStreet(c, event)
	case key == importer.FieldPickupTime || key == importer.FieldApptTime:
		value = w.timeOfWay(c, name)
	default:
		value = w.name(c)
	}
	w.noted(strings.Repeat(" ", indent)+string(key)+": "+value, f)
}

// fullName joins a first name with the last name beside it.
func (w *draft) fullName(c *column) string {
	if !c.says("first") {
		return w.name(c)
	}
	first := w.name(c)
	if last := w.find(func(x *column) bool { return x.says("last") && x.filled > 0 && x.says("rider") == c.says("rider") }); last != nil {
		return "{join: [" + first + ", " + w.name(last) + "]}"
	}
	return first
}

// wholeStreet joins a street with the house number beside it.
func (w *draft) wholeStreet(c *column, event importer.Field) string {
	other := w.find(func(x *column) bool {
		return x.side() == c.side() && x.says("houseno") != c.says("houseno") && (x.says("houseno") || x.says("street", "address")) && !x.says("provider")
	})
	switch {
	case other == nil || c.is(isStreet):
		return w.name(c)
	case c.says("houseno"):
		return "{join: [" + w.name(c) + ", " + w.name(other) + "]}"
	}
	return "{join: [" + w.name(other) + ", " + w.name(c) + "]}"
}

// timeOfWay writes the time of a pickup or an appointment. Where the file has one time
// for both, the way there has an appointment and the way back a pickup.
func (w *draft) timeOfWay(c *column, name importer.Field) string {
	_, pickup := w.fields[pickupTime]
	_, appt := w.fields[dropoffAppt]
	if pickup && appt {
		return w.name(c)
	}
	if way := w.wayBack(); way != "" && name == pickupTime {
		return w.in(c, "when: "+way)
	} else if way != "" {
		return w.in(c, "when: {not: "+way+"}")
	}
	return w.name(c)
}

// wayBack returns the condition of a trip back; empty where no column tells it.
func (w *draft) wayBack() string {
	for _, c := range w.p.sheet.columns {
		if c.is(isDirection) && len(c.order) > 1 && !c.says("gender") {
			var back []string
			for _, v := range c.order {
				if slices.Contains([]string{"f", "from", "return", "returning", "inbound", "back", "b"}, strings.ToLower(v.text)) {
					back = append(back, v.text)
				}
			}
			if len(back) > 0 && len(back) < len(c.order) {
				return w.in(c, "is: "+quotedAll(back))
			}
		}
	}
	if f, ok := w.fields[importer.FieldTripID]; ok && w.endsInLeg(f) {
		return w.in(w.column(f), "matches: '[B-D]A?$'")
	}
	return ""
}

func (w *draft) endsInLeg(f Field) bool {
	return w.column(f).share(func(v cell) bool { return legLetter.MatchString(v.text) }) >= nearlyAll
}

// linkedBy writes what linked trips have in common.
func (w *draft) linkedBy() {
	f, ok := w.fields[mapping.FieldLinkedBy]
	id := w.fields[importer.FieldTripID]
	switch {
	case ok && f.Ref == id.Ref:
		w.noted("  linked_by: "+w.in(w.column(f), `replace: {'[A-D]A?$': ""}`), f)
	case ok:
		w.field(mapping.FieldLinkedBy, 2)
	}
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
			w.passengers(f)
		default:
			w.field(name, 2)
		}
	}
}

// passengers writes who rides along, by kind. A count of all passengers has the rider
// in it, who needs no seat beside their own.
func (w *draft) passengers(f Field) {
	w.line("  additional_passengers:")
	first := w.column(f)
	all := []*column{first}
	if !isTotal(first) {
		for {
			c := w.find(func(x *column) bool {
				return x.says("escort", "additional") && !x.says("appointment", "notes", "name", "cost") && (x.is(isCount) || x.is(isFlag)) && !isTotal(x)
			})
			if c == nil {
				break
			}
			w.used[c.Num] = true
			all = append(all, c)
		}
	}

	for _, c := range all {
		code, count := "AMB", w.name(c)
		if c.says("wheelchair") {
			code = "WCH"
		}
		why := f
		why.Ref = importer.ColumnName(c.Num)
		switch {
		case isTotal(c):
			count, why.Why = w.in(c, "less: 1"), f.Why+"; the rider seems to be one of them"
		case c.is(isFlag) && !c.is(isCount):
			count = w.in(c, "table: {Y: 1, Yes: 1, N: 0, No: 0}")
		}
		w.noted(fmt.Sprintf("    - {space_type: %s, count: %s}", code, count), why)
	}
}

// isTotal reports whether a column counts all passengers.
func isTotal(c *column) bool {
	return c.says("passengers", "rider") && !c.says("additional", "escort") && c.says("count", "passengers")
}

// read writes how dates are written, where the file tells it, and asks where it does not.
func (w *draft) read() {
	switch order, slashes := w.dateOrder(); {
	case order != "":
		w.line("read:")
		w.line("  dates: " + order + "                 # the headers or the rows leave no other order")
	case slashes:
		w.ask(Question{
			Ask: "is 3/4/2026 the fourth of March?", line: "# read: {dates: mdy}         <- is 3/4/2026 the fourth of March? then take the # off; else write dmy",
			Choices: []Choice{{"yes: the month comes first", "read: {dates: mdy}"}, {"no: the day comes first", "read: {dates: dmy}"}},
		})
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
		for _, c := range w.column(f).order {
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

// totals begins the text of a line that ends a list.
var totals = regexp.MustCompile(`(?i)^(grand |sub ?)?(total|count|page|end of|generated|printed|report)`)

// skip leaves out lines of totals.
func (w *draft) skip() {
	for _, c := range w.p.sheet.columns {
		if slices.ContainsFunc(c.order, func(v cell) bool { return totals.MatchString(v.text) }) && !c.is(isWords) && !c.says("notes", "place", "facility") {
			w.line("skip:")
			w.line("  totals: " + w.in(c, "matches: '"+totals.String()+"'"))
			return
		}
	}
}

// cancelled leaves out the rows with a word of a cancellation. Approval asks about the
// words of other rows.
func (w *draft) cancelled() {
	f, ok := w.fields[mapping.FieldCancelled]
	if !ok {
		return
	}
	c := w.column(f)
	if c.says("cancel") && !c.says("status") { // a reason stands there, or nothing
		w.line("cancelled:")
		w.noted("  cancelled: "+w.in(c, "empty: false"), f)
		return
	}

	words := []string{"cancelled", "canceled"}
	for _, v := range c.order {
		if mapping.LooksCancelled(v.text) && !slices.Contains(words, values.FoldCase(v.text)) {
			words = append(words, v.text)
		}
	}
	w.line("cancelled:")
	w.noted("  cancelled: "+w.in(c, "is: "+quotedAll(words)), f)
}

// spaceType writes the table of codes. A code that has no usual meaning is left
// to the office; until it is in the table, its rows have a fault.
func (w *draft) spaceType() {
	f, ok := w.fields[importer.FieldSpaceType]
	if !ok {
		w.decide(importer.FieldSpaceType, "which column tells wheelchairs from walkers?", nil, "AMB")
		return
	}

	var known, open []string
	seen := map[string]bool{}
	c := w.column(f)
	for _, v := range c.order {
		if key := values.FoldCase(v.text); !seen[key] && len(seen) < 20 {
			seen[key] = true
			if code := usualSpaceType(v.text); code != "" {
				known = append(known, quoted(v.text)+": "+code)
			} else {
				open = append(open, v.text)
			}
		}
	}

	if len(known) == 0 {
		known = []string{"Ambulatory: AMB", "Wheelchair: WCH"}
	}
	w.noted("  space_type: "+w.in(c, "table: {"+strings.Join(known, ", ")+"}"), f)
	if len(open) > 0 && c.is(isWords) {
		w.line("    # not in the table yet: " + strings.Join(open, ", "))
	}
}

// event writes a pickup or a dropoff, with a question where no column says
// where it is.
func (w *draft) event(side importer.Field) {
	w.line("  " + string(side) + ":")
	whole, inOne := w.fields[side.Of(mapping.FieldAddress)]
	for _, name := range mapping.FieldNames() {
		event, part := name.Split()
		switch {
		case event != side:
		case inOne && isPart(part): // the address has it, so it is listed as unused
			if f, ok := w.fields[name]; ok && w.column(whole).is(isWhole) {
				w.redundant = append(w.redundant, w.column(f).Num)
			}
		default:
			w.field(name, 4)
		}
	}

	_, other := w.fields[map[importer.Field]importer.Field{importer.FieldPickup: dropoffAppt, importer.FieldDropoff: pickupTime}[side]]
	if side == importer.FieldPickup && w.fields[pickupTime].Ref == "" && other && w.wayBack() != "" {
		w.line("    pickup_time: " + w.in(w.column(w.fields[dropoffAppt]), "when: "+w.wayBack()))
	}
	if slices.Contains(w.p.Missing, side) {
		key := mapping.FieldAddress
		for _, part := range []importer.Field{importer.FieldAddress2, importer.FieldCity, importer.FieldState, importer.FieldZip} {
			if _, ok := w.fields[side.Of(part)]; ok {
				key = importer.FieldAddress1
			}
		}
		w.askColumn(side.Of(key), 4, "where is the "+string(side)+"?", nil, "")
	}
}

// isPart reports whether a field is a part of an address that a whole one has.
func isPart(part importer.Field) bool {
	return part == importer.FieldCity || part == importer.FieldZip || part == importer.FieldAddress1
}

// willCall writes when a trip is a will call: by a flag, by words in place of a time, and
// by times that stand for one.
func (w *draft) willCall() {
	var rules []string
	if f, ok := w.fields[mapping.FieldWillCall]; ok {
		c := w.column(f)
		rule := "{when: {flag: " + w.name(c) + "}}"
		if !c.is(isFlag) && c.filled > 0 {
			rule = "{when: " + w.in(c, `matches: '(?i)^(y|yes|true|will ?call)$'`) + "}"
		}
		rules = append(rules, rule)
	}

	words, late := map[string]bool{}, false
	for _, name := range []importer.Field{pickupTime, dropoffAppt} {
		f, ok := w.fields[name]
		if !ok {
			continue
		}
		for _, v := range w.column(f).order {
			if saysWillCall(v.text) {
				words[v.text] = true
			}
			late = late || strings.Contains(v.text, "23:59") || strings.HasPrefix(v.text, "11:59 P")
		}
	}
	if len(words) > 0 {
		var list []string
		for word := range words {
			list = append(list, word)
		}
		slices.Sort(list)
		rules = append(rules, "{words: "+quotedAll(list)+"}")
	}
	if late {
		rules = append(rules, `{times: ["23:59"]}`)
	}
	if rules != nil {
		w.line("  will_call: [" + strings.Join(rules, ", ") + "]")
	}
}

// pickupOnly asks what a pickup time alone means.
func (w *draft) pickupOnly() {
	w.ask(Question{
		Ask: "is a trip with a pickup time and no appointment a Return?", line: "  # pickup_only: return      <- if a pickup time alone means a Return, take the # off",
		Choices: []Choice{{"yes", "  pickup_only: return"}, {"no: such a row is faulty", "  # pickup_only: return"}}, minor: true,
	})
}

// roundTrip writes when a row is a round trip: by a flag, or by a time for the return.
func (w *draft) roundTrip() {
	f, ok := w.fields[mapping.FieldRoundTrip]
	back, timed := w.fields[mapping.FieldReturnTime]
	if !ok && !timed {
		return
	}

	w.line("round_trip:")
	switch {
	case !ok:
		w.noted("  when: "+w.in(w.column(back), "empty: false"), back)
	case w.column(f).is(isFlag) || w.column(f).filled == 0:
		w.noted("  when: {flag: "+w.name(w.column(f))+"}", f)
	default:
		w.noted("  when: "+w.in(w.column(f), `matches: '(?i)^(y|yes|true|rt|round ?-?trip)$'`), f)
	}
	w.line(`  trip_id: {outbound: "{trip_id}-A", return: "{trip_id}-B"}`)
	w.line("  return:")
	if timed {
		w.noted("    pickup: {pickup_time: "+w.name(w.column(back))+"}", back)
	} else {
		w.line("    pickup: {}")
	}
	w.ask(Question{
		Ask: "is a return without a time a will call?", line: "    # blank_time: will_call  <- if a return without a time is a will call, take the # off",
		Choices: []Choice{{"yes", "    blank_time: will_call"}, {"no: such a row is faulty", "    # blank_time: will_call"}}, minor: true,
	})
}

// unused lists the columns of which nothing is made, with a question about each with
// which a trip may lose something.
func (w *draft) unused() {
	var unused []mapping.UnusedColumn
	for _, num := range w.redundant {
		w.used[num] = false
	}
	for _, c := range w.p.sheet.columns {
		if !w.used[c.Num] {
			unused = append(unused, mapping.UnusedColumn{Column: c.Column, Nth: c.nth})
		}
	}
	if unused == nil {
		return
	}

	w.line("unused:                      # of these columns nothing is made; a column that is neither here nor used is a notice")
	for _, u := range unused {
		risk := w.p.sheet.Risk(u.Num, unused)
		if risk == "" || slices.Contains(w.redundant, u.Num) {
			w.line(fmt.Sprintf("%-64s # %s", "  - "+u.YAML(""), w.p.sheet.Holds(u.Num)))
			continue
		}
		w.ask(Question{
			Ask: fmt.Sprintf("%v looks like %s, and nothing is made of it. leave it unused?", u, risk), Values: w.p.sheet.Samples(u.Num, 3),
			line:    "  - " + u.YAML("it looks like "+risk+". Use it, or write in place of this line  - "+u.YAML("")),
			Choices: []Choice{{"leave it unused", "  - " + u.YAML("")}},
		})
	}
}
