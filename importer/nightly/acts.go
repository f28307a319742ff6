package nightly

import (
	"cmp"
	"fmt"

	"tripimport/importer"
	"tripimport/importer/results"
)

// act returns the sentence about an urgent item: when the trip is due, what is wrong, where it
// stands, what to do, and what to type. It has nothing of the trip itself.
func act(item *results.OpenItem, due importer.DateTime, workbook string) string {
	o := &item.Outcome
	which, what, do := cmp.Or(item.Trip.Leg.String(), "trip"), item.Status(), "phone the transportation provider, or fix it in that line"
	switch {
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
