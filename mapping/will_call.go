package mapping

import (
	"fmt"
	"slices"

	"tripimport/importer"
)

// A willCallRule is a rule for will calls; it holds where all its parts do.
type willCallRule struct {
	when   func(*rowContext) verdict
	times  []importer.TimeOfDay
	words  []string
	noTime bool
}

func (c *compiler) willCalls(p *legMaker) {
	for i := range p.spec.WillCall {
		s := &p.spec.WillCall[i]
		if s.When == nil && s.Times == nil && s.Words == nil && !s.NoTime {
			continue
		}
		plan := willCallRule{when: c.condition(s.When), words: foldCases(s.Words), noTime: s.NoTime}
		for _, t := range s.Times {
			at, bad := c.dates.TimeOfDay(t.Value)
			if bad != nil {
				c.finding(t.position, bad.Message, "write it as \"00:00\"")
			}
			plan.times = append(plan.times, at)
		}
		p.willCall = append(p.willCall, plan)
	}
}

// isWillCall reports whether one of the rules holds.
func (p *legMaker) isWillCall(r *rowContext, pickup, appt rawTime) bool {
	r.field = importer.FieldTripType
	for i := range p.willCall {
		if p.willCall[i].holds(r, pickup, appt) {
			return true
		}
	}
	return false
}

func (w *willCallRule) holds(r *rowContext, pickup, appt rawTime) bool {
	first := pickup
	if !pickup.given {
		first = appt
	}
	switch {
	case w.noTime && (first.given || first.reported || appt.reported):
		return false
	case w.times != nil && (!first.timed || !slices.ContainsFunc(w.times, first.shows)):
		return false
	case w.words != nil && !pickup.says(w.words) && !appt.says(w.words):
		return false
	}
	return w.when(r) == yes
}

// shows compares to the minute: 23:59:59 is 23:59.
func (s rawTime) shows(t importer.TimeOfDay) bool {
	return s.time.Hour == t.Hour && s.time.Minute == t.Minute
}

func (s rawTime) says(words []string) bool { return s.given && isAnyOf(s.text, words) }

// makeWillCall makes the trip a will call on its own date: 23:59, without an
// appointment time, whatever time stands beside the flag.
func (p *legMaker) makeWillCall(r *rowContext, t *importer.Trip, pickup, early, appt rawTime) {
	t.Pickup.Appt = importer.DateTime{}
	t.Type = importer.WillCall
	r.field = pickupTime
	day, timeCol := pickup.day, pickup.col
	if !day.known && appt.day.known {
		day, timeCol = appt.day, appt.col
	}
	switch {
	case day.known:
		t.Pickup.PickupTime = importer.WillCallOn(day.date)
	case day.bad == nil && !day.reported && pickup.bad != nil:
		r.unreadable(pickup.bad, pickup.col)
	case day.bad == nil && !day.reported:
		r.fault(codeDateMissing, "a will call needs its date", "fill in the date", day.col, timeCol)
	default:
		day.settle(r, timeCol)
	}
	p.noticeDisregarded(r, pickup, pickupTime)
	p.noticeDisregarded(r, early, pickupAppt)
	p.noticeDisregarded(r, appt, dropoffAppt)
}

// noticeDisregarded says that a time beside a will call is disregarded, unless it is one
// that exports put there for want of a time.
func (p *legMaker) noticeDisregarded(r *rowContext, s rawTime, field importer.Field) {
	if !s.given || s.timed && (s.shows(importer.TimeOfDay{}) || s.shows(importer.TimeOfDay{Hour: 23, Minute: 59})) {
		return
	}
	for i := range p.willCall {
		if s.says(p.willCall[i].words) {
			return
		}
	}
	r.field = field
	shown := s.text
	if s.timed {
		shown = s.time.String()
	}
	r.notice(codeWillCallTime, fmt.Sprintf("this is a will call: %s is disregarded", shown), "if the time is meant, take the will call off the row", s.col)
}
