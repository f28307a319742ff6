package xlsx

import (
	"math"
	"strconv"
	"time"

	"tripimport/importer"
)

// A moment is a serial number taken apart: whole days, and the rest of the day
// in units of a second.
type moment struct {
	days, seconds int64
	// fraction is the part of a second, in that many digits.
	fraction int64
	digits   int
}

// takeApart rounds a serial to the second, or to the fraction of it that the
// format shows, as spreadsheets do when they show it: a time such as 08:30 has
// no exact serial.
func takeApart(serial float64, digits int) moment {
	digits = min(digits, 3)
	scale := int64(math.Pow10(digits))
	units := int64(math.Round(serial * 86_400 * float64(scale)))
	day := 86_400 * scale
	m := moment{days: units / day, digits: digits}
	units %= day
	m.seconds, m.fraction = units/scale, units%scale
	return m
}

// The last serials that are dates: 31 December 9999.
const (
	lastSerial1900 = 2_958_465
	lastSerial1904 = lastSerial1900 - offset1904
	// offset1904 is how many days later the 1904 system begins.
	offset1904 = 1_462
	// firstCertain is 1 March 1900. Below it the 1900 system counts a 29
	// February that never was, and programs disagree on the day.
	firstCertain = 61
)

// appendSerial appends a serial in ISO form and gives its type. It gives
// Number, and appends nothing, for a number that is no date or time: negative,
// beyond the year 9999, or a day of early 1900 on which programs disagree.
//
// The value counts before the format: a date whose format hides its time is
// still a date and time, or the time would be lost.
func appendSerial(dst []byte, v float64, s section, date1904 bool) ([]byte, importer.CellType) {
	last := float64(lastSerial1900 + 1)
	if date1904 {
		last = lastSerial1904 + 1
	}
	if v < 0 || v >= last {
		return dst, importer.Number
	}
	m := takeApart(v, s.fraction)
	if s.kind == elapsed {
		return m.appendClock(dst, m.days*24), importer.Duration
	}
	days := m.days
	if date1904 {
		days += offset1904
	}
	bare := m.seconds == 0 && m.fraction == 0
	switch {
	case s.kind == timeOnly && m.days < firstCertain:
		return m.appendClock(dst, 0), importer.TimeCell
	case m.days == 0 && s.kind == dateAndTime, m.days == 0 && !bare:
		return m.appendClock(dst, 0), importer.TimeCell
	case days < firstCertain, m.days == 0:
		return dst, importer.Number
	case s.kind == dateOnly && bare:
		return appendDay(dst, days), importer.DateCell
	}
	dst = append(appendDay(dst, days), 'T')
	return m.appendClock(dst, 0), importer.DateTimeCell
}

// appendClock appends HH:MM:SS, the hours added to those of the moment itself.
func (m moment) appendClock(dst []byte, hours int64) []byte {
	dst = appendPadded(dst, hours+m.seconds/3600, 2)
	dst = appendPadded(append(dst, ':'), m.seconds/60%60, 2)
	dst = appendPadded(append(dst, ':'), m.seconds%60, 2)
	if m.fraction > 0 {
		dst = appendPadded(append(dst, '.'), m.fraction, m.digits)
	}
	return dst
}

// appendDay appends a day of the 1900 system, at or after 1 March 1900, as
// YYYY-MM-DD. The zone plays no part: it is calendar arithmetic only.
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

// isoType gives the type of a date that the file holds in ISO form. One with a
// zone is text: what its wall clock shows is not for a reader to decide.
func isoType(b []byte) importer.CellType {
	s := string(b)
	if _, err := time.Parse(time.DateOnly, s); err == nil {
		return importer.DateCell
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		if _, err := time.Parse(layout, s); err == nil {
			return importer.TimeCell
		}
		if _, err := time.Parse(time.DateOnly+"T"+layout, s); err == nil {
			return importer.DateTimeCell
		}
	}
	return importer.Text
}
