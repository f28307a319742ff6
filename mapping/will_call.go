package mapping

import (
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A willCallRule says when a trip is a will call. It applies if all its parts do.
type willCallRule struct {
	when  test
	says  bool // the rule asks what stands in place of a time
	times []importer.TimeOfDay
	words []string
	empty bool // or nothing does
}

// tripTimes are what a row says about the times of a trip.
type tripTimes struct{ pickup, appt rawTime }

func (c *compiler) willCallRules(specs []willCall) []willCallRule {
	var rules []willCallRule
	for _, s := range specs {
		if len(s.Says) == 0 && (s.When == nil || s.Says != nil) {
			c.finding(s.position, "this does not say when a trip is a will call", "add when, says or both, or take it out")
			continue
		}
		rule := willCallRule{says: s.Says != nil}
		decide := func() { rule.when = c.condition(s.When, &columnList{}) }
		if s.When != nil && s.When.Flag != nil {
			c.note(FieldWillCall, decide)
		} else {
			decide()
		}
		for _, t := range s.Says {
			at, bad := c.dates.TimeOfDay(t.Value)
			switch {
			case values.FoldCase(t.Value) == "":
				c.finding(t.position, "no text stands here", "write "+emptyWord+" where neither time is given")
			case values.FoldCase(t.Value) == emptyWord:
				rule.empty = true
			case bad == nil:
				rule.times = append(rule.times, at)
			default:
				rule.words = append(rule.words, values.FoldCase(t.Value))
			}
		}
		rules = append(rules, rule)
	}
	return rules
}

// isWillCall reports whether one of the rules applies.
func (m *legMaker) isWillCall(r *rowContext, times *tripTimes) bool {
	r.field = importer.FieldTripType
	return slices.ContainsFunc(m.willCall, func(rule willCallRule) bool {
		return (!rule.says || rule.isSaid(times)) && rule.when(r) == yes
	})
}

// isSaid reports whether one of the rule's times or words stands in place of a time, or
// nothing where the rule says so.
func (rule *willCallRule) isSaid(times *tripTimes) bool {
	first := &times.pickup
	if !first.given {
		first = &times.appt
	}
	return slices.ContainsFunc(rule.times, first.shows) ||
		times.pickup.says(rule.words) || times.appt.says(rule.words) ||
		rule.empty && !first.given && !times.pickup.reported && !times.appt.reported
}

// makeWillCall makes the trip a will call on its date: at 23:59 and without an
// appointment. Any other time in the row is disregarded, with a notice.
func (m *legMaker) makeWillCall(r *rowContext, t *importer.Trip, times *tripTimes) {
	t.Type = importer.WillCall
	r.field = importer.PickupTime
	date, timeCol := times.pickup.date, times.pickup.col
	if !date.known && date.bad == nil && times.appt.date.known {
		date, timeCol = times.appt.date, times.appt.col
	}

	switch {
	case date.known:
		t.Pickup.PickupTime = importer.WillCallOn(date.date)
	case date.bad == nil && !date.reported && times.pickup.bad != nil:
		r.unreadable(times.pickup.bad, times.pickup.col)
	case date.bad == nil && !date.reported:
		r.report("date-missing", "a will call needs its date", "fill in the date; or, if other times have the day, say which column has it with date: under trip: in the mapping", date.col, timeCol)
	default:
		date.resolve(r, timeCol)
	}

	m.noticeDisregarded(r, &times.pickup, importer.PickupTime)
	m.noticeDisregarded(r, &times.appt, importer.DropoffAppt)
}

// noticeDisregarded adds a notice that a time beside a will call is disregarded,
// except for the times and words with which exports say that there is no time.
func (m *legMaker) noticeDisregarded(r *rowContext, raw *rawTime, field importer.Field) {
	if !raw.given || !raw.isTime && raw.date.known && raw.date.col == raw.col || raw.shows(importer.TimeOfDay{}) || raw.shows(importer.TimeOfDay{Hour: 23, Minute: 59}) {
		return
	}
	if slices.ContainsFunc(m.willCall, func(rule willCallRule) bool { return raw.says(rule.words) }) {
		return
	}
	r.field = field
	shown := raw.text
	if raw.isTime {
		shown = raw.time.String()
	}
	r.report("will-call-time", fmt.Sprintf("this is a will call: %s is disregarded", shown), "if the time is right, remove the will call from the row", raw.col)
}
