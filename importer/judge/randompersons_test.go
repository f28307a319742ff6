package judge_test

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// answers lets an honest person work through a part of a list, which may be an old one.
func (o *office) answers(list []item) {
	for i := range list {
		if o.draw(3) > 0 {
			continue
		}
		it := &list[i]
		d := &it.decision
		a := importer.Answer{Trip: d.Outcome.Attempt, Row: d.Outcome.RowNumber, Leg: it.leg, Saw: d.Outcome.Saw, Shown: d.Outcome.State, Who: "Ann", At: o.now}
		if d.Outcome.State == importer.Held {
			a.Trip, a.Other, a.Question = 0, a.Trip, d.Outcome.Question
		}
		then := func() {}
		_, leaves := importer.LeaveIt.RuleOf(&d.Outcome)
		_, books := importer.Book.RuleOf(&d.Outcome)
		_, hand := importer.BookedByHand.RuleOf(&d.Outcome)
		_, meant := importer.Meant.RuleOf(&d.Outcome)
		switch {
		case judge.Asks(&d.Outcome) && o.draw(16) == 0:
			a.In = fmt.Sprintf("list%d.xlsx", o.draw(3))
			a.Note, a.Where = "ask Dana", a.In+", B2"
		case meant && o.draw(4) == 0:
			a.Verdict = importer.Meant
		case leaves && o.draw(5) == 0 && (!d.Outcome.Contradicted || !d.Outcome.State.Booked()): // who leaves that has looked
			a.Verdict, then = importer.LeaveIt, o.leaves(it)
		case books && o.draw(2) == 0 && o.byHand[it.way()] == nil:
			a.Verdict = importer.Book
		case hand && o.draw(3) == 0 && o.mayBook(it):
			a.Verdict, then = importer.BookedByHand, o.booksByHand(it)
		default:
			if a.Verdict, then = o.does(it); a.Verdict == importer.NoVerdict {
				continue
			}
		}
		about := it.way()
		if about != (way{}) {
			own := ownOf("", &it.row.Trips[d.Leg])
			a.Pickup, a.Dropoff = own.Pickup, own.Dropoff
			if a.Shown.Missing() {
				a.Day = it.row.Trips[d.Leg].Date()
			}
		}
		looked := a.Trip != 0 && o.trips[a.Trip-1].Said != nil && o.trips[a.Trip-1].Said.Verdict == importer.NotThere
		refused := o.take(a)
		o.t.Logf("answer about trip %d, row %d %s: %s, %v", a.Trip, a.Row, a.Leg.Code(), a.Verdict, refused)
		wants := a.Verdict != importer.LeaveIt && a.Verdict != importer.NotThere && a.Shown != importer.CancelByHand
		// The same answer on an older list is none about what was left since, nor is one that the other trip was cancelled, if it
		// is contradicted and the row was sent and left since, nor one that contradicts whether a trip is there.
		w := o.left[about]
		takesBack := refused == nil && wants && a.Saw >= w.event || refused != nil && refused.Waits && a.Verdict != importer.CancelledThere && !looked
		if about != (way{}) && takesBack && (w.begins.IsZero() || w.begins.Date == it.row.Trips[d.Leg].Date()) { // what was left of another day stays left
			delete(o.left, about)
		}
		if refused == nil || a.Verdict == importer.CancelledThere || a.Verdict == importer.DoneByHand { // who says so has done it
			then()
		}
	}
}

// way returns the trip of a row that an item is about; none if it is about a trip that its row does not make.
func (it *item) way() way {
	d := &it.decision
	if it.row == nil || d.Leg < 0 || d.Leg >= len(it.row.Trips) {
		return way{}
	}
	return way{strings.TrimLeft(it.row.Key.ID, "0"), placesOf(&it.row.Trips[d.Leg])}
}

// hand returns the car of an item that says to cancel what a person booked by hand; nil for any other item.
func (it *item) hand(o *office) *car {
	d := &it.decision
	if it.row == nil || d.Outcome.State != importer.CancelByHand || d.Outcome.Attempt != 0 {
		return nil
	}
	about := it.way()
	if d.Leg < 0 {
		about = way{strings.TrimLeft(it.row.Key.ID, "0"), map[bool]string{true: "90 Elm St>12 Elm St", false: "12 Elm St>90 Elm St"}[it.leg == importer.ReturnLeg]}
	}
	return o.byHand[about]
}

// leaves returns what follows from it that a person wants an item left.
func (o *office) leaves(it *item) func() {
	about := it.way()
	if c := it.hand(o); c != nil {
		return func() { c.unwanted = true }
	}
	if about == (way{}) {
		return func() {}
	}
	t := &it.row.Trips[it.decision.Leg]
	switch c := o.cars[it.decision.Outcome.Attempt]; it.decision.Outcome.State {
	case importer.ChangeByHand, importer.ChangeUnknown:
		return func() { c.asItIs, c.fixed = t.Time(), c.fixed || it.fixed }
	case importer.CancelByHand:
		return func() {}
	}
	return func() {
		if c := o.byHand[about]; c != nil { // it stays as it is, whatever becomes of its row
			c.unwanted = true
		}
		if was, left := o.left[about]; left && was.event > it.decision.Outcome.Saw {
			return // the same was said before, about a newer list
		}
		w := wish{t.RiderID, t.Time(), o.event}
		if it.fixed { // what the schedule had is not what the row shows
			w.begins = importer.DateTime{}
		}
		o.left[about] = w
	}
}

// handCar returns the car of an item that a person books by hand, if there is one.
func (o *office) handCar(it *item) *car {
	if it.decision.Outcome.State == importer.Held || it.decision.Outcome.Attempt == 0 {
		return o.byHand[it.way()]
	}
	return o.cars[it.decision.Outcome.Attempt]
}

// mayBook reports whether a person who looks in the service books an item by hand: it is not there yet, and
// the list does not say that a newer one has something else, or does not want it.
func (o *office) mayBook(it *item) bool {
	c := o.handCar(it)
	return it.newest() && it.way() != (way{}) && it.row.LeftOut == "" && (c == nil || !c.active || it.decision.Outcome.Question == importer.AskAgain)
}

// newest reports that the list does not say that a newer schedule has something else.
func (it *item) newest() bool {
	reason := it.decision.Outcome.Reason
	return !slices.ContainsFunc([]string{"work with its results", "does not have it", "has it cancelled", "leaves it out"}, func(s string) bool { return strings.Contains(reason, s) })
}

// booksByHand returns what follows from it that a person books an item's trip in the service, as the item has
// it, or changes it there to that.
func (o *office) booksByHand(it *item) func() {
	t := &it.row.Trips[it.decision.Leg]
	return func() {
		c := o.handCar(it)
		if c == nil {
			c = &car{order: it.way().order, way: it.way().places}
			o.byHand[it.way()] = c
		}
		c.unwanted = false
		c.active, c.begins, c.rider, c.with, c.fixed = true, t.Time(), t.RiderID, t.Provider, c.fixed || it.fixed
	}
}

// does returns what an honest person answers about an item, and what they do in the service for it.
func (o *office) does(it *item) (importer.Verdict, func()) {
	d := &it.decision
	c := o.cars[d.Outcome.Attempt]
	if hand := it.hand(o); hand != nil {
		c = hand
	}
	if c == nil {
		return importer.NoVerdict, nil
	}
	switch d.Outcome.State {
	case importer.Unknown:
		if c.active {
			return importer.There, func() {}
		}
		return importer.NotThere, func() {}
	case importer.CancelByHand:
		return importer.DoneByHand, func() { c.active = false }
	case importer.ReinstateByHand:
		return importer.DoneByHand, func() { c.active = true }
	case importer.ChangeByHand, importer.ChangeUnknown:
		if it.way() == (way{}) || !it.newest() {
			return importer.NoVerdict, nil
		}
		t := &it.row.Trips[d.Leg]
		looks := d.Outcome.Back || d.Outcome.Contradicted
		return importer.DoneByHand, func() {
			c.begins, c.rider, c.fixed, c.active = t.Time(), t.RiderID, c.fixed || it.fixed, c.active || looks
		}
	case importer.Held:
		if hand := o.byHand[it.way()]; hand != nil && hand.active {
			return importer.NoVerdict, nil
		}
		if d.Outcome.Question == importer.AskRider && o.draw(2) == 0 {
			t := &it.row.Trips[d.Leg]
			return importer.DoneByHand, func() {
				c.begins, c.rider, c.fixed, c.active = t.Time(), t.RiderID, c.fixed || it.fixed, c.active || d.Outcome.Contradicted
			}
		}
		if d.Outcome.Question != importer.AskAgain {
			return importer.CancelledThere, func() { c.active = false }
		}
	}
	return importer.NoVerdict, nil
}
