package importer

import "time"

// Rules are a mapping's settings for the checks. The zero value of a limit
// turns that limit off; mappings start from DefaultRules.
type Rules struct {
	// SpaceTypes are the codes that the mapping can give; a trip with another
	// is faulty. Empty means any code that is not blank.
	SpaceTypes []string
	// Location is the zone whose wall clock the schedule shows; nil where the
	// mapping declares none. It decides what "today" and "too late" are, and
	// which times daylight saving skips; no time is ever converted.
	Location *time.Location
	// MaxDaysAhead is how far off a trip's date may be.
	MaxDaysAhead int
	// AllowPast lets trips before today through with a notice.
	AllowPast bool
	// MaxDistanceRatio is how many times the straight line a billable distance
	// may be before it is absurd.
	MaxDistanceRatio float64
	// Area is where positions must lie.
	Area Area
	// DoubleBookingMinutes is how near in time two trips of one rider between
	// the same places must be to be taken for a double booking.
	DoubleBookingMinutes int
	// Severities turns rules into the other kind, by problem code. Codes that a
	// trip can't be sent with (no trip id, no coordinates) can't be turned.
	Severities map[string]Severity
}

// An Area is a box of latitudes and longitudes.
type Area struct{ South, West, North, East float64 }

// Contains reports whether the position lies within the area. The zero area
// contains everything.
func (a Area) Contains(lat, lng float64) bool {
	return a == Area{} || (a.South <= lat && lat <= a.North && a.West <= lng && lng <= a.East)
}

// DefaultRules are what a mapping that says nothing has: trips up to 180 days
// ahead, positions within the fifty states, American Samoa, Puerto Rico and the
// Virgin Islands, a billable
// distance of at most ten times the straight line, double bookings within 15
// minutes.
func DefaultRules() Rules {
	return Rules{
		MaxDaysAhead:         180,
		MaxDistanceRatio:     10,
		Area:                 Area{South: -14.7, West: -179.3, North: 71.6, East: -64.4},
		DoubleBookingMinutes: 15,
	}
}
