package results

import (
	"testing"

	"tripimport/importer"
)

// A will call stands where its row's other leg is due, and not at the end of the day; what has no time comes last.
func TestItemsInOrder(t *testing.T) {
	at := func(hour int) importer.DateTime {
		return importer.DateTime{Date: importer.Date{Year: 2026, Month: 12, Day: 2}, TimeOfDay: importer.TimeOfDay{Hour: hour}}
	}
	item := func(file string, begins, due importer.DateTime) OpenItem {
		return OpenItem{File: file, TripResult: importer.TripResult{Outcome: importer.Outcome{Begins: begins, DueAt: due}}}
	}
	items := []OpenItem{
		item("no time", importer.DateTime{}, importer.DateTime{}),
		item("noon", at(12), importer.DateTime{}),
		item("will call", importer.WillCallOn(at(5).Date), at(5)),
		item("six", at(6), at(6)),
	}
	sortItems(items)
	for i, want := range []string{"will call", "six", "noon", "no time"} {
		if items[i].File != want {
			t.Errorf("%q is at %d, want %q", items[i].File, i, want)
		}
	}
}
