package importer

import (
	"cmp"
	"fmt"
	"time"
)

// A Date is a day of the calendar, without a zone. The zero Date means no date.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// NewDate returns a date. It reports false if the calendar does not have it (30
// February) or the year does not have four digits.
func NewDate(year int, month time.Month, day int) (Date, bool) {
	d := Date{year, month, day}
	if year < 1000 || year > 9999 || month < time.January || month > time.December || day < 1 {
		return d, false
	}
	return d, day <= 28 || DateOf(d.noon()) == d
}

// DateOf returns the day of t in t's own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// ParseDate is the inverse of String: it reads YYYY-MM-DD. Its error quotes s and
// shows the form.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("%q is not a date like 2026-12-02", s)
	}
	return DateOf(t), nil
}

// MarshalText returns the form of String, and UnmarshalText reads it.
func (d Date) MarshalText() ([]byte, error) { return d.appendTo(nil), nil }

// UnmarshalText is the inverse of MarshalText.
func (d *Date) UnmarshalText(text []byte) (err error) {
	*d = Date{}
	if len(text) > 0 {
		*d, err = ParseDate(string(text))
	}
	return err
}

// noon returns 12:00 UTC on the day. Calendar arithmetic from noon never ends on a
// neighbouring day.
func (d Date) noon() time.Time { return time.Date(d.Year, d.Month, d.Day, 12, 0, 0, 0, time.UTC) }

// IsZero reports whether no date is set.
func (d Date) IsZero() bool { return d == Date{} }

// String returns YYYY-MM-DD, or "" for no date.
func (d Date) String() string { return string(d.appendTo(nil)) }

// appendTo appends the form of String.
func (d Date) appendTo(dst []byte) []byte {
	if d.IsZero() {
		return dst
	}
	year, month := d.Year, int(d.Month)
	if year > 9999 {
		return d.noon().AppendFormat(dst, time.DateOnly)
	}
	return append(dst, digit(year/1000), digit(year/100), digit(year/10), digit(year), '-', digit(month/10), digit(month), '-', digit(d.Day/10), digit(d.Day))
}

func digit(n int) byte { return byte('0' + n%10) }

// AddDays returns the day n days later, or earlier if n is negative.
func (d Date) AddDays(n int) Date { return DateOf(d.noon().AddDate(0, 0, n)) }

// DaysUntil returns the number of days from d to e, negative if e is earlier.
func (d Date) DaysUntil(e Date) int {
	return int(e.noon().Sub(d.noon()) / (24 * time.Hour))
}

// Compare returns a negative number if d is earlier than e, 0 if they are the same
// day, and a positive number if d is later.
func (d Date) Compare(e Date) int {
	return cmp.Or(cmp.Compare(d.Year, e.Year), cmp.Compare(d.Month, e.Month), cmp.Compare(d.Day, e.Day))
}

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.noon().Weekday() }

// A TimeOfDay is a wall-clock time in 24 hours, without a zone.
type TimeOfDay struct{ Hour, Minute, Second int }

// Valid reports whether the time is in the range 00:00:00 to 23:59:59.
func (t TimeOfDay) Valid() bool {
	return t.Hour >= 0 && t.Hour < 24 && t.Minute >= 0 && t.Minute < 60 && t.Second >= 0 && t.Second < 60
}

// ParseTimeOfDay parses a time of day such as 21:30.
func ParseTimeOfDay(text string) (TimeOfDay, error) {
	at, err := time.Parse("15:04", text)
	if err != nil {
		return TimeOfDay{}, fmt.Errorf("%q is not a time of day such as \"21:30\"", text)
	}
	return TimeOfDay{Hour: at.Hour(), Minute: at.Minute()}, nil
}

// UnmarshalText reads what ParseTimeOfDay parses.
func (t *TimeOfDay) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTimeOfDay(string(text))
	return err
}

// String returns HH:MM, or HH:MM:SS if the seconds are not zero.
func (t TimeOfDay) String() string { return string(t.appendTo(nil)) }

func (t TimeOfDay) appendTo(dst []byte) []byte {
	dst = append(dst, digit(t.Hour/10), digit(t.Hour), ':', digit(t.Minute/10), digit(t.Minute))
	if t.Second != 0 {
		dst = append(dst, ':', digit(t.Second/10), digit(t.Second))
	}
	return dst
}

// A DateTime is a date and a wall-clock time as the schedule has them. It has no
// zone and is never converted. It is zero if its Date is.
type DateTime struct {
	Date
	TimeOfDay
}

// WillCallOn returns the pickup time that marks a will call on that day in the
// service: 23:59.
func WillCallOn(d Date) DateTime { return DateTime{d, TimeOfDay{Hour: 23, Minute: 59}} }

// SpokenTime returns the time for people: 08:30, or will call.
func (t DateTime) SpokenTime() string {
	if t == WillCallOn(t.Date) {
		return "will call"
	}
	return t.TimeOfDay.String()
}

// Listed returns the day and the time for people: 2026-12-02 08:30, or 2026-12-02 will call; "" if it is zero.
func (t DateTime) Listed() string {
	if t.IsZero() {
		return ""
	}
	return t.Date.String() + " " + t.SpokenTime()
}

// IsZero reports whether no date and time is set.
func (t DateTime) IsZero() bool { return t.Date.IsZero() }

// String returns YYYY-MM-DD HH:MM, or YYYY-MM-DD HH:MM:SS if the seconds are not
// zero. It returns "" for no date and time.
func (t DateTime) String() string { return string(t.appendTo(nil)) }

// MarshalText returns the form of String, and UnmarshalText reads it.
func (t DateTime) MarshalText() ([]byte, error) { return t.appendTo(nil), nil }

// UnmarshalText is the inverse of MarshalText.
func (t *DateTime) UnmarshalText(text []byte) error {
	*t = DateTime{}
	if len(text) == 0 {
		return nil
	}
	form := "2006-01-02 15:04:05"
	at, err := time.Parse(form[:min(len(form), len(text))], string(text))
	if err == nil {
		*t = DateTimeOf(at)
	}
	return err
}

func (t DateTime) appendTo(dst []byte) []byte {
	if t.IsZero() {
		return dst
	}
	return t.TimeOfDay.appendTo(append(t.Date.appendTo(dst), ' '))
}

// Compare returns a negative number if t is earlier than u on one wall clock, 0 if
// they are the same, and a positive number if t is later.
func (t DateTime) Compare(u DateTime) int { return cmp.Compare(0, t.secondsUntil(u)) }

// MinutesUntil returns the whole minutes from t to u on the wall clock, negative
// if u is earlier. It ignores daylight saving.
func (t DateTime) MinutesUntil(u DateTime) int { return t.secondsUntil(u) / 60 }

// secondsUntil is MinutesUntil in seconds.
func (t DateTime) secondsUntil(u DateTime) int {
	return t.DaysUntil(u.Date)*24*60*60 + (u.Hour-t.Hour)*60*60 + (u.Minute-t.Minute)*60 + u.Second - t.Second
}

// In returns the instant at which clocks in loc show t. It reports false in the
// hour that daylight saving skips, where no clock shows t; the instant is then an
// hour off. In the hour that comes twice it returns the first instant.
func (t DateTime) In(loc *time.Location) (time.Time, bool) {
	at := time.Date(t.Year, t.Month, t.Day, t.Hour, t.Minute, t.Second, 0, loc)
	return at, DateTimeOf(at) == t
}

// DateTimeOf returns the date and time of an instant in its own zone.
func DateTimeOf(at time.Time) DateTime {
	h, m, s := at.Clock()
	return DateTime{DateOf(at), TimeOfDay{h, m, s}}
}
