package tables

import "tripimport/importer"

const minutesPerDay = 24 * 60

func minuteOf(t importer.TimeOfDay) int { return t.Hour*60 + t.Minute }

// oldTypes returns the types of trips, which are part of the identities of schema 1.
func oldTypes() []importer.TripType {
	return []importer.TripType{importer.WillCall, importer.Appointment, importer.Return}
}

// timeAt returns the time at a minute of a day.
func timeAt(day importer.Date, minute int) importer.DateTime {
	return importer.DateTime{Date: day, TimeOfDay: importer.TimeOfDay{Hour: minute / 60, Minute: minute % 60}}
}

// A span is a part of a day, from its first to its last minute inclusive.
type span struct {
	day         importer.Date
	first, last int
}

// oldSpans returns the times that differ from the trip's by at most within minutes, as
// one span for each day. For a will call it returns the whole day. Ledgers of schema 1
// compared trips in this way.
func oldSpans(trip *importer.Trip, within int) []span {
	at := trip.Time()
	if at.IsZero() {
		return nil
	}

	if trip.Type == importer.WillCall {
		return []span{{at.Date, 0, minutesPerDay - 1}}
	}

	minute := minuteOf(at.TimeOfDay)
	most := 1 + within/minutesPerDay
	var spans []span
	for n := -most; n <= most; n++ {
		midnight := n * minutesPerDay
		s := span{at.AddDays(n), max(minute-within-midnight, 0), min(minute+within-midnight, minutesPerDay-1)}
		if s.first <= s.last {
			spans = append(spans, s)
		}
	}
	return spans
}
