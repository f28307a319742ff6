package run

import (
	"testing"

	"tripimport/importer"
)

// TestMainDate finds the day with the most trips of a schedule, whatever a few rows say.
func TestMainDate(t *testing.T) {
	day := func(n int) importer.Date { return importer.Date{Year: 2026, Month: 12, Day: n} }
	wrong := importer.Date{Year: 2025, Month: 12, Day: 2}
	for name, c := range map[string]struct {
		dates []importer.DateCount
		want  importer.Date
	}{
		"none":           {nil, importer.Date{}},
		"one":            {[]importer.DateCount{{Date: day(2), Trips: 20}}, day(2)},
		"two alike":      {[]importer.DateCount{{Date: day(1), Trips: 7}, {Date: day(2), Trips: 7}}, day(1)},
		"two days":       {[]importer.DateCount{{Date: day(1), Trips: 8}, {Date: day(2), Trips: 12}}, day(2)},
		"a wrong year":   {[]importer.DateCount{{Date: wrong, Trips: 1}, {Date: day(2), Trips: 20}}, day(2)},
		"a few are late": {[]importer.DateCount{{Date: day(2), Trips: 274}, {Date: day(3), Trips: 16}}, day(2)},
	} {
		p := Plan{}
		p.Dates = c.dates
		if got := p.MainDate(); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

// TestTitleOfCancelled refuses the rows below a title of cancelled trips, and no others, in the order of sorted results
// either.
func TestTitleOfCancelled(t *testing.T) {
	row := func(num int, leftOut string) *importer.Mapped {
		return &importer.Mapped{Row: importer.Row{Num: num}, LeftOut: leftOut}
	}
	var d damage
	for _, m := range []*importer.Mapped{row(2, ""), row(5, importer.TitleOfCancelled), row(6, "cancelled"), row(3, "")} {
		if err := d.refuse(m); err != nil {
			t.Errorf("row %d: %v", m.Row.Num, err)
		}
	}
	if d.refuse(row(7, "")) == nil {
		t.Error("row 7 is read")
	}
}
