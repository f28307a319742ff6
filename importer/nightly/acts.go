package nightly

import (
	"cmp"
	"fmt"

	"tripimport/importer"
	"tripimport/importer/results"
)

// An act is what a person has to do at once about a trip, or about trips of a schedule that wait for the same.
type act struct {
	first    *results.OpenItem // the most urgent one
	trips    int
	what, do string
}

// addAct adds a trip to those that wait for the same, so that it is said once, or by itself.
func addAct(all []act, item *results.OpenItem) []act {
	o := &item.Outcome
	what, do := actOn(item)
	for i := range all {
		shared := o.Guarded || o.Contradicted || o.Question == importer.AskWord || o.Question == importer.AskAgain || o.State == importer.NotSent && !o.TooLate
		if a := &all[i]; shared && a.first.Input == item.Input && a.what == what && a.do == do {
			a.trips++
			return all
		}
	}
	return append(all, act{item, 1, what, do})
}

// actOn says what is wrong with a trip, and what to do. It has nothing of the trip itself.
func actOn(item *results.OpenItem) (what, do string) {
	o := &item.Outcome
	what, do = item.Status(), "phone the transportation provider"
	switch {
	case o.Contradicted, o.Question != importer.NoQuestion && o.State != importer.Unknown:
		what, do = "it waits for an answer", "read there what is asked"
	case o.State == importer.Unknown, o.State == importer.ChangeUnknown:
		do = "look in the service"
	case o.State == importer.ReinstateByHand:
		do = "reinstate it in the service"
	case o.Back:
		what, do = "was listed to be cancelled, and is back", "look in the service, and reinstate it if somebody cancelled it"
	case o.Guarded:
		what, do = o.Reason, "import the schedule at a terminal, which asks, or change each there"
	case o.State.Booked():
		what, do = "its new time or place is not in the service", "change it there"
	case o.State == importer.NotSent && !o.TooLate: // the night still tries to send it
		do = "take its schedule out of the inbox, or it is booked as well, phone the transportation provider"
	}
	do = importer.Joined(", then type ", do, o.VerdictWords())
	if len(item.Faulty) > 0 {
		do += "; or fix it in that line, and retry the workbook"
	}
	return what, do
}

// sentence says when the first of the trips is due, what is wrong, where it stands, and what to do and to type.
func (a *act) sentence(due importer.DateTime, workbook string) string {
	which := cmp.Or(a.first.Trip.Leg.String(), "trip")
	if a.trips > 1 {
		which = fmt.Sprintf("the first of %d trips", a.trips)
	}
	return fmt.Sprintf("%s %s, %s: %s. Line %d of %s: %s.", due.TimeOfDay, due.Spoken(), which, a.what, a.first.Line, workbook, a.do)
}
