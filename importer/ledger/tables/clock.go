package tables

import (
	"time"

	"tripimport/importer"
)

// instantForm has a fixed width, so that texts sort as the instants do.
const instantForm = "2006-01-02T15:04:05.000000Z"

// instant writes an instant of the program's own, such as the time of a claim:
// UTC, to the microsecond; an empty text for none. Times of the schedule have no
// zone and are never written so.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(instantForm)
}

// parseInstant is the inverse of instant.
func parseInstant(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return time.Parse(instantForm, s)
}

// parseDay reads a service date; a trip without one has an empty text.
func parseDay(s string) (importer.Date, error) {
	if s == "" {
		return importer.Date{}, nil
	}
	return importer.ParseDate(s)
}
