package importer

import "time"

// Rules are what the checks have from a mapping.
type Rules struct {
	// Location is the zone of the schedule's times; nil for the machine's own. It decides
	// which day is today, whether a trip is too late, and which times daylight saving
	// skips. Times are never converted.
	Location *time.Location
	// Complete reports that a file has all trips of its day, so that a booked trip that
	// is not in the file is not in the schedule any more.
	Complete bool
}

// DoubleBookingMinutes is the difference in time up to which two trips of one rider between the
// same locations are taken for a double booking.
const DoubleBookingMinutes = 15
