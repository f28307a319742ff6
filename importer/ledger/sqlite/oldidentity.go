package sqlite

import "tripimport/importer"

// Ledgers of schema 1 compared trips in another way: units counted for nothing,
// the type of trip counted, and only the time at which a trip begins was
// compared. Trips that were claimed then are still found so.

// oldIdentity gives the keyed hash under which a ledger of schema 1 kept a trip
// that begins on that day. It is nil where the rider or a location is missing.
func (h hashers) oldIdentity(trip *importer.Trip, day importer.Date) []byte {
	bare := *trip
	bare.Pickup.Address2, bare.Dropoff.Address2 = "", ""
	id, _ := bare.Identity() // its times are not asked for
	if id.Rider == "" {
		return nil
	}
	return h.oldIdentities.sum(nil, id.Rider, id.Pickup, id.Dropoff, trip.Type.String(), day.String())
}

// A span is a part of a day, its first and last minute included.
type span struct {
	day         importer.Date
	first, last int
}

// spans gives the time within so many minutes of the trip's, day by day; for a
// will call the day as a whole.
func spans(trip *importer.Trip, within int) []span {
	at := trip.Time()
	if at.IsZero() {
		return nil
	}
	if trip.Type == importer.WillCall {
		return []span{{at.Date, 0, minutesADay - 1}}
	}
	from, to := minuteOf(at.TimeOfDay)-within, minuteOf(at.TimeOfDay)+within
	var all []span
	for n := floorDiv(from, minutesADay); n <= floorDiv(to, minutesADay); n++ {
		midnight := n * minutesADay
		all = append(all, span{at.AddDays(n), max(from-midnight, 0), min(to-midnight, minutesADay-1)})
	}
	return all
}
