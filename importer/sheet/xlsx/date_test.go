package xlsx

import (
	"strconv"
	"testing"
	"time"

	"tripimport/importer"

	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"
)

// TestSerialsAgainstCalendar reads every day from 1 March 1900 to the year 2200
// in both date systems.
func TestSerialsAgainstCalendar(t *testing.T) {
	day := time.Date(1900, time.March, 1, 0, 0, 0, 0, time.UTC)
	for serial := 61; day.Year() < 2200; serial++ {
		want := day.Format(time.DateOnly)
		if got, _ := serialText(float64(serial), dateOnly, false); got != want {
			t.Fatalf("serial %d: got %s, want %s", serial, got, want)
		}
		if serial > offset1904 {
			if got, _ := serialText(float64(serial-offset1904), dateOnly, true); got != want {
				t.Fatalf("serial %d of 1904: got %s, want %s", serial-offset1904, got, want)
			}
		}
		day = day.AddDate(0, 0, 1)
	}
}

// TestSerialsRoundTrip checks that a time to the second, written as a serial as
// programs write it, is read as it was, and as excelize reads it.
func TestSerialsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		day := rapid.IntRange(61, 80_000).Draw(t, "day")
		second := rapid.IntRange(0, 86_399).Draw(t, "second")
		digits := rapid.IntRange(11, 17).Draw(t, "digits")
		date1904 := rapid.Bool().Draw(t, "1904")
		serial := float64(day) + float64(second)/86_400
		raw := strconv.FormatFloat(serial, 'g', digits, 64)
		got, kind, ok := numberText([]byte(raw), parseFormat("m/d/yyyy h:mm:ss"), date1904)
		at, err := excelize.ExcelDateToTime(serial, date1904)
		if err != nil {
			t.Fatal(err)
		}
		want := at.Round(time.Second).Format("2006-01-02T15:04:05")
		if !ok || kind != importer.DateTimeCell || got != want {
			t.Fatalf("%s: got %s, want %s", raw, got, want)
		}
	})
}

// TestEverySecond reads every second of a day as a time of day.
func TestEverySecond(t *testing.T) {
	at := time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)
	for second := range 86_400 {
		got, kind := serialText(float64(second)/86_400, timeOnly, false)
		if want := at.Add(time.Duration(second) * time.Second).Format(time.TimeOnly); got != want || kind != importer.TimeCell {
			t.Fatalf("second %d: got %s, want %s", second, got, want)
		}
	}
}

// TestShortest checks that the shortest form of a number is read back as the
// same number, and is no longer than strconv's.
func TestShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-1e15, 1e15).Draw(t, "number")
		if rapid.Bool().Draw(t, "rounded") {
			v = float64(int64(v*100)) / 100
		}
		raw := strconv.FormatFloat(v, 'f', rapid.SampledFrom([]int{-1, 17}).Draw(t, "digits"), 64)
		parsed, _ := strconv.ParseFloat(raw, 64)
		got, _, ok := numberText([]byte(raw), format{}, false)
		back, err := strconv.ParseFloat(got, 64)
		if !ok || err != nil || back != parsed {
			t.Fatalf("%s became %s", raw, got)
		}
		if want := strconv.FormatFloat(parsed, 'f', -1, 64); len(got) > len(want) && got != raw {
			t.Fatalf("%s became %s, which is longer than %s", raw, got, want)
		}
	})
}

func FuzzNumber(f *testing.F) {
	for _, code := range []string{"", "m/d/yyyy", "[h]:mm;@", "00000-0000", `[<=9999999]###-####;(###) ###-####`, "mm:ss.000"} {
		f.Add(code, "46358.354166666664", false)
		f.Add(code, "-1e5", true)
	}
	f.Fuzz(func(t *testing.T, code, raw string, date1904 bool) {
		text, kind, ok := numberText([]byte(raw), parseFormat(code), date1904)
		v, err := strconv.ParseFloat(raw, 64)
		if ok && err != nil {
			t.Fatalf("%q was taken for a number", raw)
		}
		if !ok {
			return
		}
		// The text must be well-formed, and a day must be in the calendar.
		switch s := text; kind {
		case importer.DateCell:
			checkDay(t, s, v, date1904)
		case importer.DateTimeCell:
			checkDay(t, s[:min(len(s), 10)], v, date1904)
			checkClock(t, s[min(len(s), 11):])
		case importer.TimeCell:
			checkClock(t, s)
		case importer.Duration, importer.Number:
			if s == "" {
				t.Fatalf("%q in %q became nothing", raw, code)
			}
		default:
			t.Fatalf("%q in %q became a %s", raw, code, kind)
		}
	})
}

func checkDay(t *testing.T, s string, serial float64, date1904 bool) {
	t.Helper()
	day, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatalf("%q is no day", s)
	}
	want, err := excelize.ExcelDateToTime(serial, date1904)
	if err != nil {
		t.Fatal(err)
	}
	// A time within half a second of midnight may be rounded into the next day.
	if d := want.Sub(day); d < -time.Second || d >= 24*time.Hour {
		t.Fatalf("serial %v became %s, excelize says %s", serial, s, want)
	}
}

func checkClock(t *testing.T, s string) {
	t.Helper()
	if _, err := time.Parse("15:04:05.999", s); err != nil {
		t.Fatalf("%q is no time of day", s)
	}
}
