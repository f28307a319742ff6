package importer

import "strings"

// Urgency returns the urgency of the outcome. An outcome is ActNow in the run that finds
// it first; in later runs it is Listed, or ToSend if the trip is not booked. When the
// trip is Soon, everything that is open is ActNow once more. When the trip is Past, a
// trip that an earlier run booked or may have booked needs no action.
func (o *Outcome) Urgency() Urgency {
	u := o.firstUrgency()
	switch {
	case u == NoAction:
		return NoAction
	case o.Soon && !o.Raised:
		return ActNow
	case o.Past && o.Attempt != 0 && o.Attempts == 0 && !o.State.Missing():
		return NoAction
	case u == ActNow && o.Raised && o.State.Missing():
		return ToSend
	case u == ActNow && o.Raised:
		return Listed
	}
	return u
}

// Due returns the Urgency that the outcome has if no earlier run has raised it.
func (o *Outcome) Due() Urgency {
	first := *o
	first.Raised = false
	return first.Urgency()
}

// firstUrgency returns the urgency of the outcome in the run that finds it first, without
// regard to the time.
func (o *Outcome) firstUrgency() Urgency {
	if o.State == Updated && o.Misplaced || o.Moved || o.Superseded {
		return Listed
	}
	if o.TooLate || o.HalfBooked && o.State != NotSent || o.GUIDMissing || o.Question.actNow() {
		return ActNow // the missing leg of a run that was stopped is sent by the next one
	}
	if o.State == Unknown && o.Answered { // not there: a later run sends it
		return ToSend
	}
	if o.Question == AskWord && o.State.Booked() { // the word may mean that the trip is cancelled
		return max(Listed, o.State.Urgency())
	}
	return o.State.Urgency()
}

// An Item identifies something urgent that a run raised. A ledger stores items, so that
// none is raised twice.
type Item struct {
	// Kind is a code that says what is urgent, and whether the reason is that the trip is
	// Soon.
	Kind string
	// Attempt is Outcome.Attempt. An answer about the attempt closes the item. It is 0 if
	// the trip was not sent.
	Attempt int64
	// Trip identifies a trip that is not booked; empty for others. It may be row
	// content.
	Trip string
}

// Item returns the item of a trip whose Urgency is ActNow. It reports false for a trip
// that nothing identifies; such a trip is raised by each run.
func (t *TripResult) Item() (Item, bool) {
	o := &t.Outcome
	item := Item{Kind: o.State.Code(), Attempt: o.Attempt}
	switch {
	case o.State.Urgency() == ActNow:
	case o.TooLate:
		item = Item{Kind: "too_late"}
	case o.HalfBooked:
		item = Item{Kind: "half_booked"}
	case o.GUIDMissing:
		item.Kind = "guid_missing"
	case o.Question != NoQuestion:
		item.Kind = o.Question.Code()
	}
	if o.Soon {
		item.Kind += " soon"
	}

	if item.Attempt == 0 || o.State.Missing() {
		item.Trip = strings.Join([]string{t.Trip.Provider, t.Trip.ID, t.Trip.Leg.Code(), t.Trip.Date().String()}, "\x00")
		return item, t.Trip.ID != ""
	}
	return item, true
}
