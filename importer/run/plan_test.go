package run

import (
	"testing"

	"tripimport/importer"
)

// TestFirstDate finds the first day of a schedule of several days, whatever a few rows say.
func TestFirstDate(t *testing.T) {
	day := func(n int) importer.Date { return importer.Date{Year: 2026, Month: 12, Day: n} }
	wrong := importer.Date{Year: 2025, Month: 12, Day: 2}
	for name, c := range map[string]struct {
		dates []importer.DateCount
		want  importer.Date
	}{
		"none":           {nil, importer.Date{}},
		"one":            {[]importer.DateCount{{Date: day(2), Trips: 20}}, day(2)},
		"a week":         {[]importer.DateCount{{Date: day(1), Trips: 6}, {Date: day(2), Trips: 7}, {Date: day(4), Trips: 13}}, day(1)},
		"two days":       {[]importer.DateCount{{Date: day(1), Trips: 8}, {Date: day(2), Trips: 12}}, day(2)},
		"a wrong year":   {[]importer.DateCount{{Date: wrong, Trips: 1}, {Date: day(2), Trips: 20}}, day(2)},
		"a few are late": {[]importer.DateCount{{Date: day(2), Trips: 274}, {Date: day(3), Trips: 16}}, day(2)},
	} {
		p := Plan{}
		p.Dates = c.dates
		if got := p.FirstDate(); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}
