package nightly

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEmpty brings a schedule without rows, and then the right one.
func TestEmpty(t *testing.T) {
	o := newOffice(t)
	o.write("in/lakeshore.csv", header)
	o.wakes("2026-12-01 21:30", "2026-12-01 21:35")
	o.wantMails("a file can't be read")
	o.wantFiles("done/not booked", "lakeshore.csv")
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	o.must(o.wake("2026-12-01 21:40"))
	o.wantBooked("T-1")
	o.wantMails("1 booked")
}

// TestWrongDay brings a schedule of another day. The dispatcher can put it back for the slot
// of its day.
func TestWrongDay(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/3/2026", "T-1", "T-2")
	o.must(o.wake("2026-12-01 21:30"))
	o.wantMails("the schedule has no trips for Wed Dec 2, 2026, but 2 on Thu Dec 3, 2026; nothing was booked")
	o.wantBooked()
	o.must(os.Rename(filepath.Join(o.dir, "done", "not booked", "lakeshore.csv"), filepath.Join(o.dir, "in", "lakeshore.csv")))
	o.must(o.wake("2026-12-02 21:30"))
	o.wantBooked("T-1", "T-2")
}

// TestStrayOfWrongDay brings a schedule of the day after, with one trip of the right day: people are told that the schedule
// is missing. A weekend with few trips on Saturday is nothing odd.
func TestStrayOfWrongDay(t *testing.T) {
	o := newOffice(t)
	o.write("in/lakeshore.csv", scheduleOf("12/3/2026", ids("T", 12)...)+strings.TrimPrefix(scheduleOf("12/2/2026", "S-1"), header))
	o.wakes("2026-12-01 21:30", "2026-12-01 22:35")
	o.wantMails("13 booked", "TROUBLE Lakeshore: no schedule has come for Wed Dec 2, 2026")
	o.night.Config.Days["fri"] = []string{"sat", "mon"}
	o.write("in/lakeshore.csv", scheduleOf("12/7/2026", ids("M", 12)...)+strings.TrimPrefix(scheduleOf("12/5/2026", "U-1"), header))
	o.wakes("2026-12-04 21:30", "2026-12-04 22:35")
	o.mails = o.mails[len(o.mails)-1:] // the nights in between are missed
	o.wantMails("13 booked")
}

// TestYesterdaysAgain brings yesterday's schedule again in place of today's: people are told, and that today's has not come.
func TestYesterdaysAgain(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1", "T-2")
	o.wakes("2026-12-01 21:30", "2026-12-02 05:10")
	o.wantMails("2 booked")
	o.wantPings("start", "success")
	o.drop("lakeshore.csv", "12/2/2026", "T-1", "T-2")
	o.wakes("2026-12-02 21:30", "2026-12-02 22:35")
	o.wantMails("the schedule has no trips for Thu Dec 3, 2026, but 2 on Wed Dec 2, 2026", "no schedule of Thu Dec 3, 2026 has come")
	o.wantPings("start")
	o.drop("lakeshore.csv", "12/3/2026", "N-1")
	o.must(o.wake("2026-12-02 22:40"))
	o.wantMails("1 booked")
	o.wantPings("success")
}

// TestForeignFile brings a list of invoices beside the schedule, where the mapping is chosen by the columns: people are told,
// and the schedule is booked. Once the list is taken away, that is all.
func TestForeignFile(t *testing.T) {
	o := newOffice(t)
	o.night.Config.Brokers[0].Mapping = ""
	o.write("in/lakeshore1.csv", "Invoice,Amount,Paid\n1,20.00,yes\n2,30.00,no\n")
	o.drop("lakeshore2.csv", "12/2/2026", ids("T", 5)...)
	_ = o.wake("2026-12-01 21:30")
	o.wantBooked(ids("T", 5)...)
	o.wantMails("5 booked · TROUBLE Lakeshore: the file: no mapping has the columns of this file")
	o.wantFiles("in", "lakeshore1.csv")
	o.wakes("2026-12-01 21:35", "2026-12-01 22:35")
	o.must(os.Remove(filepath.Join(o.dir, "in", "lakeshore1.csv")))
	o.wakes("2026-12-01 22:40", "2026-12-02 05:10")
	o.wantBooked()
	o.wantMails()
}

// TestUnreadable brings files that can't be read: the night looks at each twice, and then puts
// it where the dispatcher finds it.
func TestUnreadable(t *testing.T) {
	o := newOffice(t)
	o.write("in/lakeshore1.csv", "some text\nwithout a header\n")
	o.write("in/lakeshore2.csv", "")
	o.must(o.wake("2026-12-01 21:30"))
	o.wantMails()
	o.must(o.wake("2026-12-01 21:31"))
	o.wantMails()
	o.must(o.wake("2026-12-01 21:35"))
	o.wantMails("a file can't be read")
	o.wantPings("start", "fail")
	o.wantFiles("done/not booked", "lakeshore1.csv", "lakeshore2.csv")
	o.drop("lakeshore1.csv", "12/2/2026", "T-1")
	o.must(o.wake("2026-12-01 21:40"))
	o.wantBooked("T-1")
	o.wantMails("1 booked")
	o.wantPings("success")
}

// TestSame brings the same schedule twice.
func TestSame(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore1.csv", "12/2/2026", "T-1")
	o.must(o.wake("2026-12-01 13:00"))
	o.wantBooked("T-1")
	o.drop("lakeshore2.csv", "12/2/2026", "T-1")
	o.must(o.wake("2026-12-01 21:30"))
	o.wantBooked()
	o.wantMails("1 booked")
	if last := o.lines[len(o.lines)-1]; last != "21:30 Lakeshore: 1 of 1 trip booked" {
		t.Error(last)
	}
	o.wantFiles("done", "lakeshore1.csv", "lakeshore2.csv")
}

// TestPutBack puts a schedule that was booked back into the inbox, once its mapping is right: it is imported again.
func TestPutBack(t *testing.T) {
	o := newOffice(t)
	o.write("in/lakeshore.csv", strings.Replace(scheduleOf("12/2/2026", "T-1", "T-2"), "AMB", "Gurney", 1))
	o.wakes("2026-12-01 21:30", "2026-12-01 21:35")
	o.wantBooked("T-2")
	mapping, err := os.ReadFile(filepath.Join(o.dir, "whole.yaml"))
	o.must(err)
	o.write("whole.yaml", strings.Replace(string(mapping), "AMB: AMB", "AMB: AMB, Gurney: STR", 1))
	o.must(os.Rename(filepath.Join(o.dir, "done", "lakeshore.csv"), filepath.Join(o.dir, "in", "lakeshore.csv")))
	o.wakes("2026-12-01 21:40", "2026-12-01 21:45")
	o.wantBooked("T-1")
	o.wantFiles("done", "lakeshore.csv")
}

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

// TestOtherFiles: what other programs keep in an inbox is no schedule, whatever the pattern of the names.
func TestOtherFiles(t *testing.T) {
	o := newOffice(t)
	o.night.Config.Brokers[0].Files = ""
	for _, name := range []string{"desktop.ini", "Thumbs.db", "~$lakeshore.xlsx", ".DS_Store", "lakeshore.csv.part", "lakeshore.csv.places.csv"} {
		o.write("in/"+name, "no schedule")
	}
	o.drop("their export", "12/2/2026", "T-1") // a name without an ending is a schedule's
	o.wakes("2026-12-01 21:30", "2026-12-01 21:45")
	o.wantBooked("T-1")
	o.wantMails("1 booked")
}
