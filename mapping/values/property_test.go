package values

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tripimport/importer"
)

// TestDatesAreReadAsWritten checks that a day is read from every form in which
// exports write it.
func TestDatesAreReadAsWritten(t *testing.T) {
	forms := &DateFormats{Order: "mdy", Compact: []string{"YYYYMMDD", "MMDDYY"}, Serials: 1900}
	rapid.Check(t, func(t *rapid.T) {
		day := importer.Date{Year: 2000, Month: time.January, Day: 1}.AddDays(rapid.IntRange(0, 36524).Draw(t, "days"))
		y, m, d := day.Year, int(day.Month), day.Day
		serial := importer.Date{Year: 1899, Month: time.December, Day: 30}.DaysUntil(day)
		for _, s := range []string{
			day.String(), fmt.Sprintf("%02d/%02d/%04d", m, d, y), fmt.Sprintf("%d/%d/%02d", m, d, y%100), fmt.Sprintf("%d-%d-%04d", m, d, y),
			fmt.Sprintf("%04d%02d%02d", y, m, d), fmt.Sprintf("%02d%02d%02d", m, d, y%100), fmt.Sprintf("%04d/%d/%d", y, m, d),
			fmt.Sprintf("%s %d, %d", day.Month, d, y), fmt.Sprintf("%d-%s-%d", d, day.Month.String()[:3], y),
			fmt.Sprintf("%s %d/%d/%d", day.Weekday().String()[:3], m, d, y), fmt.Sprint(serial),
			day.String() + "T08:30:00", fmt.Sprintf("%d/%d/%d 8:30 AM", m, d, y),
		} {
			got, bad := forms.Date(importer.Text, s)
			if bad != nil || got != day {
				t.Fatalf("%q is read as %v: %+v", s, got, bad)
			}
		}
	})
}

// TestTimesAreReadAsWritten checks the same for times of day.
func TestTimesAreReadAsWritten(t *testing.T) {
	forms := &DateFormats{Serials: 1900}
	rapid.Check(t, func(t *rapid.T) {
		at := importer.TimeOfDay{Hour: rapid.IntRange(0, 23).Draw(t, "hour"), Minute: rapid.IntRange(0, 59).Draw(t, "minute")}
		half, hour := "AM", at.Hour%12
		if at.Hour >= 12 {
			half = "PM"
		}
		if hour == 0 {
			hour = 12
		}
		list := []string{
			at.String(), at.String() + ":00", fmt.Sprintf("%d:%02d", at.Hour, at.Minute), fmt.Sprintf("%02d%02d", at.Hour, at.Minute),
			fmt.Sprintf("%d:%02d %s", hour, at.Minute, half), fmt.Sprintf("%d:%02d%s", hour, at.Minute, strings.ToLower(half)),
			fmt.Sprintf("%02d%02d%s", hour, at.Minute, strings.ToLower(half[:1])),
			fmt.Sprintf("%d:%02d %s.M.", hour, at.Minute, half[:1]), fmt.Sprintf("%.9f", float64(at.Hour*60+at.Minute)/1440),
		}
		if at.Hour > 0 {
			list = append(list, fmt.Sprintf("%d%02d", at.Hour, at.Minute))
		}
		for _, s := range list {
			got, bad := forms.TimeOfDay(s)
			if bad != nil || got != at {
				t.Fatalf("%q is read as %v: %+v", s, got, bad)
			}
		}
	})
}
