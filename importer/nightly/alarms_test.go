package nightly

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/sandbox/inject"
)

// TestLate brings a schedule after it was due: one alarm, and it is booked all the same.
func TestLate(t *testing.T) {
	o := newOffice(t)
	o.wakes("2026-12-01 21:30", "2026-12-01 22:25")
	o.wantMails()
	o.wakes("2026-12-01 22:30", "2026-12-01 23:35")
	o.wantMails("Lakeshore: no schedule of Wed Dec 2, 2026 has come")
	o.drop("lakeshore.csv", "12/2/2026", ids("T", 3)...)
	o.wakes("2026-12-01 23:40", "2026-12-02 00:05")
	o.wantBooked(ids("T", 3)...)
	o.wantMails("3 booked")
	o.wantPings("start", "success")
	o.wakes("2026-12-02 00:10", "2026-12-02 05:30")
	o.wantMails()
}

// TestNoShow brings no schedule at all.
func TestNoShow(t *testing.T) {
	o := newOffice(t)
	o.wakes("2026-12-01 21:30", "2026-12-02 05:30")
	o.wantMails("no schedule of Wed Dec 2, 2026 has come", "no schedule of Wed Dec 2, 2026 had come by last call")
	o.wantPings("start", "fail")
	o.wantBooked()
}

// TestHalf brings a schedule with less than 70 % of the booked trips: its rows are booked, and
// no booked trip is changed or counts as gone.
func TestHalf(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore1.csv", "12/2/2026", ids("T", 20)...)
	o.must(o.wake("2026-12-01 13:00"))
	o.wantBooked(ids("T", 20)...)
	o.wantMails()
	half := strings.Replace(scheduleOf("12/2/2026", append(ids("T", 9), "T-new")...), "12/2/2026,8:03", "12/2/2026,9:33", 1)
	o.write("in/lakeshore2.csv", half)
	o.must(o.wake("2026-12-01 21:30"))
	o.wantBooked("T-new")
	o.wantMails("only 9 of the 20 rows known")
	o.wantPings("start", "success")
	o.wantOutcomes("lakeshore2.csv", map[string]int{"change by hand": 1, "booked earlier": 8, "booked": 1})
}

// TestWhole brings a whole schedule: booked trips that it lacks are listed, and changes are
// sent.
func TestWhole(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore1.csv", "12/2/2026", ids("T", 20)...)
	o.must(o.wake("2026-12-01 13:00"))
	whole := strings.Replace(scheduleOf("12/2/2026", ids("T", 18)...), "12/2/2026,8:03", "12/2/2026,9:33", 1)
	o.write("in/lakeshore2.csv", whole)
	o.must(o.wake("2026-12-01 21:30"))
	o.wantMails("list 2 · 18 booked")
	o.wantOutcomes("lakeshore2.csv", map[string]int{"changed": 1, "booked earlier": 17})
	o.wantCancelled("T-019", "T-020")
}

// TestReplacedWhileBooked has a corrected schedule take the place of the one that is being
// booked: it is a schedule of its own, and not put away with the first.
func TestReplacedWhileBooked(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	o.write("corrected.csv", scheduleOf("12/2/2026", "T-1", "T-2"))
	replaced := make(chan error, 9) // of each request; the first one counts
	o.intercept = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			replaced <- os.Rename(filepath.Join(o.dir, "corrected.csv"), filepath.Join(o.dir, "in", "lakeshore.csv"))
		}
		return false
	}
	o.must(o.wake("2026-12-01 21:30"))
	o.wantBooked("T-1")
	if err := <-replaced; err != nil && runtime.GOOS == "windows" {
		t.Skip("this system lets nobody replace a file that is open")
	}
	o.wakes("2026-12-01 21:35", "2026-12-01 22:00")
	o.wantBooked("T-2")
	o.wantFiles("in")
	o.wantFiles("done", "lakeshore.csv")
}

// TestAnswersThatCannotBeTaken has a morning workbook come back damaged. People are told, and
// where the list is now; with the file moved away it is in its place again.
func TestAnswersThatCannotBeTaken(t *testing.T) {
	o := newOffice(t)
	list := filepath.Join(o.dir, "results", "morning.xlsx")
	wantList := func(name string) {
		t.Helper()
		if last := o.mails[len(o.mails)-1].Text; !strings.Contains(last, "what is open is in "+name+" in") {
			t.Errorf("the list is in %s: %s", name, last)
		}
	}
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	o.wakes("2026-12-01 21:30", "2026-12-01 21:45")
	wantList("morning.xlsx")
	o.wantMails("list 0 · 1 booked")

	o.must(os.Truncate(list, 1000))
	o.drop("lakeshore.csv", "12/3/2026", "T-2")
	o.wakes("2026-12-02 21:30", "2026-12-02 21:45")
	wantList("morning-2.xlsx")
	o.wantMails("list 0 · 1 booked · TROUBLE no answer in morning.xlsx can be taken")

	o.must(os.Remove(list))
	o.drop("lakeshore.csv", "12/4/2026", "T-3")
	o.wakes("2026-12-03 21:30", "2026-12-03 21:45")
	wantList("morning.xlsx")
	o.wantMails("list 0 · 1 booked")

	results, err := filepath.Glob(filepath.Join(o.dir, "results", "*.results.csv")) // no list is beside these
	o.must(err)
	o.must(os.Truncate(results[0], 300))
	o.drop("lakeshore.csv", "12/5/2026", "T-4")
	o.wakes("2026-12-04 21:30", "2026-12-04 21:45")
	wantList("morning.xlsx")
	if last := o.mails[len(o.mails)-1].Text; strings.Contains(last, "beside it") || !strings.Contains(last, "retry it") {
		t.Errorf("the mail about %s: %s", results[0], last)
	}
}

// TestTouchedWhileBooked has a program that keeps folders in step set the time of the
// schedule whenever it is read. The file counts as being written, and not as one that can't
// be read: it is booked once it is left alone.
func TestTouchedWhileBooked(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	touched := 0
	o.intercept = func(_ http.ResponseWriter, r *http.Request) bool {
		if touched < 3 && r.Method == http.MethodGet {
			touched++
			at := o.now.Add(-time.Duration(10-touched) * time.Minute)
			o.must(os.Chtimes(filepath.Join(o.dir, "in", "lakeshore.csv"), at, at))
		}
		return false
	}
	o.wakes("2026-12-01 21:30", "2026-12-01 22:40")
	if touched != 3 {
		t.Errorf("the file was touched %d times", touched)
	}
	o.wantBooked("T-1")
	o.wantMails("list 0 · 1 booked")
	o.wantFiles("in")
	o.wantFiles("done", "lakeshore.csv")
}

// TestSuperseded brings three whole schedules at once: only the newest is imported. An older
// one that comes later is listed.
func TestSuperseded(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore_20261201_1800.csv", "12/2/2026", "T-1", "T-2", "T-3")
	o.drop("lakeshore_20261201_1900.csv", "12/2/2026", "T-1", "T-2")
	o.must(o.wake("2026-12-01 21:30"))
	o.wantBooked("T-1", "T-2")
	o.wantMails("2 booked")
	o.wantFiles("done/not booked", "lakeshore_20261201_1800.csv")
	status, err := o.awake().Status(t.Context())
	o.must(err)
	if !slices.Contains(status, "    Lakeshore: 2 of 2 trips booked") {
		t.Errorf("the file that was set aside hides the one that was booked: %q", status)
	}

	o.drop("lakeshore_20261201_1830.csv", "12/2/2026", "T-1", "T-4")
	o.must(o.wake("2026-12-01 21:40"))
	o.wantBooked()
	o.wantMails("a schedule came after a newer one, and nothing of it was booked")
	o.drop("lakeshore_20261201_1831.csv", "12/2/2026", "T-1", "T-2")
	o.must(o.wake("2026-12-01 21:45"))
	o.wantMails()
}

// TestTakenBack brings, one after the other and at once, a schedule, a changed one, and the bytes of the
// first again: the broker has taken the change back.
func TestTakenBack(t *testing.T) {
	o := newOffice(t)
	first := strings.ReplaceAll(scheduleOf("12/2/2026", "T-1", "T-3", "T-2"), "2026,8:", "2026,15:")
	second := strings.ReplaceAll(strings.Replace(scheduleOf("12/2/2026", "T-1", "T-3"), "2026,8:00", "2026,16:30", 1), "2026,8:", "2026,15:")
	o.write("in/lakeshore_20261201_1200.csv", first)
	o.must(o.wake("2026-12-01 13:00"))
	o.wantBooked("T-1", "T-2", "T-3")
	o.write("in/lakeshore_20261201_1900.csv", second)
	o.must(o.wake("2026-12-01 21:30"))
	o.wantOutcomes("lakeshore_20261201_1900.csv", map[string]int{"changed": 1, "booked earlier": 1})
	o.wantCancelled("T-2")
	o.write("in/lakeshore_20261201_2145.csv", first)
	o.must(o.wake("2026-12-01 21:50"))
	o.wantOutcomes("lakeshore_20261201_2145.csv", map[string]int{"changed": 1, "change by hand": 1, "booked earlier": 1})
	o.wantFiles("done/not booked")

	at := time.Date(2026, 12, 3, 20, 0, 0, 0, time.UTC)
	for i, ids := range [][]string{{"V-1", "V-2"}, {"V-1"}, {"V-1", "V-2"}} {
		name := fmt.Sprintf("in/lakeshore_20261203_2%d00.csv", i)
		o.write(name, scheduleOf("12/4/2026", ids...))
		o.must(os.Chtimes(filepath.Join(o.dir, name), at, at.Add(time.Duration(i)*time.Minute)))
	}
	o.must(o.wake("2026-12-03 22:31"))
	o.wantBooked("V-1", "V-2")
}

// TestBrokenOff brings a whole schedule, and at once or later one that was broken off in the
// middle: every row is booked, also those that only the older one has.
func TestBrokenOff(t *testing.T) {
	for _, together := range []bool{true, false} {
		for _, later := range []bool{true, false} {
			t.Run(fmt.Sprint(together, later), func(t *testing.T) {
				o := newOffice(t)
				whole, half := ids("T", 20), ids("T", 9)
				o.drop("lakeshore_20261201_1800.csv", "12/2/2026", whole...)
				if !together {
					o.must(o.wake("2026-12-01 21:30"))
				}
				o.drop("lakeshore_20261201_1900.csv", "12/2/2026", append(half, "T-new")...)
				if later {
					o.drop("lakeshore_20261201_1930.csv", "12/2/2026", append(whole, "T-new")...)
				}
				o.must(o.wake("2026-12-01 21:40"))
				if !later { // nothing more need come
					o.must(o.wake("2026-12-01 22:31"))
				}
				o.wantBooked(append(whole, "T-new")...)
			})
		}
	}
}

// TestUnseenByHalf brings an older whole schedule after half a newer one: the rows that the newer
// one lacks are booked.
func TestUnseenByHalf(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore_20261201_1200.csv", "12/2/2026", ids("T", 20)...)
	o.must(o.wake("2026-12-01 13:00"))
	o.wantBooked(ids("T", 20)...)
	o.drop("lakeshore_20261201_1900.csv", "12/2/2026", ids("T", 9)...)
	o.wakes("2026-12-01 22:30", "2026-12-01 22:30")
	o.wantMails("only 9 of the 20 rows known")
	o.drop("lakeshore_20261201_1830.csv", "12/2/2026", append(ids("T", 20), "T-new")...)
	o.must(o.wake("2026-12-01 22:35"))
	o.wantBooked("T-new")
}

// TestVolume brings unusual numbers of trips: they are compared with the same weekday of
// earlier weeks, once there are three.
func TestVolume(t *testing.T) {
	o := newOffice(t)
	o.night.Config.Slots = o.night.Config.Slots[1:2]
	for _, other := range []string{"wed", "thu", "fri", "sat", "sun", "mon"} {
		o.night.Config.Days[other] = nil
	}
	day := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for week, trips := range []int{20, 22, 18, 11, 25, 40, 20} {
		on := day.AddDate(0, 0, 7*week)
		o.drop("lakeshore.csv", on.AddDate(0, 0, 1).Format("1/2/2006"), ids(on.Format("0102"), trips)...)
		o.must(o.wake(on.Format("2006-01-02") + " 21:30"))
		o.wantBooked(ids(on.Format("0102"), trips)...)
		switch trips {
		case 11, 40:
			o.wantMails("the schedule has")
		default:
			o.wantMails("booked")
			if strings.Contains(strings.Join(o.lines, ""), "usual") {
				t.Errorf("%d trips are odd", trips)
			}
		}
		o.wakes(on.AddDate(0, 0, 1).Format("2006-01-02")+" 05:00", on.AddDate(0, 0, 1).Format("2006-01-02")+" 05:05")
		o.lines = nil
	}
}

// TestMissingDay brings no trips for one of several days of an evening.
func TestMissingDay(t *testing.T) {
	o := newOffice(t)
	o.night.Config.Days["fri"] = []string{"sat", "sun", "mon"}
	o.drop("lakeshore1.csv", "12/5/2026", "T-1")
	o.drop("lakeshore2.csv", "12/7/2026", "T-2")
	o.wakes("2026-12-04 21:30", "2026-12-04 22:25")
	o.wantBooked("T-1", "T-2")
	o.wantMails("2 booked")
	o.wakes("2026-12-04 22:30", "2026-12-05 05:00")
	o.wantMails("no schedule has come for Sun Dec 6, 2026")
}

// TestWriting writes a file slowly: it is imported once nobody writes to it any more.
func TestWriting(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	path, grow := filepath.Join(o.dir, "in", "lakeshore.csv"), true
	o.night.Wait = func(context.Context, time.Duration) error {
		if grow {
			o.drop("lakeshore.csv", "12/2/2026", "T-1", "T-2", "T-"+time.Now().Format("150405.000000000"))
		}
		return nil
	}
	o.wakes("2026-12-01 21:30", "2026-12-01 22:30")
	o.wantBooked()
	o.wantMails("it is still being written")
	o.drop("lakeshore.csv", "12/2/2026", "T-1", "T-2")
	loc := o.night.Config.Zone
	o.must(os.Chtimes(path, time.Time{}, at(t, loc, "2026-12-01 22:34").Add(30*time.Second)))
	grow = false
	o.must(o.wake("2026-12-01 22:35"))
	o.wantBooked()
	o.must(o.wake("2026-12-01 22:36"))
	o.wantBooked("T-1", "T-2")
}

// TestResultsAway loses the folder of results while trips are sent, for good: all are booked, and nobody is told at last call
// to phone them.
func TestResultsAway(t *testing.T) {
	o := newOffice(t)
	away := sync.OnceFunc(o.mover("results"))
	o.intercept = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			away()
		}
		return false
	}
	o.drop("lakeshore.csv", "12/2/2026", "T-1", "T-2")
	o.wakes("2026-12-01 21:30", "2026-12-02 05:05")
	o.wantBooked("T-1", "T-2")
	o.wantFiles("done", "lakeshore.csv")
	text := ""
	for _, m := range o.mails {
		text += m.Subject + "\n" + m.Text
	}
	if !strings.Contains(text, "the results could not be written") || strings.Contains(text, "not sent") || strings.Contains(text, "phone") {
		t.Error(text)
	}
}

// TestInboxAway has the inbox on a share that is away when the schedule is due: nobody is told that the broker has sent
// none, and it is booked once the share is back.
func TestInboxAway(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	o.must(os.Rename(filepath.Join(o.dir, "in"), filepath.Join(o.dir, "away")))
	o.wakes("2026-12-01 21:30", "2026-12-01 22:30")
	o.wantMails("can't be read", "the schedule of Wed Dec 2, 2026 can't be read: it is still being written or open in another program")
	o.must(os.Rename(filepath.Join(o.dir, "away"), filepath.Join(o.dir, "in")))
	o.wakes("2026-12-01 22:35", "2026-12-01 22:40")
	o.wantBooked("T-1")
}

// TestOlderOfOneDay brings an older schedule of several days after a newer one that has all trips
// of the first of them: S-2 is gone from that day, and the other days are booked.
func TestOlderOfOneDay(t *testing.T) {
	o := newOffice(t)
	o.night.Config.Days["fri"] = []string{"sat", "sun"}
	o.drop("lakeshore_20261204_2000.csv", "12/5/2026", "S-1")
	o.must(o.wake("2026-12-04 21:30"))
	o.wantBooked("S-1")
	o.wantMails("1 booked")
	o.write("in/lakeshore_20261204_1800.csv", scheduleOf("12/5/2026", "S-1", "S-2")+strings.TrimPrefix(scheduleOf("12/6/2026", "U-1"), header))
	o.must(o.wake("2026-12-04 21:35"))
	o.wantBooked("U-1")
	o.wantMails("the schedule is older than the last one")
}

// TestWholeWeekend brings a whole schedule of several days: trips that it lacks are listed for
// each of them, also for a day with few trips, but not for a day without trips.
func TestWholeWeekend(t *testing.T) {
	o := newOffice(t)
	o.night.Config.Days["fri"] = []string{"sat", "sun", "mon"}
	weekend := func(saturday, sunday, monday []string) (text string) {
		text = scheduleOf("12/5/2026", saturday...) + strings.TrimPrefix(scheduleOf("12/6/2026", sunday...), header)
		return text + strings.TrimPrefix(scheduleOf("12/7/2026", monday...), header)
	}
	o.write("in/lakeshore1.csv", weekend(ids("S", 6), ids("U", 3), ids("M", 2)))
	o.must(o.wake("2026-12-04 13:00"))
	o.write("in/lakeshore2.csv", weekend(ids("S", 5), ids("U", 2), nil))
	o.must(o.wake("2026-12-04 21:30"))
	o.wantOutcomes("lakeshore2.csv", map[string]int{"booked earlier": 7})
	o.wantCancelled("S-006", "U-003")
}

// TestCheckSlot runs a check slot: it says what would fail and what is wrong with the files,
// and leaves the files. An office without faults is told nothing.
func TestCheckSlot(t *testing.T) {
	for spoilt, want := range map[bool][]string{
		false: nil,
		true:  {"token: the service does not accept the token; nothing was sent (and 1 more)"},
	} {
		t.Run(fmt.Sprint(spoilt), func(t *testing.T) {
			o := newOffice(t)
			o.night.Config.Slots = o.night.Config.Slots[:2]
			o.drop("lakeshore.csv", "12/2/2026", "T-1")
			if spoilt {
				o.env["TRIPIMPORT_TOKEN"] = "old"
				o.write("in/lakeshore.csv", strings.Replace(scheduleOf("12/2/2026", "T-1", "T-2"), "AMB", "Gurney", 1))
			}
			o.wakes("2026-12-01 16:30", "2026-12-01 16:40")
			o.wantMails(want...)
			o.wantPings()
			o.wantBooked()
			o.wantFiles("in", "lakeshore.csv")
		})
	}
}

// TestCheckDay checks schedules in the morning and in the afternoon: people are told of a wrong week while the broker is at
// work, and of no file that the night takes, or a slot of the day.
func TestCheckDay(t *testing.T) {
	for _, test := range []struct {
		day, at string
		want    []string
	}{
		{"12/9/2026", "16:30", []string{"Lakeshore: the schedule has no trips for Wed Dec 2, 2026, but 1 on Wed Dec 9, 2026; the night would book nothing of it"}},
		{"12/2/2026", "16:30", nil},
		{"12/1/2026", "16:30", nil}, // the slot of 13:00 goes on
		{"12/2/2026", "10:00", nil},
	} {
		t.Run(test.day+" "+test.at, func(t *testing.T) {
			o := newOffice(t)
			o.night.Config.Slots[0].At = importer.TimeOfDay{Hour: 10}
			if test.at == "16:30" {
				o.night.Config.Slots[0].At = importer.TimeOfDay{Hour: 16, Minute: 30}
			}
			o.must(o.wake("2026-12-01 09:55"))
			o.drop("lakeshore.csv", test.day, "T-1")
			o.must(o.wake("2026-12-01 " + test.at))
			o.wantMails(test.want...)
		})
	}
}

// TestSeveralFiles brings several partial exports of one day in one slot: a trip that two of
// them have counts once.
func TestSeveralFiles(t *testing.T) {
	o := newOffice(t)
	o.night.Config.Brokers[0].Mapping = "plain"
	o.drop("lakeshore1.csv", "12/3/2026", "T-1", "T-2", "T-3")
	o.must(o.wake("2026-12-02 21:30"))
	o.drop("lakeshore2.csv", "12/3/2026", "T-1", "T-2", "T-3", "T-4")
	o.wakes("2026-12-02 21:35", "2026-12-03 05:00")
	o.wantBooked("T-1", "T-2", "T-3", "T-4")
	on := importer.Date{Year: 2026, Month: 12, Day: 3}
	if n := o.journal().counts("2026-12-02T21:30 import", "Lakeshore")[on].Booked; n != 4 {
		t.Errorf("%d trips are said to be booked, want 4", n)
	}
}

// TestEarly brings tomorrow's schedule before an optional slot for today: it waits for its own
// slot.
func TestEarly(t *testing.T) {
	o := newOffice(t)
	o.night.Config.Slots = o.night.Config.Slots[1:3]
	o.wakes("2026-12-01 21:30", "2026-12-02 05:00")
	o.mails = nil
	o.drop("lakeshore.csv", "12/3/2026", "T-1")
	o.night.Config.Slots[1].At = importer.TimeOfDay{Hour: 5, Minute: 30}
	o.wakes("2026-12-02 05:30", "2026-12-02 06:00")
	o.wantFiles("in", "lakeshore.csv")
	o.wantMails()
	o.must(o.wake("2026-12-02 21:30"))
	o.wantBooked("T-1")
	o.wantMails("1 booked")
}

// TestOlderThanByHand brings a schedule that is older than one that somebody imported by hand: its days are not
// said to lack trips. What was told to somebody at a terminal is in the mail with its time.
func TestOlderThanByHand(t *testing.T) {
	o := newOffice(t)
	o.night.Config.Days["fri"] = []string{"sat", "sun", "mon"}
	loc, err := time.LoadLocation(zone)
	o.must(err)
	o.now = at(t, loc, "2026-12-04 20:00")
	o.faults = []inject.Fault{{Trip: "T-1", Kind: "500", Commit: "after"}}
	o.serve()
	o.write("lakeshore_20261204_1900.csv", scheduleOf("12/5/2026", "T-1")+strings.TrimPrefix(scheduleOf("12/6/2026", "T-2")+strings.TrimPrefix(scheduleOf("12/7/2026", "T-3"), header), header))
	a, err := o.app()
	o.must(err)
	if status := app.StatusOf(a.Import(context.Background(), app.Options{OutputFolder: filepath.Join(o.dir, "results")}, app.Silent{}, filepath.Join(o.dir, "lakeshore_20261204_1900.csv"))); status != app.NeedsPerson {
		t.Fatalf("the import by hand ends with %d", status)
	}
	o.booked = nil
	o.drop("lakeshore_20261204_1800.csv", "12/5/2026", "T-1", "T-9")
	o.must(o.wake("2026-12-04 21:30"))
	o.drop("lakeshore_20261204_2030.csv", "12/5/2026", "T-1", "T-4")
	o.wakes("2026-12-04 21:35", "2026-12-05 05:00")
	o.wantBooked("T-4")
	text := ""
	for _, m := range o.mails {
		text += m.Subject + "\n" + m.Text
	}
	if strings.Contains(text, "has come for") || !strings.Contains(text, "1 thing to act on, told before, is still open") {
		t.Errorf("mails:\n%s\n%s", text, strings.Join(o.lines, "\n"))
	}
}

// TestImportedByHand has somebody import a schedule that the broker mailed: no alarm says that none has come, and the
// mail of the night tells where its trips are. If only some rows were sent, it is as if none had come.
func TestImportedByHand(t *testing.T) {
	for _, test := range []struct {
		limit int
		want  []string
	}{
		{0, []string{"4 booked"}},
		{2, []string{"no schedule of Wed Dec 2, 2026 has come", "nothing is booked"}},
	} {
		t.Run(fmt.Sprintf("limit %d", test.limit), func(t *testing.T) {
			o := newOffice(t)
			loc, err := time.LoadLocation(zone)
			o.must(err)
			o.now = at(t, loc, "2026-12-01 20:05")
			o.write("mailed.csv", scheduleOf("12/2/2026", ids("T", 4)...))
			a, err := o.app()
			o.must(err)
			if err := a.Import(context.Background(), app.Options{OutputFolder: filepath.Join(o.dir, "results"), Limit: test.limit}, app.Silent{}, filepath.Join(o.dir, "mailed.csv")); app.StatusOf(err) != app.Done {
				t.Fatal(err)
			}
			o.wakes("2026-12-01 21:30", "2026-12-02 05:10")
			text := ""
			for _, m := range o.mails {
				text += m.Subject + "\n" + m.Text
			}
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("with a limit of %d, no mail has %q:\n%s\n%s", test.limit, want, text, strings.Join(o.lines, "\n"))
				}
			}
			if told := strings.Contains(text, "Lakeshore: its schedule was imported before, at 20:05"); told == (test.limit > 0) || told && strings.Contains(text, "no schedule") {
				t.Errorf("with a limit of %d, the mails say:\n%s", test.limit, text)
			}
		})
	}
}

// TestPutAwayElsewhere has the night of another machine put a file away that this one has dealt with too.
func TestPutAwayElsewhere(t *testing.T) {
	inbox, done := t.TempDir(), t.TempDir()
	path := filepath.Join(inbox, "lakeshore.csv")
	if err := os.WriteFile(path, []byte(header), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &Config{Done: done}
	f := &arrival{path: path, size: info.Size(), written: info.ModTime()}
	for range 2 { // the second time it is gone
		if err := c.putAway(f, true); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(done, "lakeshore.csv")); err != nil {
		t.Error(err)
	}
}

// TestUndated brings a schedule of which no date, or no time, can be read: people are told at once, and not with the
// morning's list.
func TestUndated(t *testing.T) {
	for name, rows := range map[string]string{"dates": scheduleOf("TBD", "T-1", "T-2"), "times": strings.ReplaceAll(scheduleOf("12/2/2026", "T-1", "T-2"), ",8:", ",8h")} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.write("in/lakeshore1.csv", rows)
			o.wakes("2026-12-01 21:30", "2026-12-01 21:40")
			o.wantBooked()
			o.wantMails("no trip of the schedule has a date and a time that can be read")
		})
	}
}

// TestHoliday brings nothing for a holiday, of which nobody is told, and then a schedule on an evening that is for no
// day: it is booked.
func TestHoliday(t *testing.T) {
	o := newOffice(t)
	o.night.Config.Days = map[string][]string{"2026-12-01": {"thu"}, "2026-12-02": {}}
	o.wakes("2026-12-02 05:00", "2026-12-02 06:00")
	o.wantMails()
	o.drop("lakeshore1.csv", "12/3/2026", "T-1")
	o.wakes("2026-12-02 21:30", "2026-12-02 21:40")
	o.wantBooked("T-1")
	o.drop("lakeshore2.csv", "12/8/2026", "T-2") // the evening before it is another one
	o.wakes("2026-12-02 21:45", "2026-12-02 21:55")
	o.wantBooked()
}
