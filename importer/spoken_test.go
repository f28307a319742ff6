package importer

import "testing"

func TestSpokenDates(t *testing.T) {
	for days, want := range map[int]string{
		1: "1 on Wed Dec 2, 2026",
		3: "1 on Wed Dec 2, 2026, 1 on Thu Dec 3, 2026, 1 on Fri Dec 4, 2026",
		4: "1 on Wed Dec 2, 2026, 1 on Thu Dec 3, 2026, 1 on Fri Dec 4, 2026, 1 more day",
		5: "1 on Wed Dec 2, 2026, 1 on Thu Dec 3, 2026, 1 on Fri Dec 4, 2026, 2 more days",
	} {
		var p PlanSummary
		for i := range days {
			p.Dates = append(p.Dates, DateCount{Date: Date{Year: 2026, Month: 12, Day: 2 + i}, Trips: 1})
		}
		if got := p.SpokenDates(); got != want {
			t.Errorf("%d days: %s, want %s", days, got, want)
		}
	}
}
