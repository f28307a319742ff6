package xlsx

import (
	"fmt"
	"math"
	"time"

	"tripimport/importer"
)

const (
	// lastSerial is 31 December 9999, the last day that a serial can be.
	lastSerial = 2_958_465
	// offset1904 is the number of days by which the 1904 system begins later.
	offset1904 = 1_462
	// firstDay is 1 March 1900. The 1900 system counts a 29 February 1900 that
	// never was, and programs disagree on the days before it.
	firstDay = 61
)

// serialText returns a serial in ISO form and its type. It returns Number for a number that
// is no date or time: a negative one, one after the year 9999, or a day of early 1900 on
// which programs disagree.
//
// A date whose format hides its time is still a date and time, so that the time
// is not lost.
func serialText(v float64, kind numberKind, date1904 bool) (string, importer.CellType) {
	day, all := math.Floor(v), int64(math.Round(v*86_400)) // to the second, since a time such as 08:30 has no exact serial
	days, seconds := int(all/86_400), int(all%86_400)
	at := time.Date(1899, time.December, 30+days, 0, 0, seconds, 0, time.UTC)
	if date1904 {
		day, at = day+offset1904, at.AddDate(0, 0, offset1904)
	}

	switch {
	case v < 0 || day > lastSerial:
		return "", importer.Number
	case kind == elapsedTime:
		return fmt.Sprintf("%02d:%02d:%02d", all/3600, all/60%60, all%60), importer.Duration
	case kind == timeOnly && days < firstDay, days == 0 && (kind == dateAndTime || seconds != 0):
		return at.Format(time.TimeOnly), importer.TimeCell
	case days == 0, !date1904 && days < firstDay:
		return "", importer.Number
	case kind == dateOnly && seconds == 0:
		return at.Format(time.DateOnly), importer.DateCell
	}
	return at.Format("2006-01-02T15:04:05"), importer.DateTimeCell
}
