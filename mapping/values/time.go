package values

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
)

const secondsOfDay = 24 * 60 * 60

func notATime(s string) *Unreadable {
	fix := "write it as 08:30, 0830 or 8:30 AM"
	if _, ok := dayFraction(s); ok {
		fix = "it is a part of a day that has lost its time format: give the column one in Excel, save the file and use that, or add serial to dates: under read: in the mapping"
	}
	return &Unreadable{"time-unreadable", fmt.Sprintf("%q is not a time that can be read", s), fix}
}

// Time reads the time of a cell, which is of the given type and has the given
// clean text. It also returns the date if the cell has one, and otherwise the
// zero date. A range such as 8:30-9:00 is not read.
func (x *DateFormats) Time(kind importer.CellType, s string) (importer.Date, importer.TimeOfDay, *Unreadable) {
	var none importer.TimeOfDay
	switch kind {
	case importer.DateCell, importer.Bool:
		return importer.Date{}, none, notATime(s)
	}

	t, bad := x.TimeOfDay(s)
	if bad == nil || kind == importer.TimeCell || kind == importer.Duration {
		return importer.Date{}, t, bad
	}

	d, both, badDate := x.DateTime(s)
	switch {
	case badDate == nil && both != nil:
		return d, *both, nil
	case badDate != nil && badDate.Code != codeDateFormat:
		return importer.Date{}, none, badDate
	}

	return importer.Date{}, none, notATime(s)
}

// timeWithOffset reads the time s that follows the ISO date d in the text whole,
// with its offset from UTC if it has one. The meaning of an offset has to be
// declared, because exports write wrong ones, such as winter's offset in summer.
func (x *DateFormats) timeWithOffset(whole string, d importer.Date, s string) (importer.Date, *importer.TimeOfDay, *Unreadable) {
	clock, zone := cutOffset(s)
	t, bad := x.TimeOfDay(clock)
	if bad != nil {
		return d, nil, notATime(whole)
	}

	switch {
	case zone == nil || x.Offsets == "keep":
		return d, &t, nil
	case x.Offsets == "convert" && x.Zone != nil:
		local := importer.DateTimeOf(time.Date(d.Year, d.Month, d.Day, t.Hour, t.Minute, t.Second, 0, zone).In(x.Zone))
		if _, ok := importer.NewDate(local.Year, local.Month, local.Day); !ok {
			return d, nil, notATime(whole) // the conversion gave a year that dates can't have
		}
		return local.Date, &local.TimeOfDay, nil
	}

	return d, nil, &Unreadable{
		"time-offset", fmt.Sprintf("%q carries an offset from UTC, and the mapping does not say what it means", whole),
		"add offsets: keep under read: in the mapping if the clock shows local time, offsets: convert if not",
	}
}

// cutOffset cuts Z, -05:00, -0500 or -05 off the end of a time. The zone is nil
// if there is none.
func cutOffset(s string) (clock string, zone *time.Location) {
	if clock, ok := strings.CutSuffix(strings.ToUpper(s), "Z"); ok {
		return clock, time.UTC
	}

	i := strings.LastIndexAny(s, "+-")
	if i < 4 {
		return s, nil
	}

	for _, layout := range []string{"-07:00", "-0700", "-07"} {
		if t, err := time.Parse(layout, s[i:]); err == nil {
			_, seconds := t.Zone()
			return Clean(s[:i]), time.FixedZone("", seconds)
		}
	}
	return s, nil
}

// TimeOfDay reads a clean text that is a time of day: 8:30, 8:30 AM, 08:30:15,
// 0930, 930, 0930p, noon, and a fraction of a day if Serials is set.
func (x *DateFormats) TimeOfDay(s string) (importer.TimeOfDay, *Unreadable) {
	if strings.EqualFold(s, "noon") {
		return importer.TimeOfDay{Hour: 12}, nil
	}

	if x.Serials != 0 {
		if t, ok := dayFraction(s); ok {
			return t, nil
		}
	}

	clock, half := cutHalf(s)
	t, ok := clockTime(clock, half != 0)
	if !ok {
		return t, notATime(s)
	}

	if half != 0 {
		// 13:30 PM and 0:30 PM contradict themselves.
		if t.Hour > 12 || t.Hour == 0 && half == 'p' {
			return t, notATime(s)
		}
		t.Hour %= 12
		if half == 'p' {
			t.Hour += 12
		}
	}

	if !t.Valid() {
		return t, notATime(s)
	}

	return t, nil
}

// cutHalf cuts AM, PM, a.m., a or p off the end of a time. The half is 'a' or
// 'p', or 0 if there is none.
func cutHalf(s string) (clock string, half byte) {
	rest := s
	for _, end := range [...]string{".m.", "m"} {
		if at := len(s) - len(end); at >= 0 && strings.EqualFold(s[at:], end) {
			rest = s[:at]
			break
		}
	}
	if rest == "" {
		return s, 0
	}

	last := len(rest) - 1
	switch rest[last] {
	case 'a', 'A':
		return strings.TrimSpace(rest[:last]), 'a'
	case 'p', 'P':
		return strings.TrimSpace(rest[:last]), 'p'
	}
	return s, 0
}

// MayBeAfternoon reports whether a clean text that reads as the time t, such as 2:00, may well be meant after
// noon: it says neither AM nor PM, and hardly anybody is driven at that hour of the night. 02:00 is of a
// clock of 24 hours.
func MayBeAfternoon(s string, t importer.TimeOfDay) bool {
	const lastOfNight = 5
	return t.Hour > 0 && t.Hour <= lastOfNight && s != "" && s[0] == byte('0'+t.Hour) && !SaysHalf(s)
}

// SaysHalf reports whether a clean text ends in a time that says whether it is before or after noon.
func SaysHalf(s string) bool {
	clock, half := cutHalf(s)
	return half != 0 && clock != "" && AllDigits(clock[len(clock)-1:])
}

// clockTime reads digits with or without colons. An hour alone is a time only if
// AM or PM follows it.
func clockTime(s string, half bool) (importer.TimeOfDay, bool) {
	var t importer.TimeOfDay
	hour, minute, ok := strings.Cut(s, ":")
	if !ok {
		return timeOfDigits(s, half)
	}
	minute, second, hasSecond := strings.Cut(minute, ":")
	if len(hour) > 2 || !AllDigits(hour) || len(minute) != 2 || !AllDigits(minute) {
		return t, false
	}

	t.Hour, t.Minute = atoi(hour), atoi(minute)
	if hasSecond {
		seconds, fraction, _ := strings.Cut(second, ".")
		if len(seconds) != 2 || !AllDigits(seconds) || fraction != "" && !AllDigits(fraction) {
			return t, false
		}
		t.Second = atoi(seconds)
	}

	return t, true
}

// timeOfDigits reads 0930, and 930 that has lost its zero, as 09:30. A lone 0 is
// 0000 without its other zeros.
func timeOfDigits(s string, half bool) (importer.TimeOfDay, bool) {
	var t importer.TimeOfDay
	switch {
	case !AllDigits(s):
		return t, false
	case len(s) == 3 || len(s) == 4:
		n := atoi(s)
		return importer.TimeOfDay{Hour: n / 100, Minute: n % 100}, true
	case half && len(s) < 3:
		return importer.TimeOfDay{Hour: atoi(s)}, true
	}
	return t, s == "0"
}

// dayFraction reads a spreadsheet program's fraction of a day, to the second.
func dayFraction(s string) (importer.TimeOfDay, bool) {
	if !strings.Contains(s, ".") && s != "0" {
		return importer.TimeOfDay{}, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f < 0 || f >= 1 {
		return importer.TimeOfDay{}, false
	}
	return timeAt(int(math.Round(f*secondsOfDay)) % secondsOfDay), true
}

// timeAt returns the time that many seconds after midnight.
func timeAt(seconds int) importer.TimeOfDay {
	return importer.TimeOfDay{Hour: seconds / 3600, Minute: seconds / 60 % 60, Second: seconds % 60}
}
