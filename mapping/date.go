package mapping

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
)

// dateForms is how a mapping says dates and times are written.
type dateForms struct {
	order   string   // mdy, dmy, ymd; empty where 3/4/2026 is not to be read
	compact []string // YYYYMMDD, MMDDYYYY, MMDDYY
	serials int      // 1900 or 1904; 0 where a plain number is no date
	offsets string   // keep or convert
	zone    *time.Location
}

// An unreadable says why a cell is not a date or a time.
type unreadable struct{ code, message, fix string }

func (u *unreadable) report(r *reading, cols ...int) { r.fault(u.code, u.message, u.fix, cols...) }

func notADate(s string) *unreadable {
	return &unreadable{codeDateFormat, fmt.Sprintf("%q is not a date that can be read", s), "write it as 12/02/2026 or 2026-12-02"}
}

// date reads the date of a cell. A time beside it is disregarded.
func (x *dateForms) date(f found) (importer.Date, *unreadable) {
	switch f.typ {
	case importer.DateCell, importer.DateTimeCell:
		if d, ok := isoDate(f.text); ok {
			return d, nil
		}
	case importer.Bool, importer.TimeCell, importer.Duration:
		return importer.Date{}, notADate(f.text)
	}
	d, _, bad := x.dateTime(f.text)
	if bad != nil {
		return importer.Date{}, bad
	}
	return d, nil
}

// isoDate reads the date at the beginning of YYYY-MM-DD and whatever follows
// it after a T or a space.
func isoDate(s string) (importer.Date, bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' || !allDigits(s[:4]) || !allDigits(s[5:7]) || !allDigits(s[8:10]) {
		return importer.Date{}, false
	}
	if len(s) > 10 && s[10] != 'T' && s[10] != ' ' {
		return importer.Date{}, false
	}
	return importer.NewDate(number(s[:4]), time.Month(number(s[5:7])), number(s[8:10]))
}

// number reads digits that are known to be digits, and few.
func number(digits string) int {
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

// day reads a text that is a date and nothing else.
func (x *dateForms) day(s string) (importer.Date, *unreadable) {
	if d, ok := isoDate(s); ok && len(s) == 10 {
		return d, nil
	}
	if a, b, c, ok := slashed(s); ok {
		return x.ordered(s, a, b, c)
	}
	s, weekday, named := cutWeekday(s)
	d, bad := x.plainDay(s)
	if bad == nil && named && d.Weekday() != weekday {
		return d, &unreadable{codeDateWeekday, fmt.Sprintf("%s is a %s, and %s stands beside it", d, d.Weekday(), weekday), "correct the date or the weekday"}
	}
	return d, bad
}

func (x *dateForms) plainDay(s string) (importer.Date, *unreadable) {
	for _, dash := range []string{" - ", " – ", " to "} {
		if from, to, ok := strings.Cut(s, dash); ok {
			return x.span(s, from, to)
		}
	}
	fields := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("/-., ", r) })
	if strings.ContainsFunc(s, func(r rune) bool { return r > '9' }) {
		return namedMonth(s, fields)
	}
	switch {
	case len(fields) == 1 && allDigits(s):
		return x.digits(s)
	case len(fields) == 3 && strings.Count(s, " ") == 0 && allDigits(fields[0]+fields[1]+fields[2]):
		return x.ordered(s, fields[0], fields[1], fields[2])
	}
	if x.serials != 0 {
		if d, _, ok := x.serial(s); ok {
			return d, nil
		}
	}
	return importer.Date{}, notADate(s)
}

// slashed parts 12/02/2026 at its slashes, the form of nearly every cell.
func slashed(s string) (a, b, c string, ok bool) {
	i := strings.IndexByte(s, '/')
	j := strings.LastIndexByte(s, '/')
	if i < 1 || j <= i+1 || j == len(s)-1 {
		return "", "", "", false
	}
	a, b, c = s[:i], s[i+1:j], s[j+1:]
	return a, b, c, allDigits(a) && allDigits(b) && allDigits(c)
}

// span reads a range of dates, which must be one day.
func (x *dateForms) span(s, from, to string) (importer.Date, *unreadable) {
	first, bad := x.day(clean(from))
	last, bad2 := x.day(clean(to))
	if bad != nil || bad2 != nil || first != last {
		return importer.Date{}, notADate(s)
	}
	return first, nil
}

// ordered reads three numbers by the order that the mapping declares. A year
// of four digits in front needs no declaration.
func (x *dateForms) ordered(s, a, b, c string) (importer.Date, *unreadable) {
	order := x.order
	if len(a) == 4 {
		order = "ymd"
	}
	if order == "" {
		return importer.Date{}, &unreadable{
			codeDateOrder, fmt.Sprintf("%q can be read month first or day first, and the mapping does not say which", s),
			"add dates: mdy (or dmy) under read: in the mapping",
		}
	}
	var year, month, day string
	switch order {
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
	return calendarDay(s, number(year), number(month), number(day))
}

// calendarDay takes a year of two digits for one of this century: schedules
// look ahead.
func calendarDay(s string, year, month, day int) (importer.Date, *unreadable) {
	if year < 100 {
		year += 2000
	}
	d, ok := importer.NewDate(year, time.Month(month), day)
	if !ok || month < 1 || month > 12 {
		return d, &unreadable{codeDateFormat, fmt.Sprintf("%q is not a day of the calendar", s), "write it as 12/02/2026 or 2026-12-02"}
	}
	return d, nil
}

// digits reads a date without separators, in a form that the mapping declares.
func (x *dateForms) digits(s string) (importer.Date, *unreadable) {
	for _, form := range x.compact {
		if len(s) != len(form) {
			continue
		}
		year := strings.Index(form, "Y")
		month, day := strings.Index(form, "MM"), strings.Index(form, "DD")
		years := strings.Count(form, "Y")
		return calendarDay(s, number(s[year:year+years]), number(s[month:month+2]), number(s[day:day+2]))
	}
	if x.serials != 0 {
		if d, _, ok := x.serial(s); ok {
			return d, nil
		}
	}
	bad := notADate(s)
	if len(s) == 8 || len(s) == 5 {
		bad.fix = "add dates: YYYYMMDD, or serials: 1900, under read: in the mapping if dates are written like this"
	}
	return importer.Date{}, bad
}

// serial reads a spreadsheet's own number of days, and the part of the day
// behind its point, to the second. Days before 1910 are no schedule's.
func (x *dateForms) serial(s string) (importer.Date, importer.TimeOfDay, bool) {
	days, err := strconv.ParseFloat(s, 64)
	if err != nil || days < 3653 || days > 100_000 {
		return importer.Date{}, importer.TimeOfDay{}, false
	}
	seconds := int64(math.Round(days * 86400))
	epoch := importer.Date{Year: 1899, Month: time.December, Day: 30}
	if x.serials == 1904 {
		epoch = importer.Date{Year: 1904, Month: time.January, Day: 1}
	}
	rest := int(seconds % 86400)
	return epoch.AddDays(int(seconds / 86400)), importer.TimeOfDay{Hour: rest / 3600, Minute: rest / 60 % 60, Second: rest % 60}, true
}

// namedMonth reads Dec 2, 2026 and 2-Dec-2026: no order can be mistaken there.
func namedMonth(s string, fields []string) (importer.Date, *unreadable) {
	if len(fields) != 3 {
		return importer.Date{}, notADate(s)
	}
	at := slices.IndexFunc(fields, func(f string) bool { return monthOf(f) != 0 })
	if at != 0 && at != 1 {
		return importer.Date{}, notADate(s)
	}
	day, year := strings.TrimRight(fields[1-at], "stndrh"), fields[2]
	if !allDigits(day) || len(day) > 2 || !allDigits(year) || len(year) != 4 && len(year) != 2 {
		return importer.Date{}, notADate(s)
	}
	return calendarDay(s, number(year), int(monthOf(fields[at])), number(day))
}

// monthOf reads a month's English name, whole or cut to three letters or more.
func monthOf(name string) time.Month {
	for m := time.January; m <= time.December; m++ {
		if len(name) >= 3 && len(name) <= len(m.String()) && strings.EqualFold(m.String()[:len(name)], name) || strings.EqualFold(name, "sept") && m == time.September {
			return m
		}
	}
	return 0
}

// cutWeekday takes a weekday's name off the beginning or the end.
func cutWeekday(s string) (rest string, day time.Weekday, named bool) {
	words := strings.Fields(s)
	if len(words) < 2 {
		return s, 0, false
	}
	last := len(words) - 1
	if d, ok := weekdayOf(words[0]); ok {
		return strings.Join(words[1:], " "), d, true
	}
	if d, ok := weekdayOf(words[last]); ok {
		return strings.TrimRight(strings.Join(words[:last], " "), ","), d, true
	}
	return s, 0, false
}

func weekdayOf(word string) (time.Weekday, bool) {
	word = strings.Trim(word, ".,()")
	for d := time.Sunday; d <= time.Saturday; d++ {
		if len(word) >= 3 && len(word) <= len(d.String()) && strings.EqualFold(d.String()[:len(word)], word) {
			return d, true
		}
	}
	return 0, false
}
