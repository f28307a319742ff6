package tables

import (
	"time"

	"tripimport/importer"
)

// instantForm has a fixed width, so that texts sort as the instants do.
const instantForm = "2006-01-02T15:04:05.000000Z"

// instant formats an instant of the program, such as the time of a claim, in UTC to the
// microsecond. The zero instant is an empty text. Times of the schedule have no zone and
// are never stored in this form.
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

// parseDay parses a day of service. An empty text is no day.
func parseDay(s string) (importer.Date, error) {
	if s == "" {
		return importer.Date{}, nil
	}
	return importer.ParseDate(s)
}

// parseDateTime is the inverse of importer.DateTime.String.
func parseDateTime(s string) (importer.DateTime, error) {
	if s == "" {
		return importer.DateTime{}, nil
	}
	form := "2006-01-02 15:04"
	if len(s) > len(form) {
		form += ":05"
	}
	t, err := time.Parse(form, s)
	return importer.DateTimeOf(t), err
}
