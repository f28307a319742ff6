package nightly

import (
	"cmp"
	"fmt"

	"tripimport/importer"
	"tripimport/importer/results"
)

// sharedBy identifies what holds a trip together with others, so that one answer is about all of them: a guard, or a
// word that nobody has approved. It is empty for a trip that waits alone.
func sharedBy(item *results.OpenItem) string {
	switch o := &item.Outcome; {
	case o.Guarded:
		return item.Input + o.Reason
	case o.Question == importer.AskWord:
		return item.Input + item.Problem
	}
	return ""
}

// act returns the sentence about an urgent item: when the trip is due, what is wrong, where it
// stands, what to do, and what to type. It has nothing of the trip itself.
func act(item *results.OpenItem, due importer.DateTime, workbook string) string {
	o := &item.Outcome
	which, what, do := cmp.Or(item.Trip.Leg.String(), "trip"), item.Status(), "phone the transportation provider, or fix it in that line"
	switch {
	case o.Question == importer.AskWord:
		which, do = "the first trip with a new word", "ask the broker what it means"
		what = "nobody has approved it"
		if o.Contradicted {
			what = "answers about it contradict each other"
		}
	case o.Contradicted, o.Question == importer.AskAgain:
		what, do = "it waits for an answer that holds", "look in the service"
	case o.State == importer.Unknown:
		do = "look for it in the service"
	case o.State == importer.ReinstateByHand:
		do = "reinstate it in the service"
	case o.Back:
		what, do = "was listed to be cancelled, and is back", "look in the service, and reinstate it if somebody cancelled it"
	case o.Guarded:
		which, what, do = "the first of several", o.Reason, "import the schedule at a terminal, which asks, or change each there"
	case o.State.Booked():
		what, do = "its new time or place is not in the service", "change it there"
	case o.TooLate:
		do = "phone the transportation provider now"
	case o.Question != importer.NoQuestion:
		what, do = o.Question.String(), "compare both trips"
	}
	if words := o.VerdictWords(); words != "" {
		do += ", then type " + words
	}
	return fmt.Sprintf("%s %s, %s: %s. Line %d of %s: %s.", due.TimeOfDay, due.Spoken(), which, what, item.Line, workbook, do)
}
