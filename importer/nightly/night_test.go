package nightly

import (
	"testing"
)

// TestNight lives through a normal night.
func TestNight(t *testing.T) {
	o := newOffice(t)
	o.must(o.wake("2026-12-01 21:25"))
	if o.lines != nil {
		t.Errorf("nothing is due, and it printed %q", o.lines)
	}

	o.must(o.wake("2026-12-01 21:30"))
	o.wantPings("start")
	o.drop("lakeshore_1202.csv", "12/2/2026", ids("T", 5)...)
	o.must(o.wake("2026-12-01 21:35"))
	o.wantBooked(ids("T", 5)...)
	o.wantMails("list 0 · 5 booked")
	o.wantPings("success")
	o.wantFiles("in")
	o.wantFiles("done", "lakeshore_1202.csv")

	o.drop("lakeshore_1202.csv", "12/2/2026", append(ids("T", 5), "T-new")...)
	o.wakes("2026-12-01 21:40", "2026-12-02 05:10")
	o.wantBooked("T-new")
	o.wantPings()
	o.wantFiles("done", "lakeshore_1202 (2).csv", "lakeshore_1202.csv")
	for _, line := range o.lines {
		t.Log(line)
	}
	for _, m := range o.mails {
		t.Log(m.Subject, "\n"+m.Text)
	}
}
