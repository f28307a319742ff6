package nightly

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOtherDayNotMoved has a schedule of another day in the inbox that can't be moved away: it is booked on the evening of
// its own.
func TestOtherDayNotMoved(t *testing.T) {
	o := newOffice(t)
	o.must(os.WriteFile(filepath.Join(o.dir, "done", notBooked), nil, 0o600)) // where the folder should be
	o.drop("lakeshore.csv", "12/3/2026", ids("early", 12)...)
	o.wakes("2026-12-01 21:30", "2026-12-01 21:40")
	o.wantBooked()
	o.wantMails("TROUBLE Lakeshore: the schedule has no trips for Wed Dec 2, 2026, but 12 on Thu Dec 3, 2026; nothing was booked (and 1 more)")
	o.wakes("2026-12-02 21:30", "2026-12-02 21:40")
	o.wantBooked(ids("early", 12)...)
	o.wantFiles("in")
}

// TestUnreadableNotMoved has a schedule in the inbox that has not the broker's layout and can't be moved away: it is booked
// once its mapping is right. While it can't be moved then either, it is not taken again.
func TestUnreadableNotMoved(t *testing.T) {
	o := newOffice(t)
	o.must(os.Rename(filepath.Join(o.dir, "done"), filepath.Join(o.dir, "away")))
	o.write("in/lakeshore.csv", strings.Replace(scheduleOf("12/2/2026", ids("new", 2)...), "Rider ID", "Member", 1))
	o.wakes("2026-12-01 21:30", "2026-12-01 21:40")
	o.wantBooked()
	mapping, err := os.ReadFile(filepath.Join(o.dir, "whole.yaml"))
	o.must(err)
	o.write("whole.yaml", strings.ReplaceAll(string(mapping), "Rider ID", "Member"))
	o.wakes("2026-12-01 21:45", "2026-12-01 21:55")
	o.wantBooked(ids("new", 2)...)
	o.wantFiles("in", "lakeshore.csv")
	o.must(os.Rename(filepath.Join(o.dir, "away"), filepath.Join(o.dir, "done")))
	o.wakes("2026-12-01 22:00", "2026-12-01 22:00")
	o.wantFiles("done", "lakeshore.csv")
	o.wantBooked()
}
