package nightly

import (
	"cmp"
	"fmt"

	"tripimport/importer"
	"tripimport/importer/results"
)

// addTo adds a trip to those that wait for the same answer, of which the first is the most urgent one, or by itself.
func addTo(all [][]*results.OpenItem, item *results.OpenItem) [][]*results.OpenItem {
	why := sharedBy(item)
	for i := range all {
		if why != "" && sharedBy(all[i][0]) == why {
			all[i] = append(all[i], item)
			return all
		}
	}
	return append(all, []*results.OpenItem{item})
}

// sharedBy identifies what holds a trip as it holds others, so that it is said once: a guard, a word that nobody has
// approved, or what was answered or printed. It is empty for a trip that waits alone.
func sharedBy(item *results.OpenItem) string {
	switch o := &item.Outcome; {
	case o.Question == importer.AskWord:
		return item.Input + item.Problem
	case o.Guarded, o.Contradicted, o.Question == importer.AskAgain, o.State == importer.NotSent:
		return item.Input + o.Reason
	}
	return ""
}

// actOn says when the first of so many trips is due, what is wrong, where it stands, what to do, and what to type. It
// has nothing of the trip itself.
func actOn(item *results.OpenItem, trips int, due importer.DateTime, workbook string) string {
	o := &item.Outcome
	what, do := item.Status(), "phone the transportation provider"
	switch {
	case o.Question == importer.AskWord && !o.Contradicted:
		what, do = "nobody has approved a word of its row", "ask the broker what it means"
	case o.Contradicted, o.Question == importer.AskAgain:
		what, do = "it waits for an answer that holds", "read there why"
	case o.State == importer.Unknown:
		do = "look for it in the service"
	case o.State == importer.ReinstateByHand:
		do = "reinstate it in the service"
	case o.Back:
		what, do = "was listed to be cancelled, and is back", "look in the service, and reinstate it if somebody cancelled it"
	case o.Guarded:
		what, do = o.Reason, "import the schedule at a terminal, which asks, or change each there"
	case o.State == importer.ChangeUnknown:
		what, do = "its new time or place may not be in the service", "look for it there, and change it if it is not so"
	case o.State.Booked():
		what, do = "its new time or place is not in the service", "change it there"
	case o.TooLate:
		do = "phone the transportation provider now"
	case o.State == importer.NotSent: // the night still tries to send it
		do = "take its schedule out of the inbox, or it is booked as well, phone the transportation provider"
	case o.Question != importer.NoQuestion:
		what, do = o.Question.String(), "compare both trips"
	}
	do = importer.Joined(", then type ", do, o.VerdictWords())
	if len(item.Faulty) > 0 {
		do += "; or fix it in that line, and retry the workbook"
	}
	which := cmp.Or(item.Trip.Leg.String(), "trip")
	if trips > 1 {
		which = fmt.Sprintf("the first of %d trips", trips)
	}
	return fmt.Sprintf("%s %s, %s: %s. Line %d of %s: %s.", due.TimeOfDay, due.Spoken(), which, what, item.Line, workbook, do)
}
