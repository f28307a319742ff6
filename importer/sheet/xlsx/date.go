package xlsx

import (
	"math"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
)

// A serialTime is a serial number in parts: whole days, and the rest of the day
// in seconds.
type serialTime struct {
	days, seconds int64
	// fraction is the rest of the second, as a number of that many digits.
	fraction int64
	digits   int
}

// splitSerial rounds a serial to the second, or to the digits of a second that
// the format shows, at most 3. Spreadsheets round likewise when they show it,
// since a time such as 08:30 has no exact serial.
func splitSerial(serial float64, digits int) serialTime {
	digits = min(digits, 3)
	scale := int64(math.Pow10(digits))
	units := int64(math.Round(serial * 86_400 * float64(scale)))
	day := 86_400 * scale
	t := serialTime{days: units / day, digits: digits}
	units %= day
	t.seconds, t.fraction = units/scale, units%scale
	return t
}

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

	t := splitSerial(v, s.fraction)
	if s.kind == elapsedTime {
		return t.appendClock(dst, t.days*24), importer.Duration
	}

	days := t.days
	if date1904 {
		days += offset1904
	}

	midnight := t.seconds == 0 && t.fraction == 0
	switch {
	case s.kind == timeOnly && t.days < firstDay:
		return t.appendClock(dst, 0), importer.TimeCell
	case t.days == 0 && (s.kind == dateAndTime || !midnight):
		return t.appendClock(dst, 0), importer.TimeCell
	case days < firstDay, t.days == 0:
		return dst, importer.Number
	case s.kind == dateOnly && midnight:
		return appendDay(dst, days), importer.DateCell
	}

	dst = append(appendDay(dst, days), 'T')
	return t.appendClock(dst, 0), importer.DateTimeCell
}

// appendClock appends the time of day as HH:MM:SS, with hours added to its
// hours.
func (t serialTime) appendClock(dst []byte, hours int64) []byte {
	dst = appendPadded(dst, hours+t.seconds/3600, 2)
	dst = appendPadded(append(dst, ':'), t.seconds/60%60, 2)
	dst = appendPadded(append(dst, ':'), t.seconds%60, 2)
	if t.fraction > 0 {
		dst = appendPadded(append(dst, '.'), t.fraction, t.digits)
	}
	return dst
}

// appendDay appends a day of the 1900 system as YYYY-MM-DD. The day must not be
// before firstDay. The zone plays no part in it.
func appendDay(dst []byte, serial int64) []byte {
	day := time.Date(1899, time.December, 30+int(serial), 0, 0, 0, 0, time.UTC)
	return day.AppendFormat(dst, time.DateOnly)
}

// appendPadded appends n with at least width digits.
func appendPadded(dst []byte, n int64, width int) []byte {
	var digits [20]byte
	s := strconv.AppendInt(digits[:0], n, 10)
	for range width - len(s) {
		dst = append(dst, '0')
	}
	return append(dst, s...)
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
// the date system is a time. Any other date with a zone is text, since the local time
// that it stands for is not known here.
func isoCell(raw string, date1904 bool) (string, importer.CellType) {
	text, isUTC := strings.CutSuffix(raw, "Z")
	text = noFraction(text)
	if isUTC {
		day, isMidnight := strings.CutSuffix(text, "T00:00:00")
		if _, err := time.Parse(time.DateOnly, day); err != nil || !isMidnight {
			return raw, importer.Text
		}
		return day, importer.DateCell
	}

	firstDays := []string{"T", "1899-12-30T", "1899-12-31T"} // spreadsheets disagree on it
	if date1904 {
		firstDays = []string{"T", "1904-01-01T"}
	}
	for _, day := range firstDays {
		text = strings.TrimPrefix(text, day)
	}
	for _, form := range isoForms {
		if _, err := time.Parse(form.layout, text); err == nil {
			return text, form.is
		}
	}
	return raw, importer.Text
}

// noFraction removes the fraction of a second if it is zero.
func noFraction(s string) string {
	whole, fraction, ok := strings.Cut(s, ".")
	if ok && strings.Trim(fraction, "0") == "" {
		return whole
	}
	return s
}
