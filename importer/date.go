package importer

import (
	"fmt"
	"time"
)

// A Date is a day of the calendar, without a zone.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// NewDate gives the date, and false where the calendar has no such day (30
// February) or the year does not have four digits.
func NewDate(year int, month time.Month, day int) (Date, bool) {
	d := Date{year, month, day}
	return d, year >= 1000 && year <= 9999 && DateOf(d.noon()) == d
}

// DateOf gives the day that t shows on its own clock, in t's own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// ParseDate reads YYYY-MM-DD, the form that String gives.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("%q is not a date like 2026-12-02", s)
	}
	return DateOf(t), nil
}

// noon is a time on that day that calendar arithmetic can't push off it.
func (d Date) noon() time.Time { return time.Date(d.Year, d.Month, d.Day, 12, 0, 0, 0, time.UTC) }

// IsZero reports whether no date is set.
func (d Date) IsZero() bool { return d == Date{} }

// String gives YYYY-MM-DD, or nothing for no date.
func (d Date) String() string { return string(d.appendTo(nil)) }

// appendTo appends what String gives. It writes the digits itself: dates are
// formatted for every trip, and Sprintf was most of what that cost.
func (d Date) appendTo(dst []byte) []byte {
	if d.IsZero() {
		return dst
	}
	y, m, day := d.Year, int(d.Month), d.Day
	return append(dst,
		digit(y/1000), digit(y/100), digit(y/10), digit(y), '-',
		digit(m/10), digit(m), '-', digit(day/10), digit(day))
}

func digit(n int) byte { return byte('0' + n%10) }

// AddDays gives the day n days later (earlier where n is negative).
func (d Date) AddDays(n int) Date { return DateOf(d.noon().AddDate(0, 0, n)) }

// DaysUntil counts the days from d to e; negative where e is earlier.
func (d Date) DaysUntil(e Date) int { return int(e.noon().Sub(d.noon()) / (24 * time.Hour)) }

// Compare orders dates: negative where d is earlier than e.
func (d Date) Compare(e Date) int { return d.noon().Compare(e.noon()) }

// Weekday gives the day of the week.
func (d Date) Weekday() time.Weekday { return d.noon().Weekday() }

// A TimeOfDay is what a clock on the wall shows.
type TimeOfDay struct{ Hour, Minute, Second int }

// Valid reports whether a clock can show the time: 00:00:00 to 23:59:59.
func (t TimeOfDay) Valid() bool {
	return t.Hour >= 0 && t.Hour < 24 && t.Minute >= 0 && t.Minute < 60 && t.Second >= 0 && t.Second < 60
}

// String gives HH:MM, with the seconds where there are any.
func (t TimeOfDay) String() string { return string(t.appendTo(nil)) }

func (t TimeOfDay) appendTo(dst []byte) []byte {
	dst = append(dst, digit(t.Hour/10), digit(t.Hour), ':', digit(t.Minute/10), digit(t.Minute))
	if t.Second != 0 {
		dst = append(dst, ':', digit(t.Second/10), digit(t.Second))
	}
	return dst
}

// A DateTime is a date and a wall-clock time, as written in the schedule. It
// has no zone and is never converted: a time goes through untouched.
type DateTime struct {
	Date
	TimeOfDay
}

// WillCallOn gives the pickup time by which the service knows a will call on
// that day: 23:59 (contract, section 2.5).
func WillCallOn(d Date) DateTime { return DateTime{d, TimeOfDay{Hour: 23, Minute: 59}} }

// IsZero reports whether no date and time is set.
func (t DateTime) IsZero() bool { return t.Date.IsZero() }

// String gives YYYY-MM-DD HH:MM, with the seconds where there are any.
func (t DateTime) String() string { return string(t.appendTo(nil)) }

func (t DateTime) appendTo(dst []byte) []byte {
	if t.IsZero() {
		return dst
	}
	return t.TimeOfDay.appendTo(append(t.Date.appendTo(dst), ' '))
}

// Compare orders two times on one wall clock: negative where t is earlier.
func (t DateTime) Compare(u DateTime) int { return t.flat().Compare(u.flat()) }

// MinutesUntil counts the whole minutes from t to u on the wall clock, daylight
// saving disregarded; negative where u is earlier.
func (t DateTime) MinutesUntil(u DateTime) int { return int(u.flat().Sub(t.flat()) / time.Minute) }

// flat lays the wall clock on an even time line, for comparing only.
func (t DateTime) flat() time.Time {
	return time.Date(t.Year, t.Month, t.Day, t.Hour, t.Minute, t.Second, 0, time.UTC)
}

// In gives the instant at which clocks in loc show t. It reports false where
// they never do: in the hour that daylight saving skips. (time.Date moves such
// a time by an hour without a word.) In the hour that comes twice the first is
// taken.
func (t DateTime) In(loc *time.Location) (time.Time, bool) {
	at := time.Date(t.Year, t.Month, t.Day, t.Hour, t.Minute, t.Second, 0, loc)
	return at, DateTimeOf(at) == t
}

// DateTimeOf gives what a clock in at's own zone shows at that instant.
func DateTimeOf(at time.Time) DateTime {
	h, m, s := at.Clock()
	return DateTime{DateOf(at), TimeOfDay{h, m, s}}
}
