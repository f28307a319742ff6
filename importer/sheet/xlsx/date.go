package xlsx

import (
	"math"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
)

const (
	// lastSerial1900 and lastSerial1904 are 31 December 9999, the last day that
	// a serial can be, in the two date systems.
	lastSerial1900 = 2_958_465
	lastSerial1904 = lastSerial1900 - offset1904
	// offset1904 is the number of days by which the 1904 system begins later.
	offset1904 = 1_462
	// firstDay is 1 March 1900. The 1900 system counts a 29 February 1900 that
	// never was, and programs disagree on the days before it.
	firstDay = 61
)

// appendSerial appends a serial in ISO form and gives its type. It appends
// nothing and gives Number for a number that is no date or time: a negative
// one, one after the year 9999, or a day of early 1900 on which programs
// disagree.
//
// A date whose format hides its time is still a date and time, so that the time
// is not lost.
func appendSerial(dst []byte, v float64, s section, date1904 bool) ([]byte, importer.CellType) {
	last := float64(lastSerial1900 + 1)
	if date1904 {
		last = lastSerial1904 + 1
	}

	if v < 0 || v >= last {
		return dst, importer.Number
	}

	all := int64(math.Round(v * 86_400)) // to the second, since a time such as 08:30 has no exact serial
	days, seconds := all/86_400, all%86_400
	if s.kind == elapsedTime {
		return appendClock(dst, days*86_400+seconds), importer.Duration
	}

	day := days
	if date1904 {
		day += offset1904
	}

	switch {
	case s.kind == timeOnly && days < firstDay, days == 0 && (s.kind == dateAndTime || seconds != 0):
		return appendClock(dst, seconds), importer.TimeCell
	case day < firstDay, days == 0:
		return dst, importer.Number
	case s.kind == dateOnly && seconds == 0:
		return appendDay(dst, day), importer.DateCell
	}

	dst = append(appendDay(dst, day), 'T')
	return appendClock(dst, seconds), importer.DateTimeCell
}

// appendClock appends a time as HH:MM:SS. An elapsed time may have more than 24 hours.
func appendClock(dst []byte, seconds int64) []byte {
	dst = appendPadded(dst, seconds/3600)
	dst = appendPadded(append(dst, ':'), seconds/60%60)
	return appendPadded(append(dst, ':'), seconds%60)
}

// appendDay appends a day of the 1900 system as YYYY-MM-DD. The day must not be
// before firstDay. The zone plays no part in it.
func appendDay(dst []byte, serial int64) []byte {
	day := time.Date(1899, time.December, 30+int(serial), 0, 0, 0, 0, time.UTC)
	return day.AppendFormat(dst, time.DateOnly)
}

// appendPadded appends n with at least two digits.
func appendPadded(dst []byte, n int64) []byte {
	if n < 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, n, 10)
}

// isoForms are the forms of dates and times in ISO form.
var isoForms = []struct {
	layout string
	is     importer.CellType
}{
	{time.DateOnly, importer.DateCell},
	{"15:04:05", importer.TimeCell},
	{"15:04", importer.TimeCell},
	{"2006-01-02T15:04:05", importer.DateTimeCell},
	{"2006-01-02T15:04", importer.DateTimeCell},
}

// isoCell returns the text and the type of a date that the file has in ISO form. A day
// that some programs write as a midnight in UTC is a date, and a time on the first day of
// a date system is a time. Any other date with a zone is text, since the local time
// that it stands for is not known here.
func isoCell(raw string) (string, importer.CellType) {
	if at, err := time.Parse(time.RFC3339, raw); err == nil && strings.HasSuffix(raw, "Z") && at.Equal(at.Truncate(24*time.Hour)) {
		return at.Format(time.DateOnly), importer.DateCell
	}

	text := raw
	for _, day := range []string{"T", "1899-12-30T", "1899-12-31T", "1904-01-01T"} { // programs disagree on it
		text = strings.TrimPrefix(text, day)
	}
	for _, form := range isoForms {
		if at, err := time.Parse(form.layout, text); err == nil {
			return at.Format(form.layout), form.is
		}
	}
	return raw, importer.Text
}
