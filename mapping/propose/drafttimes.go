package propose

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/values"
)

// willCall writes when a trip is a will call: by a flag, by words in place of a time, or
// by times that mean a will call.
func (w *draft) willCall() {
	f, flagged := w.fields[mapping.FieldWillCall]
	calls := w.callTimes(importer.PickupTime, importer.DropoffAppt)
	rounds := w.p.has(mapping.FieldRoundTrip) || w.p.has(mapping.FieldReturnTime) // their way back may be what waits
	typed := w.find(func(c *column) bool {
		return !rounds && !w.p.isField(c) && !c.says("return") && c.callWords() != nil && len(c.distinct) > 1
	})
	if !flagged && typed == nil && !calls.any() {
		return
	}

	w.line("  will_call:")
	if typed != nil {
		w.line("    - {when: " + w.use(typed).with("is: "+quotedAll(typed.callWords())) + "}")
	}
	if flagged {
		c := w.use(f.column)
		rule := "    - {when: {flag: " + w.name(c) + "}}"
		if !c.is(isFlag) && c.filled > 0 {
			rule = "    - {when: " + w.use(c).with(`matches: '(?i)^(y|yes|true|will ?call)$'`) + "}"
		}
		w.line(rule)
	}
	w.callRules(calls, "    ")
}

// callWords returns the words of a column of few words, such as types of trips, that say will call and no more.
func (c *column) callWords() (words []string) {
	for _, v := range c.distinct {
		if values.HeaderKey(v.text) == "willcall" && c.isFewWords() && !c.is(isTime) {
			words = append(words, v.text)
		}
	}
	return words
}

// callRules writes the rules for words and times that mean a will call. It asks about
// 0:00.
func (w *draft) callRules(calls callTimes, indent string) {
	if len(calls.words) > 0 {
		w.line(indent + "- {says: " + quotedAll(calls.words) + "}")
	}
	if calls.late || calls.words == nil && calls.midnight { // a list can't be blank
		w.line(indent + `- {says: ["23:59"]}`)
	}
	if calls.midnight {
		rule := `- {says: ["00:00"]}`
		if way := w.wayBack(); way != "" {
			rule = "- {when: " + way + `, says: ["00:00"]}`
		}
		w.ask(Question{
			Ask: "does a time of 0:00 stand for a will call?", line: indent + rule + " # look: does a time of 0:00 stand for a will call?",
			Choices: []Choice{{Text: "yes", line: indent + rule}, {Text: "no: such a row has no time", line: indent + "# 0:00 is no will call"}},
		})
	}
}

// callTimes are the words and times that may mean a will call in columns of
// times.
type callTimes struct {
	words          []string // of wordsFile
	late, midnight bool     // 23:59 and 0:00 are among the times
}

func (t *callTimes) any() bool { return t.words != nil || t.late || t.midnight }

// callTimes returns what may mean a will call in the columns of the fields.
func (w *draft) callTimes(fields ...importer.Field) callTimes {
	var found callTimes
	for _, of := range w.columnsOf(fields...) {
		for _, c := range append([]*column{w.use(of)}, w.spare[of.Num]...) {
			found.add(c)
		}
	}
	return found
}

// add adds what the values of a column may mean.
func (t *callTimes) add(c *column) {
	for _, v := range c.distinct {
		if saysWillCall(v) && !slices.Contains(t.words, v.text) {
			t.words = append(t.words, v.text)
		}
		t.late = t.late || beforeMidnight.MatchString(v.text)
		t.midnight = t.midnight || atMidnight.MatchString(v.text)
	}
}

// beforeMidnight matches 23:59 as exports write it.
var beforeMidnight = regexp.MustCompile(`(?i)^(.* |.*T)?(23:?59(:?\d\d)?|11:59(:\d\d)? ?P\.?M?\.?)$`)

// atMidnight matches 0:00 as exports write it.
var atMidnight = regexp.MustCompile(`(?i)^(.* |.*T)?(0?0:00(:00)?|0{1,4}|12:00(:00)? ?A\.?M?\.?)$`)

// pickupOnly asks what a pickup time alone means.
func (w *draft) pickupOnly() {
	pickup, ok := w.fields[importer.PickupTime]
	appt, both := w.fields[importer.DropoffAppt]
	single := ok != both && w.wayBack() != ""
	if !both && !single {
		w.because("  pickup_only: return", "no column has appointments")
		return
	}
	alone := func(c *column) bool { return lacks(c, w.use(appt.column)) }
	if !single && (!ok || !both || !alone(w.use(pickup.column)) && !slices.ContainsFunc(w.spare[w.use(pickup.column).Num], alone)) {
		return
	}
	w.ask(Question{
		Ask:     "is a trip with a pickup time and no appointment a Return?",
		Choices: []Choice{{Text: "yes", line: "  pickup_only: return"}, {Text: "no: such a row is faulty", line: "  # pickup_only: return"}},
	})
}

// dated returns a time, with its date if only the cell of another time has the day.
func (w *draft) dated(c *column, value string) string {
	if w.p.has(importer.FieldDate) || c.is(isDateTime) || w.withDay() == nil {
		return value
	}
	return "[" + w.name(w.withDay()) + ", " + value + "]"
}

// lacks reports whether some row has a value in one column and none in the other.
func lacks(has, other *column) bool {
	for i := range has.given {
		if has.given[i] && !other.given[i] {
			return true
		}
	}
	return false
}

// roundTrip writes when a row is a round trip: by a flag, or by a time for the return. Where each way has a
// row of its own, a flag alone says which way it is.
func (w *draft) roundTrip() {
	f, ok := w.fields[mapping.FieldRoundTrip]
	_, timed := w.fields[mapping.FieldReturnTime]
	switch {
	case !timed && (!ok || strings.Contains(w.text.String(), "\n  linked_by: ")):
	case timed || f.says("roundtrip") || !f.says("return"):
		w.writeRoundTrip()
	default: // the row may be the return
		both := &draft{p: w.p, fields: w.fields, used: w.used, spare: w.spare}
		both.writeRoundTrip()
		ask := fmt.Sprintf("is a row with yes in %q two trips, there and back?", f.Header)
		w.ask(Question{Ask: ask, line: openLine("round_trip: {when: {flag: "+f.name+"}, return: {pickup: {}}}", ask), Choices: []Choice{
			{Text: "yes: two trips", line: both.lines()}, {Text: "no: it is one trip, the way back", line: "# each way has a row of its own"},
		}})
		w.later = append(w.later, both.questions...)
	}
}

// roundWords match the words of a round trip.
const roundWords = `r/?t|round( ?-?trip)?|[a-z]+ (&|and|/) return|(viaje )?redondo|ida y vuelta`

// writeRoundTrip writes when a row is a round trip, and its return.
func (w *draft) writeRoundTrip() {
	f, ok := w.fields[mapping.FieldRoundTrip]
	back, timed := w.fields[mapping.FieldReturnTime]
	w.line("round_trip:")
	switch {
	case !ok:
		w.noted("  when: "+w.use(back.column).with("filled: yes"), back)
	case w.use(f.column).is(isFlag) || w.use(f.column).filled == 0:
		w.noted("  when: {flag: "+w.name(f.column)+"}", f)
	default:
		w.noted("  when: "+w.use(f.column).with(`matches: '(?i)^(y|yes|true|`+roundWords+`)$'`), f)
	}
	w.line("  return:")
	if timed {
		w.noted("    pickup: {pickup_time: "+w.returnTime(w.use(back.column))+"}", back)
	} else {
		w.line("    pickup: {}")
	}
	rule := "    will_call: {says: (empty)}"
	if calls := w.callTimes(mapping.FieldReturnTime); calls.any() {
		w.line("    will_call:")
		w.callRules(calls, "      ")
		rule = "      - {says: (empty)}"
	}
	if timed && (!ok || !lacks(w.use(f.column), w.use(back.column))) {
		return
	}
	w.ask(Question{
		Ask:     "is a return without a time a will call?",
		Choices: []Choice{{Text: "yes", line: rule}, {Text: "no: such a row is faulty", line: "    # a return without a time is a fault"}},
	})
}

// returnTime returns the time of the return, with its day if that has a column of its own.
func (w *draft) returnTime(c *column) string {
	date := cmp.Or(w.fields[importer.FieldDate].column, w.withDay())
	day := w.find(func(x *column) bool { return x != c && x.says("return") && x.is(isDate) })
	if date == nil || day == nil {
		return w.dated(c, w.name(c))
	}
	return "[{first: " + w.joined(day, date) + "}, " + w.name(c) + "]"
}

// mayBeAppointment reports whether the only time of the file is taken for the
// pickup's although its header does not say so. A wrong guess would bring the rider late.
func (w *draft) mayBeAppointment() bool {
	const unsure = 0.8
	f, ok := w.fields[importer.PickupTime]
	_, both := w.fields[importer.DropoffAppt]
	return ok && !both && f.Sure < unsure && w.wayBack() == "" && f.side() == ""
}

// noAppointment is the dropoff's line of a draft in which no column is sure to have the time of the pickup.
const noAppointment = "    # appt_time: Header of the column     <- if one has the time of the appointment"

// askForTime asks which column has the time of the pickup, or that of the appointment alone.
func (w *draft) askForTime(side importer.Field) {
	if side == importer.FieldDropoff {
		w.line(noAppointment)
		return
	}
	w.askColumn(importer.PickupTime, 4, whichColumn()[importer.PickupTime], nil, "", w.withAppointment()...)
}

// withAppointment offers the columns that may have the time of the pickup as that of the appointment alone.
func (w *draft) withAppointment() (more []Choice) {
	for _, c := range w.likely(importer.PickupTime) {
		appointment := [2]string{noAppointment, "    appt_time: " + c.name}
		more = append(more, Choice{"no column: " + c.String() + " is the time of the appointment", "    # no column has the time of the pickup", appointment})
	}
	return more
}
