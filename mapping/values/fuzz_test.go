package values

import (
	"testing"
	"time"

	"tripimport/importer"
)

// FuzzDateTime checks that no cell makes the readers of dates and times panic,
// and that what they read is a day of the calendar and a time of day.
func FuzzDateTime(f *testing.F) {
	for _, s := range []string{
		"12/02/2026", "2/30/2026", "2026-12-02T08:15:00-05:00", "2026-12-02 08:15", "Dec 2, 2026 8:15 AM", "2-Dec-26",
		"Wed 12/02/2026", "12/02/2026 - 12/02/2026", "20261202", "46358", "46358.354166667", "0.15625", "930", "0930p",
		"8:30-9:00", "8:30 AM to 9:00 AM", "noon", "23:59:59", "24:00", "12:05 a.m.", "-1", "1e308", "NaN", "٣/٤/٢٠٢٦", "T", "Z", "/", "::",
	} {
		f.Add(s, uint8(0))
		f.Add(s, uint8(0xff))
	}
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string, how uint8) {
		forms := &DateFormats{Order: []string{"", "mdy", "dmy", "ymd"}[how&3]}
		if how&4 != 0 {
			forms.Serials = 1900
		}
		if how&8 != 0 {
			forms.Compact = []string{"YYYYMMDD", "MMDDYY"}
		}
		if how&16 != 0 {
			forms.Offsets, forms.Zone = []string{"keep", "convert"}[how>>5&1], zone
		}
		kind, text := importer.CellType(how>>5), Clean(s)
		if d, bad := forms.Date(kind, text); bad == nil {
			if _, ok := importer.NewDate(d.Year, d.Month, d.Day); !ok {
				t.Fatalf("%q is read as the day %+v", s, d)
			}
		}
		d, at, bad := forms.Time(kind, text)
		if bad != nil {
			if bad.Code == "" || bad.Message == "" || bad.Fix == "" {
				t.Fatalf("%q: %+v", s, bad)
			}
			return
		}
		if !at.Valid() {
			t.Fatalf("%q is read as the time %+v", s, at)
		}
		if _, ok := importer.NewDate(d.Year, d.Month, d.Day); !ok && !d.IsZero() {
			t.Fatalf("%q is read as the day %+v", s, d)
		}
	})
}
