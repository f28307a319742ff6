package propose

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
)

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

	words, late, midnight := w.callTimes()
	if len(words) > 0 {
		rules = append(rules, "{words: "+quotedAll(words)+"}")
	}
	if late {
		rules = append(rules, `{times: ["23:59"]}`)
	}
	line := "  will_call: [" + strings.Join(rules, ", ") + "]"
	if !midnight {
		if rules != nil {
			w.line(line)
		}
		return
	}

	rule := `{times: ["00:00"]}`
	if way := w.wayBack(); way != "" {
		rule = "{when: " + way + `, times: ["00:00"]}`
	}
	with := "  will_call: [" + strings.Join(append(rules, rule), ", ") + "]"
	if rules == nil {
		line = "  # no time stands for a will call"
	}
	w.ask(Question{
		Ask: "does a time of 0:00 stand for a will call?", line: with + " # look: does a time of 0:00 stand for a will call?",
		Choices: []Choice{{"yes", with}, {"no: such a row has no time", line}},
	})
}

// callTimes returns what stands for a will call in place of times: words, and whether
// 23:59 and 0:00 are among the times.
func (w *draft) callTimes() (words []string, late, midnight bool) {
	for _, name := range []importer.Field{pickupTime, dropoffAppt} {
		f, ok := w.fields[name]
		if !ok {
			continue
		}
		for _, v := range w.column(f).order {
			if saysWillCall(v.text) && !slices.Contains(words, v.text) {
				words = append(words, v.text)
			}
			late = late || strings.Contains(v.text, "23:59") || strings.HasPrefix(v.text, "11:59 P")
			midnight = midnight || atMidnight.MatchString(v.text)
		}
	}
	return words, late, midnight
}

// atMidnight matches 0:00 as exports write it.
var atMidnight = regexp.MustCompile(`^(.* |.*T)?(0?0:00(:00)?|0{1,4}|12:00(:00)? ?AM)$`)

// pickupOnly asks what a pickup time alone means.
func (w *draft) pickupOnly() {
	pickup, ok := w.fields[pickupTime]
	appt, both := w.fields[dropoffAppt]
	single := ok != both && w.wayBack() != ""
	if ok && !both && !single {
		w.line(fmt.Sprintf("%-64s # no column has appointments", "  pickup_only: return"))
		return
	}
	if !single && (!ok || !both || !lacks(w.column(pickup), w.column(appt))) {
		return
	}
	w.ask(Question{
		Ask: "is a trip with a pickup time and no appointment a Return?", line: "  # pickup_only: return      <- if a pickup time alone means a Return, take the # off",
		Choices: []Choice{{"yes", "  pickup_only: return"}, {"no: such a row is faulty", "  # pickup_only: return"}}, minor: true,
	})
}

// lacks reports whether a row has a value in one column and none in the other.
func lacks(has, other *column) bool {
	for i := range has.given {
		if has.given[i] && !other.given[i] {
			return true
		}
	}
	return false
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
	if timed && ok && !lacks(w.column(f), w.column(back)) {
		return
	}
	w.ask(Question{
		Ask: "is a return without a time a will call?", line: "    # blank_time: will_call  <- if a return without a time is a will call, take the # off",
		Choices: []Choice{{"yes", "    blank_time: will_call"}, {"no: such a row is faulty", "    # blank_time: will_call"}}, minor: true,
	})
}
