package importer

import "testing"

func TestListed(t *testing.T) {
	day := Date{Year: 2026, Month: 12, Day: 2}
	for want, at := range map[string]DateTime{
		"2026-12-02 08:30":     {Date: day, TimeOfDay: TimeOfDay{Hour: 8, Minute: 30}},
		"2026-12-02 will call": WillCallOn(day),
		"":                     {},
	} {
		if got := at.Listed(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
