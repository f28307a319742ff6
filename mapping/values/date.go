package values

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
)

// DateFormats declares how a schedule writes dates and times. ISO dates, dates
// with the month's name and times such as 08:30 or 8:30 AM are read without any
// declaration.
type DateFormats struct {
	// Order is mdy, dmy or ymd: the order of three numbers such as 3/4/2026.
	// If it is empty, such dates are not read.
	Order string
	// Compact lists the forms of dates without separators: YYYYMMDD, MMDDYYYY,
	// MMDDYY.
	Compact []string
	// Serials is 1900 or 1904 if plain numbers may be a spreadsheet program's
	// count of days since that year; otherwise 0.
	Serials int
	// Offsets says what an explicit offset from UTC means: "keep" the clock as
	// it is written, or "convert" it to Zone. If it is empty, a time with an
	// offset is not read.
	Offsets string
	// Zone is the zone that times are converted to.
	Zone *time.Location
}

// Unreadable says why a text is not a date or a time.
type Unreadable struct {
	// Code is the code of the problem.
	Code string
	// Message says what is wrong and Fix what to do, as in importer.Problem.
	Message, Fix string
}

// codeDateFormat is the code of a text that is no date in any form.
const codeDateFormat = "date-unreadable"

func notADate(s string) *Unreadable {
	return &Unreadable{codeDateFormat, fmt.Sprintf("%q is not a date that can be read", s), "write it as 12/02/2026 or 2026-12-02"}
}

// Date reads the date of a cell, which is of the given type and has the given
// clean text. A time after the date is disregarded.
func (x *DateFormats) Date(kind importer.CellType, s string) (importer.Date, *Unreadable) {
	if kind == importer.Bool || kind == importer.TimeCell || kind == importer.Duration {
		return importer.Date{}, notADate(s)
	}

	d, _, bad := x.DateTime(s)
	if bad != nil {
		return importer.Date{}, bad
	}
	return d, nil
}

// DateTime reads a clean text that is a date, or a date and a time. The time is
// nil if there is none.
func (x *DateFormats) DateTime(s string) (importer.Date, *importer.TimeOfDay, *Unreadable) {
	if d, ok := isoDate(s); ok {
		if len(s) == len("2026-12-02") {
			return d, nil, nil
		}
		return x.timeWithOffset(s, d, Clean(s[len("2026-12-02T"):]))
	}

	if x.Serials != 0 && strings.Contains(s, ".") {
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
		t, err := x.TimeOfDay(s[i+1:])
		if err != nil {
			continue
		}
		if d, err := x.day(strings.TrimRight(s[:i], " ,")); err == nil {
			return d, &t, nil
		} else if err.Code != codeDateFormat {
			return d, nil, err
		}
	}

	return d, nil, bad
}

// isoDate reads the date at the beginning of a text that is YYYY-MM-DD alone or
// goes on after a T or a space.
func isoDate(s string) (importer.Date, bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' || !AllDigits(s[:4]) || !AllDigits(s[5:7]) || !AllDigits(s[8:10]) {
		return importer.Date{}, false
	}
	if len(s) > 10 && s[10] != 'T' && s[10] != ' ' {
		return importer.Date{}, false
	}
	return importer.NewDate(atoi(s[:4]), time.Month(atoi(s[5:7])), atoi(s[8:10]))
}

// atoi reads a few digits. The caller has checked that they are digits.
func atoi(digits string) int {
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

// weekday matches a weekday before a date, such as Mon and Wednesday.
var weekday = regexp.MustCompile(`(?i)^(mon|tue|wed|thu|fri|sat|sun)[a-z]*[., ]+`)

// day reads a text that is a date, with a weekday before it or not, and nothing else.
func (x *DateFormats) day(s string) (importer.Date, *Unreadable) {
	if a, b, c, ok := slashed(s); ok {
		return x.ordered(s, a, b, c)
	}

	if of := weekday.FindStringSubmatch(s); of != nil {
		d, bad := x.day(s[len(of[0]):])
		if bad == nil && !strings.EqualFold(of[1], d.Weekday().String()[:3]) {
			return d, &Unreadable{"date-contradicts", fmt.Sprintf("%s is a %s, not a %s", d, d.Weekday(), of[1]), "correct the date or the weekday"}
		}
		return d, bad
	}

	fields := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("/-., ", r) })
	if strings.ContainsFunc(s, func(r rune) bool { return r > '9' }) {
		return namedMonth(s, fields)
	}

	switch {
	case len(fields) == 1 && AllDigits(s):
		return x.compactDay(s)
	case len(fields) == 3 && strings.Count(s, " ") == 0 && AllDigits(fields[0]+fields[1]+fields[2]):
		return x.ordered(s, fields[0], fields[1], fields[2])
	}

	return importer.Date{}, notADate(s)
}

// slashed splits 12/02/2026 at its slashes. Most dates have this form.
func slashed(s string) (a, b, c string, ok bool) {
	i := strings.IndexByte(s, '/')
	j := strings.LastIndexByte(s, '/')
	if i < 1 || j <= i+1 || j == len(s)-1 {
		return "", "", "", false
	}
	a, b, c = s[:i], s[i+1:j], s[j+1:]
	return a, b, c, AllDigits(a) && AllDigits(b) && AllDigits(c)
}

// ordered reads three numbers in the declared order. If the first has four
// digits, it is the year in any case.
func (x *DateFormats) ordered(s, a, b, c string) (importer.Date, *Unreadable) {
	order := x.Order
	if len(a) == 4 {
		order = "ymd"
	}

	var year, month, day string
	switch order {
	case "":
		return importer.Date{}, &Unreadable{
			"date-order-undeclared", fmt.Sprintf("%q can be read month first or day first, and the mapping does not say which", s),
			"add dates: mdy (or dmy) under read: in the mapping",
		}
	case "mdy":
		month, day, year = a, b, c
	case "dmy":
		day, month, year = a, b, c
	default:
		year, month, day = a, b, c
	}

	if len(month) > 2 || len(day) > 2 || len(year) != 2 && len(year) != 4 {
		return importer.Date{}, notADate(s)
	}

	return calendarDay(s, atoi(year), atoi(month), atoi(day))
}

// calendarDay makes a date. A year of two digits is in this century, because
// schedules look ahead.
func calendarDay(s string, year, month, day int) (importer.Date, *Unreadable) {
	if year < 100 {
		year += 2000
	}
	d, ok := importer.NewDate(year, time.Month(month), day)
	if !ok || month < 1 || month > 12 {
		return d, &Unreadable{codeDateFormat, fmt.Sprintf("%q is not a day of the calendar", s), "write it as 12/02/2026 or 2026-12-02"}
	}
	return d, nil
}

// compactDay reads a date without separators, in a declared form.
func (x *DateFormats) compactDay(s string) (importer.Date, *Unreadable) {
	for _, form := range x.Compact {
		if len(s) != len(form) {
			continue
		}
		year := strings.Index(form, "Y")
		month, day := strings.Index(form, "MM"), strings.Index(form, "DD")
		years := strings.Count(form, "Y")
		return calendarDay(s, atoi(s[year:year+years]), atoi(s[month:month+2]), atoi(s[day:day+2]))
	}

	if x.Serials != 0 {
		if d, _, ok := x.serial(s); ok {
			return d, nil
		}
	}

	bad := notADate(s)
	bad.Fix += "; or say with dates: under read: in the mapping that dates are written like this (YYYYMMDD), or are a spreadsheet's count of days (serial)"
	return importer.Date{}, bad
}

// serial reads a spreadsheet program's count of days; its fraction is the time
// of day, to the second. A count before 1910 is no date of a schedule.
func (x *DateFormats) serial(s string) (importer.Date, importer.TimeOfDay, bool) {
	days, err := strconv.ParseFloat(s, 64)
	if err != nil || days < 3653 || days > 100_000 {
		return importer.Date{}, importer.TimeOfDay{}, false
	}
	epoch := importer.Date{Year: 1899, Month: time.December, Day: 30}
	if x.Serials == 1904 {
		epoch = importer.Date{Year: 1904, Month: time.January, Day: 1}
	}
	seconds := int64(math.Round(days * secondsOfDay))
	return epoch.AddDays(int(seconds / secondsOfDay)), timeAt(int(seconds % secondsOfDay)), true
}

// namedMonth reads Dec 2, 2026 and 2-Dec-2026, whose order is unambiguous.
func namedMonth(s string, fields []string) (importer.Date, *Unreadable) {
	for _, layout := range []string{"Jan 2 2006", "2 Jan 2006", "January 2 2006", "2 January 2006", "Jan 2 06", "2 Jan 06"} {
		if t, err := time.Parse(layout, strings.Join(fields, " ")); err == nil {
			return calendarDay(s, t.Year(), int(t.Month()), t.Day())
		}
	}
	return importer.Date{}, notADate(s)
}
