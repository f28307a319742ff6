package run

import (
	"hash/maphash"

	"tripimport/importer"
)

// linkedTrips are what became of trips on different rows that the mapping's linked_by ties together, by
// digests of what links them, which may be row content.
type linkedTrips map[uint64]struct{ booked, missing bool }

// halfBooked takes note of the state of a trip that is being reported. It reports whether by now one trip with its link
// is booked and another is missing: what becomes of rows further down is reported with them.
func (l linkedTrips) halfBooked(seed maphash.Seed, link string, s importer.State) bool {
	if link == "" {
		return false
	}
	key := maphash.String(seed, link)
	of := l[key]
	of.booked = of.booked || s.Booked()
	of.missing = of.missing || s.Missing()
	l[key] = of
	return of.booked && of.missing
}
