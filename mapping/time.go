package mapping

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
)

func notATime(s string) *unreadable {
	fix := "write it as 08:30, 0830 or 8:30 AM"
	if _, ok := dayFraction(s); ok {
		fix = "add serials: 1900 under read: in the mapping if times are parts of a day"
	}
	return &unreadable{codeTimeFormat, fmt.Sprintf("%q is not a time that can be read", s), fix}
}

// dateTime reads a text that is a date, or a date and a time. The time is nil
// where there is none.
func (x *dateForms) dateTime(s string) (importer.Date, *importer.TimeOfDay, *unreadable) {
	if d, ok := isoDate(s); ok {
		if len(s) == 10 {
			return d, nil, nil
		}
		return x.offset(s, d, clean(s[11:]))
	}
	if x.serials != 0 && strings.Contains(s, ".") {
		if d, t, ok := x.serial(s); ok {
			return d, &t, nil
		}
	}
	d, bad := x.day(s)
	if bad == nil {
		return d, nil, nil
	}
	for i := len(s) - 1; i > 0; i-- {
		if s[i] != ' ' && s[i] != 'T' {
			continue
		}
		t, err := x.time(s[i+1:])
		if err != nil {
			continue
		}
		if d, err := x.day(strings.TrimRight(s[:i], " ,")); err == nil {
			return d, &t, nil
		} else if err.code != codeDateFormat {
			return d, nil, err
		}
	}
	return d, nil, bad
}

// offset reads the time after an ISO date, with the offset that may stand
// behind it. An offset may be wrong, and what it means is for the mapping to
// declare: exports have been seen that write winter's offset in summer.
func (x *dateForms) offset(whole string, d importer.Date, s string) (importer.Date, *importer.TimeOfDay, *unreadable) {
	clock, zone := cutOffset(s)
	t, bad := x.time(clock)
	if bad != nil {
		return d, nil, notATime(whole)
	}
	switch {
	case zone == nil || x.offsets == "keep":
		return d, &t, nil
	case x.offsets == "convert" && x.zone != nil:
		there := importer.DateTimeOf(time.Date(d.Year, d.Month, d.Day, t.Hour, t.Minute, t.Second, 0, zone).In(x.zone))
		if _, ok := importer.NewDate(there.Year, there.Month, there.Day); !ok {
			return d, nil, notATime(whole) // moved out of the years that dates have
		}
		return there.Date, &there.TimeOfDay, nil
	}
	return d, nil, &unreadable{
		codeOffset, fmt.Sprintf("%q carries an offset from UTC, and the mapping does not say what it means", whole),
		"add offsets: keep under read: in the mapping if the clock shows local time, offsets: convert if not",
	}
}

// cutOffset takes Z, -05:00 or -0500 off the end of a time.
func cutOffset(s string) (clock string, zone *time.Location) {
	if clock, ok := strings.CutSuffix(strings.ToUpper(s), "Z"); ok {
		return clock, time.UTC
	}
	i := strings.LastIndexAny(s, "+-")
	if i < 4 {
		return s, nil
	}
	digits := strings.Replace(s[i+1:], ":", "", 1)
	if len(digits) == 2 {
		digits += "00"
	}
	if len(digits) != 4 || !allDigits(digits) {
		return s, nil
	}
	seconds := number(digits[:2])*3600 + number(digits[2:])*60
	if s[i] == '-' {
		seconds = -seconds
	}
	return clean(s[:i]), time.FixedZone("", seconds)
}

// time reads a time of day: 8:30, 8:30 AM, 08:30:15, 0930, 930, 0930p, noon,
// and a day's fraction where the mapping declares serials.
func (x *dateForms) time(s string) (importer.TimeOfDay, *unreadable) {
	if t, ok := shortTime(s); ok {
		return t, nil
	}
	if strings.EqualFold(s, "noon") {
		return importer.TimeOfDay{Hour: 12}, nil
	}
	if x.serials != 0 {
		if t, ok := dayFraction(s); ok {
			return t, nil
		}
	}
	clock, half := cutHalf(s)
	t, ok := clockTime(clock, half != 0)
	if !ok {
		return t, notATime(s)
	}
	switch half {
	case 'a', 'p':
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

// shortTime reads 08:30 and 08:30:15, the forms of nearly every cell.
func shortTime(s string) (importer.TimeOfDay, bool) {
	if len(s) != 5 && len(s) != 8 || s[2] != ':' || !allDigits(s[:2]) || !allDigits(s[3:5]) {
		return importer.TimeOfDay{}, false
	}
	t := importer.TimeOfDay{Hour: number(s[:2]), Minute: number(s[3:5])}
	if len(s) == 8 {
		if s[5] != ':' || !allDigits(s[6:]) {
			return t, false
		}
		t.Second = number(s[6:])
	}
	return t, t.Valid()
}

// cutHalf takes AM, PM, a.m., a or p off the end of a time: 'a', 'p' or 0.
func cutHalf(s string) (clock string, half byte) {
	low := strings.ReplaceAll(strings.ToLower(s), ".m.", "m")
	low = strings.TrimSuffix(low, "m")
	if low == "" || low[len(low)-1] != 'a' && low[len(low)-1] != 'p' {
		return s, 0
	}
	return strings.TrimSpace(low[:len(low)-1]), low[len(low)-1]
}

// clockTime reads digits with or without colons. An hour alone is a time only
// with AM or PM behind it.
func clockTime(s string, half bool) (importer.TimeOfDay, bool) {
	var t importer.TimeOfDay
	parts := strings.Split(s, ":")
	if len(parts) == 1 {
		return bareTime(s, half)
	}
	if len(parts) > 3 || len(parts[0]) > 2 || !allDigits(parts[0]) || len(parts[1]) != 2 || !allDigits(parts[1]) {
		return t, false
	}
	t.Hour, t.Minute = number(parts[0]), number(parts[1])
	if len(parts) == 3 {
		seconds, fraction, _ := strings.Cut(parts[2], ".")
		if len(seconds) != 2 || !allDigits(seconds) || fraction != "" && !allDigits(fraction) {
			return t, false
		}
		t.Second = number(seconds)
	}
	return t, true
}

// bareTime reads 0930, and 930 that lost its zero, as 09:30. A lone 0 is 0000
// that lost three.
func bareTime(s string, half bool) (importer.TimeOfDay, bool) {
	var t importer.TimeOfDay
	switch {
	case !allDigits(s):
		return t, false
	case len(s) == 3 || len(s) == 4:
		n := number(s)
		return importer.TimeOfDay{Hour: n / 100, Minute: n % 100}, true
	case half && len(s) < 3:
		return importer.TimeOfDay{Hour: number(s)}, true
	}
	return t, s == "0"
}

// dayFraction reads a spreadsheet's own part of a day, to the second.
func dayFraction(s string) (importer.TimeOfDay, bool) {
	if !strings.Contains(s, ".") && s != "0" {
		return importer.TimeOfDay{}, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f < 0 || f >= 1 {
		return importer.TimeOfDay{}, false
	}
	seconds := int(math.Round(f*86400)) % 86400
	return importer.TimeOfDay{Hour: seconds / 3600, Minute: seconds / 60 % 60, Second: seconds % 60}, true
}
