package importer

import "time"

// Rules are a mapping's settings for the checks. A limit of zero is no limit.
// Mappings start from DefaultRules.
type Rules struct {
	// SpaceTypes are the codes that the mapping can give. A trip with any other code has
	// a fault. If it is empty, every code that is not blank is allowed.
	SpaceTypes []string
	// Location is the zone of the schedule's times; nil for the machine's own. It decides
	// which day is today, whether a trip is too late, and which times daylight saving
	// skips. Times are never converted.
	Location *time.Location
	// MaxDistanceRatio limits a billable distance, as a multiple of the straight
	// line.
	MaxDistanceRatio float64
	// Area is the area that all positions have to be in.
	Area Area
	// DoubleBookingMinutes is the difference in time up to which two trips of one rider
	// between the same locations are taken for a double booking. 0 switches the rule off.
	DoubleBookingMinutes int
	// Complete reports that a file has all trips of its day, so that a booked trip that
	// is not in the file is not in the schedule any more.
	Complete bool
}

// An Area is a range of latitudes and longitudes, in degrees.
type Area struct{ South, West, North, East float64 }

// Contains reports whether a position is in the area. The zero Area contains every
// position.
func (a Area) Contains(lat, lng float64) bool {
	return a == Area{} || (a.South <= lat && lat <= a.North && a.West <= lng && lng <= a.East)
}

// DefaultRules returns the rules of a mapping without settings: positions in the fifty states, American Samoa, Puerto Rico and the
// Virgin Islands; a billable distance of at most ten times the straight line;
// double bookings within 15 minutes.
func DefaultRules() Rules {
	return Rules{
		MaxDistanceRatio:     10,
		Area:                 Area{South: -14.7, West: -179.3, North: 71.6, East: -64.4},
		DoubleBookingMinutes: 15,
	}
}
