package sqlite

import (
	"time"

	"tripimport/importer"
)

// What a clock on the wall shows in a day.
const (
	minutesADay = 24 * 60
	secondsADay = minutesADay * 60
)

func minuteOf(t importer.TimeOfDay) int { return t.Hour*60 + t.Minute }

func secondOf(t importer.TimeOfDay) int { return minuteOf(t)*60 + t.Second }

func timeOf(second int) importer.TimeOfDay {
	return importer.TimeOfDay{Hour: second / 3600, Minute: second / 60 % 60, Second: second % 60}
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// instantForm has a fixed width, so that texts sort as the instants do.
const instantForm = "2006-01-02T15:04:05.000000Z"

// instant writes an instant for the ledger: UTC, to the microsecond. These are
// the program's own instants; times of the schedule never come here.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(instantForm)
}

func parseInstant(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return time.Parse(instantForm, s)
}

// parseDay reads a service date; a trip without one has none.
func parseDay(s string) (importer.Date, error) {
	if s == "" {
		return importer.Date{}, nil
	}
	return importer.ParseDate(s)
}
